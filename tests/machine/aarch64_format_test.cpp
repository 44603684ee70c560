// Reading and printing AArch64 tests: herd7's spelling, LLVM's, and what is wrong with a text.
#include "litmus/json.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "machine/aarch64/assembly.h"
#include "machine/aarch64/format.h"
#include "tests/support/aarch64_programs.h"
#include "tests/support/draws.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace thinair::aarch64 {

using namespace litmus;
namespace {

litmus::Test parse_aarch64(const std::string& text) { return parse({"t.litmus", text}); }

std::string code(const std::string& instruction) {
  return "AArch64 t\n{0:X0=x;}\n P0 ;\n L: ;\n " + instruction + " ;\nexists (x=0)\n";
}

const Instruction& only(const litmus::Test& test) {
  return program_of(test).threads.at(0).code.at(0);
}

/// How the only instruction of a text is printed; it reads as the same then.
std::string reprinted(const std::string& instruction) {
  const litmus::Test test = parse_aarch64(code(instruction));
  const std::string printed = print(test);
  EXPECT_EQ(parse_aarch64(printed), test) << printed;
  return print_instruction(only(test));
}

/// The message of what is wrong, with its place, and the hint.
std::string complaint(const std::string& instruction) {
  try {
    parse_aarch64(code(instruction));
  } catch (const InputError& error) {
    return std::string(error.what());
  } catch (const Unsupported& error) {
    return std::string("unsupported: ") + error.what();
  }
  return "read";
}

void expect_complaint(const std::string& instruction, const std::string& part) {
  const std::string found = complaint(instruction);
  EXPECT_NE(found.find(part), std::string::npos) << instruction << ": " << found;
  const bool placed = found.starts_with("t.litmus:5:") && found.find('^') != std::string::npos;
  EXPECT_TRUE(placed || found.starts_with("unsupported")) << found;
}

/// An instruction of a row, by its shape.
std::string example(const InstructionInfo& row, char width) {
  std::string out = row.does == Does::jump_if ? "B.NE" : row.mnemonic, operands;
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  int reg = 1;
  const auto add = [&](const std::string& operand) {
    operands += (operands.empty() ? " " : ",") + operand;
  };
  for (const char letter : row.shape) {
    if (letter == '=' || letter == '+' || (letter == 'c' && row.does == Does::jump_if)) continue;
    const std::string number = std::to_string(reg++);
    if (std::string("rVHALsp").find(letter) != std::string::npos) add(width + number);
    if (letter == 'w') add("W" + number);
    if (letter == 'x') add("X" + number);
    if (std::string("mMUP").find(letter) != std::string::npos) add("[X0]");
    if (letter == 'i') add("#5");
    if (letter == 'b') add("#2");
    if (letter == 'k') add("#3");
    if (letter == 'f') add("#4");
    if (letter == 'c') add("LS");
    if (letter == 'B') add("ISHLD");
    if (letter == 't') add("L");
  }
  return out + operands;
}

TEST(AArch64Format, EveryInstructionIsPrintedAsItIsRead) {
  for (const InstructionInfo& row : instructions())
    for (const char width : {'W', 'X'})
      EXPECT_EQ(reprinted(example(row, width)), example(row, width));
  EXPECT_GE(instructions().size(), 250U);
}

TEST(AArch64Format, HerdsAndLlvmsSpellings) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"ldar w8, [x0]", "LDAR W8,[X0]"},
      {"ldr w3,[x0,#0]", "LDR W3,[X0]"},
      {"ldr w3, [x0, #4]", "LDR W3,[X0,#4]"},
      {"ldr w3, [x0, 4]", "LDR W3,[X0,#4]"},
      {"LDR W3,[X0,W1,SXTW]", "LDR W3,[X0,W1,SXTW]"},
      {"ldr w3, [x0, w1, uxtw #2]", "LDR W3,[X0,W1,UXTW #2]"},
      {"ldr x3, [x0, x1, lsl #3]", "LDR X3,[X0,X1,LSL #3]"},
      {"ldr w3, [x0, x1]", "LDR W3,[X0,X1]"},
      {"mov w9, wzr", "MOV W9,WZR"},
      {"mov w8, #-1", "MOV W8,#-1"},
      {"mov w8, #4294967295", "MOV W8,#-1"},
      {"mov x8, #0x10", "MOV X8,#16"},
      {"movk w8, #1, lsl #16", "MOVK W8,#1,LSL #16"},
      {"add x4, x1, w3, sxtw", "ADD X4,X1,W3,SXTW"},
      {"add w4, w1, w3, lsl #2", "ADD W4,W1,W3,LSL #2"},
      {"add w4, w1, #1, lsl #12", "ADD W4,W1,#1,LSL #12"},
      {"add w4, w1, #8192", "ADD W4,W1,#2,LSL #12"},
      {"cset w0, lo", "CSET W0,CC"},
      {"b.hs L", "B.CS L"},
      {"isb sy", "ISB"},
      {"dmb ishld", "DMB ISHLD"},
      {"casal w8, w9, [x0]", "CASAL W8,W9,[X0]"},
      {"staddlb w8, [x0]", "STADDLB W8,[X0]"},
      {"and w0, w0, #0xff", "AND W0,W0,#255"},
      {"tbnz w0, #3, L", "TBNZ W0,#3,L"},
      {"ccmp w0, #5, #4, ne", "CCMP W0,#5,#4,NE"},
      {"mov x1, lr", "MOV X1,X30"},
  };
  for (const auto& [written, meant] : pairs) EXPECT_EQ(reprinted(written), meant);
}

TEST(AArch64Format, WhatIsWrongHasItsPlace) {
  expect_complaint("ldrr w1,[x0]", "expected an instruction, found `ldrr`");
  expect_complaint("ldrr w1,[x0]", "did you mean `ldr`?");
  expect_complaint("mov eax,#1", "expected a register, found `eax`");
  expect_complaint("mov %eax", "");
  expect_complaint("add w1,x2,w3", "expected a register of 32 bits here, found `x2`");
  expect_complaint("ldr w1,[w0]", "expected a register of 64 bits here, as `[x1]`");
  expect_complaint("ldr w1,[xzr]", "expected a register of 64 bits here");
  expect_complaint("ldrb x1,[x0]", "expected a register of 32 bits here, found `x1`");
  expect_complaint("ldar w1,[x0,#4]", "takes no offset");
  expect_complaint("ldr w1,[x0,#257]",
                   "an offset from -256 to 255, or a multiple of 4 up to 16380");
  expect_complaint("ldur w1,[x0,#256]", "an offset from -256 to 255");
  expect_complaint("ldp w1,w2,[x0,#256]", "a multiple of 4 from -256 to 252");
  expect_complaint("ldr w1,[x0,w2]", "`,sxtw` or `,uxtw`");
  expect_complaint("ldr w1,[x0,x2,lsl #3]", "a shift by 0 or 2");
  expect_complaint("ldr w1,[x0", "expected `]`");
  expect_complaint("mov w1,#4294967296", "a number of 32 bits");
  expect_complaint("add w1,w2,#4097", "a number from 0 to 4095");
  expect_complaint("and w1,w2,#5", "a run of ones");
  expect_complaint("lsl w1,w2,#32", "a number from 0 to 31 here, found `#32`");
  expect_complaint("movk w1,#1,lsl #32", "a number from 0 to 16");
  expect_complaint("ubfx w1,w2,#30,#3", "a number from 1 to 2");
  expect_complaint("cbz w1,M", "expected a label of P0, found `M`");
  expect_complaint("b.xx L", "expected an instruction, found `b.xx`");
  expect_complaint("cset w1,zz", "expected a condition, found `zz`");
  expect_complaint("dmb isshld", "expected what the barrier is for");
  expect_complaint("stxr x1,w2,[x0]", "a register of 32 bits");
  expect_complaint("ldar w1", "expected more operands of `ldar`");
  expect_complaint("nop w1", "expected `|` or `;` after an instruction");
}

TEST(AArch64Format, WhatIsNotDoneIsNamed) {
  expect_complaint("ldr w1,[x0],#4", "unsupported: pre- and post-indexed addresses");
  expect_complaint("ldr w1,[x0,#4]!", "unsupported: pre- and post-indexed addresses");
  expect_complaint("caspal w0,w1,w2,w3,[x0]", "unsupported: pairs (casp)");
  expect_complaint("mov x0,sp", "unsupported: the stack pointer");
  expect_complaint("fmov s0,w1", "unsupported: vectors (fmov)");
  expect_complaint("mov w1,v0", "unsupported: vector registers");
  expect_complaint("tlbi vmalle1", "unsupported: address translation (tlbi)");
  expect_complaint("blr x0", "unsupported: calls (blr)");
}

TEST(AArch64Format, ImmediatesOfLogicalInstructions) {
  for (const std::uint64_t good :
       {1ULL, 2ULL, 0xffULL, 0x80000001ULL, 0x55555555ULL, 0xff00ff00ULL})
    EXPECT_TRUE(is_bit_mask(good, Width::l)) << good;
  for (const std::uint64_t bad : {0ULL, 5ULL, 0xffffffffULL, 0x12345ULL})
    EXPECT_FALSE(is_bit_mask(bad, Width::l)) << bad;
  EXPECT_TRUE(is_bit_mask(0xffffffff, Width::q));
  EXPECT_FALSE(is_bit_mask(~std::uint64_t{0}, Width::q));
}

TEST(AArch64Format, RegistersOfQuestionsAreWhole) {
  const auto read = [](const std::string& initial) {
    return parse_aarch64("AArch64 t\n{" + initial + "}\n P0 ;\n ret ;\nexists (true)\n");
  };
  EXPECT_EQ(to_string(read("0:x3=1;").language->registers(read("0:x3=1;")).at(0)), "0:X3");
  EXPECT_THROW(read("0:W3=1;"), InputError);
  EXPECT_THROW(read("0:XZR=1;"), InputError);
  EXPECT_THROW(read("0:X31=1;"), InputError);
}

TEST(AArch64Format, SymbolicRegistersGetHerdsPlaces) {
  const litmus::Test test = parse_aarch64("AArch64 t\n{ 0:X1=3; %p=x; }\n P0 ;\n LDR W%v,[%p] ;\n"
                                          "exists (%v=0)\n");
  EXPECT_EQ(print_instruction(only(test)), "LDR W2,[X0]");
}

TEST(AArch64Format, ReturnEndsTheThread) {
  const litmus::Test test =
      parse_aarch64("AArch64 t\n{}\n P0 ;\n ret ;\n mov w5,#1 ;\nexists (0:X5=0)\n");
  EXPECT_EQ(only(test).target, "END");
  EXPECT_EQ(program_of(test).threads[0].end_labels, std::vector<std::string>{"END"});
}

TEST(AArch64Format, AsJson) {
  const std::string text = to_json(parse_aarch64(code("ldr w1,[x0,w2,sxtw #2]")));
  for (const std::string part :
       {R"j("text":"LDR W1,[X0,W2,SXTW #2]","opcode":"ldr","bytes":4)j",
        R"j({"register":"W1"},{"memory_at":"X0","index":"W2","change":"sxtw","amount":2})j",
        R"j("beyond_herd":null)j"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_NE(to_json(parse_aarch64(code("sdiv w1,w2,w3"))).find(R"j("beyond_herd":"sdiv")j"),
            std::string::npos);
}

TEST(AArch64Format, RandomAndGoldenTestsAreReadAsTheyArePrinted) {
  const auto again = [](const litmus::Test& test) {
    const std::string printed = print(test);
    EXPECT_EQ(parse_aarch64(printed), test) << printed;
    EXPECT_EQ(print(parse_aarch64(printed)), printed);
  };
  for (std::uint64_t seed = 1; seed <= test::draws(300); ++seed)
    again(parse_aarch64(test::aarch64_program(seed)));
  for (const auto& file : golden::files("aarch64/tests")) again(parse_aarch64(golden::read(file)));
}

} // namespace
} // namespace thinair::aarch64
