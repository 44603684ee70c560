// Floats and doubles in code: machine code has their bits in integer registers.
#pragma once

#include "litmus/program.h"

namespace thinair::lower {

/// A program in normal form that computes nothing with floats and doubles but what their bits tell:
/// they are moved and exchanged, constants have the type that they go to, and `==` and `!=` are
/// between a register and a constant of which equal bits are equal values, and no others. Both
/// zeros are asked for, one by one. Throws Unsupported for whatever else computes with floats:
/// "arithmetic of float values in machine code".
litmus::Program comparing_bits(litmus::Program program);

} // namespace thinair::lower
