// The operational x86-TSO machine: known answers, golden answers, reductions that lose nothing.
#include "litmus/text/error.h"
#include "machine/x86/code/store_buffers.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::runners {
namespace {

litmus::Test parse(const std::string& text) { return litmus::parse({"t.litmus", text}); }

std::vector<std::string> states(const litmus::Test& test, const oracle::Result& result) {
  std::vector<std::string> out;
  for (const auto& behaviour : result.behaviours)
    out.push_back(litmus::to_string(test, result.observables, behaviour));
  return out;
}

std::vector<std::string> states(const std::string& text, const MachineOptions& options = {}) {
  const litmus::Test test = parse(text);
  const auto result = x86_machine(test, options);
  EXPECT_EQ(result.status, oracle::Result::Status::ok) << result.reason.text;
  return states(test, result);
}

using Strings = std::vector<std::string>;

TEST(X86Machine, StoresWaitInBuffers) {
  EXPECT_EQ(
      states("X86_64 SB\n{}\n P0 | P1 ;\n movl $1,(x) | movl $1,(y) ;\n"
             " movl (y),%eax | movl (x),%eax ;\nexists (0:rax=0 /\\ 1:rax=0)"),
      (Strings{"0:rax=0; 1:rax=0", "0:rax=0; 1:rax=1", "0:rax=1; 1:rax=0", "0:rax=1; 1:rax=1"}));
}

TEST(X86Machine, FencesAndLocksDrainThem) {
  for (const std::string fence : {"mfence", "xchgl %ecx,(z)", "lock addl $0,(%rsp)",
                                  "lock cmpxchgl (z),%ecx", "lock xaddl %ecx,(z)"}) {
    const auto found = states("X86_64 SB\n{0:rsp=s; 1:rsp=t;}\n P0 | P1 ;\n"
                              " movl $1,(x) | movl $1,(y) ;\n " +
                              fence + " | " + fence +
                              " ;\n movl (y),%eax | movl (x),%ebx ;\n"
                              "exists (0:rax=0 /\\ 1:rbx=0)");
    EXPECT_EQ(found.size(), 3U) << fence;
  }
  for (const std::string none : {"sfence", "lfence", "nop", "cmpxchgl (z),%ecx"}) {
    const auto found =
        states("X86_64 SB\n{}\n P0 | P1 ;\n movl $1,(x) | movl $1,(y) ;\n " + none + " | " + none +
               " ;\n movl (y),%ebx | movl (x),%ebx ;\n"
               "exists (0:rbx=0 /\\ 1:rbx=0)");
    EXPECT_EQ(found.size(), 4U) << none;
  }
}

TEST(X86Machine, ALockedInstructionIsOneStep) {
  EXPECT_EQ(states("X86_64 co\n{}\n P0 | P1 ;\n movl $1,(x) | movl $2,%eax ;\n"
                   " | xchgl %eax,(x) ;\nexists (1:rax=1 /\\ x=1)"),
            (Strings{"1:rax=0; [x]=1", "1:rax=1; [x]=2"}));
  EXPECT_EQ(states("X86_64 inc\n{}\n P0 | P1 ;\n lock incl (x) | lock incl (x) ;\nexists (x=1)"),
            Strings{"[x]=2"});
  EXPECT_EQ(states("X86_64 inc\n{}\n P0 | P1 ;\n incl (x) | incl (x) ;\nexists (x=1)"),
            (Strings{"[x]=1", "[x]=2"}));
}

TEST(X86Machine, LoopsNeedNoBound) {
  EXPECT_EQ(states("X86_64 faa\n{}\n P0 | P1 ;\n movl (x),%eax | movl (x),%eax ;\n"
                   " L: movl %eax,%edx | L: movl %eax,%edx ;\n addl $1,%edx | addl $1,%edx ;\n"
                   " lock cmpxchgl (x),%edx | lock cmpxchgl (x),%edx ;\n jne L | jne L ;\n"
                   "exists (x=2)"),
            Strings{"[x]=2"});
  EXPECT_EQ(states("X86_64 spin\n{}\n P0 | P1 ;\n movl $1,(x) | L: movl (y),%eax ;\n"
                   " movl $1,(y) | testl %eax,%eax ;\n | je L ;\n | movl (x),%ebx ;\n"
                   "exists (1:rbx=0)"),
            Strings{"1:rbx=1"});
}

TEST(X86Machine, AThreadThatNeverEndsHasNoFinalState) {
  EXPECT_EQ(states("X86_64 loop\n{}\n P0 | P1 ;\n L: jmp L | movl $1,(x) ;\nexists (x=1)"),
            Strings{});
}

TEST(X86Machine, ABufferThatGrowsForeverIsUnknown) {
  const litmus::Test test =
      parse("X86_64 grow\n{}\n P0 | P1 ;\n L: movl $1,(x) | movl (x),%eax ;\n jmp L | ;\n"
            "exists (1:rax=1)");
  const auto result = x86_machine(test, {.bytes = 1 << 22});
  EXPECT_EQ(result.status, oracle::Result::Status::unknown);
  EXPECT_EQ(result.reason, Reason::reached(Limit::memory));
  const auto few = x86_machine(test, {.states = 3});
  EXPECT_EQ(few.reason, Reason::reached(Limit::states));
}

TEST(X86Machine, ValuesAreShownAtTheirTypes) {
  EXPECT_EQ(states("X86_64 t\n{uint32_t x; uint64_t y; int8_t b; uint64_t 0:rax; uint8_t 0:rbx;}\n"
                   " P0 ;\n decl (x) ;\n decq (y) ;\n movb $255,(b) ;\n movq $-1,%rax ;\n"
                   " movl $511,%ebx ;\nlocations [x; y; b; 0:rax; 0:rbx]"),
            Strings{"0:rax=18446744073709551615; 0:rbx=255; [b]=-1; [x]=4294967295; "
                    "[y]=18446744073709551615"});
}

TEST(X86Machine, FiltersAndCounts) {
  const litmus::Test test =
      parse("X86_64 SB\n{}\n P0 | P1 ;\n movl $1,(x) | movl $1,(y) ;\n"
            " movl (y),%eax | movl (x),%eax ;\nfilter (0:rax=0)\nexists (1:rax=0)");
  const auto result = x86_machine(test);
  EXPECT_EQ(result.behaviours.size(), 2U);
  EXPECT_EQ(result.positive, 1U);
  EXPECT_EQ(result.negative, 1U);
}

TEST(X86Machine, MixedSizesAreRefused) {
  EXPECT_THROW(states("X86_64 t\n{}\n P0 ;\n movq $1,(x) ;\nexists (x=1)"), Unsupported);
  EXPECT_THROW(states("X86_64 t\n{0:rax=5000;}\n P0 ;\n movl $1,(%rax) ;\nexists (x=1)"),
               Unsupported);
}

TEST(X86Machine, AnAccessByNullHasNoFinalState) {
  EXPECT_EQ(states("X86_64 t\n{}\n P0 ;\n movl $1,(%rax) ;\nexists (x=1)"), Strings{});
  EXPECT_EQ(states("X86_64 t\n{0:rax=x;}\n P0 ;\n movl $1,(%rax) ;\nexists (x=1)"),
            Strings{"[x]=1"});
}

TEST(X86Machine, AgreesWithTheGoldenStates) {
  const auto expected = golden::answers("x86/x86-tso.json");
  if (expected.empty()) GTEST_SKIP() << "no golden data here";
  std::size_t compared = 0;
  for (const auto& file : golden::files("x86/tests")) {
    const litmus::Test test = litmus::parse(litmus::read_file(file.string()));
    const auto result = x86_machine(test);
    ASSERT_EQ(result.status, oracle::Result::Status::ok) << file;
    const auto answer = expected.find(test.name);
    ASSERT_NE(answer, expected.end()) << test.name;
    Strings found = states(test, result);
    EXPECT_TRUE(std::ranges::is_sorted(found)) << test.name;
    EXPECT_EQ(found, answer->second.states) << test.name;
    ++compared;
  }
  EXPECT_EQ(compared, 589U);
}

} // namespace
} // namespace thinair::runners
