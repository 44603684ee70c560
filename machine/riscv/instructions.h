// The table of RISC-V instructions: a row says how one is written and what it computes.
#pragma once

#include "litmus/machine/cells.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace thinair::riscv {

using litmus::Value;
using litmus::Width;

/// What stands behind the mnemonic.
enum class Shape : std::uint8_t {
  registers, // rd, rs1, rs2
  immediate, // rd, rs1, number of 12 bits
  shift,     // rd, rs1, number below the width
  unary,     // rd, rs1
  upper,     // rd, number of 20 bits
  constant,  // rd, number
  load,      // rd, number(rs1); may acquire
  store,     // rs2, number(rs1); may release
  reserve,   // rd, (rs1)
  condition, // rd, rs2, (rs1): a store where the reservation is still there
  update,    // rd, rs2, (rs1): reads, computes and writes at once
  branch,    // rs1, rs2, label
  jump,      // label
  fence,     // sets of accesses
  plain,     // nothing
};

/// What is computed from two operands, at the row's width.
enum class Operation : std::uint8_t {
  none,
  second,
  add,
  subtract,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  shift_right_signed,
  less,
  below,
  greater_equal,
  above_equal,
  equal,
  not_equal,
  multiply,
  multiply_high,
  multiply_high_unsigned,
  multiply_high_mixed, // the first signed, the second not
  divide,
  divide_unsigned,
  remainder,
  remainder_unsigned,
  minimum,
  maximum,
  minimum_unsigned,
  maximum_unsigned,
  sign_extend, // the first, from the row's width
  zero_extend,
  compare_and_swap,
  fence_tso,
  fence_instructions,
};

/// A row of the table.
enum class Opcode : std::uint8_t {};

struct InstructionInfo {
  std::string_view mnemonic; // without `.aq` and `.rl`
  Shape shape;
  Operation operation = Operation::none;
  Width width = Width::q;    // of the operation, or of the access
  bool zero_extends = false; // a load
  bool herd = true;          // herd7 7.58 has it
};

std::span<const InstructionInfo> instructions();
inline const InstructionInfo& info(Opcode opcode) {
  return instructions()[static_cast<std::size_t>(opcode)];
}
/// The row of a mnemonic without annotations.
std::optional<Opcode> opcode_named(std::string_view mnemonic);

/// Whether it reads, or writes, memory; an update and a store-conditional where they succeed.
constexpr bool reads_memory(Shape shape) {
  return shape == Shape::load || shape == Shape::reserve || shape == Shape::update;
}
constexpr bool writes_memory(Shape shape) {
  return shape == Shape::store || shape == Shape::condition || shape == Shape::update;
}
constexpr bool accesses_memory(Shape shape) { return reads_memory(shape) || writes_memory(shape); }
/// Whether the shape has a register that the result goes to.
constexpr bool has_result(Shape shape) {
  return shape <= Shape::load || shape == Shape::reserve || shape == Shape::condition ||
         shape == Shape::update;
}

/// Another way to write an instruction of the table, as assemblers and disassemblers have them.
struct Alias {
  /// What stands behind it, and which operands of the instruction that is.
  enum class Shape : std::uint8_t {
    from_first,    // rd, rs1; and the number
    from_second,   // rd, rs2; rs1 is x0
    to_zero,       // rd, rs1; rs2 is x0
    branch_first,  // rs1, label; rs2 is x0
    branch_second, // rs2, label; rs1 is x0
    swapped,       // rs2, rs1, label
    nothing,
  };
  std::string_view word;
  Shape shape;
  std::string_view mnemonic; // of the instruction that it is
  Value immediate = 0;
};
std::span<const Alias> aliases();

/// Why thinair does not do an instruction that assemblers know: "calls"; absent: it is none of
/// those.
std::optional<std::string_view> not_done(std::string_view mnemonic);

} // namespace thinair::riscv
