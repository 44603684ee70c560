// A machine of four instructions: a load, a store, a fence, and a number to a register.
#pragma once

#include "machine/code/table.h"

namespace thinair::toy {

extern const machine::Machine row;
extern const lower::MachineInfo lowering;

} // namespace thinair::toy
