// The tables: instructions, other ways to write them, and what is left out.
#include "machine/riscv/instructions.h"

#include <algorithm>
#include <array>
#include <utility>

namespace thinair::riscv {
namespace {

using O = Operation;
using S = Shape;
using W = Width;

constexpr bool ours = false; // herd7 lacks it, or says that it is not implemented

// clang-format off
constexpr auto table = std::to_array<InstructionInfo>({
    {"add",    S::registers, O::add},
    {"sub",    S::registers, O::subtract},
    {"and",    S::registers, O::bit_and},
    {"or",     S::registers, O::bit_or},
    {"xor",    S::registers, O::bit_xor},
    {"sll",    S::registers, O::shift_left},
    {"srl",    S::registers, O::shift_right, W::q, false, ours},
    {"sra",    S::registers, O::shift_right_signed, W::q, false, ours},
    {"slt",    S::registers, O::less},
    {"sltu",   S::registers, O::below, W::q, false, ours},
    {"addw",   S::registers, O::add, W::l},
    {"subw",   S::registers, O::subtract, W::l},
    {"sllw",   S::registers, O::shift_left, W::l},
    {"srlw",   S::registers, O::shift_right, W::l, false, ours},
    {"sraw",   S::registers, O::shift_right_signed, W::l, false, ours},
    {"mul",    S::registers, O::multiply, W::q, false, ours},
    {"mulh",   S::registers, O::multiply_high, W::q, false, ours},
    {"mulhu",  S::registers, O::multiply_high_unsigned, W::q, false, ours},
    {"mulhsu", S::registers, O::multiply_high_mixed, W::q, false, ours},
    {"div",    S::registers, O::divide, W::q, false, ours},
    {"divu",   S::registers, O::divide_unsigned, W::q, false, ours},
    {"rem",    S::registers, O::remainder, W::q, false, ours},
    {"remu",   S::registers, O::remainder_unsigned, W::q, false, ours},
    {"mulw",   S::registers, O::multiply, W::l, false, ours},
    {"divw",   S::registers, O::divide, W::l, false, ours},
    {"divuw",  S::registers, O::divide_unsigned, W::l, false, ours},
    {"remw",   S::registers, O::remainder, W::l, false, ours},
    {"remuw",  S::registers, O::remainder_unsigned, W::l, false, ours},
    {"min",    S::registers, O::minimum, W::q, false, ours},
    {"max",    S::registers, O::maximum, W::q, false, ours},
    {"minu",   S::registers, O::minimum_unsigned, W::q, false, ours},
    {"maxu",   S::registers, O::maximum_unsigned, W::q, false, ours},

    {"addi",   S::immediate, O::add},
    {"slti",   S::immediate, O::less},
    {"sltiu",  S::immediate, O::below, W::q, false, ours},
    {"andi",   S::immediate, O::bit_and},
    {"ori",    S::immediate, O::bit_or},
    {"xori",   S::immediate, O::bit_xor},
    {"addiw",  S::immediate, O::add, W::l},
    {"slli",   S::shift, O::shift_left},
    {"srli",   S::shift, O::shift_right},
    {"srai",   S::shift, O::shift_right_signed, W::q, false, ours},
    {"slliw",  S::shift, O::shift_left, W::l},
    {"srliw",  S::shift, O::shift_right, W::l, false, ours},
    {"sraiw",  S::shift, O::shift_right_signed, W::l, false, ours},
    {"sext.b", S::unary, O::sign_extend, W::b, false, ours},
    {"sext.h", S::unary, O::sign_extend, W::w, false, ours},
    {"zext.h", S::unary, O::zero_extend, W::w, false, ours},
    {"zext.w", S::unary, O::zero_extend, W::l, false, ours},
    {"lui",    S::upper, O::second},
    {"li",     S::constant, O::second},

    {"lb",  S::load, O::none, W::b},
    {"lh",  S::load, O::none, W::w},
    {"lw",  S::load, O::none, W::l},
    {"ld",  S::load, O::none, W::q},
    {"lbu", S::load, O::none, W::b, true},
    {"lhu", S::load, O::none, W::w, true},
    {"lwu", S::load, O::none, W::l, true},
    {"sb",  S::store, O::none, W::b},
    {"sh",  S::store, O::none, W::w},
    {"sw",  S::store, O::none, W::l},
    {"sd",  S::store, O::none, W::q},

    {"lr.w", S::reserve, O::none, W::l},
    {"lr.d", S::reserve, O::none, W::q},
    {"sc.w", S::condition, O::none, W::l},
    {"sc.d", S::condition, O::none, W::q},

    {"amoswap.w", S::update, O::second, W::l},
    {"amoadd.w",  S::update, O::add, W::l},
    {"amoxor.w",  S::update, O::bit_xor, W::l},
    {"amoand.w",  S::update, O::bit_and, W::l},
    {"amoor.w",   S::update, O::bit_or, W::l},
    {"amomin.w",  S::update, O::minimum, W::l},
    {"amomax.w",  S::update, O::maximum, W::l},
    {"amominu.w", S::update, O::minimum_unsigned, W::l, false, ours},
    {"amomaxu.w", S::update, O::maximum_unsigned, W::l, false, ours},
    {"amocas.w",  S::update, O::compare_and_swap, W::l, false, ours},
    {"amoswap.d", S::update, O::second},
    {"amoadd.d",  S::update, O::add},
    {"amoxor.d",  S::update, O::bit_xor},
    {"amoand.d",  S::update, O::bit_and},
    {"amoor.d",   S::update, O::bit_or},
    {"amomin.d",  S::update, O::minimum},
    {"amomax.d",  S::update, O::maximum},
    {"amominu.d", S::update, O::minimum_unsigned, W::q, false, ours},
    {"amomaxu.d", S::update, O::maximum_unsigned, W::q, false, ours},
    {"amocas.d",  S::update, O::compare_and_swap, W::q, false, ours},
    {"amoswap.b", S::update, O::second, W::b, false, ours},
    {"amoadd.b",  S::update, O::add, W::b, false, ours},
    {"amoxor.b",  S::update, O::bit_xor, W::b, false, ours},
    {"amoand.b",  S::update, O::bit_and, W::b, false, ours},
    {"amoor.b",   S::update, O::bit_or, W::b, false, ours},
    {"amomin.b",  S::update, O::minimum, W::b, false, ours},
    {"amomax.b",  S::update, O::maximum, W::b, false, ours},
    {"amominu.b", S::update, O::minimum_unsigned, W::b, false, ours},
    {"amomaxu.b", S::update, O::maximum_unsigned, W::b, false, ours},
    {"amocas.b",  S::update, O::compare_and_swap, W::b, false, ours},
    {"amoswap.h", S::update, O::second, W::w, false, ours},
    {"amoadd.h",  S::update, O::add, W::w, false, ours},
    {"amoxor.h",  S::update, O::bit_xor, W::w, false, ours},
    {"amoand.h",  S::update, O::bit_and, W::w, false, ours},
    {"amoor.h",   S::update, O::bit_or, W::w, false, ours},
    {"amomin.h",  S::update, O::minimum, W::w, false, ours},
    {"amomax.h",  S::update, O::maximum, W::w, false, ours},
    {"amominu.h", S::update, O::minimum_unsigned, W::w, false, ours},
    {"amomaxu.h", S::update, O::maximum_unsigned, W::w, false, ours},
    {"amocas.h",  S::update, O::compare_and_swap, W::w, false, ours},

    {"beq",  S::branch, O::equal},
    {"bne",  S::branch, O::not_equal},
    {"blt",  S::branch, O::less},
    {"bge",  S::branch, O::greater_equal},
    {"bltu", S::branch, O::below, W::q, false, ours},
    {"bgeu", S::branch, O::above_equal, W::q, false, ours},
    {"j",    S::jump},

    {"fence",     S::fence},
    {"fence.tso", S::plain, O::fence_tso},
    {"fence.i",   S::plain, O::fence_instructions},
    {"nop",       S::plain},
});

using A = Alias::Shape;
constexpr auto alias_table = std::to_array<Alias>({
    {"mv",     A::from_first, "addi"},
    {"sext.w", A::from_first, "addiw"},
    {"not",    A::from_first, "xori", -1},
    {"zext.b", A::from_first, "andi", 255},
    {"seqz",   A::from_first, "sltiu", 1},
    {"neg",    A::from_second, "sub"},
    {"negw",   A::from_second, "subw"},
    {"snez",   A::from_second, "sltu"},
    {"sgtz",   A::from_second, "slt"},
    {"sltz",   A::to_zero, "slt"},
    {"beqz",   A::branch_first, "beq"},
    {"bnez",   A::branch_first, "bne"},
    {"bltz",   A::branch_first, "blt"},
    {"bgez",   A::branch_first, "bge"},
    {"bgtz",   A::branch_second, "blt"},
    {"blez",   A::branch_second, "bge"},
    {"bgt",    A::swapped, "blt"},
    {"ble",    A::swapped, "bge"},
    {"bgtu",   A::swapped, "bltu"},
    {"bleu",   A::swapped, "bgeu"},
    {"pause",  A::nothing, "nop"},
});

constexpr auto left_out = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"auipc", "addresses relative to the program counter"},
    {"la",    "addresses relative to the program counter"},
    {"lla",   "addresses relative to the program counter"},
    {"jal",   "calls"},
    {"jalr",  "calls"},
    {"call",  "calls"},
    {"tail",  "calls"},
    {"jr",    "jumps to an address in a register"},
    {"ecall",  "calls of the system"},
    {"ebreak", "breakpoints"},
    {"unimp",  "traps"},
    {"mret",   "privileged instructions"},
    {"sret",   "privileged instructions"},
    {"wfi",    "privileged instructions"},
    {"wrs.nto", "waiting for a reservation"},
    {"wrs.sto", "waiting for a reservation"},
    {"amocas.q", "accesses of 16 bytes"},
    {"sfence.vma", "virtual memory"},
    {"cbo.zero",  "cache blocks"},
    {"cbo.clean", "cache blocks"},
    {"cbo.flush", "cache blocks"},
    {"cbo.inval", "cache blocks"},
    {"flw", "floating point"}, {"fsw", "floating point"}, {"fld", "floating point"}, {"fsd", "floating point"},
    {"czero.eqz", "conditional moves"},
    {"czero.nez", "conditional moves"},
    {"sh1add", "address arithmetic of Zba"},
    {"sh2add", "address arithmetic of Zba"},
    {"sh3add", "address arithmetic of Zba"},
    {"add.uw", "address arithmetic of Zba"},
    {"slli.uw", "address arithmetic of Zba"},
    {"andn", "bit manipulation"}, {"orn", "bit manipulation"}, {"xnor", "bit manipulation"},
    {"rol",  "bit manipulation"}, {"ror", "bit manipulation"}, {"rori", "bit manipulation"},
    {"rev8", "bit manipulation"}, {"clz", "bit manipulation"}, {"ctz", "bit manipulation"},
    {"cpop", "bit manipulation"},
});
// clang-format on

} // namespace

std::span<const InstructionInfo> instructions() { return table; }

std::optional<Opcode> opcode_named(std::string_view mnemonic) {
  const auto row = std::ranges::find(table, mnemonic, &InstructionInfo::mnemonic);
  if (row == table.end()) return std::nullopt;
  return static_cast<Opcode>(row - table.begin());
}

std::span<const Alias> aliases() { return alias_table; }

std::optional<std::string_view> not_done(std::string_view mnemonic) {
  if (mnemonic.starts_with("csr")) return "control and status registers";
  const auto row = std::ranges::find(left_out, mnemonic, &decltype(left_out)::value_type::first);
  if (row == left_out.end()) return std::nullopt;
  return row->second;
}

} // namespace thinair::riscv
