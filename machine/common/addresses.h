// Where an access goes whose address memory decides: a path for each cell that it may be.
#pragma once

#include "litmus/machine/cells.h"
#include "oracle/graph/decisions.h"
#include "oracle/graph/path.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace thinair::machine {

inline constexpr std::string_view no_location =
    "an access through a register that holds no location's address";

/// Nothing lies at the lowest addresses, so that null, which is 0, is the address of nothing, nor
/// are the fields of an object that begins there. An access to one faults: the thread gets no
/// further, and reaches no final state.
constexpr bool faults(std::uint64_t address) { return address < 4096; }

/// The cell of an access on this path. Absent: the path ends here, because the access faults, or
/// strays (Path::strays), or because another path is the one for this address. Where memory
/// decides it, it strays to cells of another width, too. Throws Unsupported where the code itself
/// says an address that is no cell's.
std::optional<litmus::LocationId> resolve(graph::PathBuilder& out,
                                          std::span<const litmus::Cell> cells,
                                          graph::TermId address, litmus::Width width);

/// Where memory decides addresses, leaves out the paths that no execution takes, because nothing
/// ever writes the values that they go on with: none comes out of thin air (on no machine: all keep
/// dependencies).
void drop_unfounded(graph::ProgramPaths& program);

} // namespace thinair::machine
