// Causality for all access modes: the rule set `java` with the model of that name. What each of its
// two own rules, and each axiom that only justifications show, decides.
#include "litmus/text/error.h"
#include "models/library.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/causality/check.h"
#include "oracle/causality/well_behaved.h"
#include "tests/causality/programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
namespace {

const cat::Plan& java_model() {
  static const auto model = cat::load_model("java", graph::Architecture::java);
  return model;
}

litmus::Test asking(const std::vector<std::string>& threads, const std::string& outcome) {
  const auto text = litmus::print(java(threads));
  const auto without_question = text.substr(0, text.rfind("exists"));
  return litmus::parse({"asking", fmt::format("{}exists ({})\n", without_question, outcome)});
}

Answer answer(const litmus::Test& test, const Options& options = {},
              const cat::Plan& model = java_model()) {
  Oracle oracle(test, model, options);
  const auto found = oracle.allows(test.clauses.at(0).proposition);
  if (found == Answer::allowed) {
    const auto problem =
        violation(oracle.graphs(), oracle.evidence(), oracle.rules().rules, oracle.switches());
    EXPECT_EQ(problem.value_or(""), "") << litmus::print(test);
  }
  return found;
}

Answer answer(const std::vector<std::string>& threads, const std::string& outcome,
              const Options& options = {}, const cat::Plan& model = java_model()) {
  return answer(asking(threads, outcome), options, model);
}

Options without(Rule rule) {
  Options options;
  options.rule_set = *find_rule_set("java");
  options.rule_set->rules = options.rule_set->rules.without(rule);
  return options;
}

cat::Plan without(const char* axiom) {
  return cat::load_model("java", graph::Architecture::java, {.dropped_axioms = {axiom}});
}

/// The second read of x occurs only where the first one has seen the race, and coherence lets it
/// see nothing else then. It is committed in a stage that is not coherent.
TEST(Modes, StagesNeedNotBeCoherent) {
  const std::vector<std::string> threads = {
      "int r0 = X.getOpaque(); int r1 = 0; if (r0 == 1) { r1 = X.getOpaque(); } Y.setOpaque(1);",
      "int r2 = Y.getOpaque(); X.setOpaque(1);"};
  const auto all_one = "0:r0=1 /\\ 0:r1=1 /\\ 1:r2=1";
  EXPECT_EQ(answer(threads, all_one), Answer::allowed);
  EXPECT_EQ(answer(threads, all_one, without(Rule::stage_axioms)), Answer::forbidden);
  EXPECT_EQ(answer(threads, "0:r0=1 /\\ 0:r1=0"), Answer::forbidden) << "what is shown is coherent";
  const std::vector<std::string> stale = {
      "int q = X.getOpaque(); int r = 0; if (q == 1) { r = X.getOpaque(); Y.setOpaque(1); }",
      "X.setOpaque(1); int s = Y.getOpaque(); if (s == 1) { X.setOpaque(2); }"};
  EXPECT_EQ(answer(stale, "0:q=1 /\\ 0:r=2 /\\ 1:s=1"), Answer::allowed);
  EXPECT_EQ(answer(stale, "0:q=1 /\\ 0:r=2 /\\ 1:s=1", without(Rule::stage_axioms)),
            Answer::forbidden);
}

/// A stage in which the acquiring read does not race would let it see the update of its own thread,
/// and so synchronize with the release before that.
TEST(Modes, WhatHappensStepByStepNeedsNoStages) {
  const std::vector<std::string> threads = {
      "X.setRelease(1);", "X.set(5);",
      "int u = X.weakCompareAndSetPlain(1, 2); int r = 0; if (u == 1) { r = X.getAcquire(); }"};
  EXPECT_EQ(answer(threads, "2:u=1 /\\ 2:r=5"), Answer::allowed);
  EXPECT_EQ(answer(threads, "2:u=1 /\\ 2:r=5", without(Rule::in_order)), Answer::forbidden);
}

/// The model without a part of its text.
cat::Plan without_text(const std::string& part) {
  std::string text(models::find_model("java").value().text);
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return cat::load_model(text::Source{"java.cat", text.erase(at, part.size())},
                         graph::Architecture::java);
}

/// Happens-before begins at the fence. Without an edge from the write behind it, no stage commits
/// the acquire, and what AArch64 shows has no justification.
TEST(Modes, AWriteBehindAReleaseFenceIsHeardByItsAcquire) {
  const std::string fenced = "int r0 = X.get(); releaseFence(); Y.set(1);";
  const std::vector<std::string> early = {
      fenced, "int s0 = Y.getOpaque(); X.set(1); int s1 = Y.getAcquire();"};
  EXPECT_EQ(answer(early, "0:r0=1 /\\ 1:s0=1 /\\ 1:s1=1"), Answer::allowed);
  EXPECT_EQ(answer(early, "0:r0=1 /\\ 1:s0=1", {}, without_text(" | heard")), Answer::forbidden);
  const std::vector<std::string> late = {
      fenced, "int s0 = Y.getOpaque(); int s1 = Y.getAcquire(); X.set(1);"};
  EXPECT_EQ(answer(late, "0:r0=1 /\\ 1:s1=1"), Answer::forbidden) << "the acquire comes before";
}

/// Without the axiom happens-before has a cycle, in an execution or a stage, and the model is
/// refused.
TEST(Modes, HappensBeforeHasNoCycle) {
  const auto fenced = asking(
      {"int r = X.get(); acquireFence(); Y.set(1);", "int s = Y.get(); acquireFence(); X.set(1);"},
      "0:r=1 /\\ 1:s=1");
  EXPECT_EQ(answer(fenced), Answer::forbidden);
  EXPECT_THROW(Oracle(fenced, without("causality")).behaviours(), InputError);
  const auto test = asking(
      {"int r = X.getAcquire(); X.setRelease(1);", "int u = X.weakCompareAndSetPlain(1, 2);"},
      "0:r=2 /\\ 1:u=1");
  EXPECT_EQ(answer(test), Answer::forbidden);
  EXPECT_THROW(Oracle(test, without("causality")).behaviours(), InputError);
}

/// Three volatile reads that see 2, 1 and 2 contradict the order of the two writes: no stage
/// commits a write so.
TEST(Modes, StagesObeyTheSynchronizationOrder) {
  const std::vector<std::string> threads = {
      "Z.setVolatile(1);", "Z.setVolatile(2);",
      "int a = Z.getVolatile(); int b = Z.getVolatile(); int c = Z.getVolatile(); "
      "int q = X.get(); if (a == 2 && b == 1 && c == 2) { Y.set(1); } else { Y.set(q); }",
      "int r = Y.get(); X.set(r);"};
  const auto out_of_thin_air = "2:a=2 /\\ 2:b=2 /\\ 2:c=2 /\\ 2:q=1 /\\ 3:r=1";
  Options options;
  options.identity = Identity::index;
  EXPECT_EQ(answer(threads, out_of_thin_air, options), Answer::forbidden);
  EXPECT_EQ(answer(threads, out_of_thin_air, options, without("sync-overwritten")),
            Answer::allowed);
}

TEST(Modes, OpaqueLoopsEndAndLoadsAreBuffered) {
  EXPECT_EQ(answer({"while (X.getOpaque() == 0) {} int r = Y.get();", "Y.set(1); X.setOpaque(1);"},
                   "0:r=0"),
            Answer::allowed);
  EXPECT_EQ(
      answer({"int r = X.getOpaque(); Y.setOpaque(1);", "int s = Y.getOpaque(); X.setOpaque(1);"},
             "0:r=1 /\\ 1:s=1"),
      Answer::allowed);
  EXPECT_EQ(
      answer({"int r = X.getOpaque(); Y.setOpaque(r);", "int s = Y.getOpaque(); X.setOpaque(s);"},
             "0:r=1"),
      Answer::forbidden)
      << "nobody writes 1";
}

/// One or the other of the two threads goes first; the model and the rules say what is last in
/// memory.
TEST(Modes, FinalMemoryIsThatOfCoherence) {
  const std::vector<std::string> threads = {"int r = X.getOpaque(); X.setOpaque(1);",
                                            "X.setOpaque(2);"};
  EXPECT_EQ(answer(threads, "0:r=2 /\\ x=1"), Answer::allowed);
  EXPECT_EQ(answer(threads, "0:r=2 /\\ x=2"), Answer::forbidden);
  EXPECT_EQ(answer(threads, "0:r=0 /\\ x=2"), Answer::allowed);
  EXPECT_EQ(answer(threads, "x=0"), Answer::forbidden);
  const std::vector<std::string> buffered = {"int r = X.get(); Y.set(1);",
                                             "int s = Y.get(); X.set(s);", "X.setOpaque(2);"};
  EXPECT_EQ(answer(buffered, "0:r=1 /\\ 1:s=1 /\\ x=1"), Answer::allowed);
  EXPECT_EQ(answer(buffered, "0:r=1 /\\ 1:s=1 /\\ x=2"), Answer::allowed);
}

/// Failed updates read as carefully as successful ones.
TEST(Modes, FailedUpdatesAreCoherent) {
  const std::vector<std::string> threads = {"X.set(1);",
                                            "int a = X.compareAndExchangeRelease(5, 6); "
                                            "int b = X.compareAndExchangeRelease(5, 6);"};
  EXPECT_EQ(answer(threads, "1:a=1 /\\ 1:b=0"), Answer::forbidden);
  EXPECT_EQ(answer(threads, "1:a=0 /\\ 1:b=1"), Answer::allowed);
}

/// Fences of stores do not keep reads; those of loads do not keep writes.
TEST(Modes, HalfFencesKeepHalf) {
  const std::vector<std::string> stores = {
      "int r = X.getOpaque(); storeStoreFence(); Y.setOpaque(1);",
      "int s = Y.getOpaque(); loadLoadFence(); X.setOpaque(1);"};
  EXPECT_EQ(answer(stores, "0:r=1 /\\ 1:s=1"), Answer::allowed);
  const std::vector<std::string> whole = {"int r = X.getOpaque(); releaseFence(); Y.setOpaque(1);",
                                          "int s = Y.getOpaque(); acquireFence(); X.setOpaque(1);"};
  EXPECT_EQ(answer(whole, "0:r=1 /\\ 1:s=1"), Answer::forbidden);
}

/// The identity that a model names is overruled by that of the options.
TEST(Modes, TheModelNamesItsIdentity) {
  const auto ctc17 =
      asking({"int r3 = X.get(); if (r3 != 42) { X.set(42); } int r1 = X.get(); Y.set(r1);",
              "int r2 = Y.get(); X.set(r2);"},
             "0:r1=42 /\\ 0:r3=42 /\\ 1:r2=42");
  Options options;
  EXPECT_EQ(answer(ctc17, options), Answer::allowed);
  EXPECT_EQ(Oracle(ctc17, java_model()).switches().identity, Identity::free);
  options.identity = Identity::index;
  EXPECT_EQ(answer(ctc17, options), Answer::forbidden);
  auto model = java_model();
  model.identity = "fast";
  EXPECT_THROW(Oracle(ctc17, model), InputError);
}

/// With free identity there are thousands of ways to match the actions of a stage with those of
/// another one. A yes by index stands all the same.
TEST(Modes, AYesByIndexStandsWhereFreeIdentityIsTooMuch) {
  const std::vector<std::string> threads = {
      "X.set(1); X.set(2); X.set(3); X.set(4); X.set(5); X.set(6); X.set(7); int r = Y.get();",
      "Y.set(1); Y.set(2); int s = X.get();"};
  Options options;
  options.limits.labellings = 50;
  EXPECT_EQ(answer(threads, "0:r=2 /\\ 1:s=0", options), Answer::allowed);
  EXPECT_NE(answer(threads, "0:r=3", options), Answer::allowed);
}

TEST(Modes, StagesObeyTheAxiomsThatTheModelNames) {
  EXPECT_TRUE(asks_less_of_stages(java_model()));
  const auto stages = of_stages(java_model());
  EXPECT_EQ(stages.axioms.size() + 5, java_model().axioms.size());
  ASSERT_EQ(stages.choices.size(), 1U);
  EXPECT_EQ(stages.choices.front().name, "so") << "coherence is nothing that stages have";
  EXPECT_FALSE(stages.orders_memory);
  EXPECT_THROW(cat::load_model(text::Source{"m.cat", "\"M\"\n(* not of stages: coherense *)\n"
                                                     "acyclic po as coherence\n"},
                               graph::Architecture::java),
               InputError);
}

} // namespace
} // namespace thinair::causality
