// Numbers of 64 bits that C1 moves through vector registers.
#pragma once

#include "lower/machine.h"

namespace thinair::lower::jit::x86_code {

/// A vector register that numbers pass through becomes a general one that the code leaves alone:
/// `vmovsd 16(%rsi), %xmm0` is `movq 16(%rsi), %r14` then. Both are one access of 64 bits. Throws
/// Unsupported where there is no such register.
void leave_vectors(MachineFunction& function);

} // namespace thinair::lower::jit::x86_code
