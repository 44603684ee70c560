// The lattice of AArch64's instructions.
#pragma once

#include "lower/lattice.h"

namespace thinair::lower::aarch64_code {

extern const Lattice lattice;

} // namespace thinair::lower::aarch64_code
