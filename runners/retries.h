// Loops of lowered code that only try again: one round of them shows all final states.
#pragma once

#include "litmus/test.h"

namespace thinair::runners {

/// Whether every jump backwards is taken after a failed attempt to update memory only, and nothing
/// else is written on the way (lower::MachineInfo::only_retries). A round that fails leaves memory
/// alone and only adds constraints, so that executions with one round have all final states.
bool only_retries(const litmus::Test& test);

} // namespace thinair::runners
