// Loops of x86 code that only try again: `lock cmpxchg` and `jne`; `sete`, a test of it, `je`.
#pragma once

#include "litmus/test.h"

#include <cstddef>

namespace thinair::lower::x86_code {

/// As MachineInfo::only_retries.
bool only_retries(const litmus::Test& test, std::size_t thread, std::size_t from, std::size_t jump);

} // namespace thinair::lower::x86_code
