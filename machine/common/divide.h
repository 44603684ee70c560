// Unsigned division, of terms that only divide with a sign.
#pragma once

#include "oracle/graph/term.h"

#include <cstdint>

namespace thinair::machine {

/// By a divisor that is not zero. One above the signed range fits once or not at all; else half of
/// the dividend is divided, which is not negative, and the quotient is at most one too small.
template <class Core>
typename Core::Word unsigned_quotient(Core& core, std::uint8_t bits, typename Core::Word a,
                                      typename Core::Word b) {
  using Op = graph::TermOp;
  const auto make = [&](Op op, auto x, auto y) { return core.make(op, bits, x, y); };
  const auto one = core.number(1);
  const auto halves = make(Op::divide, make(Op::shift_right_unsigned, a, one), b);
  const auto guess = make(Op::shift_left, halves, one);
  const auto left = make(Op::subtract, a, make(Op::multiply, guess, b));
  const auto exact = make(Op::add, guess, make(Op::below_equal, b, left));
  return core.choose(make(Op::less, b, core.number(0)), make(Op::below_equal, b, a), exact);
}

} // namespace thinair::machine
