// herd7 as the hardware that runs code.
#pragma once

#include "lower/machine.h"
#include "runners/herd7.h"

namespace thinair::runners {

/// Throws Unsupported where there is no herd7 to judge code for `machine`, and says how to get it.
void require_herd7(const HerdOptions& options, lower::Machine machine);

/// All final states of a machine's test; x86's under the model that `options` name, others' under
/// herd7's own. Throws Unsupported for code that herd7 does not read.
oracle::Result herd_states(const litmus::Test& test, HerdOptions options);

} // namespace thinair::runners
