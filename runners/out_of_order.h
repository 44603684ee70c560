// Final states of a machine's test on its abstract machine that performs accesses out of order.
#pragma once

#include "litmus/test.h"
#include "machine/common/out_of_order.h"
#include "oracle/question/question.h"
#include "runners/operational.h"

#include <cstdint>

namespace thinair::runners {

/// Of a test for a machine that has one (machine/table.h). There is one memory: a write changes it
/// for all other threads at once, and is not undone (memory is multi-copy atomic). A read takes
/// what the youngest write of its thread to the location will store, or else what memory has. Each
/// access is performed at any time at which the machine's conditions let it be. Of the result,
/// `candidates` counts states visited, `positive` and `negative` count behaviours. Throws
/// Unsupported for what is beyond the machine.
oracle::Result out_of_order_states(const litmus::Test& test, const MachineOptions& options = {});

/// Which moves are tried from each state: that the first are enough is proved for a machine none of
/// whose conditions are left out.
enum class Moves : std::uint8_t { that_suffice, all };

/// The same of a given machine.
oracle::Result out_of_order_states(const litmus::Test& test, machine::OutOfOrder& machine,
                                   const MachineOptions& options,
                                   Moves moves = Moves::that_suffice);

} // namespace thinair::runners
