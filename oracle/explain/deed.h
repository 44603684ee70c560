// What an event does, as the program says it: the statement or the instruction that it belongs to.
#pragma once

#include "litmus/test.h"

#include <cstdint>
#include <string>

namespace thinair::explain {

/// "`X.set(1)` of Thread0", "`dmb ish` of P1". `source` is the event's (graph::PathEvent). Empty
/// where no statement of a Java thread begins there, or several do: programs that were not read
/// from a file have no places, unless they are `numbered` (changes.h).
std::string deed_of(const litmus::Test& test, std::size_t thread, std::uint32_t source);

} // namespace thinair::explain
