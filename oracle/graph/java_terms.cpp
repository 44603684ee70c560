// Chooses the operators of terms.
#include "oracle/graph/java_terms.h"

#include "litmus/floating.h"
#include "litmus/text/error.h"

namespace thinair::graph {
namespace {

using litmus::Action;
using litmus::Operator;
using litmus::TypeKind;

constexpr std::uint8_t bits_of_int = 32, bits_of_long = 64;

} // namespace

std::uint8_t working_bits(TypeKind promoted) {
  return promoted == TypeKind::long_ || promoted == TypeKind::double_ ? bits_of_long : bits_of_int;
}

/// JLS 5.1.3. A boolean is 0 or 1 as it is.
TermId JavaTerms::narrowed(TypeKind to, TermId a) {
  if (to == TypeKind::boolean || to == TypeKind::long_) return a;
  const auto& row = litmus::info(to);
  return terms_.make(row.is_signed ? TermOp::sign_extend : TermOp::zero_extend, row.bits, a);
}

TermId JavaTerms::converted(Typed a, TypeKind to) {
  const bool was = litmus::is_floating(a.type);
  if (litmus::is_floating(to)) {
    const auto bits = working_bits(to);
    if (a.type == to) return a.term;
    return terms_.make(was ? TermOp::float_resize : TermOp::float_of_integer, bits, a.term);
  }
  if (!was) return narrowed(to, a.term);
  const auto as_double = converted(a, TypeKind::double_);
  const auto whole = terms_.make(TermOp::float_to_integer, working_bits(to), as_double);
  return narrowed(to, whole);
}

/// JLS 15.17 to 15.21; -x is -0.0 - x.
TermId JavaTerms::floating(Operator op, std::uint8_t bits, TermId a, TermId b) {
  const auto make = [&](TermOp term, TermId x, TermId y) { return terms_.make(term, bits, x, y); };
  if (op == Operator::add) return make(TermOp::float_add, a, b);
  if (op == Operator::subtract) return make(TermOp::float_subtract, a, b);
  if (op == Operator::multiply) return make(TermOp::float_multiply, a, b);
  if (op == Operator::divide) return make(TermOp::float_divide, a, b);
  if (op == Operator::remainder) return make(TermOp::float_remainder, a, b);
  if (op == Operator::equal) return make(TermOp::float_equal, a, b);
  if (op == Operator::not_equal)
    return terms_.make(TermOp::logical_not, bits_of_int, make(TermOp::float_equal, a, b));
  if (op == Operator::less) return make(TermOp::float_less, a, b);
  if (op == Operator::less_equal) return make(TermOp::float_less_equal, a, b);
  if (op == Operator::greater) return make(TermOp::float_less, b, a);
  if (op == Operator::greater_equal) return make(TermOp::float_less_equal, b, a);
  THINAIR_CHECK(op == Operator::negate, "an operator of floating-point values");
  const auto zero = litmus::floating::negation(bits, litmus::floating::of_integer(bits, 0));
  return make(TermOp::float_subtract, terms_.constant(zero), a);
}

TermId JavaTerms::unary(Operator op, TypeKind in, TermId a) {
  const auto bits = working_bits(in);
  if (litmus::is_floating(in)) return floating(op, bits, a, a);
  if (op == Operator::negate) return terms_.make(TermOp::negate, bits, a);
  if (op == Operator::bit_not) return terms_.make(TermOp::bit_not, bits, a);
  THINAIR_CHECK(op == Operator::logical_not, "a unary operator");
  return terms_.make(TermOp::logical_not, bits, a);
}

TermId JavaTerms::binary(Operator op, TypeKind in, TermId a, TermId b) {
  const auto bits = working_bits(in);
  if (litmus::is_floating(in)) return floating(op, bits, a, b);
  const auto make = [&](TermOp term, TermId x, TermId y) { return terms_.make(term, bits, x, y); };
  switch (op) {
  case Operator::add: return make(TermOp::add, a, b);
  case Operator::subtract: return make(TermOp::subtract, a, b);
  case Operator::multiply: return make(TermOp::multiply, a, b);
  case Operator::logical_and:
  case Operator::bit_and: return make(TermOp::bit_and, a, b);
  case Operator::logical_or:
  case Operator::bit_or: return make(TermOp::bit_or, a, b);
  case Operator::bit_xor: return make(TermOp::bit_xor, a, b);
  case Operator::equal: return make(TermOp::equal, a, b);
  case Operator::not_equal:
    return terms_.make(TermOp::logical_not, bits_of_int, make(TermOp::equal, a, b));
  case Operator::less: return make(TermOp::less, a, b);
  case Operator::less_equal: return make(TermOp::less_equal, a, b);
  case Operator::greater: return make(TermOp::less, b, a);
  case Operator::greater_equal: return make(TermOp::less_equal, b, a);
  case Operator::shift_left: return make(TermOp::shift_left, a, b);
  case Operator::shift_right: return make(TermOp::shift_right, a, b);
  case Operator::shift_right_unsigned: return make(TermOp::shift_right_unsigned, a, b);
  case Operator::divide:
  case Operator::remainder:
  case Operator::constant:
  case Operator::reg:
  case Operator::access:
  case Operator::bit_not:
  case Operator::logical_not:
  case Operator::negate:
  case Operator::cast: break;
  }
  throw Bug("not a binary operator");
}

/// Sums wrap at the width of the location (VarHandle: `getAndAdd` adds in its variable's type).
TermId JavaTerms::updated(Action action, litmus::JavaType type, TermId old, TermId operand) {
  const auto bits = working_bits(type.kind);
  const auto make = [&](TermOp op) { return terms_.make(op, bits, old, operand); };
  switch (action) {
  case Action::get_and_add: {
    if (litmus::is_floating(type.kind)) return make(TermOp::float_add);
    const auto sum = make(TermOp::add);
    return type.is_int() ? sum : narrowed(type.kind, sum);
  }
  case Action::get_and_or: return make(TermOp::bit_or);
  case Action::get_and_and: return make(TermOp::bit_and);
  case Action::get_and_xor: return make(TermOp::bit_xor);
  case Action::set:
  case Action::get_and_set: return operand;
  case Action::get:
  case Action::compare_and_set:
  case Action::compare_and_exchange:
  case Action::weak_compare_and_set: break;
  }
  throw Bug("not an access that writes whatever it finds");
}

} // namespace thinair::graph
