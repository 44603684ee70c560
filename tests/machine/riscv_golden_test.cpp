// Final states of RISC-V tests against herd7's, which are kept outside of the tree.
#include "litmus/test.h"
#include "machine/riscv/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace thinair::riscv {
namespace {

using States = std::set<std::string>;

States states_of(const litmus::Test& test, const oracle::Result& result) {
  States out;
  for (const auto& behaviour : result.behaviours)
    out.insert(litmus::to_string(test, result.observables, behaviour));
  return out;
}

TEST(RiscvGolden, StatesEqualHerds) {
  const auto answers = golden::answers("riscv/answers.json");
  if (answers.empty()) GTEST_SKIP() << "no golden data";
  const cat::Plan model = cat::load_model("riscv", architecture);
  std::size_t compared = 0;
  for (const auto& file : golden::files("riscv/tests")) {
    const auto answer = answers.find(file.stem().string());
    if (answer == answers.end()) continue;
    SCOPED_TRACE(file.string());
    const auto test = litmus::parse(litmus::read_file(file.string()));
    const auto result = executions::behaviours(test, model);
    EXPECT_EQ(result.status, oracle::Result::Status::ok) << result.reason.text;
    const States expected(answer->second.states.begin(), answer->second.states.end());
    EXPECT_EQ(states_of(test, result), expected);
    ++compared;
  }
  EXPECT_GE(compared, 468U);
}

} // namespace
} // namespace thinair::riscv
