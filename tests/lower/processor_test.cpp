// Our x86 semantics against the processor this test runs on: registers, flags and memory after each
// instruction of the dialect, and after each that the lifter writes with several of them.
#include "litmus/text/error.h"
#include "lower/assembly.h"
#include "machine/x86/att.h"
#include "machine/x86/code/decode.h"
#include "machine/x86/code/lift.h"
#include "machine/x86/program.h"
#include "tests/lower/instructions.h"
#include "tests/lower/processor.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thinair::lower {

using namespace x86_code;

namespace {

using testing::Executable;
using testing::Outcome;

constexpr std::size_t rounds = 60;

/// Memory operands of the cell become accesses through %rdi, which points at it.
x86::Program through_rdi(std::vector<x86::Instruction> code) {
  for (auto& in : code)
    for (auto& operand : in.operands)
      if (std::holds_alternative<x86::Memory>(operand)) operand = x86::Memory{x86::Register::rdi};
  return testing::program_of(std::move(code));
}

std::vector<x86::Program> programs() {
  std::vector<x86::Program> result;
  for (const auto& instruction : testing::all_instructions()) {
    std::vector<x86::Instruction> code{instruction};
    if (!instruction.target.empty()) { // a jump: something for it to jump over
      x86::Instruction skipped;
      skipped.opcode = x86::Opcode::not_;
      skipped.operands = {x86::RegisterOperand{x86::Register::rbx, x86::Width::l}};
      code.push_back(skipped);
    }
    result.push_back(through_rdi(std::move(code)));
  }
  return result;
}

std::string assembled(const x86::Program& program, std::size_t number) {
  const std::string labels = fmt::format(".L{}_", number);
  std::string text;
  for (const auto& in : program.threads[0].code)
    text += fmt::format("\t{}\n", x86::att_text(program, in, labels));
  for (const auto& label : program.threads[0].end_labels)
    text += fmt::format("{}{}:\n", labels, label);
  return text;
}

Executable assembled(const std::vector<x86::Program>& all) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < all.size(); ++i) pieces.push_back(assembled(all[i], i));
  return Executable(pieces);
}

class Processor : public ::testing::Test {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "needs an x86-64 processor";
#endif
  }
};

/// Whether our run of `thread` and the real run of the piece end alike.
::testing::AssertionResult agree(const x86::Thread& thread, const Executable& code,
                                 std::size_t piece, const Outcome& input, bool flags = true) {
  Outcome expected = interpret(thread, input);
  Outcome real = code.run(piece, input);
  if (!flags) real.state.flags = expected.state.flags;
  if (alike(expected, real)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "from " << to_string(input) << "\nours "
                                       << to_string(expected) << "\nreal " << to_string(real);
}

TEST_F(Processor, EveryInstructionDoesWhatOurSemanticsSays) {
  const auto all = programs();
  ASSERT_GT(all.size(), 1000u);
  const Executable code = assembled(all);
  if (!code.works()) GTEST_SKIP() << "this system gives no executable memory";
  litmus::Random random(2026);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t round = 0; round < rounds; ++round)
      ASSERT_TRUE(agree(all[i].threads[0], code, i, testing::random_input(random)))
          << x86::att_text(all[i], all[i].threads[0].code[0]);
}

TEST_F(Processor, AWrongInstructionIsNoticed) {
  const auto all = programs();
  const Executable code = assembled(all);
  if (!code.works()) GTEST_SKIP() << "this system gives no executable memory";
  litmus::Random random(7);
  std::size_t noticed = 0;
  for (std::size_t i = 0; i + 40 < all.size(); i += 40) // each for another one
    for (std::size_t round = 0; round < rounds; ++round)
      if (!agree(all[i + 40].threads[0], code, i, testing::random_input(random))) {
        ++noticed;
        break;
      }
  EXPECT_GE(noticed, all.size() / 40 - 1);
}

/// Instructions that the dialect lacks, in every form that the lifter has for them.
std::vector<std::string> rewritten_instructions() {
  std::vector<std::string> all;
  for (const char* address : {"1(%rcx)", "-7(%rcx)", "(%rcx,%rdx)", "(%rcx,%rcx)", "(%rcx,%rcx,2)",
                              "(%rcx,%rcx,8)", "5(%rcx,%rdx,4)", "3(,%rdx,8)", "(,%rdx,4)"})
    for (const char* dst : {"cx", "dx", "si"}) {
      all.push_back(fmt::format("leal {}, %e{}", address, dst));
      all.push_back(fmt::format("leaq {}, %r{}", address, dst));
    }
  for (const char* suffix : {"w", "l", "q"}) {
    const char letter = suffix[0];
    const std::string cx = letter == 'w' ? "%cx" : letter == 'l' ? "%ecx" : "%rcx";
    const std::string dx = letter == 'w' ? "%dx" : letter == 'l' ? "%edx" : "%rdx";
    for (const char* by : {"$3", "$-100", "$1234"}) {
      all.push_back(fmt::format("imul{} {}, {}, {}", suffix, by, cx, dx));
      all.push_back(fmt::format("imul{} {}, {}, {}", suffix, by, cx, cx));
      all.push_back(fmt::format("imul{} {}, (%rdi), {}", suffix, by, dx));
    }
    all.push_back(fmt::format("movsb{} %cl, {}", suffix, dx));
    all.push_back(fmt::format("movsb{} %cl, {}", suffix, cx));
    for (const char* op : {"adc", "sbb"}) {
      for (const std::string from : {"$0", "$5", "$-1", "(%rdi)"})
        all.push_back(fmt::format("{}{} {}, {}", op, suffix, from, dx));
      all.push_back(fmt::format("{}{} {}, {}", op, suffix, cx, dx));
    }
    all.push_back(fmt::format("sbb{} {}, {}", suffix, cx, cx));
  }
  for (const char* text : {"movswl %cx, %edx", "movswq %cx, %rcx", "movslq %ecx, %rdx",
                           "adcb $1, %cl", "sbbb %dl, %cl", "sbbb %cl, %cl"})
    all.emplace_back(text);
  return all;
}

/// What the lifter makes of one instruction; flags it spoils are no flags of the original.
struct Rewritten {
  x86::Thread thread;
  bool flags = true;
};

Rewritten lifted(Backend& backend, const std::string& instruction) {
  const auto functions = backend.disassemble(backend.assemble(fmt::format(
      "\t.globl P0\n\t.type P0,@function\nP0:\n\t{}\n\tret\n\t.size P0, .-P0\n", instruction)));
  x86::Program program;
  program.locations.push_back({"x", {}, 0});
  const AddressBook nowhere{
      [](const std::string& symbol) -> x86::Operand { throw Unsupported(symbol); },
      [](std::int64_t) -> x86::Operand { throw Unsupported("the stack"); }};
  const auto meaning = meaning_of(functions.at(0).code.at(0), nowhere);
  return {lift(functions[0], {"RET64", true}, {}, 0, program), !meaning.spoils_flags};
}

TEST_F(Processor, WhatTheLifterWritesOtherwiseDoesTheSame) {
  const auto texts = rewritten_instructions();
  std::vector<std::string> pieces;
  for (const auto& text : texts) pieces.push_back(fmt::format("\t{}\n", text));
  const Executable code(pieces);
  if (!code.works()) GTEST_SKIP() << "this system gives no executable memory";
  Backend backend(Level::O0);
  litmus::Random random(88);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Rewritten ours = lifted(backend, texts[i]);
    for (std::size_t round = 0; round < rounds; ++round)
      ASSERT_TRUE(agree(ours.thread, code, i, testing::random_input(random), ours.flags))
          << texts[i];
  }
}

} // namespace
} // namespace thinair::lower
