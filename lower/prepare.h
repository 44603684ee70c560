// What happens to a source program before any lowering, and to what is known of it after.
#pragma once

#include "litmus/program.h"
#include "lower/lowered.h"

#include <cstdint>

namespace thinair::lower {

/// Accesses inside expressions taken out, loops unrolled up to their bound, or `loop_bound`, locks
/// of what is held already taken out, indices compared with lengths (bounds.h). Throws Unsupported.
litmus::Program prepared(const litmus::Program& program, std::uint32_t loop_bound);

/// Without the registers that preparing added, which are nobody's to see.
Restoration of_source(Restoration restoration, const litmus::Program& source);

} // namespace thinair::lower
