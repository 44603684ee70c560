// What explorations of abstract machines have in common: limits, and the final states found.
#pragma once

#include "litmus/condition.h"
#include "litmus/test.h"
#include "oracle/question/question.h"
#include "runners/operational.h"
#include "runners/state_set.h"

#include <cstdint>
#include <set>
#include <vector>

namespace thinair::runners {

class FinalStates {
 public:
  FinalStates(const litmus::Test& test, const MachineOptions& options);

  const std::vector<litmus::Observable>& asked() const { return asked_; }
  Watch& watch() { return watch_; }

  /// Keeps a final state; false where the test's filter leaves it out.
  bool record(litmus::Behaviour behaviour);
  /// Whether to stop: `more` states are not in `seen` any more, the last has `bytes`.
  bool limit_reached(const StateSet& seen, std::size_t bytes, std::uint64_t more = 0);
  /// The answer is unknown.
  void stop(Reason why);

  oracle::Result finish(std::uint64_t states);

 private:
  const litmus::Test& test_;
  const MachineOptions& options_;
  std::vector<litmus::Observable> asked_;
  std::set<litmus::Behaviour> found_;
  Watch own_watch_;
  Watch& watch_;
  oracle::Result result_;
};

} // namespace thinair::runners
