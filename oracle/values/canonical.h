// A name for a set of constraints that does not depend on names of variables or on a pool: the key
// under which answers are remembered.
#pragma once

#include "oracle/values/residue.h"

#include <string>

namespace thinair::values {

struct Canonical {
  std::string key;                 // equal keys: the same constraints up to renaming
  std::vector<Variable> variables; // of this pool, by canonical number
};

/// Covers `residue.nonzero` and `interest`, in the latter's order.
Canonical canonical(const TermPool& pool, const Residue& residue, std::span<const TermId> interest);

} // namespace thinair::values
