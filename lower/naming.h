// Names of locations in machine code: the source's where assemblers and herd can read them.
#pragma once

#include "litmus/machine/cells.h"
#include "litmus/program.h"

#include <string>
#include <string_view>
#include <vector>

namespace thinair::lower {

/// Whether nobody takes `name` for a register or an instruction of whatever machine.
bool is_safe_name(std::string_view name);

using Legal = bool (*)(std::string_view name);

/// Adds a cell called `wanted`, or the nearest name that is free and legal.
litmus::LocationId add_cell(std::vector<litmus::Cell>& cells, std::string_view wanted,
                            std::int32_t initial, Legal legal);

/// The source's locations as cells, in their order.
std::vector<litmus::Cell> cells_of(const litmus::Program& source, Legal legal);

} // namespace thinair::lower
