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

/// What a machine keeps a variable of the type in; a reference is a number like an int.
litmus::Type cell_type(litmus::JavaType type);
/// Of a register that holds one: Java's int, unless the value needs more.
litmus::Type register_type(litmus::JavaType type);
/// Its type as values are restored.
litmus::TypeKind kind_of(litmus::JavaType type);

/// Adds a cell called `wanted`, or the nearest name that is free and legal.
litmus::LocationId add_cell(std::vector<litmus::Cell>& cells, std::string_view wanted,
                            litmus::Value initial, Legal legal, litmus::Type type = {});

/// The source's locations as cells, in their order.
std::vector<litmus::Cell> cells_of(const litmus::Program& source, Legal legal);

} // namespace thinair::lower
