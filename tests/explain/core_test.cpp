// Minimal cores: what is named is enough, and all of it is needed.
#include "oracle/explain/core.h"
#include "tests/explain/support.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace thinair::explain {
namespace {

std::string core_in_words(const litmus::Test& test, const cat::Plan& model) {
  return as_text(core_of(test, model, test.clauses[0].proposition));
}

constexpr const char* order = "\"order\"\n"
                              "let within = po & loc\n"
                              "let before = po \\ loc\n"
                              "let all = rf | before\n"
                              "acyclic all as ordered\n"
                              "acyclic within | rf as coherent\n";

cat::Plan model_of(const char* text) {
  return cat::load_model(text::Source{"m.cat", text}, cat::Architecture::java);
}

TEST(Core, NamesTheAxiomAndWhatItBuildsOn) {
  EXPECT_EQ(core_in_words(test_of(load_buffering), model_of(order)), "ordered: before");
}

TEST(Core, LeavesOutWhatIsThereTwice) {
  const std::string twice = std::string(order) + "acyclic po | rf as again\n";
  EXPECT_EQ(core_in_words(test_of(load_buffering), model_of(twice.c_str())), "ordered: before")
      << "the last ones go first";
}

TEST(Core, NamesAllAxiomsWhereItTakesSeveral) {
  const auto two = model_of("\"two\"\n"
                            "let rfx = rf & loc\n"
                            "with x from linearisations(W, 0)\n"
                            "irreflexive [V]; x; rfx; po as first\n"
                            "irreflexive [W \\ V]; x; rfx; po as second\n");
  const auto test = test_of("Java LB\n{ x = 0; y = 0; X=x; Y=y; }\n"
                            "Thread0 { int r1 = X.get(); Y.set(1); }\n"
                            "Thread1 { int r2 = Y.get(); X.setVolatile(1); }\n"
                            "exists (0:r1=1 /\\ 1:r2=1)\n");
  EXPECT_EQ(core_in_words(test, two), "first, second: rfx");
}

TEST(Core, SaysWhereNothingOfTheModelIsNeeded) {
  auto test = test_of(store_buffering);
  test.clauses[0].proposition.parts[0].constant = 7;
  EXPECT_EQ(core_in_words(test, model_named("sc")), "no execution has these values");
  EXPECT_EQ(core_in_words(test_of(store_buffering), model_named("jam21")), "not worked out")
      << "allowed";
}

Core random_core(std::mt19937_64& bits) {
  static const std::vector<std::string> names{"values", "unknown", "acyclic@12", "a-b", "x'", "rf"};
  const auto some = [&] {
    std::vector<std::string> out;
    for (auto left = bits() % 3; left > 0; --left) out.push_back(names[bits() % names.size()]);
    return out;
  };
  const auto one = [&] { return bits() % 2 == 0 ? "" : names[bits() % names.size()]; };
  Core core;
  core.kind = std::array{Core::Kind::unknown, Core::Kind::values, Core::Kind::model,
                         Core::Kind::model}[bits() % 4];
  if (core.kind == Core::Kind::model) core = {core.kind, some(), some(), one(), one()};
  return core;
}

/// Stores keep the text, whatever names a model gives to its axioms.
TEST(Core, IsReadAsItIsWritten) {
  std::mt19937_64 bits(1);
  for (std::uint64_t left = test::draws(2000); left > 0; --left) {
    const auto core = random_core(bits);
    EXPECT_EQ(core_in(as_text(core)), core) << as_text(core);
  }
}

/// The plan is cut before the first order, and what computes the second one is beyond the cut.
TEST(Core, NamesTheOrderThatThereCannotBe) {
  const auto model =
      model_of("\"orders\"\n"
               "let rec same s = match s with || {} -> {} || e ++ s -> e ++ same s end\n"
               "with first from linearisations(W, id)\n"
               "let between = first; po; first\n"
               "with second from same (linearisations(W, between | po))\n"
               "acyclic first | second | rf as all\n");
  const auto core =
      core_of(test_of(load_buffering), model, test_of(load_buffering).clauses[0].proposition);
  EXPECT_EQ(core.order, "first") << as_text(core);
}

TEST(Core, RulesOfCausalityAreAPart) {
  const auto core = core_of(test_of(load_buffering), model_named("jls04"),
                            test_of(load_buffering).clauses[0].proposition);
  EXPECT_EQ(core.rules, "jls04");
  EXPECT_TRUE(core.axioms.empty()) << as_text(core);
}

/// Of every outcome of the corpus that a model forbids: the axioms named forbid it, and no fewer
/// do.
TEST(Core, IsEnoughAndAllOfItIsNeeded) {
  const auto jam21 = model_named("jam21");
  int seen = 0;
  oracle::Options options;
  options.limits = few_candidates();
  for (const auto& test : corpus("jmt")) {
    if (!test.is_java()) continue;
    for (const auto& clause : test.clauses) {
      const auto core = core_of(test, jam21, clause.proposition, options);
      if (core.kind != Core::Kind::model) continue;
      ++seen;
      const auto forbids = [&](const std::vector<std::string>& axioms) {
        auto fewer = jam21;
        std::erase_if(fewer.axioms, [&](const cat::Axiom& axiom) {
          return std::ranges::find(axioms, axiom.name) == axioms.end();
        });
        oracle::Oracle oracle(test, fewer, options);
        return oracle.allows(clause.proposition) == oracle::Answer::forbidden;
      };
      EXPECT_TRUE(forbids(core.axioms)) << test.name;
      for (const auto& axiom : core.axioms) {
        auto fewer = core.axioms;
        std::erase(fewer, axiom);
        EXPECT_FALSE(forbids(fewer)) << test.name << " without " << axiom;
      }
    }
  }
  EXPECT_GT(seen, 1);
}

TEST(Core, NamesTheOrderThatCannotBe) {
  const auto test = corpus_test("jam19/C11-c_p.litmus");
  const auto core = core_of(test, model_named("jam19"), test.clauses[0].proposition);
  EXPECT_EQ(core.kind, Core::Kind::model);
  EXPECT_EQ(core.order, "to");
  EXPECT_EQ(as_text(core), "order to: cofinal") << as_text(core);
}

} // namespace
} // namespace thinair::explain
