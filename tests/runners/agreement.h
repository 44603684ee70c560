// Our engine and herd7 on the same tests under the same model, state by state.
#pragma once

#include "litmus/test.h"
#include "oracle/cat/plan.h"
#include "runners/herd7.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace thinair::runners {

/// What became of comparisons.
struct Agreement {
  std::size_t equal = 0;  // the same states
  std::size_t within = 0; // values that depend on themselves: herd7 drops some such executions, but
                          // no other, and has none that we lack
  std::size_t undecided = 0;       // herd7 or we reached a limit, or herd7 does not read the test
  std::size_t different = 0;       // each is a test failure as well
  std::vector<std::string> cycles; // names of the tests that are `within`
};
std::string to_string(const Agreement& agreement);

using States = std::set<std::string>;
States states_of(const litmus::Test& test, const oracle::Result& result);

/// Compares each test and counts; what differs is reported with its program as a failure.
void agree(const std::vector<litmus::Test>& tests, const cat::Plan& plan,
           const HerdOptions& options, Agreement& counts);

} // namespace thinair::runners
