// Search over small domains: fast answers for the value cycles that real programs have.
#pragma once

#include "oracle/values/residue.h"

#include <functional>

namespace thinair::values {

/// Candidate values of the variables of a residue.
struct Domains {
  std::vector<Variable> variables;        // to be assigned, in this order
  std::vector<std::vector<Value>> values; // of each, sorted
  bool confined = false; // the constraints exclude every value outside: a search is a proof
};

/// Domains for the variables of the residue and of `interest`.
Domains domains_of(const TermPool& pool, const Residue& residue, std::span<const TermId> interest);

struct Search {
  bool exhausted = false; // false: stopped by `found` or by the limit
  bool limited = false;
};

/// Calls `found` with each assignment (by Variable) within the domains that makes all of `nonzero`
/// non-zero, until it returns false or `limit` assignments were looked at.
Search search(const TermPool& pool, const std::vector<TermId>& nonzero, const Domains& domains,
              std::uint64_t limit, const std::function<bool(std::span<const Value>)>& found);

} // namespace thinair::values
