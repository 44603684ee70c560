// An execution of the x86-TSO machine step by step, for people.
#pragma once

#include "litmus/test.h"
#include "runners/operational.h"

#include <optional>
#include <vector>

namespace thinair::runners {

/// An execution that ends in a state in which `goal` holds; none where there is none within the
/// limits.
std::optional<std::vector<TraceStep>> x86_trace(const litmus::Test& test,
                                                const litmus::Proposition& goal,
                                                const MachineOptions& options = {});

} // namespace thinair::runners
