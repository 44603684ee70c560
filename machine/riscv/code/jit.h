// What is known of the RISC-V code that HotSpot compiles.
#pragma once

#include "lower/jit/compiled.h"

namespace thinair::lower::jit::riscv_code {

Shape shape_of(const MachineInstruction& instruction);
std::string whole_register(std::string_view llvm_name);

extern const CompiledCode compiled;

} // namespace thinair::lower::jit::riscv_code
