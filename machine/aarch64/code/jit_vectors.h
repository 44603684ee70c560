// Floats and doubles that HotSpot's compilers move through vector registers.
#pragma once

#include "lower/backend.h"
#include "lower/jit/method.h"

namespace thinair::lower::jit::aarch64_code {

/// The method with a general register, which its code leaves alone, in the place of each vector
/// register that passes numbers of 32 or 64 bits: `ldr s16, [x1, #12]` is `ldr w19, [x1, #12]`
/// then, one access of as many bits. What does anything else with vector registers stays.
Method without_vectors(const Method& method, Backend& backend);

/// `ldr x19, constant` becomes `mov x19, #4612811918334230528`.
void fold(MachineInstruction& instruction, const Method& method);

} // namespace thinair::lower::jit::aarch64_code
