// RISC-V (RV64) between accesses. Ints are sign-extended to 64 bits, as every instruction for words
// leaves its result.
#include "lower/machine_words.h"
#include "machine/riscv/assembly.h"
#include "machine/riscv/format.h"

#include <algorithm>
#include <array>
#include <string>

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

/// The row whose mnemonic has another end.
bool exchange_end(Instruction& in, std::string_view end, std::string_view instead) {
  const std::string_view mnemonic = info(in.opcode).mnemonic;
  if (!mnemonic.ends_with(end)) return false;
  const auto other = riscv::opcode_named(
      std::string(mnemonic.substr(0, mnemonic.size() - end.size())).append(instead));
  if (other) in.opcode = *other;
  return other.has_value();
}

/// Bytes and halfwords have loads and stores in every RISC-V processor, and updates in those with
/// Zabha alone: a scheme for them says so in rules for these types.
bool scale_access(Instruction& in, litmus::Type type) {
  using riscv::Shape;
  const Shape shape = info(in.opcode).shape;
  const bool simple = shape == Shape::load || shape == Shape::store;
  switch (type.width) {
  case litmus::Width::b:
    return simple && exchange_end(in, "w", shape == Shape::load && !type.is_signed ? "bu" : "b");
  case litmus::Width::w:
    return simple && exchange_end(in, "w", shape == Shape::load && !type.is_signed ? "hu" : "h");
  case litmus::Width::l: return true;
  case litmus::Width::q: return exchange_end(in, "w", "d");
  }
  return true;
}

bool scale(Instruction& in, litmus::Type type) {
  const auto& row = info(in.opcode);
  if (row.width != litmus::Width::l) return true;
  if (riscv::accesses_memory(row.shape)) return scale_access(in, type);
  if (type.width == litmus::Width::q && riscv::has_result(row.shape) && row.mnemonic.ends_with("w"))
    return exchange_end(in, "w", "");
  return true;
}

/// By shifts, which processors without Zbb have, too.
std::string_view extension(litmus::Type type) {
  switch (type.width) {
  case litmus::Width::b:
    return type.is_signed ? "slliw dst, arg, 24; sraiw dst, dst, 24" : "andi dst, arg, 255";
  case litmus::Width::w:
    return type.is_signed ? "slliw dst, arg, 16; sraiw dst, dst, 16"
                          : "slliw dst, arg, 16; srliw dst, dst, 16";
  case litmus::Width::l:
  case litmus::Width::q: break;
  }
  return {};
}

/// Updates extend the sign. (A boolean has none.)
std::string_view of_result(std::span<const Instruction> code, litmus::Type type) {
  const bool updates = std::ranges::any_of(code, [](const Instruction& in) {
    const auto& row = info(in.opcode);
    return riscv::reads_memory(row.shape) && !row.zero_extends;
  });
  return updates && !type.is_signed && type.width == litmus::Width::w ? extension(type)
                                                                      : std::string_view();
}

std::string_view of_expected(litmus::Type type) {
  return type.is_signed || type.width != litmus::Width::w ? std::string_view()
                                                          : extension({type.width, true});
}

std::vector<Instruction> long_constant(Register to, litmus::Value number) {
  Instruction in;
  in.opcode = riscv::opcode_named("li").value();
  in.rd = to;
  in.immediate = number;
  return {in};
}

constexpr TypeWords<Instruction> types{
    .scale = scale,
    .extension = extension,
    .of_result = of_result,
    .of_expected = of_expected,
    .narrow = "addiw dst, arg, 0",
    .widen = nullptr,
    .constant = long_constant,
};

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
    .types = &types,
};

} // namespace

template <>
const MachineWords<Instruction>& words() {
  return row;
}

} // namespace thinair::lower
