// What a campaign remembers of a program is what was learnt of it.
#include "campaign/known.h"

#include <gtest/gtest.h>

#include <random>

namespace thinair::campaign {
namespace {

TEST(Known, VerdictsComeBackAsTheyWere) {
  std::mt19937_64 random(1);
  for (std::size_t targets = 1; targets <= Identity::most_targets; ++targets) {
    Known known;
    std::map<litmus::ContentHash, std::vector<Verdict>> all;
    for (int i = 0; i < 3'000; ++i) {
      const litmus::ContentHash hash{{random(), random()}};
      std::vector<Verdict> verdicts;
      for (std::size_t t = 0; t < targets; ++t)
        verdicts.push_back(static_cast<Verdict>(random() % verdict_count));
      EXPECT_EQ(known.verdicts(hash), std::nullopt);
      EXPECT_TRUE(known.learn(hash, verdicts));
      EXPECT_FALSE(known.learn(hash, std::vector(targets, Verdict::sound)));
      all.emplace(hash, std::move(verdicts));
    }
    for (const auto& [hash, verdicts] : all) EXPECT_EQ(known.verdicts(hash), verdicts);
  }
}

TEST(Known, TheLastVerdictsThereAre) {
  Known known;
  const std::vector<Verdict> vacuous(Identity::most_targets, Verdict::vacuous);
  EXPECT_TRUE(known.learn({{1, 2}}, vacuous));
  EXPECT_EQ(known.verdicts({{1, 2}}), vacuous);
}

} // namespace
} // namespace thinair::campaign
