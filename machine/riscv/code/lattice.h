// The lattice of RISC-V's instructions.
#pragma once

#include "lower/lattice.h"

namespace thinair::lower::riscv_code {

extern const Lattice lattice;

} // namespace thinair::lower::riscv_code
