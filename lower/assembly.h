// Machine code as text for a real assembler.
#pragma once

#include "litmus/language.h"

#include <cstddef>
#include <functional>
#include <string>

namespace thinair::lower {

/// What may be said before an instruction; empty: nothing.
using Comment = std::function<std::string(std::size_t thread, std::size_t instruction)>;

/// A function per thread, `P0`, `P1`, …, for GNU and LLVM assemblers; every function ends with
/// `ret`. Cells that the code names are global symbols.
std::string assembly(const litmus::Code& code, const litmus::Language& language,
                     const Comment& comment = {});

/// The code of a thread, an instruction or a label a line.
std::vector<std::string> code_lines(const litmus::Code& code, const litmus::Language& language,
                                    std::size_t thread);

} // namespace thinair::lower
