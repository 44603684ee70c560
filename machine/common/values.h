// What a term's value may be, where its operators leave few possibilities.
#pragma once

#include "oracle/graph/term.h"

#include <optional>
#include <vector>

namespace thinair::machine {

/// Ascending, and at least what the term takes; absent where these may be more than a handful. (`x
/// + (r & 128)` is x or x + 128.)
std::optional<std::vector<litmus::Value>> possible_values(const graph::TermPool& terms,
                                                          graph::TermId term);

} // namespace thinair::machine
