// The paths of a Java program are those of its normal form and of its unrolled form.
#include "litmus/normal.h"
#include "litmus/text/error.h"
#include "litmus/unroll.h"
#include "oracle/graph/path.h"
#include "tests/support/random_program.h"

#include <gtest/gtest.h>

#include <optional>

namespace thinair::graph {
namespace {

using litmus::Program;

constexpr std::uint32_t bound = 2;

/// Nothing where there are too many paths.
std::optional<ProgramPaths> paths(const Program& program) {
  litmus::Test test;
  test.program = program;
  PathLimits limits;
  limits.loop_bound = bound;
  limits.close_awaits = false; // the unrolled form has no loops to close
  try {
    return paths_of(test, limits);
  } catch (const LimitReached&) {
    return std::nullopt;
  }
}

/// The same events in the same order on the same paths, and the same values in the registers that
/// both have. Terms are numbered as they are met: two runs of equal steps give equal numbers.
void expect_same(const ProgramPaths& a, const ProgramPaths& b) {
  ASSERT_EQ(a.threads.size(), b.threads.size());
  EXPECT_EQ(a.cut, b.cut);
  for (std::size_t t = 0; t < a.threads.size(); ++t) {
    const auto& left = a.threads[t].paths;
    const auto& right = b.threads[t].paths;
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t p = 0; p < left.size(); ++p) {
      ASSERT_EQ(left[p].events.size(), right[p].events.size());
      for (std::size_t e = 0; e < left[p].events.size(); ++e) {
        EXPECT_EQ(left[p].events[e].kinds, right[p].events[e].kinds);
        EXPECT_EQ(left[p].events[e].location, right[p].events[e].location);
      }
      EXPECT_EQ(left[p].constraints.size(), right[p].constraints.size());
      for (std::size_t r = 0; r < left[p].final_registers.size(); ++r) {
        EXPECT_EQ(a.terms.constant_value(left[p].final_registers[r]),
                  b.terms.constant_value(right[p].final_registers[r]));
      }
    }
  }
}

TEST(JavaForms, HaveTheSamePaths) {
  std::size_t compared = 0, cut = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    litmus::Random random(seed);
    litmus::RandomShape shape;
    shape.threads = 2;
    shape.statements = 3;
    shape.actions = false;
    const Program program = litmus::RandomProgram(random, shape).make();
    const auto whole = paths(program);
    if (!whole) continue;
    const Program normal = litmus::normalise(program);
    const auto of_normal = paths(normal);
    const auto of_flat = paths(litmus::unroll(normal, bound));
    ASSERT_TRUE(of_normal && of_flat);
    expect_same(*whole, *of_normal);
    expect_same(*whole, *of_flat);
    ++compared;
    cut += whole->cut ? 1 : 0;
  }
  EXPECT_GT(compared, 300U);
  EXPECT_GT(cut, 20U);
}

} // namespace
} // namespace thinair::graph
