// Why an axiom fails, in the words of the program: its statements or instructions, what each reads,
// and what keeps one before the other.
#pragma once

#include "oracle/explain/refusal.h"

#include <string>

namespace thinair::explain {

/// A line for each step of the way around that the refusal's axioms forbid, indented beneath it
/// what that follows from; empty where there is no such way, or where an event has no name in the
/// program.
std::string story_of(const Refusal& refusal);

} // namespace thinair::explain
