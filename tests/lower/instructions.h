// Every instruction our x86 dialect accepts, in every form and width.
#pragma once

#include "machine/x86/program.h"

#include <vector>

namespace thinair::lower::testing {

/// Over the registers %ebx, %esi, %r9 and the cell `x`; `mov` and others with immediates of several
/// sizes; all conditions; locked where it is legal. Jumps and fences aside.
std::vector<x86::Instruction> straight_instructions();

/// With jumps and fences as well.
std::vector<x86::Instruction> all_instructions();

/// A program of one thread with the cell `x`; what jumps, jumps to the end, labelled `end`.
x86::Program program_of(std::vector<x86::Instruction> code);

} // namespace thinair::lower::testing
