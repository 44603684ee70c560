// One x86 instruction at a time: widths, flags, and what reaches memory.
#include "litmus/text/error.h"
#include "machine/x86/program.h"
#include "machine/x86/step.h"

#include <gtest/gtest.h>

#include <map>

namespace thinair::x86 {

using namespace litmus;
namespace {

class Cells : public MemoryPort {
 public:
  std::uint64_t load(LocationId location, Width width) override {
    ++loads;
    return truncated(cells[location.value], width);
  }
  void store(LocationId location, Width width, std::uint64_t value) override {
    ++stores;
    cells[location.value] = truncated(value, width);
  }
  std::map<std::uint32_t, std::uint64_t> cells;
  int loads = 0, stores = 0;
};

RegisterOperand reg(Register r, Width width = Width::l) { return {r, width}; }
Memory cell(std::uint32_t id) { return {LocationId(id)}; }

Instruction make(Opcode opcode, std::vector<Operand> operands, Width width = Width::l) {
  Instruction in;
  in.opcode = opcode;
  in.width = width;
  in.operands = std::move(operands);
  return in;
}

std::uint64_t& value(State& state, Register r) {
  return state.registers[static_cast<std::size_t>(r)];
}

TEST(X86Step, LongWritesClearTheUpperHalfAndShorterOnesKeepIt) {
  State state;
  Cells memory;
  value(state, Register::rax) = 0x1122334455667788;
  step(make(Opcode::mov, {reg(Register::rax, Width::b), Immediate{-1}}, Width::b), state, memory);
  EXPECT_EQ(value(state, Register::rax), 0x11223344556677FFu);
  step(make(Opcode::mov, {reg(Register::rax), Immediate{-1}}), state, memory);
  EXPECT_EQ(value(state, Register::rax), 0xFFFFFFFFu);
}

TEST(X86Step, AdditionWrapsAndSetsCarryAndOverflow) {
  State state;
  Cells memory;
  value(state, Register::rbx) = 0x7FFFFFFF;
  step(make(Opcode::add, {reg(Register::rbx), Immediate{1}}), state, memory);
  EXPECT_EQ(value(state, Register::rbx), 0x80000000u);
  EXPECT_TRUE(state.flags.overflow && state.flags.sign && !state.flags.carry);
  EXPECT_TRUE(holds(ConditionCode::ge, state.flags)); // SF == OF
  step(make(Opcode::add, {reg(Register::rbx), reg(Register::rbx)}), state, memory);
  EXPECT_TRUE(state.flags.carry && state.flags.zero);
}

TEST(X86Step, CompareExchangeWritesOnlyOnSuccess) {
  State state;
  Cells memory;
  memory.cells[0] = 5;
  value(state, Register::rcx) = 9;
  const auto cas = make(Opcode::cmpxchg, {cell(0), reg(Register::rcx)});
  step(cas, state, memory);
  EXPECT_FALSE(state.flags.zero);
  EXPECT_EQ(value(state, Register::rax), 5u);
  EXPECT_EQ(memory.stores, 0);
  step(cas, state, memory);
  EXPECT_TRUE(state.flags.zero);
  EXPECT_EQ(memory.cells[0], 9u);
}

TEST(X86Step, ExchangeAddReturnsTheOldValue) {
  State state;
  Cells memory;
  memory.cells[3] = 40;
  value(state, Register::rdi) = 2;
  step(make(Opcode::xadd, {cell(3), reg(Register::rdi)}), state, memory);
  EXPECT_EQ(memory.cells[3], 42u);
  EXPECT_EQ(value(state, Register::rdi), 40u);
}

TEST(X86Step, AddressesAreFoundThroughRegistersBeforeTheyChange) {
  State state;
  Cells memory;
  memory.cells[2] = 7;
  value(state, Register::rdi) = address_of(LocationId(2));
  step(make(Opcode::mov, {reg(Register::rdi), Memory{Register::rdi}}), state, memory);
  EXPECT_EQ(value(state, Register::rdi), 7u);
  EXPECT_THROW(step(make(Opcode::mov, {Memory{Register::rdi}, Immediate{1}}), state, memory),
               Unsupported);
}

TEST(X86Step, AMemoryOperandIsReadAndWrittenAtMostOnce) {
  State state;
  Cells memory;
  for (const Opcode opcode : {Opcode::inc, Opcode::dec, Opcode::neg, Opcode::not_}) {
    memory.loads = memory.stores = 0;
    step(make(opcode, {cell(0)}), state, memory);
    EXPECT_EQ(memory.loads, 1);
    EXPECT_EQ(memory.stores, 1);
  }
}

TEST(X86Step, AShiftByZeroKeepsTheFlags) {
  State state;
  Cells memory;
  state.flags = {.carry = true, .parity = true, .zero = true, .sign = true, .overflow = true};
  const Flags before = state.flags;
  step(make(Opcode::shl, {reg(Register::rax), Immediate{32}}), state, memory);
  EXPECT_EQ(state.flags, before);
}

} // namespace
} // namespace thinair::x86
