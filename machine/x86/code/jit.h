// What is known of the x86 code that HotSpot compiles.
#pragma once

#include "lower/jit/compiled.h"

namespace thinair::lower::jit::x86_code {

Shape shape_of(const MachineInstruction& instruction);
std::string whole_register(std::string_view llvm_name);
Lowered lifted(const Compilation& compilation, Walked threads);

extern const CompiledCode compiled;

} // namespace thinair::lower::jit::x86_code
