// Reading and printing RISC-V tests: herd7's spelling, LLVM's, and what is wrong with a text.
#include "litmus/json.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "machine/riscv/assembly.h"
#include "machine/riscv/format.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace thinair::riscv {

using namespace litmus;
namespace {

Test parse_riscv(const std::string& text) { return parse({"t.litmus", text}); }

std::string code(const std::string& instruction) {
  return "RISCV t\n{0:x10=x;}\n P0 ;\n L: ;\n " + instruction + " ;\nexists (x=0)\n";
}

const Instruction& only(const Test& test) { return program_of(test).threads.at(0).code.at(0); }

/// How the only instruction of a text is printed; it reads as the same then.
std::string reprinted(const std::string& instruction) {
  const litmus::Test test = parse_riscv(code(instruction));
  const std::string printed = print(test);
  EXPECT_EQ(parse_riscv(printed), test) << printed;
  return print_instruction(only(test));
}

/// The message of what is wrong, with its place, and the hint.
std::string complaint(const std::string& text) {
  try {
    parse_riscv(text);
  } catch (const InputError& error) {
    return std::string(error.what());
  } catch (const Unsupported& error) {
    return error.what();
  }
  return "read";
}

TEST(RiscvFormat, EveryInstructionIsPrintedAsItIsRead) {
  for (const InstructionInfo& row : instructions()) {
    const std::string word(row.mnemonic);
    std::string text = word;
    switch (row.shape) {
    case Shape::registers: text += " x5,x6,x7"; break;
    case Shape::immediate: text += " x5,x6,-3"; break;
    case Shape::shift: text += " x5,x6,3"; break;
    case Shape::unary: text += " x5,x6"; break;
    case Shape::upper:
    case Shape::constant: text += " x5,3"; break;
    case Shape::load:
    case Shape::store: text += " x5,4(x10)"; break;
    case Shape::reserve: text += " x5,(x10)"; break;
    case Shape::condition:
    case Shape::update: text += " x5,x6,(x10)"; break;
    case Shape::branch: text += " x5,x6,L"; break;
    case Shape::jump: text += " L"; break;
    case Shape::fence: text += " rw,w"; break;
    case Shape::plain: break;
    }
    EXPECT_EQ(reprinted(text), text);
  }
}

TEST(RiscvFormat, RegistersHaveTwoNames) {
  EXPECT_EQ(reprinted("add t0,s11,a7"), "add x5,x27,x17");
  EXPECT_EQ(reprinted("add zero, ra, fp"), "add x0,x1,x8");
  EXPECT_EQ(reprinted("ADD X31,T6,s0"), "add x31,x31,x8");
  for (std::size_t i = 0; i < register_count; ++i)
    EXPECT_EQ(register_named(name(static_cast<Register>(i))), static_cast<Register>(i));
}

TEST(RiscvFormat, Annotations) {
  EXPECT_EQ(reprinted("amoadd.w.aq.rl x5,x6,(x10)"), "amoadd.w.aqrl x5,x6,(x10)");
  EXPECT_EQ(reprinted("amoadd.w.aqrl a0, a1, (a2)"), "amoadd.w.aqrl x10,x11,(x12)");
  EXPECT_EQ(reprinted("lr.w.aq x5,0(x10)"), "lr.w.aq x5,(x10)");
  EXPECT_EQ(reprinted("sc.d.rl x5,x6,(x10)"), "sc.d.rl x5,x6,(x10)");
  EXPECT_EQ(reprinted("lw.aq x5,(x10)"), "lw.aq x5,0(x10)");
  EXPECT_EQ(reprinted("sw.rl x5,4(x10)"), "sw.rl x5,4(x10)");
  EXPECT_EQ(reprinted("ld.aqrl x5,(x10)"), "ld.aqrl x5,0(x10)");
  const Instruction& acquire = only(parse_riscv(code("lr.w.aq x5,(x10)")));
  EXPECT_TRUE(acquire.acquire && !acquire.release);
}

TEST(RiscvFormat, Fences) {
  EXPECT_EQ(reprinted("fence"), "fence iorw,iorw");
  EXPECT_EQ(reprinted("fence rw, rw"), "fence rw,rw");
  EXPECT_EQ(reprinted("fence r,rw"), "fence r,rw");
  EXPECT_EQ(reprinted("fence iorw,0"), "fence iorw,0");
  EXPECT_EQ(reprinted("fence.tso"), "fence.tso");
}

TEST(RiscvFormat, WhatDisassemblersPrintIsReadAsTheInstruction) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"mv a0, a1", "addi x10,x11,0"},
      {"sext.w a0, a1", "addiw x10,x11,0"},
      {"not a0, a1", "xori x10,x11,-1"},
      {"zext.b a0, a1", "andi x10,x11,255"},
      {"seqz a0, a1", "sltiu x10,x11,1"},
      {"snez a0, a1", "sltu x10,x0,x11"},
      {"sltz a0, a1", "slt x10,x11,x0"},
      {"sgtz a0, a1", "slt x10,x0,x11"},
      {"neg a0, a1", "sub x10,x0,x11"},
      {"negw a0, a1", "subw x10,x0,x11"},
      {"beqz a0, L", "beq x10,x0,L"},
      {"bnez a0, L", "bne x10,x0,L"},
      {"bltz a0, L", "blt x10,x0,L"},
      {"bgez a0, L", "bge x10,x0,L"},
      {"bgtz a0, L", "blt x0,x10,L"},
      {"blez a0, L", "bge x0,x10,L"},
      {"bgt a0, a1, L", "blt x11,x10,L"},
      {"ble a0, a1, L", "bge x11,x10,L"},
      {"bgtu a0, a1, L", "bltu x11,x10,L"},
      {"bleu a0, a1, L", "bgeu x11,x10,L"},
      {"li a0, -5", "li x10,-5"},
      {"pause", "nop"},
      {"lui a0, 1048575", "lui x10,1048575"}};
  for (const auto& [written, meant] : pairs) EXPECT_EQ(reprinted(written), meant);
}

TEST(RiscvFormat, ReturnEndsTheThread) {
  const litmus::Test test =
      parse_riscv("RISCV t\n{}\n P0 ;\n ret ;\n li x5,1 ;\nexists (0:x5=0)\n");
  EXPECT_EQ(only(test).target, "END");
  EXPECT_EQ(program_of(test).threads[0].end_labels, std::vector<std::string>{"END"});
}

TEST(RiscvFormat, SymbolicRegistersGetHerdsPlaces) {
  const litmus::Test test = parse_riscv("RISCV t\n{ 0:x5=3; %p=x; }\n P0 ;\n lw %v,0(%p) ;\n"
                                        "exists (%v=0)\n");
  EXPECT_EQ(print_instruction(only(test)), "lw x7,0(x6)");
}

TEST(RiscvFormat, QuestionsNameRegistersAsHerdDoes) {
  const litmus::Test test =
      parse_riscv("RISCV t\n{ 0:a0=x; }\n P0 ;\n lw a1,0(a0) ;\nexists (0:a1=0)\n");
  EXPECT_NE(print(test).find("0:x10=x;"), std::string::npos) << print(test);
  EXPECT_EQ(to_string(observables(test).at(0)), "0:x11");
}

TEST(RiscvFormat, Json) {
  const litmus::Test test = parse_riscv(code("amoadd.w.aq x5,x6,(x10)"));
  const auto json = golden::parse_json(to_json(test));
  const auto& in = json["program"]["threads"].array.at(0)["code"].array.at(0);
  EXPECT_EQ(in["opcode"].string, "amoadd.w");
  EXPECT_EQ(in["text"].string, "amoadd.w.aq x5,x6,(x10)");
  EXPECT_TRUE(in["acquire"].boolean);
  EXPECT_FALSE(in["release"].boolean);
  EXPECT_EQ(in["bytes"].number, 4);
  EXPECT_EQ(in["rd"].string, "x5");
  EXPECT_EQ(in["rs1"].string, "x10");
  EXPECT_EQ(in["rs2"].string, "x6");
}

struct Wrong {
  std::string instruction, message, hint;
};

TEST(RiscvFormat, WhatIsWrongIsSaidWhereItIs) {
  const std::vector<Wrong> all{
      {"addii x5,x6,1", "expected an instruction, found `addii`", "did you mean `addi`?"},
      {"amoad.w.aq x5,x6,(x10)", "expected an instruction, found `amoad.w.aq`",
       "did you mean `amoadd.w.aq`?"},
      {"lw.rl x5,(x10)", "expected an instruction, found `lw.rl`", "did you mean"},
      {"sw.aq x5,(x10)", "expected an instruction, found `sw.aq`", "did you mean"},
      {"add.aq x5,x6,x7", "expected an instruction, found `add.aq`", ""},
      {"add x5,x6,x32", "expected a register, found `x32`", "did you mean `x"},
      {"mov eax,1", "expected an instruction, found `mov`", ""},
      {"add x5,x6,eax", "expected a register, found `eax`", ""},
      {"add x5,x6", "expected `,` and a further operand, found `;`", ""},
      {"add x5,x6,x7,x8", "expected `|` or `;` after an instruction, found `,`", ""},
      {"addi x5,x6,2048", "expected a number of 12 bits, -2048 to 2047, found `2048`", ""},
      {"addi x5,x6,-2049", "expected a number of 12 bits, -2048 to 2047, found `-2049`", ""},
      {"lw x5,4096(x10)", "expected a number of 12 bits, -2048 to 2047, found `4096`", ""},
      {"slli x5,x6,64", "expected a number from 0 to 63, found `64`", ""},
      {"slliw x5,x6,32", "expected a number from 0 to 31, found `32`", ""},
      {"lui x5,-1", "expected a number of 20 bits, 0 to 1048575, found `-1`", ""},
      {"lr.w x5,4(x10)", "expected no number but 0 here, found `4`", ""},
      {"lw x5,x", "expected a number of 12 bits, -2048 to 2047, found `x`", ""},
      {"fence wr,rw", "expected a set of accesses", ""},
      {"beq x5,x6,M", "expected a label of P0, found `M`", ""},
      {"jal x1,L", "unsupported: jal: calls", ""},
      {"auipc x5,1", "unsupported: auipc: addresses relative to the program counter", ""},
      {"amocas.q.aq x6,x8,(x10)", "unsupported: amocas.q: accesses of 16 bytes", ""},
      {"lui x5,%hi(x)", "unsupported: addresses that a linker knows", ""},
      {"csrr x5,cycle", "unsupported: csrr: control and status registers", ""}};
  for (const auto& [instruction, message, hint] : all) {
    const std::string said = complaint(code(instruction));
    EXPECT_NE(said.find(message), std::string::npos) << instruction << "\n" << said;
    EXPECT_NE(said.find(hint), std::string::npos) << instruction << "\n" << said;
    if (!said.starts_with("unsupported")) {
      EXPECT_NE(said.find("t.litmus:5:"), std::string::npos) << said;
    }
  }
}

TEST(RiscvFormat, QuestionsAboutNoRegister) {
  const std::string text = "RISCV t\n{}\n P0 ;\n nop ;\nexists (0:rax=0)\n";
  EXPECT_NE(complaint(text).find("expected a register, found `rax`"), std::string::npos);
}

TEST(RiscvFormat, WhatHerdLacksIsSaid) {
  const auto beyond = [](const std::string& instruction) {
    return beyond_herd(program_of(parse_riscv(code(instruction)))).value_or("");
  };
  EXPECT_EQ(beyond("add x5,x6,x7"), "");
  EXPECT_EQ(beyond("mul x5,x6,x7"), "mul");
  EXPECT_EQ(beyond("amocas.w.aq x5,x6,(x10)"), "amocas.w");
}

} // namespace
} // namespace thinair::riscv
