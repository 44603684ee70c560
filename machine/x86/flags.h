// The x86 status flags as terms, made only when something asks for them.
#pragma once

#include "machine/x86/program.h"
#include "oracle/graph/term.h"

#include <cstdint>

namespace thinair::x86 {

using graph::TermId;
using graph::TermOp;
using graph::TermPool;

/// Where flags come from: the operation that last wrote them. Values are sign-extended from `bits`.
struct FlagSource {
  enum class Kind : std::uint8_t { cleared, sum, difference, logical, shifted, product };
  Kind kind = Kind::cleared;
  std::uint8_t bits = 32;
  TermId a{}, b{}; // operands
  TermId result{}; // at `bits`
  TermId carry{};  // shifted: CF itself; product: whether the upper half is lost
  bool has_carry = false;
  TermId overflow{}; // shifted: OF itself
};

/// CF has a source of its own: `inc` and `dec` leave it alone.
struct SymbolicFlags {
  FlagSource arithmetic; // PF, ZF, SF, OF
  FlagSource carry;      // CF
  void set(const FlagSource& source) { arithmetic = carry = source; }
};

/// Non-zero where `condition` holds (Intel SDM vol. 1, appendix B). Throws Unsupported for flags
/// that the processor leaves undefined, or whose value is out of reach of terms.
TermId condition_term(TermPool& terms, ConditionCode condition, const SymbolicFlags& flags);

} // namespace thinair::x86
