// Loops of lowered code that only try again: one round of them shows all final states.
#pragma once

#include "lower/listing.h"
#include "machine/x86/program.h"

namespace thinair::runners {

/// Whether every jump backwards is taken after a failed attempt to update memory only (`lock
/// cmpxchg` and `jne`; `sete`, a test of it, `je`), and nothing else is written on the way. A round
/// that fails leaves memory alone and only adds constraints, so that executions with one round have
/// all final states.
bool only_retries(const x86::Program& program);

/// The same for load-reserved and store-conditional (`sc.w`, `stxr`, then a branch).
bool only_retries(const lower::Listing& program);

} // namespace thinair::runners
