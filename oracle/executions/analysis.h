// What a search needs to know of a model before it sees any program: which nodes depend on what,
// and in which direction.
#pragma once

#include "oracle/cat/plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace thinair::executions {

/// What a search decides, a bit each: rf, final writes, and each choice of the model.
using Deps = std::uint32_t;
constexpr Deps d_rf = 1, d_final = 2, d_all = 0xffffffff;
constexpr std::size_t max_choices = 24;
constexpr Deps d_choice(std::size_t i) { return Deps{4} << i; }

/// A node of the plan, annotated.
struct Wire {
  cat::Op op = cat::Op::empty;
  graph::Type type = graph::Type::relation;
  graph::Input input = graph::Input::universe;
  cat::NodeId a = 0, b = 0;
  Deps deps = 0;   // what its value depends on
  Deps rising = 0; // those of them with which it can only grow
  /// (X \ FW) × FW that only ever meets `loc`: then the same as X × FW without the identity, which
  /// grows with each final write chosen.
  bool final_product = false;

  bool constant() const { return deps == 0; }
  /// Its lower bound is its value once everything is decided.
  bool exact() const { return (deps & ~rising) == 0; }
};

struct Analysis {
  /// Keeps a reference. `absent`: base sets and relations that are empty for the program at hand,
  /// so that what a model says of final fields costs nothing where there are none.
  explicit Analysis(const cat::Plan& plan, std::span<const graph::Input> absent = {});

  const cat::Plan& plan;
  std::vector<Wire> wires;         // by NodeId
  std::vector<std::int32_t> group; // by NodeId: the fixpoint whose iteration it is part of, or -1
  bool exact = true;               // every wire is
};

} // namespace thinair::executions
