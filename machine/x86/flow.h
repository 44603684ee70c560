// Where control goes in an x86 thread, and whose flags are read.
#pragma once

#include "machine/x86/program.h"

#include <functional>
#include <vector>

namespace thinair::x86 {

/// Calls `visit` with each register that the instruction names, and rax for `cmpxchg`.
void each_register(const Instruction& instruction, const std::function<void(Register)>& visit);

/// Whether all flags after the instruction are its own. (`inc` and `dec` keep the carry flag, and a
/// shift by 0 keeps all.)
bool replaces_all_flags(Opcode opcode);

/// For each instruction, whether the flags that it leaves may still be read.
std::vector<bool> flags_live_after(const Thread& thread);

} // namespace thinair::x86
