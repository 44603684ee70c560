// Final states of AArch64 tests against herd7's, which are kept outside of the tree.
#include "litmus/test.h"
#include "machine/aarch64/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace thinair::aarch64 {
namespace {

using States = std::set<std::string>;

States states_of(const litmus::Test& test, const executions::Result& result) {
  States out;
  for (const auto& behaviour : result.behaviours)
    out.insert(litmus::to_string(test, result.observables, behaviour));
  return out;
}

TEST(AArch64Golden, StatesEqualHerds) {
  const auto answers = golden::answers("aarch64/answers.json");
  if (answers.empty()) GTEST_SKIP() << "no golden data";
  const cat::Plan model = cat::load_model("armv8", architecture);
  std::size_t compared = 0;
  for (const auto& file : golden::files("aarch64/tests")) {
    const auto answer = answers.find(file.stem().string());
    if (answer == answers.end()) continue;
    SCOPED_TRACE(file.string());
    const auto test = litmus::parse(litmus::read_file(file.string()));
    const auto result = executions::behaviours(test, model);
    EXPECT_EQ(result.status, executions::Result::Status::ok) << result.reason.text;
    const States expected(answer->second.states.begin(), answer->second.states.end());
    EXPECT_EQ(states_of(test, result), expected);
    ++compared;
  }
  EXPECT_GE(compared, 465U);
}

} // namespace
} // namespace thinair::aarch64
