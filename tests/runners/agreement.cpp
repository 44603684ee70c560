// Comparison with herd7.
#include "tests/runners/agreement.h"

#include "litmus/text/error.h"
#include "oracle/executions/enumerate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::runners {
namespace {

using oracle::Result;

/// What is interpreted in each execution is slow.
executions::Options limited(const cat::Plan& plan) {
  executions::Options options;
  options.limits.candidates = plan.interpreted.empty() ? 2'000'000 : 3000;
  return options;
}

/// States of executions whose values do not depend on themselves: those that herd7 must have.
States certain_states(const litmus::Test& test, const cat::Plan& plan) {
  auto options = limited(plan);
  options.depth = executions::Depth::executions;
  std::vector<litmus::Behaviour> kept;
  Result result = executions::witnesses(test, plan, options,
                                        [&](auto state, const executions::Witness& witness) {
                                          if (!witness.cyclic())
                                            kept.emplace_back(state.begin(), state.end());
                                        });
  result.behaviours = kept;
  return states_of(test, result);
}

Result our_answer(const litmus::Test& test, const cat::Plan& plan) {
  try {
    return executions::behaviours(test, plan, limited(plan));
  } catch (const LimitReached& limit) { // of what is interpreted in one execution
    Result result;
    result.status = Result::Status::unknown;
    result.reason = limit.what();
    return result;
  }
}

std::string listed(const States& states) { return fmt::format("{}", fmt::join(states, "\n  ")); }

void agree(const litmus::Test& test, const cat::Plan& plan, const HerdAnswer& answer,
           Agreement& counts) {
  using Status = HerdAnswer::Status;
  const Result ours = our_answer(test, plan);
  const bool cycle = ours.value_cycles > 0;
  const bool symbolic = answer.status == Status::failed &&
                        answer.reason.text.find("the value S") != std::string::npos;
  if (symbolic && cycle) { // herd7 shows the name of a value that it has not found
    ++counts.within;
    counts.cycles.push_back(test.name);
    return;
  }
  const bool cut = ours.reason.limit == Limit::candidates;
  if (answer.status == Status::unknown || answer.status == Status::rejected ||
      (ours.status != Result::Status::ok && (cut || !cycle))) {
    ++counts.undecided;
    return;
  }
  const States theirs = states_of(test, answer.result), found = states_of(test, ours);
  bool same = answer.status == Status::ok;
  if (same && cycle)
    same = std::ranges::includes(theirs, certain_states(test, plan)) &&
           std::ranges::includes(found, theirs);
  else if (same)
    same = theirs == found;
  ++(!same ? counts.different : cycle ? counts.within : counts.equal);
  if (same && cycle) counts.cycles.push_back(test.name);
  EXPECT_TRUE(same) << litmus::print(test) << "\nherd7: " << answer.reason.text << "\n  "
                    << listed(theirs) << "\nours:\n  " << listed(found);
}

} // namespace

std::string to_string(const Agreement& a) {
  const auto all = a.equal + a.within + a.undecided + a.different;
  return fmt::format("{} programs: {} equal, {} undecided, {} different, {} with value cycles of "
                     "which herd7 drops some: {}",
                     all, a.equal, a.undecided, a.different, a.within, fmt::join(a.cycles, " "));
}

States states_of(const litmus::Test& test, const Result& result) {
  States out;
  for (const auto& behaviour : result.behaviours)
    out.insert(litmus::to_string(test, result.observables, behaviour));
  return out;
}

void agree(const std::vector<litmus::Test>& tests, const cat::Plan& plan,
           const HerdOptions& options, Agreement& counts) {
  const auto answers = run_herd7(tests, options);
  ASSERT_EQ(answers.size(), tests.size());
  for (std::size_t i = 0; i < tests.size(); ++i) agree(tests[i], plan, answers[i], counts);
}

} // namespace thinair::runners
