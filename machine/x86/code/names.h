// Names of memory cells in x86 code.
#pragma once

#include <string_view>

namespace thinair::lower::x86_code {

/// Whether `name` can name a memory cell of x86 code: an identifier that is no register of any
/// width, no mnemonic and no thread (P0).
bool is_cell_name(std::string_view name);

} // namespace thinair::lower::x86_code
