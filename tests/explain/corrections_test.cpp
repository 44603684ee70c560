// Corrections: without these parts the model allows the behaviour, and without fewer it does not.
#include "oracle/explain/corrections.h"
#include "tests/explain/support.h"

#include <gtest/gtest.h>

namespace thinair::explain {
namespace {

using Parts = std::vector<ModelPart>;

oracle::Answer left_without(const litmus::Test& test, cat::Plan model, const Parts& parts) {
  oracle::Options options;
  for (const auto& part : parts) {
    model = without(model, part);
    if (part.kind == ModelPart::Kind::rules) options.rule_set = oracle::rule_set_named("none");
  }
  return oracle::Oracle(test, model, options).allows(test.clauses[0].proposition);
}

/// Of every outcome of the corpus that a model forbids.
TEST(Corrections, AreEnoughAndAllOfEachIsNeeded) {
  auto tests = corpus("jmt");
  for (auto& more : corpus("lea")) tests.push_back(std::move(more));
  for (const auto* name : {"jam21", "java", "sc"}) {
    const auto model = model_named(name);
    int corrected = 0;
    for (const auto& test : tests) {
      if (!test.is_java() || test.clauses.empty()) continue;
      const auto& asked = test.clauses[0].proposition;
      const auto sets = corrections(test, model, asked);
      corrected += sets.empty() ? 0 : 1;
      for (const auto& parts : sets) {
        EXPECT_EQ(left_without(test, model, parts), oracle::Answer::allowed) << test.name;
        for (const auto& part : parts) {
          Parts fewer = parts;
          std::erase(fewer, part);
          EXPECT_EQ(left_without(test, model, fewer), oracle::Answer::forbidden)
              << test.name << " without " << part.name;
        }
      }
    }
    EXPECT_GT(corrected, 1) << name;
  }
}

TEST(Corrections, NameTheDefinitionNotTheAxiom) {
  const auto test = test_of(store_buffering);
  const auto sets = corrections(test, model_named("sc"), test.clauses[0].proposition);
  ASSERT_FALSE(sets.empty());
  for (const auto& parts : sets)
    for (const auto& part : parts) EXPECT_NE(part.kind, ModelPart::Kind::axiom) << part.name;
}

TEST(Corrections, ThereAreNoneOfWhatIsAllowedOrCannotBe) {
  auto test = test_of(store_buffering);
  EXPECT_TRUE(corrections(test, model_named("jam21"), test.clauses[0].proposition).empty());
  test.clauses[0].proposition.parts[0].constant = 7;
  EXPECT_TRUE(corrections(test, model_named("sc"), test.clauses[0].proposition).empty());
}

} // namespace
} // namespace thinair::explain
