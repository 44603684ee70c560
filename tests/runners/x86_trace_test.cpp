// Executions of the x86-TSO machine step by step: replayed by hand, they are what the machine says.
#include "gen/generator.h"
#include "litmus/test.h"
#include "lower/lowered_test.h"
#include "lower/target.h"
#include "machine/x86/code/store_buffers.h"
#include "machine/x86/code/trace.h"
#include "machine/x86/program.h"

#include <gtest/gtest.h>

namespace thinair::runners {
namespace {

const std::string sb = R"(X86_64 SB
{ x=0; y=0; }
 P0            | P1            ;
 movl $1,(x)   | movl $1,(y)   ;
 movl (y),%eax | movl (x),%eax ;
exists (0:rax=0 /\ 1:rax=0)
)";

std::string told(const std::string& text) {
  const auto test = litmus::parse({"t", text});
  const auto steps = x86_trace(test, test.clauses.at(0).proposition);
  return steps ? to_string(test, *steps) : "no such execution";
}

TEST(Trace, SaysWhatEachStepDoes) {
  EXPECT_EQ(told(sb),
            R"(    1  P0  movl $1, x(%rip)    x=1 enters the store buffer  x=0 y=0, P0 holds x=1
    2  P1  movl $1, y(%rip)    y=1 enters the store buffer  x=0 y=0, P0 holds x=1, P1 holds y=1
    3  P1  movl x(%rip), %eax  reads x=0 from memory        x=0 y=0, P0 holds x=1, P1 holds y=1
    4  P0                      x=1 reaches memory           x=1 y=0, P1 holds y=1
    5  P0  movl y(%rip), %eax  reads y=0 from memory        x=1 y=0, P1 holds y=1
    6  P1                      y=1 reaches memory           x=1 y=1
)");
}

TEST(Trace, ThereIsNoneOfAStateThatTheMachineNeverReaches) {
  std::string fenced = sb;
  fenced.replace(fenced.find(" movl (y),%eax |"), 0, " mfence        | mfence        ;\n");
  EXPECT_EQ(told(fenced), "no such execution");
}

TEST(Trace, TellsOfLockedInstructionsFencesAndBranches) {
  const std::string text = told(R"(X86_64 mix
{ x=0; y=0; 0:rbx=5; }
 P0                      | P1            ;
 movl $1,(x)             | movl $2,(y)   ;
 movl (x),%edx           | mfence        ;
 lock cmpxchgl (y),%ebx  | movl (x),%eax ;
 jne L0                  |               ;
 movl $7,%ecx            |               ;
 L0:                     |               ;
exists (0:rdx=1 /\ 0:rcx=7 /\ 1:rax=1)
)");
  for (const char* part :
       {"reads x=1 from its store buffer", "in memory becomes", "the store buffer is empty",
        "not taken", "%ecx=7", "reads x=1 from memory", "x=1 reaches memory"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

/// Memory and buffers of a trace, followed by rules of our own: stores leave each buffer in order,
/// memory changes at flushes and locked instructions only, and at the end all buffers are empty.
void expect_lawful(const litmus::Test& test, const std::vector<TraceStep>& steps) {
  const auto& program = x86::program_of(test);
  std::vector<litmus::Value> memory;
  for (const auto& location : program.locations) memory.push_back(location.initial);
  std::vector<std::vector<std::string>> buffers(program.threads.size());
  for (const TraceStep& step : steps) {
    auto& buffer = buffers.at(step.thread);
    if (!step.instruction) {
      ASSERT_FALSE(buffer.empty());
      EXPECT_EQ(step.effect, buffer.front() + " reaches memory");
      buffer.erase(buffer.begin());
    } else {
      const auto& in = program.threads[step.thread].code.at(*step.instruction);
      if (step.memory != memory) {
        EXPECT_TRUE(buffer.empty()) << "a locked instruction with a full buffer";
        EXPECT_TRUE(in.lock || in.opcode == x86::Opcode::xchg);
      }
      if (step.buffers[step.thread].size() > buffer.size())
        buffer.push_back(step.buffers[step.thread].back());
    }
    EXPECT_EQ(step.buffers, buffers);
    memory = step.memory;
  }
  for (const auto& buffer : buffers) EXPECT_TRUE(buffer.empty());
}

TEST(Trace, OfEveryBehaviourOfRandomProgramsIsLawful) {
  gen::Generator generator(gen::load_profile("rmw"), 3, 0);
  lower::Target target = lower::Target::named("x86:table2");
  std::size_t traces = 0;
  for (int i = 0; i < 60; ++i) {
    litmus::Test source;
    source.name = "generated";
    source.program = generator.next().program;
    const auto test = lower::lowered_test(source, target.lower(source.java()), "t");
    const auto all = x86_machine(test);
    for (const auto& behaviour : all.behaviours) {
      litmus::Proposition goal;
      goal.kind = litmus::Proposition::Kind::all;
      for (std::size_t o = 0; o < all.observables.size(); ++o) {
        litmus::Proposition part;
        part.kind = litmus::Proposition::Kind::equal;
        part.left = all.observables[o];
        part.constant = behaviour[o];
        goal.parts.push_back(std::move(part));
      }
      const auto steps = x86_trace(test, goal);
      ASSERT_TRUE(steps.has_value()) << litmus::print(test);
      expect_lawful(test, *steps);
      ++traces;
    }
  }
  EXPECT_GT(traces, 200U);
}

} // namespace
} // namespace thinair::runners
