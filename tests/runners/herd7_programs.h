// Random programs that herd7 reads, for comparisons with it.
#pragma once

#include "litmus/test.h"
#include "oracle/graph/vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thinair::runners {

/// `count` programs of some five accesses, the same for a seed everywhere. All registers are shown;
/// `with_memory`: locations too.
std::vector<litmus::Test> herd7_programs(graph::Architecture architecture, std::size_t count,
                                         std::uint64_t seed, bool with_memory);

} // namespace thinair::runners
