// The random numbers: pinned bytes, exact bounds, even distributions.
#include "litmus/random.h"
#include "litmus/text/error.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace thinair::litmus {
namespace {

TEST(Random, SameSeedSameNumbersEverywhere) {
  Random random(42);
  const std::array<std::uint64_t, 3> drawn{random.next(), random.next(), random.next()};
  // xoshiro256** from the state that splitmix64 makes of 42, computed by an independent script.
  EXPECT_EQ(drawn, (std::array<std::uint64_t, 3>{1546998764402558742U, 6990951692964543102U,
                                                 12544586762248559009U}));
}

TEST(Random, StreamsDiffer) {
  Random a(7, 0), b(7, 1), again(7, 1);
  const auto first = b.next();
  EXPECT_NE(a.next(), first);
  EXPECT_EQ(again.next(), first);
}

TEST(Random, BelowStaysBelowAndReachesEverything) {
  Random random(1);
  std::array<int, 5> seen{};
  for (int i = 0; i < 50'000; ++i) ++seen.at(random.below(5));
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Random, BetweenIncludesBothEnds) {
  Random random(2);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    const auto v = random.between(-3, 3);
    ASSERT_GE(v, -3);
    ASSERT_LE(v, 3);
    low |= v == -3;
    high |= v == 3;
  }
  EXPECT_TRUE(low && high);
}

TEST(Random, WeightedFollowsWeights) {
  Random random(3);
  const std::vector<std::uint32_t> weights{1, 0, 3};
  std::array<int, 3> seen{};
  for (int i = 0; i < 40'000; ++i) ++seen.at(random.weighted(weights));
  EXPECT_NEAR(seen[0], 10'000, 600);
  EXPECT_EQ(seen[1], 0);
  EXPECT_NEAR(seen[2], 30'000, 600);
}

TEST(Random, ADrawFromNothingIsABug) { EXPECT_THROW(Random(1).below(0), Bug); }

} // namespace
} // namespace thinair::litmus
