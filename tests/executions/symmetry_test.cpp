// Threads that may change places: the states are those of a search that looks at all of them, and
// many such threads take no time.
#include "litmus/random.h"
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "oracle/executions/symmetry.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace thinair::executions {
namespace {

using graph::Architecture;

litmus::Test x86(const std::vector<std::string>& threads, std::string_view asked) {
  std::string names, rows;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    names += fmt::format("{} P{}", t == 0 ? "" : " |", t);
    rows += fmt::format("{} {}", t == 0 ? "" : " |", threads[t]);
  }
  return litmus::parse({"t.litmus", fmt::format("X86_64 t\n{{ x=0; y=0; }}\n{} ;\n{} ;\n"
                                                "locations [{}]\nexists (x=0)\n",
                                                names, rows, asked)});
}

std::vector<std::uint32_t> twins(const litmus::Test& test) {
  const auto observed = resolve(test, litmus::observables(test, false));
  return twins_of(graph::paths_of(test), observed);
}

TEST(Symmetry, TwinsRunTheSameCodeAndShowNoRegister) {
  const std::string inc = "lock incl (x)", dec = "lock decl (x)", load = "movl (x),%eax";
  using Twins = std::vector<std::uint32_t>;
  EXPECT_EQ(twins(x86({inc, inc, dec, inc, dec}, "x;")), (Twins{0, 0, 2, 0, 2}));
  EXPECT_EQ(twins(x86({load, load, load}, "x; 1:rax;")), (Twins{0, 1, 0}));
  EXPECT_EQ(twins(x86({"movl $1,(x)", "movl $2,(x)", "movl $1,(y)"}, "x;")), (Twins{0, 1, 2}));
  auto started = x86({"addl %ebx,(x)", "addl %ebx,(x)"}, "x;");
  EXPECT_EQ(twins(started), (Twins{0, 0}));
}

/// All counted, so that nothing is taken for a repetition, against the search for states.
TEST(Symmetry, LosesNoState) {
  litmus::Random random(11);
  const std::vector<std::string> pool = {"lock incl (x)",         "incl (x)",      "movl $1,(x)",
                                         "lock xaddl %eax,(x)",   "movl (x),%eax", "xchgl %eax,(x)",
                                         "lock cmpxchgl (x),%ebx"};
  std::size_t with_twins = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<std::string> threads;
    const auto& common = random.pick(pool);
    for (int t = 0; t < 4; ++t) threads.push_back(random.chance(2, 3) ? common : random.pick(pool));
    const auto test = x86(threads, random.chance(1, 2) ? "x; 0:rax;" : "x;");
    for (const char* name : {"x86-tso", "sc"}) {
      const auto model = cat::load_model(name, x86::architecture);
      Options all;
      all.depth = Depth::executions;
      EXPECT_EQ(behaviours(test, model).behaviours, behaviours(test, model, all).behaviours)
          << litmus::print(test);
    }
    const auto found = twins(test);
    for (std::uint32_t t = 0; t < found.size(); ++t) with_twins += found[t] != t;
  }
  EXPECT_GT(with_twins, 100U);
}

/// Java, with branches: paths of twins are chosen in one order only.
TEST(Symmetry, LosesNoStateAmongPaths) {
  std::string threads, initial;
  for (int t = 0; t < 4; ++t) {
    initial += fmt::format("{0}:X=x; {0}:Y=y; ", t);
    threads += fmt::format("Thread{} {{ int r = X.getAndAdd(1); if (r == 1) {{ Y.setOpaque(7); }} "
                           "else {{ int s = Y.getOpaque(); X.setOpaque(s + 2); }} }}\n",
                           t);
  }
  const auto test = litmus::parse({"t", "Java t\n{ x=0; y=0; " + initial + "}\n" + threads +
                                            "locations [x; y;]\nexists (x=0)\n"});
  for (const char* name : {"sc", "jam21"}) {
    const auto model = cat::load_model(name, Architecture::java);
    Options all;
    all.depth = Depth::executions;
    const auto expected = behaviours(test, model, all);
    const auto found = behaviours(test, model);
    EXPECT_EQ(found.behaviours, expected.behaviours);
    EXPECT_LT(found.candidates * 4, expected.candidates);
  }
}

TEST(Symmetry, ManyIncrementsTakeFewSteps) {
  for (const std::size_t n : {9, 20, 40}) {
    const auto test = x86(std::vector<std::string>(n, "lock incl (x)"), "x;");
    const auto result = behaviours(test, cat::load_model("x86-tso", x86::architecture));
    EXPECT_EQ(result.status, Result::Status::ok);
    ASSERT_EQ(result.behaviours.size(), 1U);
    EXPECT_EQ(result.behaviours[0], litmus::Behaviour{static_cast<litmus::Value>(n)});
    EXPECT_LT(result.candidates, 20 * n);
  }
}

/// Where executions are counted there are n!: the search gives up at its limit.
TEST(Symmetry, CountingGivesUp) {
  const auto test = x86(std::vector<std::string>(12, "lock incl (x)"), "x;");
  Options all;
  all.depth = Depth::executions;
  all.limits.candidates = 20'000;
  const auto result = behaviours(test, cat::load_model("x86-tso", x86::architecture), all);
  EXPECT_EQ(result.status, Result::Status::unknown);
  EXPECT_EQ(result.reason, Reason::reached(Limit::candidates));
}

} // namespace
} // namespace thinair::executions
