// Makes a program well-formed and free of idle parts after an edit took pieces out of it.
#pragma once

#include "litmus/program.h"

namespace thinair::gen {

/// Removes threads without statements, empty ifs, registers that nothing assigns (their uses become
/// their initial value, unless a field is accessed by them) and locations, handles, monitors,
/// classes and fields that nothing names (a class keeps one field); renumbers what is left and
/// renames it in order: threads Thread0.., locations x, y, z, .., handles X, Y, Z, .., registers
/// r1, r2, .., classes Box, Box1, .., their fields x, y, z, ... Declares each register at its first
/// assignment, or with `int r = 0;` at the top of the thread where that is inside a block.
/// Idempotent.
litmus::Program tidy(const litmus::Program& program);

/// Names in the order that `tidy` and the generator give them: x, y, z, a .. w, then x1, y1, ..
std::string location_name(std::size_t index);
std::string handle_name(std::size_t index);
std::string class_name(std::size_t index);

} // namespace thinair::gen
