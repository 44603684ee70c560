// Names of locations in machine code: the source's where assemblers and herd can read them.
#pragma once

#include "litmus/program.h"
#include "machine/x86/program.h"

#include <string>
#include <string_view>

namespace thinair::lower {

/// Whether `name` can name a memory cell: an identifier that is no register of any width, no
/// mnemonic and no thread (P0).
bool is_cell_name(std::string_view name);

/// Adds a cell called `wanted`, or the nearest name that is free and legal.
litmus::LocationId add_cell(x86::Program& program, std::string_view wanted, std::int32_t initial);

/// The source's locations as the first cells of an empty program, in their order.
x86::Program with_locations(const litmus::Program& source);

} // namespace thinair::lower
