// One AArch64 instruction as text.
#pragma once

#include "litmus/lexer.h"
#include "litmus/machine/reader.h"
#include "machine/aarch64/program.h"

#include <string>

namespace thinair::aarch64 {

using litmus::Lexer;
using litmus::Token;
using Surroundings = litmus::Surroundings<Register>;

/// Reads one instruction without labels, up to the `|` or `;` behind it, as herd7 or as LLVM's
/// disassembler writes it. Throws InputError for what is no instruction or cannot be encoded,
/// Unsupported for what herd7 reads and thinair does not.
Instruction read_instruction(Lexer& lexer, const Surroundings& surroundings);

/// As `read_instruction` and herd7 read it, without labels.
std::string print_instruction(const Instruction& in);

/// The immediates that AND, ORR, EOR and TST take: a run of ones, rotated, and repeated (DDI 0487,
/// DecodeBitMasks).
bool is_bit_mask(std::uint64_t value, Width width);

} // namespace thinair::aarch64
