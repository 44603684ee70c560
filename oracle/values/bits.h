// Search from the least bit on: sums, products and bitwise operators know the low bits of their
// results from the low bits of their operands.
#pragma once

#include "oracle/values/finite.h"

#include <functional>

namespace thinair::values {

/// Calls `found` with the assignments (by Variable) of `variables` at `bits` bits that make all of
/// `nonzero` non-zero, until it returns false or `limit` assignments, partial ones included, were
/// looked at. Equalities between terms of these operators are tested modulo 2, 4, 8, …, so that
/// most are refuted, or found to leave bits free, after a few steps; other conditions are tested
/// once all bits are there.
Search search_bits(const TermPool& pool, const std::vector<TermId>& nonzero,
                   const std::vector<Variable>& variables, std::uint8_t bits, std::uint64_t limit,
                   const std::function<bool(std::span<const Value>)>& found);

} // namespace thinair::values
