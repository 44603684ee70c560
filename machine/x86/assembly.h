// One instruction as text, in AT&T and in Intel syntax.
#pragma once

#include "litmus/lexer.h"
#include "litmus/machine/reader.h"
#include "machine/x86/program.h"

#include <functional>
#include <string>

namespace thinair::x86 {

using litmus::Lexer;
using litmus::Token;

using Surroundings = litmus::Surroundings<Register>;

/// Reads one instruction without labels, up to the `|` or `;` behind it. Throws InputError for what
/// is no instruction or not encodable, Unsupported for what herd7 reads and we do not do.
Instruction read_instruction(Lexer& lexer, const Surroundings& surroundings, Syntax syntax);

/// As `read_instruction` reads it, without labels.
std::string print_instruction(const Instruction& instruction, const Program& program,
                              Syntax syntax);

/// The width of an instruction whose text does not say it: a register operand's, else that of the
/// cell, else 4.
Width implied_width(Opcode opcode, const std::vector<Operand>& operands,
                    const std::function<Width(LocationId)>& cell);

/// The printed spelling of a jump's condition: `g` is herd7's `jgt`, which is right there.
std::string_view jump_suffix(ConditionCode condition, Syntax syntax);

} // namespace thinair::x86
