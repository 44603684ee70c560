// What is known of the x86 code that HotSpot compiles.
#pragma once

#include "lower/jit/compiled.h"

namespace thinair::lower::jit::x86_code {

Shape shape_of(const MachineInstruction& instruction);
/// Where the operands of a memory access lead, the first of which is the `at`-th.
Place place_at(const MachineInstruction& instruction, std::size_t at);
std::string whole_register(std::string_view llvm_name);
Lowered lifted(const Compilation& compilation, Walked threads);

extern const CompiledCode compiled;

} // namespace thinair::lower::jit::x86_code
