// RISC-V (RV64) between accesses. Ints are sign-extended to 64 bits, as every instruction for words
// leaves its result.
#include "lower/machine_words.h"
#include "machine/riscv/assembly.h"
#include "machine/riscv/format.h"

#include <array>

namespace thinair::lower {
namespace {

using litmus::Operator;
using riscv::Instruction;
using riscv::Register;

// x10 to x17 are where calls pass pointers; x1 to x4 have uses of their own (RISC-V ELF psABI,
// "Integer Register Convention").
constexpr auto value_order =
    numbered<Register>({5,  6,  7,  28, 29, 30, 31, 18, 19, 20, 21, 22, 23, 24,
                        25, 26, 27, 8,  9,  17, 16, 15, 14, 13, 12, 11, 10});
constexpr auto address_order =
    numbered<Register>({10, 11, 12, 13, 14, 15, 16, 17, 9,  8,  27, 26, 25, 24,
                        23, 22, 21, 20, 19, 18, 31, 30, 29, 28, 7,  6,  5});

constexpr auto operators = std::to_array<OperatorWords>({
    {Operator::add, "addw dst, exp, new", {}},
    {Operator::subtract, "subw dst, exp, new", {}},
    {Operator::multiply, "mulw dst, exp, new", {}},
    {Operator::divide, "divw dst, exp, new", {}},
    {Operator::remainder, "remw dst, exp, new", {}},
    {Operator::bit_and, "and dst, exp, new", {}},
    {Operator::bit_or, "or dst, exp, new", {}},
    {Operator::bit_xor, "xor dst, exp, new", {}},
    {Operator::logical_and, "and dst, exp, new", {}},
    {Operator::logical_or, "or dst, exp, new", {}},
    {Operator::shift_left, "sllw dst, exp, new", {}, "slliw dst, exp, 0"},
    {Operator::shift_right, "sraw dst, exp, new", {}, "sraiw dst, exp, 0"},
    {Operator::shift_right_unsigned, "srlw dst, exp, new", {}, "srliw dst, exp, 0"},
    {Operator::bit_not, "not dst, arg", {}},
    {Operator::negate, "negw dst, arg", {}},
    {Operator::equal, "xor dst, exp, new; seqz dst, dst", "bne exp, new, away"},
    {Operator::not_equal, "xor dst, exp, new; snez dst, dst", "beq exp, new, away"},
    {Operator::less, "slt dst, exp, new", "bge exp, new, away"},
    {Operator::less_equal, "slt dst, new, exp; xori dst, dst, 1", "blt new, exp, away"},
    {Operator::greater, "slt dst, new, exp", "bge new, exp, away"},
    {Operator::greater_equal, "slt dst, exp, new; xori dst, dst, 1", "blt exp, new, away"},
    {Operator::logical_not, "seqz dst, arg", "bnez arg, away"},
});

void rename(Instruction& in, std::span<const Register> by_index) {
  for (Register* reg : {&in.rd, &in.rs1, &in.rs2}) *reg = by_index[index(*reg)];
}

constexpr MachineWords<Instruction> row{
    .machine = "riscv",
    .language = &riscv::language,
    .values = value_order,
    .addresses = address_order,
    .value_name = [](Register reg) { return std::string(name(reg)); },
    .at_address = [](Register reg) { return "(" + std::string(name(reg)) + ")"; },
    .is_zero = riscv::is_zero,
    .observable = riscv::observable,
    .read = riscv::read_instruction,
    .print = riscv::print_instruction,
    .reads = riscv::reads,
    .writes = riscv::writes,
    .rename = rename,
    .set_number = [](Instruction& in, litmus::Value number) { in.immediate = number; },
    .constant = "li dst, 0",
    .numbers_of = [](litmus::Value number) { return std::vector<litmus::Value>{number}; },
    .move = "mv dst, arg",
    .load = "lw dst, [x]",
    .store = "sw arg, [x]",
    .displace = "addi dst, arg, 0",
    .jump = "j away",
    .jump_if_zero = "beqz arg, away",
    .operators = operators,
};

} // namespace

template <>
const MachineWords<Instruction>& words() {
  return row;
}

} // namespace thinair::lower
