// The x86 tables: every name leads back to what it names; declared types; what herd7 reads.
#include "machine/x86/program.h"

#include <gtest/gtest.h>

namespace thinair::x86 {

using namespace litmus;
namespace {

TEST(X86Tables, RegisterNamesLeadBack) {
  for (std::size_t i = 0; i < register_count; ++i) {
    for (const Width width : {Width::b, Width::w, Width::l, Width::q}) {
      const auto reg = static_cast<Register>(i);
      const auto found = register_named(name(reg, width));
      ASSERT_TRUE(found) << name(reg, width);
      EXPECT_EQ(*found, (RegisterOperand{reg, width}));
    }
  }
  EXPECT_FALSE(register_named("r16"));
  EXPECT_FALSE(register_named("EAX"));
}

TEST(X86Tables, ConditionNamesLeadBackAndNegateInPairs) {
  for (std::size_t i = 0; i < 16; ++i) {
    const auto condition = static_cast<ConditionCode>(i);
    EXPECT_EQ(condition_named(name(condition)), condition);
    EXPECT_NE(negation(condition), condition);
    EXPECT_EQ(negation(negation(condition)), condition);
  }
  EXPECT_EQ(negation(ConditionCode::l), ConditionCode::ge);
  EXPECT_EQ(condition_named("nb"), ConditionCode::ae);
  EXPECT_EQ(condition_named("gt"), ConditionCode::g);
  EXPECT_FALSE(condition_named(""));
}

TEST(X86Types, ValuesAreCutAndExtendedAsDeclared) {
  EXPECT_EQ(as_declared(-1, {Width::l, false}), 0xFFFFFFFF);
  EXPECT_EQ(as_declared(0xFFFFFFFF, {Width::l, true}), -1);
  EXPECT_EQ(as_declared(0x1FF, {Width::b, true}), -1);
  EXPECT_EQ(shown(-1, {Width::q, false}), "18446744073709551615");
  EXPECT_EQ(shown(-1, {Width::q, true}), "-1");
  EXPECT_EQ(name(Type{Width::q, false}), "uint64_t");
  EXPECT_EQ(name(Type{}), "int");
}

TEST(X86Types, ARegisterHasTheTypeOfItsDeclaration) {
  Program program;
  program.locations.push_back({"x", {Width::q, false}, 0});
  program.threads.push_back({"P0", {{Register::rbx, 0, {Width::w, false}}}, {}, {}});
  EXPECT_EQ(Code(program).type_of({ThreadId(0), "rbx"}), (Type{Width::w, false}));
  EXPECT_EQ(Code(program).type_of({ThreadId(0), "rax"}), Type{});
  EXPECT_EQ(Code(program).type_of({std::nullopt, "x"}), (Type{Width::q, false}));
  EXPECT_EQ(Code(program).type_of({ThreadId(7), "rax"}), Type{});
}

Program with(Instruction instruction) {
  Program program;
  program.locations.push_back({"x", {}, 0});
  program.threads.push_back({"P0", {}, {std::move(instruction)}, {}});
  return program;
}

Instruction make(Opcode opcode, bool lock = false, ConditionCode condition = ConditionCode::e) {
  Instruction in;
  in.opcode = opcode;
  in.lock = lock;
  in.condition = condition;
  return in;
}

TEST(BeyondHerd, NamesWhatHerdDoesNotRead) {
  const auto why = [](const Instruction& in, Syntax syntax) {
    return beyond_herd(with(in), syntax).value_or("read");
  };
  EXPECT_EQ(why(make(Opcode::mov), Syntax::att), "read");
  EXPECT_EQ(why(make(Opcode::xadd, true), Syntax::att), "lock xadd");
  EXPECT_EQ(why(make(Opcode::or_, true), Syntax::att), "lock or");
  EXPECT_EQ(why(make(Opcode::or_), Syntax::att), "read");
  EXPECT_EQ(why(make(Opcode::cmpxchg, true), Syntax::att), "read");
  EXPECT_EQ(why(make(Opcode::cmpxchg, true), Syntax::intel), "lock cmpxchg");
  EXPECT_EQ(why(make(Opcode::nop), Syntax::intel), "nop");
  EXPECT_EQ(why(make(Opcode::jcc, false, ConditionCode::g), Syntax::att), "read");
  EXPECT_EQ(why(make(Opcode::jcc, false, ConditionCode::l), Syntax::att), "jl");
  EXPECT_EQ(why(make(Opcode::jcc, false, ConditionCode::le), Syntax::intel), "jle");
  EXPECT_EQ(why(make(Opcode::setcc, false, ConditionCode::ae), Syntax::att), "setae");
}

TEST(BeyondHerd, NamesOfLocations) {
  const auto why = [](std::string name) {
    Program program;
    program.locations.push_back({std::move(name), {}, 0});
    return beyond_herd(program, Syntax::att).value_or("read");
  };
  EXPECT_EQ(why("x"), "read");
  EXPECT_EQ(why("si"), "a location named si");
  EXPECT_EQ(why("addl"), "a location named addl");
  EXPECT_EQ(why("orx"), "read");
  EXPECT_EQ(why("je"), "a location named je");
  EXPECT_EQ(why("_x"), "a location named _x");
}

} // namespace
} // namespace thinair::x86
