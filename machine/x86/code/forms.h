// Which operands each x86 instruction takes: one table for scheme files, the lifter and the tests.
#pragma once

#include "machine/x86/program.h"

#include <cstdint>
#include <span>

namespace thinair::lower::x86_code {

/// Kinds of operand, to be united in sets.
enum Kind : std::uint8_t {
  no_operand = 0,
  in_register = 1,
  in_memory = 2,
  immediate = 4,
  in_cl = 8, // a shift count in %cl
};
using Kinds = std::uint8_t;

/// One row: the operand kinds of an opcode (Intel SDM vol. 2), destination first, and its widths.
/// Two operands are never both in memory.
struct Form {
  x86::Opcode opcode;
  Kinds first, second;
  bool byte_width, wide; // exists for `b`; for `w`, `l` and `q`
  bool reads_first, writes_first, writes_second;
};

std::span<const Form> forms();
const Form& form(x86::Opcode opcode);

} // namespace thinair::lower::x86_code
