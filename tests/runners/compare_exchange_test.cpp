// Behind a `lock cmpxchg`, jumps on its flag decide nothing: the engine's states against the
// machine's, which runs instructions one by one, and how much work they are.
#include "litmus/random.h"
#include "litmus/test.h"
#include "machine/x86/code/store_buffers.h"
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace thinair::runners {
namespace {

using oracle::Result;
using States = std::set<litmus::Behaviour>;

States set_of(const Result& result) { return {result.behaviours.begin(), result.behaviours.end()}; }

std::string test_of(const std::vector<std::vector<std::string>>& threads,
                    const std::string& asked) {
  std::string names, rows;
  std::size_t longest = 0;
  for (const auto& code : threads) longest = std::max(longest, code.size());
  for (std::size_t t = 0; t < threads.size(); ++t)
    names += fmt::format("{} P{}", t == 0 ? "" : " |", t);
  for (std::size_t row = 0; row < longest; ++row) {
    for (std::size_t t = 0; t < threads.size(); ++t)
      rows +=
          fmt::format("{} {}", t == 0 ? "" : " |", row < threads[t].size() ? threads[t][row] : "");
    rows += " ;\n";
  }
  return fmt::format("X86_64 exchanges\n{{ x=0; y=0; }}\n{};\n{}locations [{}]\n", names, rows,
                     asked);
}

/// An exchange, and then one to three things that look at its flag, or at what it found.
std::vector<std::string> drawn_thread(litmus::Random& random, std::size_t thread) {
  constexpr std::array looks{"je L{0}{1}",    "jne L{0}{1}",      "sete %cl",
                             "setne %dl",     "cmovel %ebx,%esi", "cmpl $1,%eax",
                             "movl %eax,(y)", "testl %eax,%eax",  "movl $1,(y)"};
  std::vector<std::string> code{fmt::format("movl ${},%eax", random.below(3)),
                                fmt::format("movl ${},%ebx", 1 + random.below(2))};
  for (std::size_t i = 0; i < 2; ++i) {
    code.emplace_back(random.chance(70, 100) ? "lock cmpxchgl %ebx,(x)" : "cmpxchgl %ebx,(x)");
    for (std::size_t n = 1 + random.below(3); n > 0; --n)
      code.push_back(fmt::format(fmt::runtime(looks.at(random.below(looks.size()))), thread, i));
    code.push_back(fmt::format("L{}{}: movl ({}),%e{}i", thread, i,
                               random.chance(50, 100) ? "x" : "y", i == 0 ? 's' : 'd'));
  }
  return code;
}

TEST(CompareExchange, StatesAreTheMachines) {
  const auto model = cat::load_model("x86-tso", x86::architecture);
  std::size_t states = 0;
  const std::uint64_t drawn = test::draws(400);
  for (std::uint64_t seed = 0; seed < drawn; ++seed) {
    litmus::Random random(seed);
    const auto text =
        test_of({drawn_thread(random, 0), drawn_thread(random, 1)},
                "x; y; 0:rax; 0:rcx; 0:rdx; 0:rsi; 0:rdi; 1:rax; 1:rcx; 1:rdx; 1:rsi; 1:rdi;");
    const litmus::Test test = litmus::parse({"drawn", text});
    const auto axiomatic = executions::behaviours(test, model);
    ASSERT_EQ(axiomatic.status, Result::Status::ok) << axiomatic.reason.text << "\n" << text;
    ASSERT_EQ(set_of(axiomatic), set_of(x86_machine(test))) << "seed " << seed << "\n" << text;
    states += axiomatic.behaviours.size();
  }
  EXPECT_GT(states, 3 * drawn) << "the programs have become dull";
}

/// x |= bit, as schemes lower it: a loop around an exchange.
std::vector<std::string> or_loop(std::size_t thread, int bit) {
  return {"movl (x),%eax", fmt::format("L{}: movl %eax,%ebx", thread),
          fmt::format("orl ${},%ebx", bit), "lock cmpxchgl %ebx,(x)",
          fmt::format("jne L{}", thread)};
}

/// Each round fails or succeeds once, not once more at the jump: so many paths are searched that a
/// jump which decided anew would multiply.
TEST(CompareExchange, LoopsAreSearchedRoundByRound) {
  const auto model = cat::load_model("x86-tso", x86::architecture);
  for (const std::size_t threads : {2U, 3U}) {
    std::vector<std::vector<std::string>> code;
    for (std::size_t t = 0; t < threads; ++t) code.push_back(or_loop(t, 1 << t));
    const litmus::Test test = litmus::parse({"loops", test_of(code, "x;")});
    executions::Options options;
    options.limits.loop_bound = 3;
    options.limits.steps = 20'000'000;
    const auto found = executions::behaviours(test, model, options);
    EXPECT_EQ(set_of(found), set_of(x86_machine(test))) << threads;
    EXPECT_EQ(found.reason, Reason::reached(Limit::loop_bound));
    EXPECT_LT(found.candidates, threads == 2 ? 1'000U : 100'000U) << threads;
  }
}

} // namespace
} // namespace thinair::runners
