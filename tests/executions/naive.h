// The engine's slow twin: all candidates there are, each judged by sets of pairs. Small and
// obvious.
#pragma once

#include "litmus/condition.h"
#include "litmus/test.h"
#include "oracle/cat/plan.h"

#include <cstdint>
#include <set>
#include <string>

namespace thinair::executions::naive {

struct Answer {
  std::set<litmus::Behaviour> states; // of the test's observables
  std::uint64_t executions = 0;       // each rf × final writes of what is observed × choices once
  bool cyclic = false;                // some candidate's values depend on themselves: left out
};

/// Every combination of paths, every rf, every final write, every permutation of every choice.
Answer behaviours(const litmus::Test& test, const cat::Plan& model);

} // namespace thinair::executions::naive
