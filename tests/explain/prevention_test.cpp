// What would forbid an outcome: with all of it the outcome is forbidden, with one thing less it is
// allowed.
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "oracle/explain/prevention.h"
#include "tests/explain/support.h"

#include <gtest/gtest.h>

namespace thinair::explain {
namespace {

using litmus::Access;
using litmus::Block;
using litmus::Statement;
using litmus::Test;

const cat::Plan& java() {
  static const auto model = model_named("java");
  return model;
}

Prevention of(const Test& test, const cat::Plan& model = java()) {
  return prevention_of(test, model, test.clauses[0].proposition, {.limits = few_candidates()});
}

oracle::Answer answer(const Test& test, const cat::Plan& model = java()) {
  return oracle::Oracle(test, model, {.limits = few_candidates()})
      .allows(test.clauses[0].proposition);
}

TEST(Prevention, OfMessagePassingIsAReleaseAndAnAcquire) {
  const auto found =
      of(test_of("Java MP\n{ x = 0; y = 0; X=x; Y=y; }\n"
                 "Thread0 { X.set(1); Y.set(1); }\n"
                 "Thread1 { int a = Y.get(); int b = X.get(); }\nexists (1:a=1 /\\ 1:b=0)\n"));
  ASSERT_EQ(found.ways.size(), 2U);
  EXPECT_EQ(
      found.ways[0].changes,
      (std::vector<std::string>{"`Y.setRelease(1)` for `Y.set(1)` of Thread0",
                                "`int a = Y.getAcquire()` for `int a = Y.get()` of Thread1"}));
  EXPECT_EQ(found.ways[1].changes.size(), 2U) << as_text(found);
  EXPECT_FALSE(found.interleaving);
}

TEST(Prevention, OfAnInterleavingThereIsNone) {
  const auto found = of(test_of("Java one\n{ x = 0; X=x; }\nThread0 { X.setVolatile(1); }\n"
                                "Thread1 { int a = X.getVolatile(); }\nexists (1:a=0)\n"));
  EXPECT_TRUE(found.interleaving);
  EXPECT_TRUE(found.ways.empty());
  EXPECT_NE(as_text(found).find("one after the other"), std::string::npos);
}

/// jls04 knows no release: what it has no meaning for is not proposed.
TEST(Prevention, ProposesWhatTheModelKnows) {
  const auto model = model_named("jls04");
  const auto found =
      of(test_of("Java SB\n{ x = 0; y = 0; X=x; Y=y; }\n"
                 "Thread0 { X.set(1); int a = Y.get(); }\n"
                 "Thread1 { Y.set(1); int b = X.get(); }\nexists (0:a=0 /\\ 1:b=0)\n"),
         model);
  ASSERT_EQ(found.ways.size(), 1U) << "no fences";
  EXPECT_EQ(found.ways[0].changes.size(), 4U) << as_text(found);
}

TEST(Prevention, SaysNothingAtALimit) {
  const auto test = test_of(store_buffering);
  oracle::Options options;
  options.limits.candidates = 1;
  const auto found = prevention_of(test, java(), test.clauses[0].proposition, options);
  EXPECT_FALSE(found.unknown.empty());
  EXPECT_EQ(as_text(found), "");
}

void each(Block& block, const std::function<void(Block&, std::size_t)>& visit) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (auto* branch = std::get_if<litmus::If>(&block[i].node)) {
      each(branch->then_block, visit);
      each(branch->else_block, visit);
    } else if (auto* loop = std::get_if<litmus::Loop>(&block[i].node)) {
      each(loop->body, visit);
    }
    visit(block, i);
  }
}

std::vector<Statement> accesses_of(Test test) {
  std::vector<Statement> out;
  for (auto& thread : std::get<litmus::Program>(test.program).threads)
    each(thread.body, [&](Block& block, std::size_t i) {
      if (std::holds_alternative<Access>(block[i].node)) out.push_back(block[i]);
    });
  return out;
}

std::size_t fences_of(const Test& test) {
  std::size_t out = 0;
  for (const auto& thread : test.java().threads)
    litmus::for_each_statement(thread.body, [&](const Statement& statement) {
      out += std::holds_alternative<litmus::FenceStatement>(statement.node);
    });
  return out;
}

/// Each program that has one change less than `changed`.
std::vector<Test> with_one_less(const Test& test, const Test& changed) {
  const auto before = accesses_of(test);
  std::vector<Test> out;
  const auto count = accesses_of(changed).size();
  for (std::size_t wanted = 0; wanted < count; ++wanted) {
    Test less = changed;
    std::size_t at = 0;
    bool reverted = false;
    for (auto& thread : std::get<litmus::Program>(less.program).threads)
      each(thread.body, [&](Block& block, std::size_t i) {
        auto* access = std::get_if<Access>(&block[i].node);
        if (access == nullptr || at++ != wanted) return;
        const auto method = std::get<Access>(before[wanted].node).method;
        reverted = access->method != method;
        access->method = method;
      });
    if (reverted) out.push_back(std::move(less));
  }
  if (fences_of(changed) == fences_of(test)) return out;
  for (std::size_t t = 0; t < changed.java().threads.size(); ++t) {
    const auto& old = test.java().threads[t].body;
    const auto& body = changed.java().threads[t].body;
    for (std::size_t i = 0, o = 0; i < body.size(); ++i) {
      if (o < old.size() && body[i] == old[o]) {
        ++o;
        continue;
      }
      out.push_back(changed);
      auto& shorter = std::get<litmus::Program>(out.back().program).threads[t].body;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return out;
}

/// Every allowed question of the corpus that is no interleaving.
TEST(Prevention, IsEnoughAndNothingOfItTooMuch) {
  std::size_t told = 0, checked = 0;
  for (const auto* folder : {"lea", "jcstress", "jam19", "rc11", "manson"}) {
    for (auto test : corpus(folder)) {
      if (!test.is_java()) continue;
      const auto clauses = test.clauses;
      for (const auto& clause : clauses) {
        test.clauses = {clause};
        try {
          if (answer(test) != oracle::Answer::allowed) continue;
          const auto found = of(test);
          for (const auto& way : found.ways) {
            ++told;
            EXPECT_EQ(answer(way.test), oracle::Answer::forbidden) << as_text(found);
            EXPECT_EQ(with_one_less(test, way.test).size(), way.changes.size()) << as_text(found);
            for (const auto& less : with_one_less(test, way.test)) {
              EXPECT_EQ(answer(less), oracle::Answer::allowed)
                  << as_text(found) << litmus::print(less);
              ++checked;
            }
          }
        } catch (const Unsupported&) {
        }
      }
    }
  }
  std::printf("%zu ways, %zu changes\n", told, checked);
  EXPECT_GT(told, 50U);
}

} // namespace
} // namespace thinair::explain
