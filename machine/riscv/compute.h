// What each instruction computes, once for numbers and for terms (the manual, chapters "RV32I",
// "RV64I", "M").
#pragma once

#include "litmus/text/error.h"
#include "machine/common/divide.h"
#include "machine/riscv/instructions.h"
#include "oracle/graph/term.h"

#include <cstdint>

namespace thinair::riscv {

/// The operations, on operands that are sign-extended from `bits`.
template <class Core>
class Calculator {
 public:
  using Number = typename Core::Word;
  using Op = graph::TermOp;

  Calculator(Core& core, std::uint8_t bits) : core_(core), bits_(bits) {}

  /// Sign-extended from `bits`, whatever the operands are.
  Number operator()(Operation operation, Number a, Number b) {
    if (operation == Operation::zero_extend) return make(Op::zero_extend, a);
    if (bits_ < 64) {
      a = make(Op::sign_extend, a);
      b = make(Op::sign_extend, b);
    }
    return on_fitting(operation, a, b);
  }

 private:
  Number constant(Value value) { return core_.number(value); }
  Number make(Op op, Number a) { return core_.make(op, bits_, a); }
  Number make(Op op, Number a, Number b) { return core_.make(op, bits_, a, b); }
  Number either(Number condition, Number a, Number b) { return core_.choose(condition, a, b); }
  Number negated(Op op, Number a, Number b) { return make(Op::logical_not, make(op, a, b)); }

  Number on_fitting(Operation operation, Number a, Number b) {
    switch (operation) {
    case Operation::sign_extend: return a;
    case Operation::second: return b;
    case Operation::add: return make(Op::add, a, b);
    case Operation::subtract: return make(Op::subtract, a, b);
    case Operation::bit_and: return make(Op::bit_and, a, b);
    case Operation::bit_or: return make(Op::bit_or, a, b);
    case Operation::bit_xor: return make(Op::bit_xor, a, b);
    case Operation::shift_left: return make(Op::shift_left, a, b);
    case Operation::shift_right: return make(Op::shift_right_unsigned, a, b);
    case Operation::shift_right_signed: return make(Op::shift_right, a, b);
    case Operation::less: return make(Op::less, a, b);
    case Operation::below: return make(Op::below, a, b);
    case Operation::greater_equal: return make(Op::less_equal, b, a);
    case Operation::above_equal: return make(Op::below_equal, b, a);
    case Operation::equal: return make(Op::equal, a, b);
    case Operation::not_equal: return negated(Op::equal, a, b);
    case Operation::multiply: return make(Op::multiply, a, b);
    case Operation::minimum: return either(make(Op::less, a, b), a, b);
    case Operation::maximum: return either(make(Op::less, a, b), b, a);
    case Operation::minimum_unsigned: return either(make(Op::below, a, b), a, b);
    case Operation::maximum_unsigned: return either(make(Op::below, a, b), b, a);
    case Operation::multiply_high_unsigned: return high(a, b);
    case Operation::multiply_high_mixed: return make(Op::subtract, high(a, b), if_negative(a, b));
    case Operation::multiply_high:
      return make(Op::subtract, make(Op::subtract, high(a, b), if_negative(a, b)),
                  if_negative(b, a));
    case Operation::divide: return quotient(a, b);
    case Operation::remainder: return rest(a, b);
    case Operation::divide_unsigned: return unsigned_quotient(a, b);
    case Operation::remainder_unsigned: return unsigned_rest(a, b);
    case Operation::none:
    case Operation::zero_extend:
    case Operation::compare_and_swap:
    case Operation::fence_tso:
    case Operation::fence_instructions: break;
    }
    throw Bug("a RISC-V instruction that computes nothing");
  }

  Number if_negative(Number a, Number b) {
    return either(make(Op::less, a, constant(0)), b, constant(0));
  }

  /// The upper half of the unsigned product of two numbers of 64 bits, from products of halves.
  Number high(Number a, Number b) {
    const Number half = constant(32), low = constant(0xFFFFFFFF);
    const auto upper = [&](Number n) { return make(Op::shift_right_unsigned, n, half); };
    const auto lower = [&](Number n) { return make(Op::bit_and, n, low); };
    const auto times = [&](Number m, Number n) { return make(Op::multiply, m, n); };
    const auto plus = [&](Number m, Number n) { return make(Op::add, m, n); };
    const Number carried = plus(times(upper(a), lower(b)), upper(times(lower(a), lower(b))));
    const Number middle = plus(times(lower(a), upper(b)), lower(carried));
    return plus(plus(times(upper(a), upper(b)), upper(carried)), upper(middle));
  }

  /// Division by zero has a value ("M", table "Semantics for division by zero and division
  /// overflow"), so that terms must not divide there.
  Number is_zero(Number b) { return make(Op::equal, b, constant(0)); }
  Number divisor(Number b) { return either(is_zero(b), constant(1), b); }

  Number quotient(Number a, Number b) {
    return either(is_zero(b), constant(-1), make(Op::divide, a, divisor(b)));
  }
  Number rest(Number a, Number b) {
    return either(is_zero(b), a, make(Op::remainder, a, divisor(b)));
  }

  Number positive_quotient(Number a, Number b) {
    return machine::unsigned_quotient(core_, bits_, a, b);
  }
  Number unsigned_quotient(Number a, Number b) {
    return either(is_zero(b), constant(-1), positive_quotient(a, divisor(b)));
  }
  Number unsigned_rest(Number a, Number b) {
    const Number fits = positive_quotient(a, divisor(b));
    return either(is_zero(b), a, make(Op::subtract, a, make(Op::multiply, fits, divisor(b))));
  }

  Core& core_;
  std::uint8_t bits_;
};

/// The result at the width of the instruction, sign-extended (or, of zero_extend, zero-extended) to
/// 64 bits.
template <class Core>
typename Core::Word compute(Core& core, const InstructionInfo& info, typename Core::Word a,
                            typename Core::Word b) {
  return Calculator<Core>(core, litmus::bits_of(info.width))(info.operation, a, b);
}

/// The second operand where it stands in the instruction: a number, of `lui` shifted.
inline Value immediate_of(const InstructionInfo& info, Value immediate) {
  if (info.shape != Shape::upper) return immediate;
  return litmus::sign_extended(static_cast<std::uint64_t>(immediate) << 12, Width::l);
}

} // namespace thinair::riscv
