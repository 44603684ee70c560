// Each rule of causality matters: without it some outcome is allowed that the rule sets forbid.
#include "oracle/causality/check.h"
#include "tests/causality/happens_before.h"
#include "tests/causality/programs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::causality {
namespace {

/// An outcome that `rule_set` forbids, and allows once `rule` is left out.
struct Mutant {
  const char* rule_set;
  Rule rule;
  std::vector<std::string> threads;
  const char* outcome;
};

const char* const conditional_write =
    "int r0 = X.get(); if (r0 == 0) { X.set(1); } int r1 = X.get(); X.set(r1);";
const char* const either_mode =
    "int r0 = Y.getVolatile(); if (r0 == 1) { Z.setVolatile(1); } else { Z.set(1); }";
const char* const volatile_else =
    "int r0 = Y.get(); if (r0 != 0) { Y.set(1); } else { Y.setVolatile(1); }";
const char* const merged_reads = "int r0 = X.get(); int r1 = Z.get(); Y.set(r0 | r1);";

const std::vector<Mutant>& mutants() {
  static const std::vector<Mutant> table = {
      {"revised", // in the JLS it follows from rule 2: initial writes happen before what occurs
       Rule::occurrence,
       {"int r0 = X.get(); if (r0 == 1) { Y.set(1); }",
        "int r1 = Y.get(); if (r1 == 1) { X.set(1); }"},
       "0:r0=1 /\\ 1:r1=1"},
      {"jls04",
       Rule::happens_before,
       {conditional_write, "int r2 = X.get(); X.set(r2);"},
       "0:r0=1 /\\ 0:r1=1 /\\ 1:r2=1"},
      {"revised",
       Rule::read_happens_before,
       {volatile_else, "int r1 = Y.getVolatile(); Y.set(r1);"},
       "0:r0=1 /\\ 1:r1=1"},
      {"jls04",
       Rule::synchronization,
       {either_mode, "int r1 = Z.get(); Y.set(r1);"},
       "0:r0=1 /\\ 1:r1=1"},
      {"jls04",
       Rule::values,
       {"int r0 = X.get(); if (r0 == 1) { X.set(1); } int r1 = X.get(); X.set(r1);",
        "int r2 = X.get(); X.set(r2);"},
       "0:r0=1 /\\ 0:r1=1 /\\ 1:r2=1"},
      {"jls04",
       Rule::reads_from,
       {merged_reads, "int r2 = Y.get(); Z.set(r2);", "X.set(1);"},
       "0:r0=0 /\\ 0:r1=1 /\\ 1:r2=1"},
      {"revised",
       Rule::reads_from,
       {merged_reads, "int r2 = Y.get(); Z.set(r2);", "X.set(1);"},
       "0:r0=0 /\\ 0:r1=1 /\\ 1:r2=1"},
      {"jls04",
       Rule::well_behaved,
       {"int r0 = X.get(); if (r0 == 1) { Y.set(1); }",
        "int r1 = Y.get(); if (r1 == 1) { X.set(1); }"},
       "0:r0=1 /\\ 1:r1=1"},
      {"jls04",
       Rule::stage_write_first,
       {"int r0 = Z.get(); if (r0 == 0) { Z.set(1); } int r1 = Z.get(); Y.set(r1);",
        "int r2 = Y.get(); Z.set(r2);"},
       "0:r0=1 /\\ 0:r1=1 /\\ 1:r2=1"},
      {"jls04",
       Rule::target_write_first,
       {"int r0 = X.get(); Y.set(r0);", "int r1 = Y.get(); X.set(r1);", "Z.set(1);",
        "int r2 = Z.get(); X.set(r2);"},
       "0:r0=1 /\\ 1:r1=1 /\\ 3:r2=0"},
      {"jls04",
       Rule::synchronizes_with,
       {"X.setVolatile(1);", "int r0 = X.getVolatile(); int r1 = Z.get(); Y.set(r0 | r1);",
        "int r2 = Y.get(); Z.set(r2);"},
       "1:r0=0 /\\ 1:r1=1 /\\ 2:r2=1"},
      {"jls04",
       Rule::external_first,
       {"int r0 = Y.get(); if (r0 == 1) { X.set(1); } else { print(1); X.set(1); }",
        "int r1 = X.get(); Y.set(r1);"},
       "0:r0=1 /\\ 1:r1=1"},
  };
  return table;
}

TEST(Rules, EachIsNeeded) {
  for (const auto& m : mutants()) {
    const Subject subject(java(m.threads));
    auto o = options(m.rule_set);
    EXPECT_EQ(subject.allows(m.outcome, o), Answer::forbidden) << m.rule_set << " " << m.outcome;
    ASSERT_TRUE(o.rules.rules.has(m.rule));
    o.rules.rules = o.rules.rules.without(m.rule);
    const auto without = subject.analysis(o);
    EXPECT_EQ(subject.allows(m.outcome, o), Answer::allowed) << "without " << info(m.rule).name;
  }
}

TEST(Rules, EveryRuleHasAMutant) {
  for (const auto& rule : rules()) {
    if (rule.rule == Rule::external_last) continue; // below: it forbids no outcome
    if (rule.rule == Rule::stage_axioms || rule.rule == Rule::in_order) continue; // modes_test.cpp
    EXPECT_TRUE(std::ranges::any_of(mutants(), [&](const auto& m) { return m.rule == rule.rule; }))
        << rule.name;
  }
}

/// Committed sets of a program that prints after it has written: what refuses which order.
TEST(Rules, ExternalActionsComeFirstOrLast) {
  const Subject subject(java({"print(1); X.set(1); print(2);"}));
  const auto refused = [&](const char* rule_set, std::vector<std::size_t> early) {
    const auto o = options(rule_set);
    const auto analysis = subject.analysis(o);
    EXPECT_EQ(analysis->allows([](const Behaviour&) { return true; }), Answer::allowed);
    auto j = analysis->evidence();
    const auto check = [&] {
      return violation(analysis->graphs(), j, o.rules.rules, o.switches).value_or("");
    };
    EXPECT_EQ(check(), "") << rule_set;
    const auto& graph = analysis->graphs().graphs().at(j.target);
    const auto& names = analysis->graphs().skeleton_of(graph).labellings.front().action_of;
    auto stage = j.stages.front();
    for (const auto e : early) stage.committed.push_back(names[3 + e]);
    std::ranges::sort(stage.committed);
    j.stages = {j.stages.front(), stage, j.stages.back()};
    return check();
  };
  EXPECT_EQ(refused("jls04", {0}), "");
  EXPECT_EQ(refused("jls04", {0, 1}), "");
  EXPECT_EQ(refused("jls04", {1}), "stage 2: external-first");
  EXPECT_EQ(refused("revised", {1}), "");
  EXPECT_EQ(refused("revised", {0}), "");
  EXPECT_EQ(refused("revised", {2}), "stage 2: external-last");
}

/// Rule 9 commits what has been printed; that must be there, in the same order, and may be.
TEST(Rules, WhatIsPrintedIsCommitted) {
  const auto answer = [](const char* first) {
    const Subject subject(java({first, "int r1 = X.get(); Y.set(r1);"}));
    return subject.allows("0:r0=1 /\\ 1:r1=1", options("jls04"));
  };
  EXPECT_EQ(answer("print(1); int r0 = Y.get(); X.set(1);"), Answer::allowed);
  EXPECT_EQ(answer("int r0 = Y.get(); print(1); X.set(1);"), Answer::allowed);
  EXPECT_EQ(answer("int r0 = Y.get(); if (r0 == 1) { X.set(1); print(1); } "
                   "else { print(1); X.set(1); }"),
            Answer::forbidden);
}

TEST(Rules, TablesAreComplete) {
  EXPECT_EQ(find_rule_set("jls04")->name, "jls04");
  EXPECT_FALSE(find_rule_set("none")->justified);
  EXPECT_EQ(find_rule_set("jls05"), nullptr);
}

TEST(Checker, RefusesBadJustifications) {
  const Subject lb(java({"int r0 = X.get(); Y.set(1);", "int r1 = Y.get(); X.set(1);"}));
  const auto o = options("jls04");
  const auto analysis = lb.analysis(o);
  ASSERT_EQ(analysis->allows([](const Behaviour& b) { return b == Behaviour{1, 1}; }),
            Answer::allowed);
  const auto good = analysis->evidence();
  const auto check = [&](const Justification& j) {
    return violation(analysis->graphs(), j, o.rules.rules, o.switches).value_or("");
  };
  EXPECT_EQ(check(good), "");
  auto bad = good;
  bad.stages.back().committed.pop_back();
  EXPECT_EQ(check(bad), "the last stage does not commit the whole target");
  bad = good;
  bad.stages.back().graph = bad.stages.front().graph;
  EXPECT_EQ(check(bad), "the last stage is not the target");
  bad = good;
  bad.stages.erase(bad.stages.begin());
  EXPECT_EQ(check(bad), "the first stage is not the initial writes");
  bad = good;
  bad.stages.erase(bad.stages.begin() + 1, bad.stages.end() - 1);
  EXPECT_EQ(check(bad), "stage 2: well-behaved");
  bad = good;
  bad.stages[0].graph = good.target;
  EXPECT_EQ(check(bad), "stage 1: well-behaved");
}

TEST(Switches, DecideContestedVerdicts) {
  // CTC17: MemSAT allows it, since the second read may stand for the first
  const Subject ctc17(
      java({"int r3 = X.get(); if (r3 != 42) { X.set(42); } int r1 = X.get(); Y.set(r1);",
            "int r2 = Y.get(); X.set(r2);"}));
  const auto outcome = "0:r1=42 /\\ 0:r3=42 /\\ 1:r2=42";
  Switches s;
  EXPECT_EQ(ctc17.allows(outcome, options("jls04", s)), Answer::forbidden);
  s.identity = Identity::free;
  EXPECT_EQ(ctc17.allows(outcome, options("jls04", s)), Answer::allowed);
  s.synthetic_first_action = false;
  EXPECT_EQ(ctc17.allows(outcome, options("jls04", s)), Answer::forbidden);

  const auto& rule8 = *std::ranges::find(mutants(), Rule::synchronizes_with, &Mutant::rule);
  const Subject subject(java(rule8.threads));
  EXPECT_EQ(subject.allows(rule8.outcome, options("jls04", {.rule8 = Rule8::target})),
            Answer::allowed);

  const Subject modes(java({volatile_else, "int r1 = Y.get(); Y.set(r1);"}));
  EXPECT_EQ(modes.allows("0:r0=1 /\\ 1:r1=1", options("revised")), Answer::allowed);
  EXPECT_EQ(modes.allows("0:r0=1 /\\ 1:r1=1", options("revised", {.mode_in_identity = true})),
            Answer::forbidden);
}

} // namespace
} // namespace thinair::causality
