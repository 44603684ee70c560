// Watches: what is counted, when they stop, and that they stay stopped.
#include "litmus/text/error.h"
#include "litmus/text/watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>

namespace thinair {
namespace {

using Clock = Deadline::Clock;

std::string message_of(const Watch& watch) {
  try {
    watch.refuse();
  } catch (const LimitReached& limit) {
    return limit.what();
  }
}

TEST(Deadline, NeverIsLaterThanEverything) {
  const Deadline never;
  EXPECT_TRUE(never.never());
  EXPECT_FALSE(never.passed());
  EXPECT_FALSE(never.left().has_value());
  for (const double none : {0.0, -1.0, 1e300, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_TRUE(Deadline::in(none).never()) << none;
}

TEST(Deadline, IsAPointInTime) {
  const Deadline past(Clock::now() - std::chrono::seconds(1));
  const Deadline future(Clock::now() + std::chrono::hours(10));
  EXPECT_TRUE(past.passed());
  EXPECT_EQ(past.left(), 0);
  EXPECT_FALSE(future.passed());
  EXPECT_GT(future.left().value_or(0), 1000);
  EXPECT_TRUE(Deadline::first(past, future).passed());
  EXPECT_TRUE(Deadline::first(future, past).passed());
  EXPECT_TRUE(Deadline::first(Deadline(), past).passed());
  EXPECT_FALSE(Deadline::first(future, Deadline()).never());
  EXPECT_TRUE(Deadline::first(Deadline(), Deadline()).never());
}

TEST(Watch, TakesExactlyAsManyStepsAsItMay) {
  for (const std::uint64_t most : {0U, 1U, 255U, 256U, 257U, 1000U}) {
    Watch watch({.steps = most});
    std::uint64_t taken = 0;
    while (watch.step()) ++taken;
    EXPECT_EQ(taken, most);
    EXPECT_EQ(watch.why(), Limit::steps);
    EXPECT_EQ(watch.reason(), Reason::reached(Limit::steps));
    EXPECT_EQ(message_of(watch), "unknown: steps limit reached");
  }
}

/// However the steps are handed in, the same number of them is the limit.
TEST(Watch, CountsStepsNotCalls) {
  for (const std::uint64_t at_once : {1U, 3U, 100U, 5000U}) {
    Watch watch({.steps = 10'000});
    std::uint64_t calls = 0;
    while (watch.step(at_once)) ++calls;
    EXPECT_EQ(calls, 10'000 / at_once);
  }
}

TEST(Watch, LooksAtTheClockEverySoManySteps) {
  Watch late({.deadline = Deadline(Clock::now() - std::chrono::seconds(1))});
  EXPECT_TRUE(late.stopped()) << "one that is late from the start";
  EXPECT_FALSE(late.step(0));
  Watch watch({.deadline = Deadline::in(0.02)});
  std::uint64_t steps = 0;
  const auto end = Clock::now() + std::chrono::milliseconds(40);
  while (Clock::now() < end) watch.step(0); // nothing is counted: it need not look
  while (watch.step()) ++steps;
  EXPECT_LE(steps, Watch::steps_a_look);
  EXPECT_EQ(watch.reason(), Reason::reached(Limit::time));
}

TEST(Watch, CountsMemory) {
  Watch watch({.bytes = 1000});
  EXPECT_TRUE(watch.grow(1000));
  EXPECT_FALSE(watch.grow(1));
  EXPECT_EQ(watch.why(), Limit::memory);
  EXPECT_THROW(watch.demand_memory(0), LimitReached);
  EXPECT_EQ(watch.reason(), Reason::reached(Limit::memory));
}

/// A watch names the limit that stopped it first, whatever is reached later.
TEST(Watch, StaysStopped) {
  Watch watch({.steps = 10, .bytes = 10});
  EXPECT_FALSE(watch.step(11));
  EXPECT_FALSE(watch.grow(11));
  EXPECT_FALSE(watch.step(0));
  EXPECT_FALSE(watch.go_on());
  EXPECT_EQ(watch.why(), Limit::steps);
  EXPECT_THROW(watch.demand(0), LimitReached);
}

TEST(Watch, WithoutLimitsGoesOn) {
  Watch watch;
  EXPECT_TRUE(watch.step(std::uint64_t{1} << 40));
  watch.demand();
  EXPECT_TRUE(watch.reason().empty());
  EXPECT_THROW(watch.refuse(), Bug);
}

} // namespace
} // namespace thinair
