// Threads that no final state tells apart: the same paths up to the names of their reads, and no
// register that is observed.
#pragma once

#include "oracle/executions/observe.h"
#include "oracle/graph/path.h"

#include <cstdint>
#include <span>
#include <vector>

namespace thinair::executions {

/// By thread: the first thread that it may change places with, in any execution and without a
/// change of the final state; itself where there is none.
std::vector<std::uint32_t> twins_of(const graph::ProgramPaths& program,
                                    std::span<const Observed> observed);

} // namespace thinair::executions
