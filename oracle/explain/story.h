// Why an axiom fails, in the words of the program: its statements or instructions, what each reads,
// and what keeps one before the other.
#pragma once

#include "oracle/explain/refusal.h"

#include <string>

namespace thinair::explain {

/// A line for each step of the way around that an axiom of the refusal forbids, indented beneath it
/// what that follows from; for each such axiom, as each of them forbids it by itself. Empty where
/// there is no such way, or where an event has no name in the program. Lines of at most so many
/// columns.
std::string story_of(const Refusal& refusal, std::size_t width = text::page_width);

} // namespace thinair::explain
