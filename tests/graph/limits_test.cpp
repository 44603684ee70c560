// What a thread does alone has limits, too: steps, memory, and terms that share so much that they
// would be endless as trees.
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "oracle/graph/path.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace thinair::graph {
namespace {

ProgramPaths paths_under(const std::string& body, Watch& watch) {
  const auto test =
      litmus::parse({"t", "Java Alone\n{ 0:X=x; }\nThread0 { " + body + " }\nexists (0:r=0)\n"});
  PathLimits limits;
  limits.watch = &watch;
  return paths_of(test, limits);
}

std::string reached(const std::string& body, const Watch::Limits& limits) {
  Watch watch(limits);
  try {
    paths_under(body, watch);
  } catch (const LimitReached& limit) {
    return limit.what();
  }
  return "";
}

std::string nested(int levels, const std::string& inner) {
  std::string before, after;
  for (int i = 0; i < levels; ++i) {
    before += fmt::format("int i{0} = 0; while[1000000] (i{0} < 1000000) {{ ", i);
    after += fmt::format("i{0} = i{0} + 1; }} ", levels - 1 - i);
  }
  return "int r = 0; " + before + inner + after;
}

TEST(PathLimitsTest, LoopsThatTouchNothingCountTheirSteps) {
  for (const int levels : {1, 2, 5, 30})
    EXPECT_EQ(reached(nested(levels, ""), {.steps = 50'000}), "unknown: steps limit reached")
        << levels;
}

/// The same number of steps at every attempt: the limit does not depend on the machine.
TEST(PathLimitsTest, StepsAreTheSameEveryTime) {
  const std::string body = "int r = X.get(); if (r == 1) { X.set(r * r); } while (r < 3) { r = r + "
                           "X.get(); }";
  Watch first, second;
  paths_under(body, first);
  paths_under(body, second);
  EXPECT_EQ(first.steps(), second.steps());
  EXPECT_GT(first.steps(), 10U);
  EXPECT_EQ(reached(body, {.steps = first.steps()}), "");
  EXPECT_NE(reached(body, {.steps = first.steps() - 1}), "");
}

TEST(PathLimitsTest, ValuesThatGrowCountTheirMemory) {
  EXPECT_EQ(
      reached("int r = X.get(); int s = 0; while[1000000] (s < 1000000) { s = s + 1; r = (r * "
              "3) ^ s; }",
              {.bytes = 100'000}),
      "unknown: memory limit reached");
}

/// A loop's rounds are looked at two at a time, however many there are.
TEST(PathLimitsTest, RoundsThatArePastTakeNoMemory) {
  Watch watch;
  const auto paths = paths_under("int r = 0; while[1000000] (r < 20000) { r = r + 1; }", watch);
  EXPECT_LT(watch.bytes(), 20'000U * 400);
  EXPECT_EQ(paths.threads[0].paths.size(), 1U);
}

/// Values however deep have paths, and are evaluated.
TEST(PathLimitsTest, DeepValuesHavePaths) {
  Watch watch;
  const auto paths =
      paths_under("int r = X.get(); int s = 0; while[1000000] (s < 20000) { s = s + 1; "
                  "r = (r * 3) ^ s; }",
                  watch);
  const auto& path = paths.threads[0].paths.at(0);
  std::uint32_t expected = 5;
  for (std::uint32_t s = 1; s <= 20'000; ++s) expected = (expected * 3) ^ s;
  EXPECT_GT(paths.terms.levels(path.final_registers[0]), TermPool::most_levels);
  EXPECT_EQ(paths.terms.evaluate(path.final_registers[0], std::vector<Value>{5}),
            static_cast<std::int32_t>(expected));
}

/// As trees, these terms have 2^200 leaves.
TEST(SharedTermsTest, AreBuiltAndEvaluatedOnce) {
  TermPool pool;
  auto truth = pool.make(TermOp::less, 32, pool.variable(Variable{0}), pool.constant(5));
  auto other = pool.make(TermOp::less, 32, pool.variable(Variable{1}), pool.constant(5));
  auto sum = pool.variable(Variable{0});
  auto divided = pool.make(TermOp::divide, 32, sum, pool.variable(Variable{1}));
  for (int i = 0; i < 200; ++i) {
    const auto both = pool.make(TermOp::bit_and, 32, truth, other);
    const auto either = pool.make(TermOp::bit_xor, 32, truth, other);
    truth = pool.make(TermOp::bit_or, 32, both, either);
    other = pool.make(TermOp::bit_xor, 32, both, truth);
    sum = pool.make(TermOp::multiply, 32, sum, sum);
    sum = pool.make(TermOp::bit_xor, 32, sum, pool.constant(1));
    divided = pool.make(TermOp::multiply, 32, divided, divided);
  }
  EXPECT_TRUE(pool.is_truth_value(truth));
  EXPECT_FALSE(pool.is_truth_value(sum));
  EXPECT_FALSE(pool.may_divide(sum));
  EXPECT_TRUE(pool.may_divide(divided));
  const std::vector<Value> three{3, 3}, none{3, 0};
  EXPECT_TRUE(pool.evaluate(sum, three).has_value());
  EXPECT_FALSE(pool.evaluate(divided, none).has_value());
}

} // namespace
} // namespace thinair::graph
