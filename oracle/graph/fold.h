// The identities that let TermPool drop what does not depend on the values read.
#pragma once

#include "oracle/graph/term.h"

#include <optional>

namespace thinair::graph {

/// What `term` (its operands already folded) is equal to for all values of its variables, if that
/// is simpler than itself.
std::optional<TermId> fold(TermPool& pool, const Term& term);

} // namespace thinair::graph
