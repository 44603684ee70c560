// Cores with statements: what is named forbids the outcome whatever the rest does, and with any one
// part left open as well some way to do it is allowed.
#include "oracle/explain/open_statements.h"
#include "oracle/explain/program_core.h"
#include "tests/explain/memsat_rows.h"
#include "tests/explain/support.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::explain {
namespace {

using oracle::Answer;

/// The parts of a core with one left out, each.
std::vector<ProgramCore> fewer(const ProgramCore& core) {
  std::vector<ProgramCore> all;
  for (const auto& row : causality::rules())
    if (core.rules.has(row.rule)) {
      all.push_back(core);
      all.back().rules = core.rules.without(row.rule);
    }
  for (std::size_t i = 0; i < core.outcome.size(); ++i) {
    all.push_back(core);
    all.back().outcome.erase(all.back().outcome.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 0; i < core.statements.size(); ++i) {
    all.push_back(core);
    all.back().statements.erase(all.back().statements.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 0; i < core.model.axioms.size(); ++i) {
    if (core.model.axioms[i].effect != cat::Axiom::Effect::required) continue;
    all.push_back(core);
    all.back().model.axioms.erase(all.back().model.axioms.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return all;
}

void expect_minimal(const litmus::Test& test, const ProgramCore& core,
                    const oracle::Options& options) {
  const auto& asked = test.clauses[0].proposition;
  ASSERT_NE(core.core.kind, Core::Kind::unknown);
  EXPECT_EQ(core.undecided, 0U) << as_text(core, test, asked);
  EXPECT_EQ(answer_of(core, test, asked, options), Answer::forbidden);
  for (const auto& less : fewer(core))
    EXPECT_EQ(answer_of(less, test, asked, options), Answer::allowed)
        << as_text(core, test, asked) << "less:\n"
        << as_text(less, test, asked);
}

TEST(ProgramCore, OfWhatMemSatForbidsIsMinimal) {
  const auto model = model_named("jls04");
  for (const auto& row : memsat_rows)
    for (const bool revised : {false, true}) {
      if (revised && row.revised == 0) continue;
      SCOPED_TRACE(std::string(row.name) + (revised ? " revised" : ""));
      const auto test = corpus_test(std::string(row.file) + ".litmus");
      oracle::Options options;
      options.rules = revised ? "revised" : "jls04";
      const auto core = program_core_of(test, model, test.clauses[0].proposition, options);
      expect_minimal(test, core, options);
      EXPECT_FALSE(core.statements.empty());
    }
}

TEST(ProgramCore, LeavesOutWhatHasNoPart) {
  const auto test = test_of("Java t\n{ x = 0; y = 0; z = 0; X=x; Y=y; Z=z; }\n"
                            "Thread0 { Z.set(1); int r1 = X.get(); Y.set(r1); }\n"
                            "Thread1 { int r2 = Y.get(); int r3 = Z.get(); X.set(r2); }\n"
                            "exists (0:r1=1 /\\ 1:r2=1 /\\ 1:r3=1)\n");
  const auto core = program_core_of(test, model_named("jls04"), test.clauses[0].proposition);
  expect_minimal(test, core, {});
  const auto text = as_text(core, test, test.clauses[0].proposition);
  EXPECT_EQ(text.find("Z."), std::string::npos) << text;
  EXPECT_EQ(text.find("r3"), std::string::npos) << text;
  for (const auto* needed : {"int r1 = X.get()", "Y.set(r1)", "int r2 = Y.get()", "X.set(r2)"})
    EXPECT_NE(text.find(needed), std::string::npos) << needed << "\n" << text;
}

/// Without rules of causality: statements beside axioms.
TEST(ProgramCore, OfAxiomsIsMinimal) {
  for (const auto* name : {"sc", "jam21"}) {
    const auto model = model_named(name);
    oracle::Options options;
    options.limits = few_candidates();
    std::size_t seen = 0;
    for (const auto& test : corpus("jcstress")) {
      if (test.clauses.empty() || !test.is_java()) continue;
      const auto needs = litmus::features(test.java());
      if (needs.monitors || needs.thread_lifetime) continue; // which jam21 has no meaning for
      SCOPED_TRACE(test.name + " under " + name);
      const auto core = program_core_of(test, model, test.clauses[0].proposition, options);
      if (core.core.kind != Core::Kind::model || core.undecided > 0) continue;
      ++seen;
      expect_minimal(test, core, options);
    }
    EXPECT_GT(seen, 3U) << name;
  }
}

/// Whatever a program does is one of the ways in which it may be done with everything left open,
/// as long as its values are among those that it names.
TEST(ProgramCore, WhatIsLeftOpenMayBeDoneAsItWas) {
  const auto test = numbered(test_of(load_buffering));
  std::size_t ways = 0;
  bool both = false;
  EXPECT_TRUE(for_each_way(test, litmus::anything(), {}, 1000, [&](const litmus::Test& way) {
    ++ways;
    const auto& threads = way.java().threads;
    both = both || (threads[0].body.size() == 2 && threads[1].body.size() == 2);
    return false;
  }));
  EXPECT_TRUE(both);
  EXPECT_EQ(ways, 4U) << "the program names 0 alone: a store of it or none, in each thread";
  EXPECT_FALSE(for_each_way(test, litmus::anything(), {}, 3, [](const auto&) { return false; }));
}

} // namespace
} // namespace thinair::explain
