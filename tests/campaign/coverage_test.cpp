// Coverage of models, and how counts become weights.
#include "campaign/coverage.h"
#include "litmus/test.h"
#include "oracle/cat/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace thinair::campaign {
namespace {

litmus::Program program(const std::string& threads) {
  return litmus::parse({"t", "Java t\n{ x = 0; y = 0; X=x; Y=y; }\n" + threads}).java();
}

const auto store_buffering = "Thread0 { X.setOpaque(1); int r1 = Y.getOpaque(); }\n"
                             "Thread1 { Y.setOpaque(1); int r1 = X.getOpaque(); }\n";
const auto alone = "Thread0 { X.setOpaque(1); int r1 = X.getOpaque(); }\n";

bool has(const std::vector<CoverageKey>& keys, const CoverageKey& key) {
  return std::ranges::find(keys, key) != keys.end();
}
bool has(const std::vector<CoverageKey>& keys, std::string_view key) {
  return has(keys, coverage_key_in(key).value());
}

TEST(ModelCoverage, TellsWhichPartsAProgramNeeds) {
  const explain::ModelParts sc(cat::load_model("sc", cat::Architecture::java));
  const auto keys = coverage_keys(sc.all());
  ASSERT_FALSE(keys.empty());
  const auto axiom = *std::ranges::find(keys, CoverageKey::Kind::axiom, &CoverageKey::kind);
  EXPECT_TRUE(has(coverage_keys(sc.exercised(program(store_buffering))), axiom))
      << "without it both reads may return 0";
  for (const auto& key : coverage_keys(sc.exercised(program(store_buffering))))
    EXPECT_TRUE(has(keys, key)) << to_string(key);
}

TEST(ModelCoverage, DistinguishesEmptyDefinitions) {
  const explain::ModelParts jam(cat::load_model("jam21", cat::Architecture::java));
  const auto keys = coverage_keys(jam.all());
  ASSERT_TRUE(has(keys, "let vo"));
  ASSERT_TRUE(has(keys, "let pushto"));
  EXPECT_FALSE(has(coverage_keys(jam.exercised(program(store_buffering))), "let pushto"))
      << "nothing is pushed";
  const auto fenced = "Thread0 { X.setVolatile(1); int r1 = Y.getVolatile(); }\n"
                      "Thread1 { Y.setVolatile(1); int r1 = X.getVolatile(); }\n";
  EXPECT_TRUE(has(coverage_keys(jam.exercised(program(fenced))), "let pushto"));
  EXPECT_TRUE(has(coverage_keys(jam.exercised(program(alone))), "axiom coherence"))
      << "else a read may miss its own thread's write";
  const auto racing = "Thread0 { X.setOpaque(1); }\nThread1 { X.setOpaque(2); }\n";
  EXPECT_TRUE(has(coverage_keys(jam.exercised(program(racing))), "let cofinal"))
      << "final memory is compared";
}

/// Stores have keys as text: each is read back as what it was.
TEST(CoverageKeys, AreReadAsTheyAreWritten) {
  std::set<std::string> texts;
  const auto expect_back = [&](const CoverageKey& key) {
    EXPECT_EQ(coverage_key_in(to_string(key)), key) << to_string(key);
    EXPECT_TRUE(texts.insert(to_string(key)).second) << to_string(key) << " is of two keys";
  };
  using Kind = CoverageKey::Kind;
  for (const auto kind :
       {Kind::communication, Kind::different_locations, Kind::beside_a_fence, Kind::same_location})
    for (std::size_t a = 0; a < litmus::operation_count; ++a)
      for (std::size_t b = 0; b < litmus::operation_count; ++b)
        expect_back({kind, litmus::operation_at(a), litmus::operation_at(b)});
  for (const auto kind : {Kind::drawn, Kind::worth})
    for (const auto strategy : {gen::Strategy::cycle, gen::Strategy::mutation, gen::Strategy::noise,
                                gen::Strategy::exhaustive}) {
      CoverageKey key{kind};
      key.strategy = strategy;
      expect_back(key);
    }
  for (const auto* model : {"jam21", "java", "jls04", "sc"})
    for (const auto& key :
         coverage_keys(explain::ModelParts(cat::load_model(model, cat::Architecture::java)).all()))
      if (!texts.contains(to_string(key))) expect_back(key);
}

TEST(CoverageKeys, OtherTextsAreNone) {
  for (const auto* text : {"", "com", "com get", "com get gets", "com get set set", "drawn",
                           "drawn lots", "pair get set", " com get set"})
    EXPECT_EQ(coverage_key_in(text), std::nullopt) << text;
}

TEST(Steering, MovesWeightsTowardsWhatIsNew) {
  gen::Profile profile;
  profile.cycles = 6;
  profile.mutations = 3;
  profile.noise = 1;
  Steering steering({}, true), off({}, false);
  Counts stored;
  const CoverageKey common{CoverageKey::Kind::communication, litmus::Method::get,
                           litmus::Method::set};
  for (std::size_t i = 0; i < 200; ++i) {
    const CoverageKey rare{CoverageKey::Kind::different_locations, litmus::operation_at(i / 10),
                           litmus::operation_at(i % 10)};
    steering.learn(gen::Strategy::cycle, {common}, stored);
    steering.learn(gen::Strategy::noise, {common, rare}, stored);
  }
  const auto steered = steering.steered(profile);
  EXPECT_GT(steered.noise * profile.cycles, steered.cycles * profile.noise);
  EXPECT_LE(steered.noise, profile.noise * 36);
  EXPECT_GE(steered.cycles, profile.cycles * 4);
  EXPECT_EQ(off.steered(profile), profile);
  EXPECT_EQ(steering.counts(), stored) << "what is stored is what was learnt";
  EXPECT_EQ(Steering(stored, true).steered(profile), steered) << "resumed";
  EXPECT_EQ(combinations_covered(stored), 201U);
}

TEST(Steering, FindsCountForMore) {
  gen::Profile profile;
  profile.cycles = profile.mutations = profile.noise = 1;
  Steering steering({}, true);
  Counts stored;
  for (int i = 0; i < 100; ++i) {
    steering.learn(gen::Strategy::cycle, {}, stored);
    steering.learn(gen::Strategy::mutation, {}, stored);
    if (i % 10 == 0) steering.learn_find(gen::Strategy::mutation, stored);
  }
  const auto steered = steering.steered(profile);
  EXPECT_GT(steered.mutations, steered.cycles);
}

} // namespace
} // namespace thinair::campaign
