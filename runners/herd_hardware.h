// herd7 as the hardware that runs lowered code.
#pragma once

#include "runners/herd7.h"
#include "runners/soundness.h"

namespace thinair::runners {

/// Runs x86 tests in herd7. Throws Unsupported for code that it does not read.
Hardware herd_x86(HerdOptions options = {});

/// Throws Unsupported where there is no herd7 to judge code for `machine`, and says how to get it.
void require_herd7(const HerdOptions& options, lower::Machine machine);

/// Runs listings in herd7 under its own model of their machine (aarch64.cat, riscv.cat). Throws
/// Unsupported ("unsupported: … needs herd7 …") where there is none, and for code that it does not
/// read.
ListingHardware herd_hardware(HerdOptions options = {});

} // namespace thinair::runners
