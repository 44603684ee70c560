// Programs with monitors, starts and joins: as drawn, and as reductions leave them.
#include "gen/generator.h"
#include "gen/passes.h"
#include "gen/reduce.h"
#include "gen/tidy.h"
#include "gen/walk.h"
#include "litmus/test.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace thinair::gen {
namespace {

using litmus::MonitorStatement;
using litmus::ThreadStatement;

/// Whether sections are left in the block that enters them, the last one first.
bool nests(const Block& block) {
  std::vector<litmus::MonitorId> held;
  for (const auto& statement : block) {
    if (const auto* branch = std::get_if<litmus::If>(&statement.node);
        branch != nullptr && !(nests(branch->then_block) && nests(branch->else_block)))
      return false;
    const auto* monitor = std::get_if<MonitorStatement>(&statement.node);
    if (monitor == nullptr) continue;
    if (monitor->enter) {
      held.push_back(monitor->monitor);
    } else {
      if (held.empty() || held.back() != monitor->monitor) return false;
      held.pop_back();
    }
  }
  return held.empty();
}

bool nests(const Program& program) {
  return std::ranges::all_of(program.threads, [](const auto& t) { return nests(t.body); });
}

/// What there is of each kind.
struct Met {
  std::size_t sections = 0, nested = 0, starts = 0, joins = 0, prints = 0;
};

void count(const Program& program, Met& met) {
  for (const auto& thread : program.threads) {
    std::size_t depth = 0;
    for (const auto& statement : thread.body) {
      if (const auto* monitor = std::get_if<MonitorStatement>(&statement.node)) {
        met.sections += monitor->enter ? 1 : 0;
        met.nested += monitor->enter && depth > 0 ? 1 : 0;
        depth += monitor->enter ? 1 : std::size_t(0) - 1;
      }
      if (const auto* other = std::get_if<ThreadStatement>(&statement.node))
        ++(other->kind == ThreadStatement::Kind::start ? met.starts : met.joins);
      met.prints += std::holds_alternative<litmus::ExternalStatement>(statement.node) ? 1 : 0;
    }
  }
}

TEST(Synchronised, ProgramsNestAndAreReadBack) {
  Generator generator(load_profile("monitors"), 1, 0);
  Met met;
  const auto wanted = test::draws(2000);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const auto program = generator.next().program;
    EXPECT_TRUE(nests(program));
    count(program, met);
    std::set<std::uint32_t> started;
    each_statement(program, [&](ThreadId by, const Statement& statement) {
      const auto* other = std::get_if<ThreadStatement>(&statement.node);
      if (other == nullptr) return;
      EXPECT_LT(by, other->thread) << "a thread before it starts it, and waits for it";
      if (other->kind == ThreadStatement::Kind::start) {
        EXPECT_TRUE(started.insert(other->thread.value).second);
      }
    });
    litmus::Test test;
    test.name = "drawn";
    test.program = program;
    EXPECT_EQ(litmus::parse({"drawn", litmus::print(test)}).java(), program);
  }
  for (const std::size_t each : {met.sections, met.nested, met.starts, met.joins, met.prints})
    EXPECT_GE(each, wanted / 20);
}

/// Profiles that draw none of it draw what they drew before.
TEST(Synchronised, NothingIsAddedUnasked) {
  for (const auto& profile : profiles()) {
    if (profile.name == "monitors") continue;
    Generator generator(profile, 1, 0);
    for (int i = 0; i < 50; ++i) {
      const auto has = litmus::features(generator.next().program);
      EXPECT_FALSE(has.monitors || has.thread_lifetime || has.external_actions) << profile.name;
    }
  }
}

Program program_of(const std::string& threads) {
  return litmus::parse({"p", "Java p\n{ X=x; Y=y; monitor m; monitor n; }\n" + threads}).java();
}

TEST(MonitorPasses, LeaveOutPairs) {
  const auto nested = program_of("Thread0 { lock(m); X.set(1); lock(n); Y.set(1); unlock(n); "
                                 "unlock(m); lock(m); Y.set(2); unlock(m); }");
  EXPECT_EQ(pass::drop_monitors(nested).size(), 3U);
  for (const auto& left : pass::drop_monitors(nested)) {
    EXPECT_TRUE(nests(left));
    EXPECT_EQ(count_statements(left), count_statements(nested) - 2);
  }
  ASSERT_EQ(pass::join_sections(nested).size(), 1U);
  EXPECT_EQ(pass::join_sections(nested)[0],
            program_of("Thread0 { lock(m); X.set(1); lock(n); Y.set(1); unlock(n); Y.set(2); "
                       "unlock(m); }"));
  const auto apart = program_of("Thread0 { lock(m); X.set(1); unlock(m); Y.set(1); lock(m); "
                                "Y.set(2); unlock(m); }");
  EXPECT_EQ(pass::join_sections(apart).size(), 1U) << "what stands between goes into the section";
  ASSERT_EQ(pass::merge_monitors(nested).size(), 1U);
  EXPECT_TRUE(nests(pass::merge_monitors(nested)[0]));
}

/// Every proposal for a random program still nests, and reductions end without what nobody needs.
TEST(MonitorPasses, RandomProgramsStayWellFormed) {
  Generator generator(load_profile("monitors"), 5, 0);
  const auto wanted = test::draws(100);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const auto program = generator.next().program;
    for (const auto pass : {pass::drop_monitors, pass::join_sections, pass::merge_monitors})
      for (const auto& left : pass(program)) EXPECT_TRUE(nests(left));
    const auto accesses = litmus::count_accesses(program);
    const auto left = reduce(program, [&](const Program& smaller) {
      return litmus::count_accesses(smaller) >= std::min<std::size_t>(accesses, 1) ? Interest::yes
                                                                                   : Interest::no;
    });
    const auto has = litmus::features(left.program);
    EXPECT_FALSE(has.monitors || has.thread_lifetime || has.external_actions);
  }
}

/// A section that is needed stays whole.
TEST(MonitorPasses, WhatIsNeededStays) {
  const auto program = program_of("Thread0 { X.set(1); lock(m); Y.set(1); lock(n); X.set(2); "
                                  "unlock(n); unlock(m); print(1); }\n"
                                  "Thread1 { join(Thread0); lock(m); X.set(3); unlock(m); }");
  const auto left = reduce(program, [](const Program& smaller) {
    std::size_t guarded = 0;
    for (const auto& thread : smaller.threads)
      for (std::size_t i = 0; i + 2 < thread.body.size(); ++i)
        guarded += std::holds_alternative<MonitorStatement>(thread.body[i].node) &&
                           std::holds_alternative<litmus::Access>(thread.body[i + 1].node) &&
                           std::holds_alternative<MonitorStatement>(thread.body[i + 2].node)
                       ? 1
                       : 0;
    return guarded >= 1 && nests(smaller) ? Interest::yes : Interest::no;
  });
  EXPECT_EQ(left.program, tidy(program_of("Thread0 { lock(m); X.set(1); unlock(m); }")));
}

} // namespace
} // namespace thinair::gen
