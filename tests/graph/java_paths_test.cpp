// Control paths of Java threads: what each access becomes, and where paths fork.
#include "litmus/program.h"
#include "litmus/text/error.h"
#include "oracle/graph/path.h"

#include <gtest/gtest.h>

namespace thinair::graph {
namespace {

using namespace litmus;

const LocationId x(0), y(1);
const RegisterId r0(0), r1(1);

litmus::Program program_of(Block body) {
  litmus::Program p;
  p.locations = {{"x", 0, false}, {"y", 7, false}};
  p.threads.push_back({"Thread0", {{"r0", 0}, {"r1", 5}}, {}, std::move(body)});
  return p;
}

Statement access(Method method, LocationId location, std::vector<Expression> arguments,
                 std::optional<RegisterId> target = {}) {
  return {Access{target, false, method, location, std::move(arguments)}, {}};
}

Expression number(int n) { return Expression::number(n); }

std::vector<Kinds> kinds(const Path& path) {
  std::vector<Kinds> out;
  for (const auto& e : path.events) out.push_back(e.kinds);
  return out;
}

std::vector<Kinds> kinds_of(Statement statement) {
  return kinds(paths_of(program_of({std::move(statement)})).threads[0].paths.at(0));
}

TEST(JavaPathsTest, ModesOfAccessesAndFences) {
  using List = std::vector<Kinds>;
  EXPECT_EQ(kinds_of(access(Method::get, x, {})), List{k_read | k_plain});
  EXPECT_EQ(kinds_of(access(Method::setRelease, x, {number(1)})), List{k_write | k_release});
  EXPECT_EQ(kinds_of(access(Method::getVolatile, x, {})), List{k_read | k_volatile});
  const auto rmw = k_read | k_write | k_rmw;
  EXPECT_EQ(kinds_of(access(Method::getAndAdd, x, {number(1)})), List{rmw | k_volatile});
  EXPECT_EQ(kinds_of(access(Method::getAndAddAcquire, x, {number(1)})), List{rmw | k_acquire});
  EXPECT_EQ(kinds_of(access(Method::weakCompareAndSetPlain, x, {number(0), number(1)})),
            List{rmw | k_plain});
  const auto fence = [](Fence f) { return Statement{FenceStatement{f}, {}}; };
  EXPECT_EQ(kinds_of(fence(Fence::full)), List{k_fence | k_volatile});
  EXPECT_EQ(kinds_of(fence(Fence::load_load)), List{k_fence | k_acquire | k_load_load});
  EXPECT_EQ(kinds_of(fence(Fence::store_store)), List{k_fence | k_release | k_store_store});
}

TEST(JavaPathsTest, ACompareAndSetSucceedsAsOneEventOrFailsAsARead) {
  const auto paths = paths_of(
      program_of({access(Method::compareAndExchangeAcquire, x, {number(0), number(3)}, r0)}));
  ASSERT_EQ(paths.threads[0].paths.size(), 2U);
  const auto& success = paths.threads[0].paths[0];
  const auto& failure = paths.threads[0].paths[1];
  EXPECT_EQ(kinds(success), std::vector<Kinds>{k_read | k_write | k_rmw | k_acquire});
  EXPECT_EQ(kinds(failure), std::vector<Kinds>{k_read | k_failed | k_acquire});
  for (const Value v : {0, 1}) {
    const std::vector<Value> assignment{v};
    EXPECT_EQ(*paths.terms.evaluate(success.constraints.at(0), assignment) != 0, v == 0);
    EXPECT_EQ(*paths.terms.evaluate(failure.constraints.at(0), assignment) != 0, v != 0);
    EXPECT_EQ(paths.terms.evaluate(success.final_registers[0], assignment), v);
  }
}

TEST(JavaPathsTest, AWeakOneMayFailForNoReason) {
  const auto paths =
      paths_of(program_of({access(Method::weakCompareAndSet, x, {number(0), number(3)}, r0)}));
  ASSERT_EQ(paths.threads[0].paths.size(), 2U);
  EXPECT_EQ(paths.threads[0].paths[0].constraints.size(), 1U);
  EXPECT_TRUE(paths.threads[0].paths[1].constraints.empty());
  EXPECT_EQ(paths.terms.constant_value(paths.threads[0].paths[1].final_registers[0]), 0);
}

TEST(JavaPathsTest, NestedAccessesRunLeftToRight) {
  const auto sum = Expression::binary(Operator::add, Expression::of(Method::get, x, {}),
                                      Expression::of(Method::getOpaque, y, {}));
  const auto paths = paths_of(program_of({access(Method::set, x, {sum})}));
  const auto& path = paths.threads[0].paths.at(0);
  EXPECT_EQ(kinds(path),
            (std::vector<Kinds>{k_read | k_plain, k_read | k_opaque, k_write | k_plain}));
  EXPECT_EQ(path.events[1].location, y);
  EXPECT_EQ(paths.terms.evaluate(path.events[2].written, std::vector<Value>{40, 2}), 42);
}

TEST(JavaPathsTest, BranchesForkOnlyWhereValuesDecide) {
  const auto one = Expression::of(r1);
  const auto known = If{Expression::binary(Operator::equal, one, number(5)),
                        {access(Method::set, x, {number(1)})},
                        {access(Method::set, x, {number(2)})}};
  auto paths = paths_of(program_of({{known, {}}}));
  EXPECT_EQ(paths.threads[0].paths.size(), 1U);
  EXPECT_EQ(paths.terms.constant_value(paths.threads[0].paths[0].events.at(0).written), 1);

  const auto open = If{Expression::of(r0), {access(Method::set, x, {number(1)})}, {}};
  paths = paths_of(program_of({access(Method::get, y, {}, r0), {open, {}}}));
  ASSERT_EQ(paths.threads[0].paths.size(), 2U);
  EXPECT_EQ(paths.threads[0].paths[0].events.size(), 2U);
  EXPECT_EQ(paths.threads[0].paths[1].events.size(), 1U);
  EXPECT_EQ(paths.threads[0].paths[1].branches.at(0).position, 1U);
}

TEST(JavaPathsTest, DivisionMustHaveAValue) {
  const auto quotient = Expression::binary(Operator::divide, number(6), Expression::of(r0));
  const auto paths =
      paths_of(program_of({access(Method::get, x, {}, r0), {Assign{r1, quotient, false}, {}}}));
  const auto& path = paths.threads[0].paths.at(0);
  ASSERT_EQ(path.must_divide.size(), 1U);
  EXPECT_EQ(paths.terms.evaluate(path.must_divide[0], std::vector<Value>{0}), std::nullopt);
  EXPECT_EQ(paths.terms.evaluate(path.must_divide[0], std::vector<Value>{-4}), -1);
}

TEST(JavaPathsTest, LoopsRunUpToTheirBound) {
  Loop loop;
  loop.condition = Expression::unary(Operator::logical_not, Expression::of(Method::get, x, {}));
  loop.bound = 2;
  PathLimits every_round;
  every_round.close_awaits = false;
  const auto paths = paths_of(program_of({{loop, {}}}), every_round);
  EXPECT_EQ(paths.threads[0].paths.size(), 3U);
  EXPECT_TRUE(paths.cut);
  loop.test_first = false;
  loop.body = {access(Method::set, y, {number(1)})};
  EXPECT_EQ(paths_of(program_of({{loop, {}}})).threads[0].paths.size(), 2U);
}

/// Paths of `do [3] body while (condition)`, and whether the bound cut some off.
std::pair<std::size_t, bool> rounds(Block body, Expression condition) {
  Loop loop;
  loop.test_first = false;
  loop.condition = std::move(condition);
  loop.body = std::move(body);
  loop.bound = 3;
  const auto paths = paths_of(program_of({{loop, {}}}));
  return {paths.threads[0].paths.size(), paths.cut};
}

TEST(JavaPathsTest, AThreadThatWaitsLooksOnce) {
  using Found = std::pair<std::size_t, bool>;
  const Found once{1, false}, cut{3, true};
  const auto flag = [](Method method) {
    return Expression::unary(Operator::logical_not, Expression::of(method, x, {}));
  };
  const auto not_yet = Expression::unary(Operator::logical_not, Expression::of(r0));
  const auto look = access(Method::getVolatile, x, {}, r0);
  const auto data = access(Method::get, y, {}, r1);
  EXPECT_EQ(rounds({}, flag(Method::get)), once);
  EXPECT_EQ(rounds({look}, not_yet), once);
  EXPECT_EQ(rounds({look, data}, not_yet), once);
  // what the first look at the flag orders, the second does not
  EXPECT_EQ(rounds({data, look}, not_yet), cut);
  // whoever writes, or counts, does something
  EXPECT_EQ(rounds({access(Method::set, y, {number(1)})}, flag(Method::get)), cut);
  const auto more = Expression::binary(Operator::add, Expression::of(r1), number(1));
  EXPECT_EQ(rounds({{Assign{r1, more, false}, {}}}, flag(Method::get)), cut);
}

TEST(JavaPathsTest, AMonitorIsLeftByWhomItWasEnteredBy) {
  auto program = program_of({{MonitorStatement{true, litmus::MonitorId{0}}, {}},
                             {MonitorStatement{true, litmus::MonitorId{0}}, {}},
                             {MonitorStatement{false, litmus::MonitorId{0}}, {}},
                             {MonitorStatement{false, litmus::MonitorId{0}}, {}}});
  program.monitors = {"m"};
  const auto paths = paths_of(program);
  const auto& events = paths.threads[0].paths.at(0).events;
  EXPECT_EQ(kinds(paths.threads[0].paths[0]),
            (std::vector<Kinds>{k_lock, k_lock, k_unlock, k_unlock}));
  EXPECT_EQ(events[0].partner, 3U);
  EXPECT_EQ(events[1].partner, 2U);
  program.threads[0].body.erase(program.threads[0].body.begin(),
                                program.threads[0].body.begin() + 2);
  EXPECT_TRUE(paths_of(program).threads[0].paths.empty());
}

TEST(JavaPathsTest, WhatTheEngineLacksSaysSo) {
  auto final_field = program_of({});
  final_field.locations[0].is_final = true;
  EXPECT_THROW(paths_of(final_field), Unsupported);
  PathLimits small;
  small.paths_per_thread = 2;
  const auto cas = access(Method::compareAndSet, x, {number(0), number(1)});
  EXPECT_THROW(paths_of(program_of({cas, cas}), small), LimitReached);
}

} // namespace
} // namespace thinair::graph
