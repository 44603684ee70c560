// Our engine against the real herd7 on random AArch64 tests, both under the shipped model.
#include "litmus/text/error.h"
#include "machine/aarch64/front_end.h"
#include "oracle/cat/model.h"
#include "runners/herd7.h"
#include "tests/runners/agreement.h"
#include "tests/support/aarch64_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace thinair::runners {
namespace {

std::size_t number(const char* variable, std::size_t usual) {
  const char* given = std::getenv(variable);
  return given ? std::strtoul(given, nullptr, 10) : usual;
}

/// Whether some branch goes back.
bool loops(const litmus::Test& test) {
  for (const auto& thread : aarch64::program_of(test).threads)
    for (const auto& in : thread.code)
      if (in.target.starts_with("R")) return true;
  return false;
}

class AArch64Agreement : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_herd7()) GTEST_SKIP() << "no herd7 here (scripts/get-herd7)";
    options.model = "armv8";
    options.seconds = 2;
    options.optace = "true"; // the model is coherent
  }

  static std::vector<litmus::Test> drawn(std::size_t count, std::uint64_t seed, bool looping) {
    std::vector<litmus::Test> tests;
    for (; tests.size() < count; ++seed) {
      auto test = litmus::parse({"random", test::aarch64_program(seed)});
      if (loops(test) == looping) tests.push_back(std::move(test));
    }
    return tests;
  }

  const cat::Plan plan = cat::load_model("armv8", aarch64::architecture);
  HerdOptions options;
};

/// THINAIR_HERD7_PROGRAMS of them, from the seed THINAIR_HERD7_SEED on.
TEST_F(AArch64Agreement, RandomAssembly) {
  const std::size_t programs = number("THINAIR_HERD7_PROGRAMS", 200);
  const std::size_t first = number("THINAIR_HERD7_SEED", 1);
  Agreement counts;
  for (std::size_t done = 0; done < programs; done += 200)
    agree(drawn(std::min<std::size_t>(200, programs - done), first + 4 * done, false), plan,
          options, counts);
  std::printf("%s\n", to_string(counts).c_str());
  EXPECT_LE(counts.undecided * 20, programs) << "too many come to nothing";
}

/// herd7 takes two more rounds and says that there may be further ones. Those that fail add no
/// state to ours.
TEST_F(AArch64Agreement, LoopsThatTryAgain) {
  const auto tests = drawn(20, number("THINAIR_HERD7_SEED", 1), true);
  const auto answers = run_herd7(tests, options);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (answers[i].reason.find("--unroll") == std::string::npos) continue;
    const auto ours = executions::behaviours(tests[i], plan);
    EXPECT_EQ(ours.status, executions::Result::Status::ok) << ours.reason;
    EXPECT_EQ(states_of(tests[i], ours), states_of(tests[i], answers[i].result))
        << litmus::print(tests[i]);
    ++compared;
  }
  EXPECT_GE(compared, 15U);
}

} // namespace
} // namespace thinair::runners
