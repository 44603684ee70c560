// Laws of the causality oracle, on random programs with plain and volatile accesses.
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/causality/check.h"
#include "tests/causality/author.h"
#include "tests/causality/programs.h"
#include "tests/causality/sequential.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
namespace {

constexpr std::uint64_t programs = 800;

std::set<Behaviour> as_set(const std::vector<Behaviour>& list) {
  return {list.begin(), list.end()};
}

bool subset(const std::set<Behaviour>& inner, const std::set<Behaviour>& outer) {
  return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
}

TEST(Property, BetweenSequentialConsistencyAndHappensBefore) {
  std::size_t racefree = 0, justified_only = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Subject subject(java(Author(seed).threads()));
    const auto sequential = sequential_runs(subject.paths(), subject.places());
    for (const auto* rules : {"jls04", "revised"}) {
      const auto mem = as_set(subject.behaviours(options(rules)));
      EXPECT_TRUE(subset(sequential.behaviours, mem)) << "seed " << seed << " " << rules;
      const auto sem = subject.analysis(options(rules));
      const auto jpr = as_set(sem->jpr_behaviours([](const Behaviour&) { return true; }));
      EXPECT_TRUE(subset(mem, jpr)) << "seed " << seed << " " << rules;
      const auto all = as_set(subject.behaviours(options("none")));
      EXPECT_TRUE(subset(jpr, all)) << "seed " << seed;
      justified_only += mem != all;
      if (sequential.race) continue;
      ++racefree;
      EXPECT_EQ(mem, sequential.behaviours) << "seed " << seed << " " << rules;
    }
  }
  EXPECT_GT(racefree, 30U);
  EXPECT_GT(justified_only, 5U);
}

TEST(Property, MembershipIsEnumeration) {
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Subject subject(java(Author(seed).threads()));
    const auto all = subject.behaviours(options("none"));
    const auto mem = as_set(subject.behaviours(options("jls04")));
    for (const auto& b : all) {
      const auto one = subject.analysis(options("jls04"));
      const auto answer = one->allows([&b](const Behaviour& other) { return other == b; });
      EXPECT_EQ(answer, mem.contains(b) ? Answer::allowed : Answer::forbidden)
          << "seed " << seed << " " << subject.text(b);
    }
  }
}

TEST(Property, ShortcutsChangeNothing) {
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Subject subject(java(Author(seed).threads()));
    for (const auto* rules : {"jls04", "revised"}) {
      auto slow = options(rules);
      const auto fast = subject.behaviours(slow);
      slow.jpr_filter = false;
      EXPECT_EQ(subject.behaviours(slow), fast) << "seed " << seed << " " << rules;
      slow.search.commit_all = true;
      EXPECT_EQ(subject.behaviours(slow), fast) << "seed " << seed << " " << rules;
    }
  }
}

TEST(Property, OrdersThatTellNothingAreLeftOut) {
  const auto model = cat::load_model("jls04", graph::Architecture::java);
  std::uint64_t telling = 0, every = 0;
  for (std::uint64_t seed = 1; seed <= programs / 2; ++seed) {
    const auto test = java(Author(seed).threads());
    for (const auto* rules : {"jls04", "revised"}) {
      Options few;
      few.rules = rules;
      few.all_registers = true;
      Options all = few;
      all.commit_all = true;
      const auto a = Oracle(test, model, few).behaviours();
      const auto b = Oracle(test, model, all).behaviours();
      EXPECT_EQ(a.behaviours, b.behaviours) << "seed " << seed << " " << rules;
      EXPECT_LE(a.executions, b.executions) << "seed " << seed;
      telling += a.executions;
      every += b.executions;
    }
  }
  EXPECT_LT(telling, every);
}

/// One question at a time, with the executions that it is about, against all of them.
TEST(Property, ExecutionsWithOtherRacesAreLeftOut) {
  const auto model = cat::load_model("jls04", graph::Architecture::java);
  std::uint64_t alone = 0, together = 0;
  std::size_t allowed = 0, forbidden = 0;
  for (std::uint64_t seed = 1; seed <= programs / 4; ++seed) {
    const auto test = java(Author(seed).threads());
    for (const auto* rules : {"jls04", "revised"})
      for (const auto identity : {Identity::index, Identity::free}) {
        Options o;
        o.rules = rules;
        o.switches.identity = identity;
        o.all_registers = true;
        const auto mem = Oracle(test, model, o).behaviours();
        auto consistent = o;
        consistent.rules = "none";
        o.limits.whole = 0;
        for (const auto& b : Oracle(test, model, consistent).behaviours().behaviours) {
          Oracle oracle(test, model, o);
          const bool expected = std::ranges::find(mem.behaviours, b) != mem.behaviours.end();
          ASSERT_EQ(oracle.allows(b), expected ? Answer::allowed : Answer::forbidden)
              << "seed " << seed;
          ++(expected ? allowed : forbidden);
          alone += oracle.statistics().executions;
          together += mem.executions;
          if (!expected) continue;
          const auto problem =
              violation(oracle.graphs(), oracle.evidence(), oracle.rules().rules, o.switches);
          EXPECT_FALSE(problem.has_value()) << "seed " << seed << ": " << *problem;
        }
      }
  }
  EXPECT_GT(allowed, 1000U);
  EXPECT_GT(forbidden, 20U);
  EXPECT_LT(2 * alone, together);
}

/// A list of questions about one program, some of which no execution shows, in any order.
TEST(Property, ManyQuestionsAtOnceAreAnsweredAsTheSetIs) {
  const auto model = cat::load_model("jls04", graph::Architecture::java);
  std::size_t allowed = 0, unjustified = 0, inconsistent = 0;
  for (std::uint64_t seed = 1; seed <= programs / 2; ++seed) {
    const auto test = java(Author(seed).threads());
    for (const auto* rules : {"jls04", "revised"}) {
      Options o;
      o.rules = rules;
      o.all_registers = true;
      const auto mem = as_set(Oracle(test, model, o).behaviours().behaviours);
      auto consistent = o;
      consistent.rules = "none";
      auto all = Oracle(test, model, consistent).behaviours().behaviours;
      const auto shown = as_set(all);
      for (std::size_t i = 0, n = all.size(); i < n; ++i) {
        auto other = all[i];
        if (!other.empty()) ++other[seed % other.size()];
        all.push_back(std::move(other));
      }
      std::ranges::reverse(all);
      for (const std::size_t whole : {0, 2, 1'000}) {
        o.limits.whole = whole;
        const auto answers = Oracle(test, model, o).allows(all);
        for (std::size_t i = 0; i < all.size(); ++i)
          ASSERT_EQ(answers[i], mem.contains(all[i]) ? Answer::allowed : Answer::forbidden)
              << "seed " << seed << " " << rules << " " << whole;
      }
      for (const auto& b : all)
        ++(mem.contains(b) ? allowed : shown.contains(b) ? unjustified : inconsistent);
    }
  }
  EXPECT_GT(allowed, 1000U);
  EXPECT_GT(unjustified, 20U);
  EXPECT_GT(inconsistent, 500U);
}

/// The registers of a behaviour by name alone, which says the thread it was written for.
std::set<std::string> by_name(const Subject& subject) {
  std::set<std::string> all;
  for (const auto& behaviour : subject.behaviours(options("jls04"))) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < behaviour.size(); ++i)
      values.push_back(fmt::format("{}={}", subject.observables()[i].name, behaviour[i]));
    std::ranges::sort(values);
    all.insert(fmt::format("{}", fmt::join(values, " ")));
  }
  return all;
}

TEST(Property, NamesAndOrderOfThreadsDoNotMatter) {
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    auto threads = Author(seed).threads();
    const Subject subject(java(threads));
    const auto expected = subject.behaviours(options("jls04"));

    auto renamed = threads;
    for (auto& body : renamed) std::ranges::replace(body, 'X', 'Z');
    EXPECT_EQ(Subject(java(renamed)).behaviours(options("jls04")), expected) << "seed " << seed;

    std::ranges::reverse(threads);
    EXPECT_EQ(by_name(Subject(java(threads))), by_name(subject)) << "seed " << seed;
  }
}

TEST(Property, AThreadOfItsOwnChangesNothing) {
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    auto threads = Author(seed).threads();
    const auto expected = Subject(java(threads)).behaviours(options("jls04"));
    threads.emplace_back("Z.set(1);");
    EXPECT_EQ(Subject(java(threads)).behaviours(options("jls04")), expected) << "seed " << seed;
  }
}

TEST(Property, JprContainsWhatIsAllowedHoweverActionsAreMatched) {
  for (std::uint64_t seed = 1; seed <= programs / 4; ++seed) {
    const Subject subject(java(Author(seed).threads()));
    for (const auto* rules : {"jls04", "revised"}) {
      auto o = options(rules, {.identity = Identity::free});
      o.jpr_filter = false;
      const auto analysis = subject.analysis(o);
      const auto everything = [](const Behaviour&) { return true; };
      const auto jpr = as_set(analysis->jpr_behaviours(everything));
      for (const auto& b : analysis->behaviours(everything))
        EXPECT_TRUE(jpr.contains(b)) << "seed " << seed << " " << rules << subject.text(b);
    }
  }
}

/// Even without causality, which leaves no question of values to the solver.
TEST(Property, FewProgramsNeedZ3) {
  const auto model = cat::load_model("jls04", graph::Architecture::java);
  std::size_t asked = 0, solved = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const auto test = java(Author(seed).threads());
    for (const auto* rules : {"jls04", "none"}) {
      Options o;
      o.rules = rules;
      o.all_registers = true;
      Oracle oracle(test, model, o);
      solved += oracle.behaviours().values.by_z3 > 0;
      ++asked;
    }
  }
  EXPECT_LT(solved * 20, asked) << "5% of " << asked;
}

} // namespace
} // namespace thinair::causality
