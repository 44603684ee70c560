// Folds constant expressions, and tells operators apart.
#include "lower/constants.h"

#include <algorithm>

namespace thinair::lower {

using litmus::Expression;
using litmus::Operator;

namespace {

bool is_constant(const Expression& e) {
  return e.op != Operator::reg && e.op != Operator::access &&
         std::ranges::all_of(e.arguments, is_constant);
}

} // namespace

std::optional<litmus::Value> constant_value(const Expression& e) {
  if (!is_constant(e)) return std::nullopt;
  const auto found = litmus::evaluate(e, {});
  return found ? std::optional(found->value) : std::nullopt;
}

bool is_comparison(Operator op) {
  switch (op) {
  case Operator::equal:
  case Operator::not_equal:
  case Operator::less:
  case Operator::less_equal:
  case Operator::greater:
  case Operator::greater_equal:
  case Operator::logical_not: return true;
  case Operator::constant:
  case Operator::reg:
  case Operator::access:
  case Operator::add:
  case Operator::subtract:
  case Operator::multiply:
  case Operator::divide:
  case Operator::remainder:
  case Operator::bit_and:
  case Operator::bit_or:
  case Operator::bit_xor:
  case Operator::bit_not:
  case Operator::shift_left:
  case Operator::shift_right:
  case Operator::shift_right_unsigned:
  case Operator::logical_and:
  case Operator::logical_or:
  case Operator::negate:
  case Operator::cast: return false;
  }
  return false;
}

bool is_shift(Operator op) {
  return op == Operator::shift_left || op == Operator::shift_right ||
         op == Operator::shift_right_unsigned;
}

bool shifts_by_register(const Expression& e) {
  if (is_shift(e.op) && !constant_value(e.arguments[1])) return true;
  return std::ranges::any_of(e.arguments, shifts_by_register);
}

} // namespace thinair::lower
