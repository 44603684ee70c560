// Lowering by a scheme: each operation by its rule, no optimization at all.
#pragma once

#include "lower/lowered.h"
#include "lower/scheme.h"

#include <span>

namespace thinair::lower {

/// The program compiled statement by statement. Each source register has a home, a machine register
/// or, where those run out, a private location of its thread. Throws Unsupported for what the
/// emitted x86 code cannot express (division, loops, monitors, …); nothing is dropped.
/// With several schemes, the program's choices say which of them compiles each access and fence.
Lowered lower_with(std::span<const Scheme> mix, const litmus::Program& program);

inline Lowered lower_with(const Scheme& scheme, const litmus::Program& program) {
  return lower_with({&scheme, 1}, program);
}

} // namespace thinair::lower
