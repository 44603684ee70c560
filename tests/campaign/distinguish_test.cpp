// Telling two models apart: the smallest program, whatever the jobs; chance where the space ends.
#include "campaign/distinguish.h"
#include "gen/walk.h"
#include "litmus/canonical.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <gtest/gtest.h>

namespace thinair::campaign {
namespace {

const std::atomic<bool> never = false;

std::size_t count_of(const litmus::Program& program, litmus::Method method) {
  std::size_t found = 0;
  gen::each_statement(program, [&](litmus::ThreadId, const litmus::Statement& statement) {
    const auto* access = std::get_if<litmus::Access>(&statement.node);
    found += access != nullptr && access->method == method ? 1 : 0;
  });
  return found;
}

/// Direction 0 separates where there are two volatile writes, direction 1 where there are five
/// volatile reads; nothing is known of programs with three opaque reads.
Judgement fake(const litmus::Program& program, std::size_t direction) {
  if (count_of(program, litmus::Method::getOpaque) == 3)
    return {Verdict::unknown, "three are too many", {}};
  const bool separates = direction == 0 ? count_of(program, litmus::Method::setVolatile) >= 2
                                        : count_of(program, litmus::Method::getVolatile) >= 5;
  if (separates) return {Verdict::unsound, "", {{litmus::state_in("0:r1=0").value(), {}}}};
  return {};
}

DistinguishSettings small() {
  DistinguishSettings settings;
  gen::add_modes(settings.space, "plain,volatile");
  settings.space.max_accesses = 3;
  settings.profile = gen::load_profile("varhandle");
  settings.programs = 0;
  return settings;
}

TEST(Distinguish, TheSpaceGivesTheSmallestAndSaysWhatItExcludes) {
  const auto result = distinguish(small(), fake, never);
  ASSERT_TRUE(result.directions[0].separation);
  const auto& found = *result.directions[0].separation;
  EXPECT_TRUE(found.smallest);
  EXPECT_EQ(litmus::count_accesses(found.program), 2U);
  EXPECT_EQ(litmus::to_string(found.finding.behaviour), "0:r1=0");
  EXPECT_EQ(result.directions[0].agreed_size, 1U);
  EXPECT_FALSE(result.directions[1].separation);
  EXPECT_EQ(result.directions[1].agreed_size, 3U);
  EXPECT_EQ(result.enumerated, gen::count(small().space));
  EXPECT_EQ(result.random, 0U);
}

TEST(Distinguish, TheResultDoesNotDependOnJobs) {
  auto settings = small();
  settings.programs = 400;
  const auto one = distinguish(settings, fake, never);
  settings.jobs = 4;
  const auto four = distinguish(settings, fake, never);
  for (std::size_t d = 0; d < 2; ++d) {
    ASSERT_EQ(one.directions[d].separation.has_value(), four.directions[d].separation.has_value());
    EXPECT_EQ(one.directions[d].agreed_size, four.directions[d].agreed_size);
    if (!one.directions[d].separation) continue;
    EXPECT_EQ(one.directions[d].separation->program, four.directions[d].separation->program);
    EXPECT_EQ(one.directions[d].separation->smallest, four.directions[d].separation->smallest);
  }
  EXPECT_EQ(one.random, 400U);
  EXPECT_EQ(four.random, 400U);
}

TEST(Distinguish, ChanceFindsWhatTheSpaceIsTooSmallFor) {
  auto settings = small();
  settings.programs = 3000;
  const auto result = distinguish(settings, fake, never);
  ASSERT_TRUE(result.directions[1].separation);
  EXPECT_FALSE(result.directions[1].separation->smallest);
  EXPECT_EQ(litmus::count_accesses(result.directions[1].separation->program), 5U);
}

TEST(Distinguish, WhatIsNotDecidedBoundsWhatIsExcluded) {
  auto settings = small();
  gen::add_modes(settings.space, "getOpaque");
  const auto result = distinguish(settings, fake, never);
  EXPECT_EQ(result.directions[1].agreed_size, 2U);
  EXPECT_GT(result.directions[1].undecided, 0U);
}

TEST(Distinguish, StoppedItClaimsNothing) {
  const std::atomic<bool> at_once = true;
  const auto result = distinguish(small(), fake, at_once);
  EXPECT_EQ(result.directions[0].agreed_size, 0U);
  EXPECT_FALSE(result.directions[0].separation);
}

TEST(Distinguish, AJudgeThatBreaksEndsIt) {
  const Judge broken = [](const litmus::Program&, std::size_t) -> Judgement {
    throw Bug("broken judge");
  };
  EXPECT_THROW(distinguish(small(), broken, never), Bug);
}

} // namespace
} // namespace thinair::campaign
