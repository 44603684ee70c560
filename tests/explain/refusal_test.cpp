// Why a model says no: the axioms named are the ones that do it, and the cycle drawn is one.
#include "litmus/text/error.h"
#include "oracle/explain/examples.h"
#include "oracle/explain/refusal.h"
#include "tests/explain/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace thinair::explain {
namespace {

using Kind = Refusal::Kind;

const char* volatile_store_buffering =
    "Java SB\n{ x = 0; y = 0; X=x; Y=y; }\n"
    "Thread0 { X.setVolatile(1); int r1 = Y.getVolatile(); }\n"
    "Thread1 { Y.setVolatile(1); int r1 = X.getVolatile(); }\nexists (0:r1=0 /\\ 1:r1=0)\n";

/// Each step begins where the one before ends; of a closed way the first where the last ends.
void expect_a_way(const std::vector<Derivation>& way, EventId from, EventId to) {
  ASSERT_FALSE(way.empty());
  EventId at = from;
  for (const auto& derivation : way) {
    EXPECT_EQ(derivation.step.from, at);
    at = derivation.step.to;
    if (!derivation.parts.empty())
      expect_a_way(derivation.parts, derivation.step.from, derivation.step.to);
  }
  EXPECT_EQ(at, to);
}

void expect_sense(const Refusal& refusal) {
  ASSERT_EQ(refusal.kind, Kind::axioms);
  ASSERT_TRUE(refusal.drawing);
  ASSERT_FALSE(refusal.broken.empty());
  for (const auto& broken : refusal.broken) {
    if (broken.cycle.empty()) continue;
    const EventId start = broken.cycle.front().step.from;
    const bool ring =
        broken.what == "acyclic" || broken.what == "irreflexive" || broken.what == "order";
    expect_a_way(broken.cycle, start, ring ? start : broken.cycle.back().step.to);
  }
  EXPECT_TRUE(std::ranges::any_of(refusal.drawing->edges, [](const Drawing::Edge& edge) {
    return edge.role == Drawing::Role::reason;
  }));
}

TEST(Refusal, OfStoreBufferingUnderSequentialConsistency) {
  const auto test = test_of(store_buffering);
  const auto refusal = why_not(test, model_named("sc"), test.clauses[0].proposition);
  expect_sense(refusal);
  EXPECT_EQ(refusal.broken.size(), 1U);
  const auto text = as_text(refusal);
  EXPECT_NE(text.find(" fails:\n"), std::string::npos) << text;
}

std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string out;
  for (std::string word; words >> word;) out += word + " ";
  return out;
}

/// Words first, then the model's terms; lines of any length say the same.
TEST(Refusal, IsToldInLinesOfAnyLength) {
  for (const char* name : {"java", "jls04", "sc"}) {
    const auto test = test_of(volatile_store_buffering);
    const auto refusal = why_not(test, model_named(name), test.clauses[0].proposition);
    const auto told = explain::told(refusal, text::no_width);
    EXPECT_EQ(in_one_line(told.words + told.terms), in_one_line(as_text(refusal))) << name;
    EXPECT_EQ(told.words.find(" fails:"), std::string::npos) << told.words;
    EXPECT_NE(told.terms.find(" fails:"), std::string::npos) << told.terms;
  }
}

/// An order that the model chooses is explained by the comment above it, as a definition is.
TEST(Refusal, TellsOrdersThatTheModelChooses) {
  const auto test = test_of(volatile_store_buffering);
  const auto text =
      in_one_line(as_text(why_not(test, model_named("java"), test.clauses[0].proposition)));
  EXPECT_NE(text.find("(so: The order of all synchronization actions)"), std::string::npos) << text;
}

TEST(Refusal, TellsWhatIsAllowed) {
  const auto test = test_of(store_buffering);
  EXPECT_EQ(why_not(test, model_named("jam21"), test.clauses[0].proposition).kind, Kind::none);
  EXPECT_TRUE(example(test, model_named("jam21"), test.clauses[0].proposition));
  EXPECT_FALSE(example(test, model_named("sc"), test.clauses[0].proposition));
}

TEST(Refusal, OfValuesThatNothingWrites) {
  auto test = test_of(store_buffering);
  test.clauses[0].proposition.parts[0].constant = 7;
  const auto refusal = why_not(test, model_named("sc"), test.clauses[0].proposition);
  EXPECT_EQ(refusal.kind, Kind::no_candidate);
  EXPECT_FALSE(refusal.drawing);
}

TEST(Refusal, OfOutOfThinAirIsCausality) {
  const auto test = test_of(load_buffering);
  const auto refusal = why_not(test, model_named("jls04"), test.clauses[0].proposition);
  EXPECT_EQ(refusal.kind, Kind::causality);
  EXPECT_TRUE(refusal.drawing) << "the axioms allow it";
  EXPECT_NE(as_text(refusal).find("no sequence of commits"), std::string::npos);
}

TEST(Refusal, StopsAtALimit) {
  const auto test = test_of(store_buffering);
  oracle::Options options;
  options.limits.candidates = 1;
  EXPECT_EQ(why_not(test, model_named("sc"), test.clauses[0].proposition, options).kind,
            Kind::unknown);
}

/// Each decisive axiom is one: without it the answer is yes. Loaded anew without it, so that
/// nothing of the explanation's own doing is believed.
void check_questions(const std::string& folder, const std::string& model, std::size_t& explained) {
  const auto plan = model_named(model);
  for (const auto& test : corpus(folder)) {
    for (const auto& clause : test.clauses) {
      SCOPED_TRACE(test.name + " " + clause.label + " under " + model);
      try {
        oracle::Options options;
        options.rules = "none";
        options.limits = few_candidates();
        const auto refusal = why_not(test, plan, clause.proposition, options);
        if (refusal.kind != Kind::axioms) continue;
        ++explained;
        expect_sense(refusal);
        for (const auto& axiom : refusal.decisive) {
          cat::LoadOptions without;
          without.dropped_axioms = {axiom};
          const auto weaker = cat::load_model(model, cat::Architecture::java, without);
          EXPECT_EQ(
              executions::exists(test, weaker, clause.proposition, {.limits = few_candidates()}),
              oracle::Answer::allowed);
        }
      } catch (const Unsupported&) {
        continue;
      } catch (const InputError&) { // final memory in a model without
        continue;
      }
    }
  }
}

/// What the values are said to rule out no execution shows, whatever is allowed; what an order is
/// blamed for some do.
std::size_t check_values(const std::vector<litmus::Test>& tests, const cat::Plan& plan) {
  cat::Plan anything;
  anything.orders_memory = plan.orders_memory;
  std::size_t by_values = 0;
  for (const auto& test : tests)
    for (const auto& clause : test.clauses) {
      SCOPED_TRACE(test.name + " " + clause.label + " under " + plan.name);
      try {
        oracle::Options options;
        options.rules = "none";
        options.limits = few_candidates();
        const auto refusal = why_not(test, plan, clause.proposition, options);
        if (refusal.kind != Kind::axioms && refusal.kind != Kind::no_candidate) continue;
        const auto found =
            executions::exists(test, anything, clause.proposition, {.limits = few_candidates()});
        const bool values = refusal.kind == Kind::no_candidate;
        EXPECT_EQ(found, values ? oracle::Answer::forbidden : oracle::Answer::allowed);
        by_values += values ? 1 : 0;
      } catch (const std::runtime_error&) { // unsupported, or final memory in a model without
        continue;
      }
    }
  return by_values;
}

TEST(Refusal, BlamesTheValuesWhereTheyDoIt) {
  std::size_t by_values = 0;
  const auto tests = whole_corpus();
  for (const auto* model : {"sc", "jam19", "jam21", "jls04", "causal", "pc"})
    by_values += check_values(tests, model_named(model));
  EXPECT_GT(by_values, 20U);
}

TEST(Refusal, OfAnOrderThatCannotBe) {
  const auto test = corpus_test("jam19/C11-c_p.litmus");
  const auto refusal = why_not(test, model_named("jam19"), test.clauses[0].proposition);
  ASSERT_EQ(refusal.kind, Kind::axioms);
  ASSERT_EQ(refusal.broken.size(), 1U);
  EXPECT_EQ(refusal.broken[0].axiom, "to");
  expect_sense(refusal);
  EXPECT_NE(as_text(refusal).find("\nno order `to` is possible, since what it must contain goes "
                                  "around:\n"),
            std::string::npos)
      << as_text(refusal);
}

TEST(Refusal, HoldsWaterOnTheCorpus) {
  std::size_t explained = 0;
  for (const auto* folder : {"jcstress", "jam21", "jmt"})
    for (const auto* model : {"jls04", "jam21", "sc"}) check_questions(folder, model, explained);
  EXPECT_GT(explained, 40U);
}

} // namespace
} // namespace thinair::explain
