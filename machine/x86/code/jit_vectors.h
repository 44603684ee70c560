// Numbers that HotSpot's compilers move through vector registers: floats, doubles, and C1's
// volatile longs.
#pragma once

#include "lower/jit/method.h"
#include "lower/jit/shape.h"

#include <optional>

namespace thinair::lower::jit::x86_code {

/// `vmovss -97(%rip), %xmm0` of a constant becomes `movl $1069547520, %xmm0`, which no processor
/// has: leave_vectors() puts a general register there.
void fold(MachineInstruction& instruction, const Method& method);

/// Of an instruction that moves a number of 32 or 64 bits from or to a vector register.
std::optional<Shape> shape_of_vectors(const MachineInstruction& in);

/// A vector register that numbers pass through becomes a general one that the code leaves alone:
/// `vmovsd 16(%rsi), %xmm0` is `movq 16(%rsi), %r14` then. Both are one access of as many bits.
/// Throws Unsupported where there is no such register.
void leave_vectors(MachineFunction& function);

} // namespace thinair::lower::jit::x86_code
