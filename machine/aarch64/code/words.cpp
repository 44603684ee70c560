// AArch64 between accesses. Ints are in W registers; writing one clears the upper half.
#include "litmus/text/ascii.h"
#include "lower/machine_words.h"
#include "machine/aarch64/assembly.h"
#include "machine/aarch64/format.h"

#include <algorithm>
#include <array>

namespace thinair::lower {
namespace {

using aarch64::Instruction;
using aarch64::Register;
using litmus::Operator;

// x0 to x7 are where calls pass pointers; x18 is the platform's, x29 and x30 are the frame's
// (AAPCS64, 6.1.1).
constexpr auto value_order =
    numbered<Register>({8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22,
                        23, 24, 25, 26, 27, 28, 7,  6,  5,  4,  3,  2,  1,  0});
constexpr auto address_order =
    numbered<Register>({0,  1,  2,  3,  4,  5,  6,  7,  28, 27, 26, 25, 24, 23,
                        22, 21, 20, 19, 17, 16, 15, 14, 13, 12, 11, 10, 9,  8});

constexpr auto operators = std::to_array<OperatorWords>({
    {Operator::add, "add dst, exp, new", {}},
    {Operator::subtract, "sub dst, exp, new", {}},
    {Operator::multiply, "mul dst, exp, new", {}},
    {Operator::divide, "sdiv dst, exp, new", {}},
    {Operator::remainder, "sdiv tmp, exp, new; msub dst, tmp, new, exp", {}},
    {Operator::bit_and, "and dst, exp, new", {}},
    {Operator::bit_or, "orr dst, exp, new", {}},
    {Operator::bit_xor, "eor dst, exp, new", {}},
    {Operator::logical_and, "and dst, exp, new", {}},
    {Operator::logical_or, "orr dst, exp, new", {}},
    {Operator::shift_left, "lsl dst, exp, new", {}, "lsl dst, exp, 0"},
    {Operator::shift_right, "asr dst, exp, new", {}, "asr dst, exp, 0"},
    {Operator::shift_right_unsigned, "lsr dst, exp, new", {}, "lsr dst, exp, 0"},
    {Operator::bit_not, "mvn dst, arg", {}},
    {Operator::negate, "neg dst, arg", {}},
    {Operator::equal, "cmp exp, new; cset dst, eq", "cmp exp, new; b.ne away"},
    {Operator::not_equal, "cmp exp, new; cset dst, ne", "cmp exp, new; b.eq away"},
    {Operator::less, "cmp exp, new; cset dst, lt", "cmp exp, new; b.ge away"},
    {Operator::less_equal, "cmp exp, new; cset dst, le", "cmp exp, new; b.gt away"},
    {Operator::greater, "cmp exp, new; cset dst, gt", "cmp exp, new; b.le away"},
    {Operator::greater_equal, "cmp exp, new; cset dst, ge", "cmp exp, new; b.lt away"},
    {Operator::logical_not, "cmp arg, 0; cset dst, eq", "cbnz arg, away"},
});

void rename(Instruction& in, std::span<const Register> by_index) {
  for (auto& operand : in.operands) {
    if (auto* reg = std::get_if<aarch64::RegisterOperand>(&operand))
      reg->reg = by_index[index(reg->reg)];
    if (auto* memory = std::get_if<aarch64::Memory>(&operand)) {
      memory->base = by_index[index(memory->base)];
      if (memory->index) memory->index->reg = by_index[index(memory->index->reg)];
    }
  }
}

void set_number(Instruction& in, litmus::Value number) {
  for (auto& operand : in.operands) {
    if (auto* immediate = std::get_if<aarch64::Immediate>(&operand)) immediate->value = number;
    if (auto* memory = std::get_if<aarch64::Memory>(&operand)) memory->displacement = number;
  }
}

/// One `mov` takes sixteen bits anywhere, the complement of such a number, or a run of ones (DDI
/// 0487, C6.2, MOV); others take their halves one after the other.
std::vector<litmus::Value> numbers_of(litmus::Value number) {
  const auto bits = static_cast<std::uint32_t>(number);
  const auto is_wide = [](std::uint32_t n) { return (n & 0xFFFF) == 0 || n <= 0xFFFF; };
  if (is_wide(bits) || is_wide(~bits) || aarch64::is_bit_mask(bits, litmus::Width::l))
    return {number};
  return {bits & 0xFFFF, bits >> 16};
}

/// Registers of an instruction's own width, and those that it needs to be as wide.
bool has_own_width(char letter) {
  return std::string_view("rVHALsp").find(letter) != std::string_view::npos;
}

void to_long(Instruction& in) {
  std::size_t at = 0;
  for (const char letter : in.info->shape) {
    if (letter == '=' || letter == '+') continue;
    if (at == in.operands.size()) break;
    auto* reg = std::get_if<aarch64::RegisterOperand>(&in.operands[at++]);
    if (reg != nullptr && has_own_width(letter)) reg->width = litmus::Width::q;
  }
  in.width = litmus::Width::q;
}

bool accesses_memory(const Instruction& in) {
  return std::ranges::any_of(in.operands, [](const aarch64::Operand& operand) {
    return std::holds_alternative<aarch64::Memory>(operand);
  });
}

bool scale(Instruction& in, litmus::Type type) {
  if (in.info->width) return true;
  if (type.width == litmus::Width::q) to_long(in);
  if (type.width >= litmus::Width::l || !accesses_memory(in)) return true;
  in.info =
      aarch64::instruction_named(in.info->mnemonic + (type.width == litmus::Width::b ? "b" : "h"));
  return in.info != nullptr;
}

std::string_view extension(litmus::Type type) {
  switch (type.width) {
  case litmus::Width::b: return type.is_signed ? "sxtb dst, arg" : "uxtb dst, arg";
  case litmus::Width::w: return type.is_signed ? "sxth dst, arg" : "uxth dst, arg";
  case litmus::Width::l:
  case litmus::Width::q: break;
  }
  return {};
}

/// Loads and updates clear the upper bits, but for loads that extend the sign.
std::string_view of_result(std::span<const Instruction> code, litmus::Type type) {
  const bool is_there = std::ranges::any_of(code, [](const Instruction& in) {
    return in.info->does == aarch64::Does::load && in.info->is_signed;
  });
  return type.is_signed && !is_there ? extension(type) : std::string_view();
}

std::string_view of_expected(litmus::Type type) {
  return type.is_signed ? extension({type.width, false}) : std::string_view();
}

aarch64::RegisterOperand whole(Register reg) { return {reg, litmus::Width::q}; }

Instruction instruction(std::string_view mnemonic, std::vector<aarch64::Operand> operands) {
  Instruction in;
  in.info = aarch64::instruction_named(mnemonic);
  in.width = litmus::Width::q;
  in.operands = std::move(operands);
  return in;
}

Instruction widen(Register to, Register from) {
  return instruction("sxtw", {whole(to), aarch64::RegisterOperand{from}});
}

/// As `numbers_of`, of 64 bits: what `mov` cannot take is put together of its quarters, those of
/// zeros left out.
std::vector<Instruction> long_constant(Register to, litmus::Value number) {
  const auto bits = static_cast<std::uint64_t>(number);
  std::vector<Instruction> out;
  const auto quarter = [&](std::uint8_t shift) {
    return static_cast<litmus::Value>(bits >> shift & 0xFFFF);
  };
  const auto is_wide = [](std::uint64_t n) {
    std::size_t quarters = 0;
    for (unsigned shift = 0; shift < 64; shift += 16) quarters += (n >> shift & 0xFFFF) != 0;
    return quarters <= 1;
  };
  if (is_wide(bits) || is_wide(~bits) || aarch64::is_bit_mask(bits, litmus::Width::q))
    return {instruction("mov", {whole(to), aarch64::Immediate{number}})};
  for (std::uint8_t shift = 0; shift < 64; shift += 16)
    if (quarter(shift) != 0)
      out.push_back(instruction(out.empty() ? "movz" : "movk",
                                {whole(to), aarch64::Immediate{quarter(shift), shift}}));
  return out;
}

constexpr TypeWords<Instruction> types{
    .scale = scale,
    .extension = extension,
    .of_result = of_result,
    .of_expected = of_expected,
    .narrow = {},
    .widen = widen,
    .constant = long_constant,
};

constexpr MachineWords<Instruction> row{
    .machine = "aarch64",
    .language = &aarch64::language,
    .values = value_order,
    .addresses = address_order,
    .value_name = [](Register reg) { return text::lower_case(name(reg, litmus::Width::l)); },
    .at_address =
        [](Register reg) { return "[" + text::lower_case(name(reg, litmus::Width::q)) + "]"; },
    .is_zero = [](Register reg) { return reg == Register::zero; },
    .observable = aarch64::observable,
    .read = aarch64::read_instruction,
    .print = aarch64::print_instruction,
    .reads = aarch64::reads,
    .writes = aarch64::writes,
    .rename = rename,
    .set_number = set_number,
    .constant = "mov dst, 0; movk dst, 0, lsl 16",
    .numbers_of = numbers_of,
    .move = "mov dst, arg",
    .load = "ldr dst, [x]",
    .store = "str arg, [x]",
    .displace = "add dst, arg, 0",
    .jump = "b away",
    .jump_if_zero = "cbz arg, away",
    .operators = operators,
    .types = &types,
};

} // namespace

template <>
const MachineWords<Instruction>& words() {
  return row;
}

} // namespace thinair::lower
