// Cores with statements: what is named forbids the outcome whatever the rest does, and with any one
// part left open as well some way to do it is allowed.
#include "litmus/walk.h"
#include "oracle/explain/open_statements.h"
#include "oracle/explain/program_core.h"
#include "tests/explain/memsat_rows.h"
#include "tests/explain/support.h"
#include "tests/support/random_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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

/// The number of each statement that `wanted` holds of.
template <class Wanted>
std::vector<StatementNumber> statements(const litmus::Program& program, Wanted wanted) {
  std::vector<StatementNumber> out;
  for (const auto& thread : program.threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      const auto* access = std::get_if<litmus::Access>(&statement.node);
      if (access != nullptr && wanted(*access)) out.push_back(statement.span.begin);
    });
  return out;
}

/// Whatever a program does is one of the ways in which it may be done with everything left open,
/// as long as its values are among those that it names.
TEST(ProgramCore, WhatIsLeftOpenMayBeDoneAsItWas) {
  const auto test = numbered(test_of(load_buffering));
  const auto reads = statements(test.java(), [](const litmus::Access& access) {
    return litmus::reads(litmus::info(access.method).action); // which see what is stored
  });
  std::size_t ways = 0;
  bool both = false;
  EXPECT_TRUE(for_each_way(test, litmus::anything(), reads, 1000, [&](const litmus::Test& way) {
    ++ways;
    const auto& threads = way.java().threads;
    both = both || (threads[0].body.size() == 2 && threads[1].body.size() == 2);
    return false;
  }));
  EXPECT_TRUE(both);
  EXPECT_EQ(ways, 4U) << "the program names 0 alone: a store of it or none, in each thread";
  EXPECT_FALSE(for_each_way(test, litmus::anything(), reads, 3, [](const auto&) { return false; }));
}

bool is_of_first(const litmus::Access& access) { return access.location.value == 0; }

/// Of accesses to the first location only stores of numbers, or not even these.
litmus::Test with_first(const litmus::Test& test, bool stores, std::size_t& count) {
  litmus::Test out = test;
  for (auto& thread : std::get<litmus::Program>(out.program).threads)
    std::erase_if(thread.body, [&](litmus::Statement& statement) {
      auto* access = std::get_if<litmus::Access>(&statement.node);
      if (access == nullptr || !is_of_first(*access)) return false;
      const bool store = litmus::info(access->method).action == litmus::Action::set;
      if (store) access->arguments = {litmus::Expression::number(1)};
      count += store ? 1 : 0;
      return !store || !stores;
    });
  return out;
}

/// What is left open is not stored where nobody would see it: whatever a program does with such a
/// store it does without, too.
TEST(ProgramCore, AStoreThatNobodySeesAllowsNothingMore) {
  for (const auto* name : {"java", "jam21", "jls04", "sc"}) {
    const auto model = model_named(name);
    std::size_t stores = 0;
    for (std::uint64_t drawn = 0; drawn < 1500; ++drawn) {
      litmus::Random random(17, drawn);
      litmus::Test test;
      test.program = litmus::RandomProgram(random, {.threads = 2,
                                                    .locations = 3,
                                                    .registers = 2,
                                                    .statements = 4,
                                                    .depth = 0,
                                                    .loops = false,
                                                    .actions = false})
                         .make();
      if (litmus::count_accesses(test.java()) > 7) continue;
      for (std::uint32_t t = 0; t < test.java().threads.size(); ++t)
        for (const auto& reg : test.java().threads[t].registers)
          test.locations.push_back({litmus::ThreadId(t), reg.name});
      std::size_t none = 0;
      const auto with = with_first(test, true, stores), without = with_first(test, false, none);
      if (litmus::print(without).find("X0.") != std::string::npos) continue; // read in a sum, say
      try {
        const auto more = oracle::Oracle(without, model).behaviours().behaviours;
        for (const auto& behaviour : oracle::Oracle(with, model).behaviours().behaviours)
          EXPECT_TRUE(std::ranges::find(more, behaviour) != more.end()) << name << "\n"
                                                                        << litmus::print(with);
      } catch (const Unsupported&) {
      }
    }
    EXPECT_GT(stores, 20U) << name;
  }
}

TEST(ProgramCore, WhatIsStoredWhereNobodyLooksIsLeftOut) {
  const auto test = numbered(test_of("Java t\n{ x = 0; y = 0; X=x; Y=y; }\n"
                                     "Thread0 { X.set(1); Y.set(1); }\n"
                                     "Thread1 { int r = Y.get(); }\nexists (1:r=1)\n"));
  const auto is_y = [](const litmus::Access& a) { return !is_of_first(a); };
  std::size_t ways = 0;
  for_each_way(test, test.clauses[0].proposition, statements(test.java(), is_y), 100,
               [&](const litmus::Test& way) {
                 EXPECT_EQ(way.java().threads[0].body.size(), 1u);
                 ++ways;
                 return false;
               });
  EXPECT_EQ(ways, 1u);
}

} // namespace
} // namespace thinair::explain
