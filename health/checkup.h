// A check-up of a model: every property over all programs up to a size, then over random ones; what
// fails is made as small as can be.
#pragma once

#include "gen/exhaustive.h"
#include "gen/profile.h"
#include "health/property.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::health {

struct Extent {
  gen::Space space;                   // first all of it, smaller programs first
  std::vector<gen::Profile> profiles; // then random programs, from each in turn
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> programs; // random ones
  std::optional<double>
      seconds; // of all; at most half of them for the space, where `programs` is open
  std::uint32_t jobs = 1;
  std::uint64_t max_tries = 5'000; // a reduction's
};

/// A program of which a property does not hold.
struct Failure {
  std::string cause; // as Property::cause says
  litmus::Program program;
  Finding finding;
};

/// What is known of one property.
struct Row {
  Property property;
  std::uint64_t programs = 0;  // that it says something of
  std::uint64_t undecided = 0; // of these
  std::string why_undecided;   // the first reason
  /// Programs of the space with at most so many accesses were all decided, and it holds of each.
  std::uint32_t holds_up_to = 0;
  std::optional<litmus::Program> example; // the smallest program found of which it does not hold
  Finding finding;                        // about the example
  bool smallest = false;       // no program of the space with fewer accesses is an example
  std::vector<Failure> others; // as small as can be, of other causes; those found first
};

struct Checkup {
  std::vector<Row> rows;
  std::uint64_t enumerated = 0; // programs of the space that were looked at
  std::uint64_t random = 0;     // programs drawn after that
  std::uint32_t whole_up_to =
      0; // all programs of the space with at most so many accesses were looked at
  bool failed() const;
  bool undecided() const; // some property is neither refuted nor was it decided on all programs
};

/// Without a limit of time the result does not depend on the number of jobs; with neither limit the
/// random part is left out.
Checkup check_up(const Settings& settings, const Extent& extent, const std::atomic<bool>& stop);

/// Which axioms decide questions: a question whose answer is another one without the axiom.
struct AxiomRow {
  std::string axiom;
  std::vector<std::string> decides; // "JMT-Fig5: seen"
};
struct Question {
  std::string name; // test and outcome
  litmus::Test test;
  litmus::Proposition proposition;
};
/// In the order of the model. Questions that are not answered whole are left out.
std::vector<AxiomRow> deciding_axioms(const Settings& settings,
                                      const std::vector<Question>& questions);

} // namespace thinair::health
