// One decoded machine instruction as instructions of the x86 dialect.
#pragma once

#include "lower/backend.h"
#include "lower/lowered.h"
#include "machine/x86/program.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::lower::x86_code {

/// Where memory operands point: what the lifter knows and one instruction does not.
struct AddressBook {
  std::function<x86::Operand(const std::string& symbol)> cell;
  std::function<x86::Operand(std::int64_t displacement)> stack_slot; // from %rsp
};

/// The meaning of one instruction that is neither a jump nor part of a prologue: usually one
/// instruction of the x86 language, several where the language lacks it (`lea`, three-operand
/// `imul`, `movsx`, `adc`). Labels among them are named after the instruction's address. What they
/// leave in the flags may not be what the original does.
struct Meaning {
  std::vector<x86::Instruction> code;
  bool spoils_flags = false;
};

/// Throws Unsupported with the instruction's text and bytes.
Meaning meaning_of(const MachineInstruction& instruction, const AddressBook& addresses);

/// A register by LLVM's name ("EAX"); none for %ah, %rip and all that we do not model.
std::optional<x86::RegisterOperand> machine_register(std::string_view llvm_name);

/// LLVM's name of the language's instruction with operands of these kinds, for the tests of the
/// table: rows (stem, opcode) of what `meaning_of` reads.
struct StemRow {
  std::string_view stem;
  x86::Opcode opcode;
};
std::span<const StemRow> stems();

} // namespace thinair::lower::x86_code
