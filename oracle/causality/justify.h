// The search for justifications (JLS 17.4.8, jMT §4).
#pragma once

#include "oracle/causality/graphs.h"
#include "oracle/question/question.h"

#include <memory>

namespace thinair::causality {

using oracle::Answer;

/// G_i with C_i: the execution, the names of its events, and what is committed.
struct Stage {
  std::uint32_t graph = 0;
  std::uint32_t labelling = 0;
  std::vector<ActionIndex> committed; // ascending
};

/// How far commitments towards a target get that is not justified.
struct Furthest {
  std::vector<Stage> stages;     // as of a justification; the last commits as many as any does
  std::vector<ActionIndex> left; // of the target's actions in races: those not committed by then
};

/// Why a target is allowed. The last stage is the target with everything committed.
struct Justification {
  std::uint32_t target = 0;
  std::vector<Stage> stages;
};

struct SearchLimits {
  std::uint64_t states = 2'000'000; // of one target
  bool commit_all = false;          // also events that need not be: to compare
};

struct SearchStatistics {
  std::uint64_t targets = 0;     // asked about
  std::uint64_t searches = 0;    // that were not well-behaved themselves
  std::uint64_t states = 0;      // committed sets visited
  std::uint64_t projections = 0; // executions looked at, as stages of some target
};

/// Whether nothing but races and what they see needs to be committed (docs/causality.md).
bool races_suffice(const Rules& rules);

/// Searches committed sets of one target at a time, each at most once. The watch of the program's
/// terms counts the steps: answers throw LimitReached once it has stopped.
///
/// Committing is needed only for reads that are racy in the target and for writes that these may
/// see: everything else can be committed at the end, with the target itself as the stage
/// (docs/causality.md has the argument and the rules it needs; without these rules all events take
/// part).
class Justifier {
 public:
  /// `set` must have its undetermined executions resolved, and outlives this.
  Justifier(const GraphSet& set, const Rules& rules, const Switches& switches,
            const SearchLimits& limits = {});
  ~Justifier();

  Answer justify(std::uint32_t target);

  /// Of the last target answered with yes.
  Justification evidence() const;

  /// Of the last target answered with no, under rules that it breaks. No stages: no execution can
  /// be the first one.
  Furthest furthest() const;

  const SearchStatistics& statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace thinair::causality
