// Edits of programs that keep the names of registers and locations, so that behaviours can be
// compared.
#pragma once

#include "litmus/program.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace thinair::health {

/// What a few neighbouring statements of a thread's block become; absent where the edit does not
/// apply.
using Edit = std::function<std::optional<litmus::Block>(const litmus::Thread&,
                                                        std::span<const litmus::Statement>)>;

/// The program with the edit applied at each place where it applies: to `width` neighbours of a
/// block, blocks in branches and loops included. Width 0: between any two statements and at both
/// ends.
std::vector<litmus::Program> edited(const litmus::Program& program, std::size_t width,
                                    const Edit& edit);

/// An access statement with a method of one action, whose arguments touch no memory.
const litmus::Access* access_in(const litmus::Statement& statement);
bool is_read(const litmus::Access* access, litmus::Mode mode);
bool is_write(const litmus::Access* access, litmus::Mode mode);

/// Whether neither statement uses or assigns a register that the other assigns.
bool independent(const litmus::Access& a, const litmus::Access& b);

/// Whether an expression reads a register.
bool uses(const litmus::Expression& expression, litmus::RegisterId reg);

} // namespace thinair::health
