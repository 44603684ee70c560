// Threads that wait: rounds that only look; and loops that end where their bound does.
#include "litmus/random.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/causality/check.h"
#include "tests/causality/programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
namespace {

/// Two threads that read, write and wait, one of them at least.
class Author {
 public:
  explicit Author(std::uint64_t seed) : random_(seed) {}

  std::vector<std::string> threads() {
    std::vector<std::string> bodies;
    for (int t = 0; t < 2; ++t) {
      std::string body;
      const auto waits = t == 0 || random_.chance(1, 4);
      const auto before = random_.below(2);
      for (std::uint64_t i = 0; i < before; ++i) body += access(t, static_cast<int>(i));
      if (waits) body += wait(t);
      for (std::uint64_t i = before; i < (waits ? 2U : 3U); ++i)
        body += access(t, static_cast<int>(i));
      bodies.push_back(body);
    }
    return bodies;
  }

 private:
  std::string handle() { return std::string(1, "XY"[random_.below(2)]); }
  std::string mode() { return random_.chance(1, 2) ? "Volatile" : ""; }
  std::string read() {
    const auto from = handle();
    return fmt::format("{}.get{}()", from, mode());
  }

  std::string access(int thread, int n) {
    if (random_.chance(1, 3)) return fmt::format("int r{}{} = {}; ", thread, n, read());
    const auto to = handle();
    const auto how = mode();
    return fmt::format("{}.set{}({}); ", to, how, random_.between(1, 2));
  }

  std::string wait(int thread) {
    const auto first = read();
    const auto reg = fmt::format("w{}", thread);
    switch (random_.below(3)) {
    case 0: return fmt::format("while ({} == 0) {{ }} ", first);
    case 1: return fmt::format("int {0} = 0; do {{ {0} = {1}; }} while ({0} == 0); ", reg, first);
    default: return fmt::format("while ({} + {} == 0) {{ }} ", first, read());
    }
  }

  litmus::Random random_;
};

graph::PathLimits rounds(std::uint32_t bound, bool close_awaits) {
  graph::PathLimits limits;
  limits.loop_bound = bound;
  limits.close_awaits = close_awaits;
  limits.stopped = !close_awaits;
  return limits;
}

std::vector<std::string> states(const Subject& subject, const AnalysisOptions& options) {
  std::vector<std::string> all;
  for (const auto& b : subject.behaviours(options)) all.push_back(subject.text(b));
  std::ranges::sort(all);
  return all;
}

/// Justifications use idle rounds, so that behaviours are lost without any; with as many as may
/// count they are the same as with a bound on all rounds alike.
TEST(Loops, IdleRoundsThatCount) {
  static const auto model = cat::load_model("jls04", graph::Architecture::java);
  std::size_t behaviours = 0, lost = 0, compared = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const auto test = java(Author(seed).threads());
    const Subject closed(test, rounds(2, true));
    if (closed.paths().cut) continue; // a plain read before a volatile one
    EXPECT_TRUE(closed.paths().idle);
    for (const auto* rules : {"jls04", "revised"}) {
      Options o;
      o.rules = rules;
      o.all_registers = true;
      Oracle all(test, model, o);
      const auto found = all.behaviours();
      EXPECT_EQ(found.status, oracle::Result::Status::ok) << found.reason.text;
      std::vector<std::string> texts;
      for (const auto& b : found.behaviours) {
        texts.push_back(closed.text(b));
        Oracle one(test, model, o);
        ASSERT_EQ(one.allows(b), Answer::allowed) << "seed " << seed << " " << texts.back();
        const auto problem = violation(one.graphs(), one.evidence(), one.rules().rules, {});
        EXPECT_FALSE(problem.has_value()) << "seed " << seed << ": " << *problem;
      }
      std::ranges::sort(texts);
      const std::uint32_t bound = seed % 5 == 0 ? 3 : 2;
      EXPECT_EQ(texts, states(Subject(test, rounds(bound, false)), options(rules)))
          << "seed " << seed << " " << rules << litmus::print(test);
      lost += texts != states(closed, options(rules));
      behaviours += texts.size();
      ++compared;
    }
  }
  EXPECT_GT(compared, 150U);
  EXPECT_GT(behaviours, 150U);
  EXPECT_GT(lost, 3U);
}

/// A thread sees the first of two writes in a race, and stops waiting: an interleaving does so.
TEST(Loops, AnInterleavingThatStopsWaiting) {
  static const auto model = cat::load_model("jls04", graph::Architecture::java);
  const auto test = java({"while (X.getVolatile() + Y.get() == 0) { } int r = X.get();",
                          "Y.setVolatile(2); X.setVolatile(2);"});
  Options o;
  o.all_registers = true;
  Oracle oracle(test, model, o);
  EXPECT_EQ(oracle.allows(Behaviour{0}), Answer::allowed);
  EXPECT_GE(oracle.evidence().stages.size(), 3U);
  EXPECT_EQ(Oracle(test, model, o).behaviours().behaviours, (std::vector<Behaviour>{{0}, {2}}));
}

/// Volatile accesses keep a writing loop from its bound, so that no is no; a plain one does not.
TEST(Loops, ABoundThatNobodyReachesLeavesNothingUnknown) {
  static const auto model = cat::load_model("jls04", graph::Architecture::java);
  const auto answer = [&](const std::string& write, const std::string& outcome) {
    auto test = java({"int n = 0; while (X.getVolatile() == 1) { X.setVolatile(0); n = n + 1; } "
                      "int r = Y.get();",
                      "Y.set(1); " + write});
    Options o;
    o.limits.loop_bound = 1;
    Oracle oracle(test, model, o);
    const auto asked =
        litmus::parse({"asked", litmus::print(test).substr(0, litmus::print(test).rfind("exists")) +
                                    "exists (" + outcome + ")\n"});
    const auto a = oracle.allows(asked.clauses.front().proposition);
    EXPECT_EQ(a == Answer::unknown, a.because == Reason::reached(Limit::loop_bound));
    return a;
  };
  EXPECT_EQ(answer("X.setVolatile(1);", "0:n=1 /\\ 0:r=1"), Answer::allowed);
  EXPECT_EQ(answer("X.setVolatile(1);", "0:n=1 /\\ 0:r=0"), Answer::forbidden);
  EXPECT_EQ(answer("X.setVolatile(1);", "0:n=2"), Answer::forbidden);
  EXPECT_EQ(answer("X.setVolatile(1); X.setVolatile(1);", "0:n=2"), Answer::unknown);
  EXPECT_EQ(answer("X.set(1);", "0:n=1"), Answer::allowed);
  EXPECT_EQ(answer("X.set(1);", "0:n=2"), Answer::unknown);
}

} // namespace
} // namespace thinair::causality
