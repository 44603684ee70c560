// Final states: what is observed of an execution, propositions over it, and the set of those seen.
#pragma once

#include "litmus/condition.h"
#include "litmus/test.h"
#include "oracle/graph/path.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace thinair::executions {

using litmus::Value;

/// An observable, resolved: a register of a thread, or a location.
struct Observed {
  std::optional<std::uint32_t> thread;
  std::uint32_t index = 0;          // Path::final_registers, or LocationId
  std::optional<litmus::Type> type; // how a machine shows it

  Value shown(Value v) const { return type ? litmus::as_declared(v, *type) : v; }
  std::string text(Value v) const { return type ? litmus::shown(v, *type) : std::to_string(v); }
};

/// Throws InputError for what the program does not have.
std::vector<Observed> resolve(const litmus::Test& test,
                              const std::vector<litmus::Observable>& observables);

enum class Truth : std::uint8_t { no, yes, open };

/// A proposition over indices of observables, evaluated while some values are missing.
class Predicate {
 public:
  Predicate(const litmus::Proposition& p, const std::vector<litmus::Observable>& observables);

  /// `known[i]` says whether `values[i]` means anything.
  Truth evaluate(std::span<const Value> values, std::span<const char> known) const {
    return evaluate(nodes_.size() - 1, values, known);
  }
  bool holds(std::span<const Value> values) const;

  /// The same as a term that is non-zero where the predicate holds; `terms[i]` stands for the i-th
  /// observable.
  graph::TermId term(graph::TermPool& pool, std::span<const graph::TermId> terms) const {
    return term(nodes_.size() - 1, pool, terms);
  }

 private:
  graph::TermId term(std::size_t node, graph::TermPool& pool,
                     std::span<const graph::TermId> terms) const;
  struct Node {
    litmus::Proposition::Kind kind;
    std::uint32_t left = 0;
    std::optional<std::uint32_t> right;
    Value constant = 0;
    std::vector<std::size_t> parts;
  };
  std::size_t add(const litmus::Proposition& p, const std::vector<litmus::Observable>& observables);
  Truth evaluate(std::size_t node, std::span<const Value> values,
                 std::span<const char> known) const;

  std::vector<Node> nodes_; // operands first
};

/// Distinct rows of `width` values, numbered as they come.
class StateTable {
 public:
  explicit StateTable(std::size_t width) : width_(width), slots_(64, empty) {}

  bool contains(std::span<const Value> state) const { return slots_[find(state)] != empty; }
  /// The row's number, and whether it is new.
  std::pair<std::uint32_t, bool> insert(std::span<const Value> state);

  std::size_t size() const { return size_; }
  std::span<const Value> operator[](std::size_t i) const {
    return {values_.data() + i * width_, width_};
  }
  /// Numbers of the first `rows` rows, in the order of the canonical texts of behaviours. Throws
  /// LimitReached where the watch stops.
  std::vector<std::uint32_t> in_text_order(std::span<const Observed> columns, std::size_t rows,
                                           Watch& watch) const;

 private:
  static constexpr std::uint32_t empty = 0xffffffff;
  std::size_t find(std::span<const Value> state) const;
  void grow();

  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<Value> values_;
  std::vector<std::uint32_t> slots_;
};

} // namespace thinair::executions
