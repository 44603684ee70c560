// An operational x86-TSO machine: threads with FIFO store buffers over one memory, explored whole.
#pragma once

#include "litmus/test.h"
#include "oracle/question/question.h"
#include "runners/operational.h"

#include <optional>
#include <vector>

namespace thinair::runners {

/// The final states of an x86 test on the abstract machine of x86-TSO (Sewell et al., CACM 2010):
/// a store enters its thread's buffer and leaves it for memory at any later time, in order; a load
/// takes the youngest buffered store to its cell, else memory; locked instructions, `xchg` with
/// memory and `mfence` wait for an empty buffer, and the first two act on memory in one step. Loops
/// need no bound: states are remembered, and a state space over the limits comes out `unknown`.
/// Of the result, `candidates` counts states visited, `positive` and `negative` count behaviours.
/// Throws Unsupported for accesses of another width than their cell's.
oracle::Result x86_machine(const litmus::Test& test, const MachineOptions& options = {});

/// A move of the machine: a thread's processor, or its store buffer.
struct MachineMove {
  std::size_t thread = 0;
  bool flush = false;
};

/// The moves that lead to some final state in which `goal` holds; none where there is no such state
/// within the limits.
std::optional<std::vector<MachineMove>> x86_path(const litmus::Test& test,
                                                 const litmus::Proposition& goal,
                                                 const MachineOptions& options = {});

} // namespace thinair::runners
