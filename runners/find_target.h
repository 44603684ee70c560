// Targets by name, compilers that run as child processes included.
#pragma once

#include "lower/target.h"

#include <string_view>

namespace thinair::runners {

/// lower::Target::named, and MACHINE:llvm-O2@DIR: the `opt` and `llc` in that directory, of
/// whatever version, with our IR as text. Throws InputError where they are not there; such a target
/// throws Unsupported, with what they said, for IR that they reject.
lower::Target find_target(std::string_view name);

} // namespace thinair::runners
