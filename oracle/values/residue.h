// Constraints after forward substitution: what is left to be solved, and how to get back.
#pragma once

#include "oracle/values/solver.h"

#include <unordered_map>

namespace thinair::values {

using graph::Variable;

/// A variable eliminated by an equality; `term` is over variables that are bound later, or not at
/// all.
struct Binding {
  Variable variable;
  TermId term;
};

/// Equivalent to the constraints it was made from: the solutions of `nonzero`, extended by
/// `bindings`.
struct Residue {
  bool contradictory = false;
  std::vector<TermId> nonzero; // none is constant; definedness included
  std::vector<Binding> bindings;
  std::vector<Value> hints;
  std::uint8_t variable_bits = 32;

  /// Variables of `nonzero`, ascending.
  std::vector<Variable> variables(const TermPool& pool) const;
};

/// Eliminates variables as long as an equality gives one. `more_terms` (terms of interest) are
/// required to be defined and rewritten along.
Residue substitute(TermPool& pool, const Constraints& constraints, std::vector<TermId>& more_terms);

/// Fills in the bound variables of an assignment that gives the others.
void complete(const TermPool& pool, const Residue& residue, std::vector<Value>& assignment);

/// Bits that a term's value needs, sign-extended.
std::uint8_t width(const TermPool& pool, TermId id, std::uint8_t variable_bits);

/// Terms whose being non-zero means that `id` has a value.
void add_definedness(TermPool& pool, TermId id, std::vector<TermId>& nonzero);

} // namespace thinair::values
