// One RISC-V instruction as text.
#pragma once

#include "litmus/lexer.h"
#include "litmus/machine/reader.h"
#include "machine/riscv/program.h"

#include <string>

namespace thinair::riscv {

using litmus::Lexer;
using litmus::Token;
using Surroundings = litmus::Surroundings<Register>;

/// Reads one instruction without labels, up to the `|` or `;` behind it, in herd7's spelling or in
/// that of LLVM's disassembler. Throws InputError for what is no instruction or cannot be encoded,
/// Unsupported for what assemblers know and thinair does not do.
Instruction read_instruction(Lexer& lexer, const Surroundings& surroundings);

/// As herd7 and `read_instruction` read it, without labels.
std::string print_instruction(const Instruction& instruction);

/// The mnemonic with its annotations: "amoadd.w.aqrl".
std::string mnemonic_of(const Instruction& instruction);

} // namespace thinair::riscv
