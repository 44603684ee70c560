// Monitors, threads that start and end, external actions: the engine with jls04.cat and sc.cat
// against a brute-force enumeration and an interleaving machine.
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/causality/check.h"
#include "tests/causality/programs.h"
#include "tests/causality/sequential.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
namespace {

using Behaviours = std::set<Behaviour>;

const cat::Plan& shipped(const std::string& name) {
  static std::map<std::string, cat::Plan> plans;
  if (!plans.contains(name)) plans.emplace(name, cat::load_model(name, graph::Architecture::java));
  return plans.at(name);
}

litmus::Test synchronized(const std::vector<std::string>& threads) {
  std::string text = "Java T\n{ x=0; y=0; X=x; Y=y; monitor m; monitor n; }\n";
  for (std::size_t t = 0; t < threads.size(); ++t)
    text += fmt::format("Thread{} {{ {} }}\n", t, threads[t]);
  return litmus::parse({"test", text + "exists (true)\n"});
}

Behaviours found(const litmus::Test& test, const std::string& model, const std::string& rules) {
  Options options;
  options.rules = rules;
  options.all_registers = true;
  Oracle oracle(test, shipped(model), options);
  const auto result = oracle.behaviours();
  EXPECT_EQ(result.reason, "");
  return {result.behaviours.begin(), result.behaviours.end()};
}

/// Critical sections, starts and joins around plain and volatile accesses.
class Author {
 public:
  explicit Author(std::uint64_t seed) : random_(seed) {}

  std::vector<std::string> threads() {
    const bool lives = random_.chance(1, 3);
    std::vector<std::string> bodies{body(0), body(1)};
    if (!lives) return bodies;
    bodies.push_back(random_.chance(1, 2) ? "X.set(2);" : "int r9 = Y.get();");
    const bool start = random_.chance(1, 2);
    auto& parent = bodies[random_.below(2)];
    parent = start ? "start(Thread2); " + parent : "join(Thread2); " + parent;
    if (start && random_.chance(1, 2)) bodies[0] += " join(Thread2);";
    return bodies;
  }

 private:
  std::string access(std::int64_t t, std::int64_t a) {
    const char handle = "XY"[random_.below(2)];
    const char* mode = random_.chance(1, 5) ? "Volatile" : "";
    if (random_.chance(1, 2)) return fmt::format("int r{}{} = {}.get{}(); ", t, a, handle, mode);
    return fmt::format("{}.set{}(1); ", handle, mode);
  }

  std::string body(std::int64_t t) {
    const std::string lock = random_.chance(3, 4) ? "m" : "n";
    const auto first = random_.below(2), last = first + 1 + random_.below(2);
    std::string text;
    for (std::uint64_t a = 0; a < 2; ++a) {
      if (a == first) text += fmt::format("lock({}); ", lock);
      text += access(t, static_cast<std::int64_t>(a));
      if (a + 1 == last) text += fmt::format("unlock({}); ", lock);
    }
    if (last > 2) text += fmt::format("unlock({}); ", lock);
    if (random_.chance(1, 6)) text += "print(1);";
    return text;
  }

  litmus::Random random_;
};

constexpr std::uint64_t programs = 300;

TEST(Synchronization, EngineAgreesWithItsTwins) {
  std::size_t racefree = 0, weak = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const auto test = synchronized(Author(seed).threads());
    const Subject subject(test);
    const auto interleaved = sequential_runs(subject.paths(), subject.places());
    EXPECT_EQ(found(test, "sc", "none"), interleaved.behaviours) << litmus::print(test);
    for (const std::string rules : {"jls04", "revised"}) {
      const auto list = subject.behaviours(options(rules));
      const Behaviours twin(list.begin(), list.end());
      EXPECT_EQ(found(test, "jls04", rules), twin) << litmus::print(test);
      EXPECT_TRUE(std::ranges::includes(twin, interleaved.behaviours)) << litmus::print(test);
      if (!interleaved.race) {
        EXPECT_EQ(twin, interleaved.behaviours) << litmus::print(test);
        ++racefree;
      }
      weak += twin.size() > interleaved.behaviours.size();
    }
  }
  EXPECT_GT(racefree, 100U);
  EXPECT_GT(weak, 50U);
}

struct Question {
  std::vector<std::string> threads;
  const char* outcome;
  bool sc, jls04;
};

TEST(Synchronization, MonitorsExcludeAndOrder) {
  const std::vector<Question> questions = {
      // an increment under a lock is not lost; without it, it is
      {{"lock(m); int a = X.get(); X.set(a + 1); unlock(m);",
        "lock(m); int b = X.get(); X.set(b + 1); unlock(m);"},
       "0:a=0 /\\ 1:b=0",
       false,
       false},
      {{"lock(m); int a = X.get(); X.set(a + 1); unlock(m);",
        "lock(n); int b = X.get(); X.set(b + 1); unlock(n);"},
       "0:a=0 /\\ 1:b=0",
       true,
       true},
      // reentrance: the inner unlock leaves nothing
      {{"lock(m); lock(m); X.set(1); unlock(m); Y.set(1); unlock(m);",
        "lock(m); int a = X.get(); int b = Y.get(); unlock(m);"},
       "1:a=1 /\\ 1:b=0",
       false,
       false},
      // whoever never leaves keeps the others out: both enter in no execution
      {{"lock(m); X.set(1);", "lock(m); Y.set(1);"}, "true", false, false},
      {{"lock(m); X.set(1); unlock(m);", "lock(m); int a = X.get();"}, "1:a=1", true, true},
  };
  for (const auto& q : questions) {
    const Subject subject(synchronized(q.threads));
    const auto test = litmus::parse(
        {"question", litmus::print(synchronized(q.threads))
                             .substr(0, litmus::print(synchronized(q.threads)).rfind("exists")) +
                         fmt::format("exists ({})\n", q.outcome)});
    const auto& p = test.clauses.front().proposition;
    EXPECT_EQ(Oracle(test, shipped("sc")).allows(p), q.sc ? Answer::allowed : Answer::forbidden)
        << q.outcome;
    EXPECT_EQ(Oracle(test, shipped("jls04")).allows(p),
              q.jls04 ? Answer::allowed : Answer::forbidden)
        << q.outcome;
    EXPECT_EQ(subject.allows(q.outcome, options("jls04")),
              q.jls04 ? Answer::allowed : Answer::forbidden);
  }
}

TEST(Synchronization, ThreadsStartAndEnd) {
  const std::vector<Question> questions = {
      {{"X.set(1); start(Thread1);", "int a = X.get();"}, "1:a=0", false, false},
      {{"start(Thread1); X.set(1);", "int a = X.get();"}, "1:a=1", true, true},
      {{"join(Thread1); int a = X.get();", "X.set(1);"}, "0:a=0", false, false},
      // a thread that is not started does not run, and is not waited for
      {{"int a = X.get(); if (a == 1) { start(Thread1); }", "Y.set(1); int b = 1;",
        "int c = Y.get();"},
       "1:b=1 \\/ 2:c=1",
       false,
       false},
      {{"int a = X.get(); if (a == 1) { start(Thread1); } join(Thread1);", "Y.set(1);"},
       "true",
       false,
       false},
      // nobody starts twice, or itself
      {{"start(Thread1); start(Thread1);", "X.set(1);"}, "true", false, false},
      {{"int a = 1;", "start(Thread1);"}, "0:a=1", true, true},
      // two that wait for each other
      {{"join(Thread1);", "join(Thread0);"}, "true", false, false},
  };
  for (const auto& q : questions) {
    const auto print = litmus::print(synchronized(q.threads));
    const auto test = litmus::parse({"question", print.substr(0, print.rfind("exists")) +
                                                     fmt::format("exists ({})\n", q.outcome)});
    const auto& p = test.clauses.front().proposition;
    EXPECT_EQ(Oracle(test, shipped("sc")).allows(p), q.sc ? Answer::allowed : Answer::forbidden)
        << print;
    EXPECT_EQ(Oracle(test, shipped("jls04")).allows(p),
              q.jls04 ? Answer::allowed : Answer::forbidden)
        << print;
  }
}

TEST(Synchronization, ModelsThatDoNotSpeakOfItRefuse) {
  const auto reason = [](const std::vector<std::string>& threads, const std::string& model) {
    try {
      found(synchronized(threads), model, "none");
    } catch (const Unsupported& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(reason({"lock(m); unlock(m);"}, "coherence"), "unsupported: monitors under coherence");
  EXPECT_EQ(reason({"start(Thread1);", "X.set(1);"}, "coherence"),
            "unsupported: start and join of threads under coherence");
  EXPECT_EQ(reason({"print(1);"}, "coherence"), "accepted");
}

TEST(Synchronization, ExternalActionsAreCommitted) {
  const auto test =
      synchronized({"int a = X.get(); Y.set(1); print(a);", "int b = Y.get(); X.set(b);"});
  Options options;
  options.all_registers = true;
  Oracle oracle(test, shipped("jls04"), options);
  ASSERT_EQ(oracle.allows(Behaviour{1, 1}), Answer::allowed);
  const auto j = oracle.evidence();
  EXPECT_EQ(violation(oracle.graphs(), j, oracle.rules().rules, oracle.switches()), std::nullopt);
}

} // namespace
} // namespace thinair::causality
