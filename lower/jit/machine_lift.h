// What lift.cpp asks of each machine.
#pragma once

#include "lower/jit/lift.h"
#include "lower/jit/walk.h"

namespace thinair::lower::jit {

/// By thread, what walk.h says of its code.
using Walked = std::vector<std::vector<Step>>;

/// The code as text for the machine's reader, and where the results of each thread are found.
Lowered text_lifted(const Compilation& compilation, const Walked& threads);

/// What walk() says of each thread's code.
Walked walked(const Compilation& compilation, Backend& backend);

/// The rest of lift(), from where the code is walked through.
Lowered lift_walked(const Compilation& compilation, Walked threads);

/// The restoration's row of a register.
[[noreturn]] void no_result(const litmus::Thread& thread, std::size_t reg);

} // namespace thinair::lower::jit
