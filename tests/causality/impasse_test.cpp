// Where commitments end: what is said to be committed can be, what is said to be stuck is stuck,
// and the change that is said to help does.
#include "oracle/cat/model.h"
#include "oracle/causality/check.h"
#include "oracle/causality/impasse.h"
#include "oracle/explain/refusal.h"
#include "tests/causality/author.h"
#include "tests/causality/happens_before.h"
#include "tests/causality/programs.h"
#include "tests/causality/sequential.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::causality {
namespace {

using litmus::Observable;

std::vector<std::vector<ActionIndex>> some_of(const std::vector<Impasse::Stuck>& stuck) {
  std::vector<std::vector<ActionIndex>> all;
  const auto n = std::min<std::size_t>(stuck.size(), 6);
  for (std::uint32_t subset = 1; subset < 1U << n; ++subset) {
    all.emplace_back();
    for (std::size_t i = 0; i < n; ++i)
      if ((subset >> i & 1U) != 0) all.back().push_back(stuck[i].action);
  }
  return all;
}

/// The stages obey the letter of the rules, and after them no execution can commit what is stuck,
/// one by one or together; what is said of the nearest executions is so.
void check(const GraphSet& set, const Impasse& impasse, const AnalysisOptions& o) {
  const Justification stages{impasse.target, impasse.stages};
  EXPECT_EQ(violation_on_the_way(set, stages, o.rules.rules, o.switches), std::nullopt);
  ASSERT_FALSE(impasse.stuck.empty());
  const NextStage next(set, stages, o.rules.rules, o.switches);
  const auto choices = some_of(impasse.stuck);
  for (std::uint32_t g = 0; g < set.graphs().size(); ++g)
    for (std::uint32_t l = 0; l < set.skeleton_of(set.graphs()[g]).labellings.size(); ++l)
      for (const auto& broken : next.broken(g, l, choices)) EXPECT_FALSE(broken.empty());
  for (const auto& stuck : impasse.stuck) {
    ASSERT_FALSE(stuck.ways.empty());
    for (const auto& way : stuck.ways)
      EXPECT_EQ(next.broken(way.graph, way.labelling, {{stuck.action}}).front(), way.broken);
  }
}

/// Who writes a value without an origin has read such a value: followed back, the reads come to
/// where they began.
void check_origins(const GraphSet& set, const Impasse& impasse) {
  const Graph& target = set.graphs()[impasse.target];
  const auto& events = set.skeleton_of(target).events;
  for (const auto write : impasse.unfounded) {
    bool read = false;
    for (EventIndex e = 0; e < write; ++e)
      read = read || (events[e].thread == events[write].thread && events[e].reads() &&
                      std::ranges::find(impasse.unfounded, target.reads_from[e]) !=
                          impasse.unfounded.end());
    EXPECT_TRUE(read) << "write " << write << " needs nothing";
  }
}

TEST(Impasse, IsOneByTheLetterOfTheRules) {
  std::size_t seen = 0, founded = 0, further = 0;
  for (std::uint64_t seed = 1; seed <= test::draws(3000); ++seed) {
    const Subject subject(java(Author(seed).threads()));
    const auto consistent = subject.behaviours(options("none"));
    for (const auto* rules : {"jls04", "revised"}) {
      const auto o = options(rules);
      for (const auto& behaviour : consistent) {
        const auto asked = subject.analysis(o);
        const auto wanted = [&](const Behaviour& b) { return b == behaviour; };
        if (asked->allows(wanted) != Answer::forbidden) continue;
        asked->try_values({behaviour.begin(), behaviour.end()}, false);
        const auto impasse = asked->impasse(wanted);
        SCOPED_TRACE(fmt::format("seed {} {} {}", seed, rules, subject.text(behaviour)));
        if (!impasse) continue;
        ++seen;
        founded += impasse->unfounded.empty();
        further += impasse->stages.size() > 1;
        check(asked->graphs(), *impasse, o);
        check_origins(asked->graphs(), *impasse);
      }
    }
  }
  if (test::draws(100) < 100) return; // too few
  EXPECT_GT(seen, 60U);
  EXPECT_GT(founded, 8U) << "nothing but values out of thin air";
  EXPECT_GT(further, 12U) << "nothing is ever committed";
}

/// Of outcomes that the axioms allow and the rules do not: the change is one, and allows it.
TEST(Impasse, TheNearestChangeWouldAllowIt) {
  std::size_t seen = 0, changed = 0;
  for (const auto* name : {"jls04", "java"}) {
    const auto model = cat::load_model(name, cat::Architecture::java);
    for (std::uint64_t seed = 1; seed <= test::draws(700); ++seed) {
      const auto test = java(Author(seed).threads());
      oracle::Oracle consistent(test, model, {.rules = "none", .all_registers = true});
      oracle::Oracle asked(test, model, {.all_registers = true});
      for (const auto& behaviour : consistent.behaviours().behaviours) {
        const auto outcome = litmus::exactly(consistent.observables(), behaviour);
        if (asked.allows(outcome) != Answer::forbidden) continue;
        const auto refusal = explain::why_not(test, model, outcome);
        SCOPED_TRACE(fmt::format("seed {} {}", seed, litmus::to_string(outcome)));
        ASSERT_EQ(refusal.kind, explain::Refusal::Kind::causality);
        if (!refusal.obstacle) continue;
        ++seen;
        EXPECT_FALSE(refusal.obstacle->action.empty());
        EXPECT_FALSE(refusal.obstacle->failures.empty());
        if (!refusal.obstacle->change) continue;
        ++changed;
        const auto& other = refusal.obstacle->change->test;
        EXPECT_NE(other.program, test.program);
        const auto reread = litmus::parse({"changed", litmus::print(other)});
        EXPECT_EQ(oracle::Oracle(reread, model).allows(outcome), Answer::allowed)
            << litmus::print(other);
      }
    }
  }
  if (test::draws(100) < 100) return;
  EXPECT_GT(seen, 60U);
  EXPECT_GT(changed, seen / 2);
}

/// JLS 17.4.8's own example of a value out of thin air.
TEST(Impasse, NamesTheValueWithoutAnOrigin) {
  const auto test = java({"int r0 = X.get(); Y.set(r0);", "int r1 = Y.get(); X.set(r1);"});
  const auto model = cat::load_model("jls04", cat::Architecture::java);
  const auto outcome = litmus::all_of({litmus::equals({litmus::ThreadId{0}, "r0"}, 1),
                                       litmus::equals({litmus::ThreadId{1}, "r1"}, 1)});
  const auto refusal = explain::why_not(test, model, outcome);
  ASSERT_TRUE(refusal.obstacle);
  EXPECT_EQ(refusal.obstacle->origin.find("1 is written only by threads that read it"), 0U)
      << refusal.obstacle->origin;
  ASSERT_TRUE(refusal.obstacle->change);
  EXPECT_NE(refusal.obstacle->change->words.find("wrote 1 whatever its thread has read"),
            std::string::npos)
      << refusal.obstacle->change->words;
}

/// Nothing is out of thin air here: 1 has an origin, and rule 6 keeps it from being committed.
TEST(Impasse, NamesTheRuleThatKeepsAnActionBack) {
  const auto test = java({"int r0 = X.get(); Y.set(r0);", "int r1 = Y.get(); X.set(r1);",
                          "Z.set(1);", "int r2 = Z.get(); X.set(r2);"}); // CTC 5
  const auto model = cat::load_model("jls04", cat::Architecture::java);
  const auto outcome = litmus::all_of({litmus::equals({litmus::ThreadId{0}, "r0"}, 1),
                                       litmus::equals({litmus::ThreadId{1}, "r1"}, 1),
                                       litmus::equals({litmus::ThreadId{3}, "r2"}, 0)});
  const auto refusal = explain::why_not(test, model, outcome);
  ASSERT_TRUE(refusal.obstacle);
  const auto& obstacle = *refusal.obstacle;
  EXPECT_TRUE(obstacle.origin.empty()) << obstacle.origin;
  ASSERT_FALSE(obstacle.failures.empty());
  for (const auto& failure : obstacle.failures)
    EXPECT_NE(failure.words.find("JLS 17.4.8 rule"), std::string::npos) << failure.words;
}

} // namespace
} // namespace thinair::causality
