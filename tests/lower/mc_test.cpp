// What we judge is real code: every instruction goes through LLVM's assembler to bytes, and the
// bytes come back as the instruction they were.
#include "litmus/text/error.h"
#include "lower/assembly.h"
#include "lower/scheme.h"
#include "machine/x86/att.h"
#include "machine/x86/code/decode.h"
#include "machine/x86/code/forms.h"
#include "machine/x86/code/lift.h"
#include "machine/x86/format.h"
#include "machine/x86/program.h"
#include "tests/lower/instructions.h"
#include "tests/lower/programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <utility>

namespace thinair::lower {

using namespace x86_code;

namespace {

/// Labels are renamed in the order of their places, so that two spellings of one code are equal.
x86::Thread with_plain_labels(x86::Thread thread) {
  std::map<std::string, std::string> names;
  std::size_t places = 0;
  const auto rename = [&](std::vector<std::string>& labels, const std::set<std::string>& targets) {
    bool targeted = false;
    for (const auto& label : labels) {
      names[label] = fmt::format("L{}", places);
      targeted |= targets.contains(label);
    }
    labels.clear();
    if (targeted) labels.push_back(fmt::format("L{}", places++));
  };
  std::set<std::string> targets;
  for (const auto& in : thread.code) targets.insert(in.target);
  targets.erase("");
  for (auto& in : thread.code) rename(in.labels, targets);
  rename(thread.end_labels, targets);
  for (auto& in : thread.code)
    if (!in.target.empty()) in.target = names.at(in.target);
  thread.initial.clear();
  return thread;
}

std::map<std::string, litmus::LocationId> symbols_of(const x86::Program& program) {
  std::map<std::string, litmus::LocationId> symbols;
  for (std::uint32_t i = 0; i < program.locations.size(); ++i)
    symbols[program.locations[i].name] = litmus::LocationId(i);
  return symbols;
}

void expect_round_trip(Backend& backend, const x86::Program& program) {
  const std::string text = assembly(program, x86::att);
  const auto functions = backend.disassemble(backend.assemble(text));
  ASSERT_EQ(functions.size(), program.threads.size()) << text;
  x86::Program again = program;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto decoded = lift(functions[i], {"RET64", true}, symbols_of(program), i, again);
    const auto got = with_plain_labels(decoded), wanted = with_plain_labels(program.threads[i]);
    ASSERT_EQ(got.code.size(), wanted.code.size()) << text;
    for (std::size_t k = 0; k < got.code.size(); ++k)
      ASSERT_EQ(got.code[k], wanted.code[k])
          << fmt::format("{} \"{}\" became {} \"{}\"\n", fmt::join(wanted.code[k].labels, " "),
                         x86::att_text(program, wanted.code[k]), fmt::join(got.code[k].labels, " "),
                         x86::att_text(program, got.code[k]));
  }
}

TEST(MachineCode, EveryFormOfEveryInstructionSurvivesEncoding) {
  Backend backend(Level::O0);
  std::size_t count = 0;
  for (const auto& instruction : testing::all_instructions()) {
    expect_round_trip(backend, testing::program_of({instruction}));
    ++count;
  }
  EXPECT_GT(count, 500u);
}

/// `(base,index,scale)`, with any of them.
TEST(MachineCode, ElementsSurviveEncoding) {
  Backend backend(Level::O0);
  litmus::Random random(5);
  const auto reg = [&] {
    const auto found = static_cast<x86::Register>(random.below(x86::register_count));
    return found == x86::Register::rsp ? x86::Register::rbp : found;
  };
  for (int i = 0; i < 400; ++i) {
    constexpr std::array widths{x86::Width::b, x86::Width::w, x86::Width::l, x86::Width::q};
    constexpr std::array<litmus::Value, 4> displacements{0, 8, -4, 1000};
    constexpr std::array opcodes{x86::Opcode::mov, x86::Opcode::xchg, x86::Opcode::xadd,
                                 x86::Opcode::cmpxchg, x86::Opcode::add};
    x86::Instruction in;
    in.opcode = random.pick(opcodes);
    in.width = random.pick(widths);
    in.lock = in.opcode == x86::Opcode::xadd || in.opcode == x86::Opcode::cmpxchg;
    const x86::Memory element{reg(), random.pick(displacements),
                              x86::RegisterOperand{reg(), x86::Width::q},
                              static_cast<std::uint8_t>(1U << random.below(4))};
    in.operands = {element, x86::RegisterOperand{reg(), in.width}};
    if (in.opcode == x86::Opcode::mov && random.chance(1, 2))
      std::swap(in.operands[0], in.operands[1]);
    expect_round_trip(backend, testing::program_of({in}));
  }
}

TEST(MachineCode, EveryRuleOfEverySchemeSurvivesEncoding) {
  Backend backend(Level::O0);
  for (const auto& shipped : shipped_schemes()) {
    const Scheme scheme = parse_scheme(source_of(shipped));
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      litmus::Random random(seed);
      testing::Shape shape;
      shape.registers = seed % 8 == 0 ? 24 : 5;
      shape.statements = 20;
      expect_round_trip(
          backend,
          x86::program_of(lower_with(scheme, testing::random_program(random, shape)).program));
    }
  }
}

TEST(MachineCode, TheAssemblerSaysWhatItRejects) {
  Backend backend(Level::O0);
  EXPECT_THROW(backend.assemble("frobnicate %eax\n"), InputError);
}

std::string refusal(Backend& backend, const std::string& code) {
  const std::string text =
      fmt::format("\t.globl P0\n\t.type P0,@function\nP0:\n\t{}\n\tret\n\t.size P0, .-P0\n", code);
  x86::Program program;
  const litmus::LocationId x = litmus::LocationId(0);
  program.locations.push_back({"x", {}, 0});
  try {
    lift(backend.disassemble(backend.assemble(text)).at(0), {}, {{"x", x}}, 0, program);
  } catch (const Unsupported& unsupported) {
    return unsupported.what();
  }
  return "lifted";
}

TEST(MachineCode, WhatTheDialectLacksIsNamedWithItsBytes) {
  Backend backend(Level::O0);
  EXPECT_EQ(refusal(backend, "movl x(%rip), %eax"), "lifted");
  EXPECT_EQ(refusal(backend, "rcll %ecx"), "unsupported: rcll %ecx [d1 d1]");
  EXPECT_EQ(refusal(backend, "cltd"), "unsupported: cltd [99]");
  EXPECT_EQ(refusal(backend, "movl 4(%rdi), %eax"), "lifted");     // a field
  EXPECT_EQ(refusal(backend, "movl (%rdi,%rcx), %eax"), "lifted"); // an element
  EXPECT_EQ(refusal(backend, "movl (,%rcx,4), %eax"),
            "unsupported: movl (,%rcx,4), %eax [8b 04 8d 00 00 00 00]");
  EXPECT_EQ(refusal(backend, "movl (%edi,%ecx), %eax"),
            "unsupported: movl (%edi,%ecx), %eax [67 8b 04 0f]");
  EXPECT_EQ(refusal(backend, "movl x(%rdi,%rcx), %eax"),
            "unsupported: movl (%rdi,%rcx), %eax [8b 84 0f 00 00 00 00]");
  EXPECT_EQ(refusal(backend, "movl (%rsp,%rcx), %eax"),
            "unsupported: movl (%rsp,%rcx), %eax [8b 04 0c]");
  EXPECT_EQ(refusal(backend, "movb %ah, %al"), "unsupported: movb %ah, %al [88 e0]");
  EXPECT_EQ(refusal(backend, "movl x+2(%rip), %eax"),
            "unsupported: movl (%rip), %eax [8b 05 00 00 00 00]");
  EXPECT_EQ(refusal(backend, "movl z(%rip), %eax"), "unsupported: a reference to z");
  EXPECT_EQ(refusal(backend, "movq -16(%rsp), %rax\n\tmovl -12(%rsp), %eax"),
            "unsupported: stack slots that overlap");
  EXPECT_EQ(refusal(backend, "leaq -16(%rsp), %rax"),
            "unsupported: leaq -16(%rsp), %rax [48 8d 44 24 f0]");
  EXPECT_EQ(refusal(backend, "cmpl $1, %eax\n\tleal 1(%rcx), %edx\n\tsete %bl"),
            "unsupported: leal 1(%rcx), %edx [8d 51 01]");
  EXPECT_EQ(refusal(backend, "leal 1(%rcx), %edx\n\tcmpl $1, %eax\n\tsete %bl"), "lifted");
  EXPECT_EQ(refusal(backend, "adcl $0, %ecx\n\tsetb %al"), "unsupported: adcl $0, %ecx [83 d1 00]");
  EXPECT_EQ(refusal(backend, "adcl %ecx, %ecx"), "unsupported: adcl %ecx, %ecx [11 c9]");
  EXPECT_EQ(refusal(backend, "adcl $1, x(%rip)"),
            "unsupported: adcl $1, (%rip) [83 15 00 00 00 00 01]");
  EXPECT_EQ(refusal(backend, "sbbq (%rdx), %rdx"), "unsupported: sbbq (%rdx), %rdx [48 1b 12]");
  EXPECT_EQ(refusal(backend, "sbbl %ecx, %ecx\n\tsetb %al"), "lifted");
}

/// A stack slot lives in a register that nothing else uses, `cmpxchg`'s own %eax included.
TEST(MachineCode, AStackSlotOutlivesACompareAndExchange) {
  Backend backend(Level::O0);
  const auto functions = backend.disassemble(backend.assemble(
      "\t.globl P0\n\t.type P0,@function\nP0:\n\tmovl $5, -4(%rsp)\n\tlock cmpxchgl %ecx, x(%rip)\n"
      "\tmovl -4(%rsp), %edx\n\tret\n\t.size P0, .-P0\n"));
  x86::Program program;
  program.locations.push_back({"x", {}, 0});
  const auto thread =
      lift(functions.at(0), {"RET64", false}, {{"x", litmus::LocationId(0)}}, 0, program);
  ASSERT_EQ(thread.code.size(), 3u);
  const auto slot = std::get<x86::RegisterOperand>(thread.code[0].operands[0]);
  for (const auto reg : {x86::Register::rax, x86::Register::rcx, x86::Register::rdx})
    EXPECT_NE(slot.reg, reg);
  EXPECT_EQ(thread.code[2].operands[1], thread.code[0].operands[0]);
  EXPECT_EQ(program.locations.size(), 1u);
}

} // namespace
} // namespace thinair::lower
