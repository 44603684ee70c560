// From what a JIT compiler printed of a program to a litmus test of the machine.
#pragma once

#include "lower/backend.h"
#include "lower/jit/method.h"
#include "lower/lowered.h"

namespace thinair::lower::jit {

/// A decoder for the machine's code as JVMs emit it. Each thread has its own.
Backend decoder(Machine machine);

/// Locations are those of the source; what threads leave in their result is found in registers of
/// theirs, or private cells. Throws Unsupported for code that does what no rule knows, and a Bug
/// where a thread alone does not compute what its source does.
Lowered lift(const Compilation& compilation, Backend& backend);

} // namespace thinair::lower::jit
