// Finding the access method that does a given thing in a given mode.
#pragma once

#include "litmus/modes.h"

#include <optional>
#include <vector>

namespace thinair::gen {

/// The method with this action and these modes of its halves; absent where VarHandle has none.
std::optional<litmus::Method> method_of(litmus::Action action, litmus::Mode read,
                                        litmus::Mode write);

/// Methods with this action, weakest first; equally strong ones in the order of the table.
std::vector<litmus::Method> methods_by_strength(litmus::Action action);

/// Plain reading or writing in the mode of that half of `method`.
litmus::Method read_half(litmus::Method method);
litmus::Method write_half(litmus::Method method);

/// The same modes with another action; where VarHandle has no such method, the strongest one that
/// is not stronger.
litmus::Method with_action(litmus::Method method, litmus::Action action);

/// How strong the stronger half of a method is, as measure.h has it: what accesses of a location
/// that does not mix modes have in common.
std::uint32_t stronger_half(litmus::Method method);

} // namespace thinair::gen
