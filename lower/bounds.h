// Indices of arrays in machine code: compared with the array's length before they are used.
#pragma once

#include "litmus/program.h"

namespace thinair::lower {

/// Of a program in normal form (litmus/normal.h): puts in front of each access to an element whose
/// index is no constant what HotSpot compares there, `if (i < 0) trap; if (i >= n) trap;`, and its
/// index into a register. A trap is an access by null: it faults, and the thread gets no further.
/// What follows depends on the index by these branches, as in HotSpot's code where nothing proves
/// that the index is in range. Where arrays of one type have several lengths, their class gets a
/// field behind the elements', `length`, which is read for the comparison with n, also of a
/// constant index that not all of them have.
void check_bounds(litmus::Program& program);

} // namespace thinair::lower
