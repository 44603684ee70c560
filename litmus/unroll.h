// Programs without loops: each loop becomes nested branches, up to a bound.
#pragma once

#include "litmus/program.h"

#include <cstdint>

namespace thinair::litmus {

/// The same program with every loop run at most `Loop::bound` times, or `default_bound` where it
/// has none. Where its condition would hold once more a `Cut` stands: a path that reaches it is not
/// a complete execution, and whatever rests on such paths having been left out is `unknown`.
///
/// `while [2] (c) B` becomes `if (c) { B if (c) { B if (c) { Cut } } }`, and `do [2] B while (c);`
/// becomes `B if (c) { B if (c) { Cut } }`. Throws LimitReached past 100,000 statements or 1,000
/// levels.
Program unroll(const Program& program, std::uint32_t default_bound);

} // namespace thinair::litmus
