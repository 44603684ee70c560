// The lattice of x86's instructions.
#pragma once

#include "lower/lattice.h"

namespace thinair::lower::x86_code {

extern const Lattice lattice;

} // namespace thinair::lower::x86_code
