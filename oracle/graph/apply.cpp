// The arithmetic of terms on concrete values.
#include "litmus/floating.h"
#include "litmus/text/error.h"
#include "oracle/graph/term.h"

namespace thinair::graph {
namespace {

std::uint64_t low_bits(std::uint8_t bits, Value v) {
  const auto u = static_cast<std::uint64_t>(v);
  return bits == 64 ? u : u & ((std::uint64_t{1} << bits) - 1);
}

Value sign_extended(std::uint8_t bits, std::uint64_t v) {
  const unsigned unused = 64U - bits;
  return static_cast<Value>(v << unused) >> unused;
}

std::optional<Value> quotient(Value a, Value b) {
  if (b == 0) return std::nullopt;
  if (b == -1) return static_cast<Value>(0 - static_cast<std::uint64_t>(a));
  return a / b;
}

std::optional<Value> remainder(Value a, Value b) {
  if (b == 0) return std::nullopt;
  return b == -1 ? 0 : a % b;
}

} // namespace

std::uint32_t arity(TermOp op) {
  switch (op) {
  case TermOp::constant:
  case TermOp::variable: return 0;
  case TermOp::bit_not:
  case TermOp::negate:
  case TermOp::logical_not:
  case TermOp::sign_extend:
  case TermOp::zero_extend:
  case TermOp::float_of_integer:
  case TermOp::float_to_integer:
  case TermOp::float_resize: return 1;
  case TermOp::add:
  case TermOp::subtract:
  case TermOp::multiply:
  case TermOp::divide:
  case TermOp::remainder:
  case TermOp::bit_and:
  case TermOp::bit_or:
  case TermOp::bit_xor:
  case TermOp::shift_left:
  case TermOp::shift_right:
  case TermOp::shift_right_unsigned:
  case TermOp::equal:
  case TermOp::less:
  case TermOp::less_equal:
  case TermOp::below:
  case TermOp::below_equal:
  case TermOp::float_add:
  case TermOp::float_subtract:
  case TermOp::float_multiply:
  case TermOp::float_divide:
  case TermOp::float_remainder:
  case TermOp::float_equal:
  case TermOp::float_less:
  case TermOp::float_less_equal: return 2;
  case TermOp::select: return 3;
  }
  bug(__FILE__, __LINE__, "unknown term operator");
}

std::optional<Value> apply(TermOp op, std::uint8_t bits, Value a, Value b, Value c) {
  const std::uint64_t ua = low_bits(bits, a), ub = low_bits(bits, b);
  const Value sa = sign_extended(bits, ua), sb = sign_extended(bits, ub);
  const unsigned shift = static_cast<unsigned>(ub) & (bits - 1U);
  const auto wrapped = [bits](std::uint64_t v) { return sign_extended(bits, v); };
  switch (op) {
  case TermOp::constant:
  case TermOp::variable: break;
  case TermOp::add: return wrapped(ua + ub);
  case TermOp::subtract: return wrapped(ua - ub);
  case TermOp::multiply: return wrapped(ua * ub);
  case TermOp::divide:
    if (const auto q = quotient(sa, sb)) return wrapped(static_cast<std::uint64_t>(*q));
    return std::nullopt;
  case TermOp::remainder: return remainder(sa, sb);
  case TermOp::bit_and: return sa & sb;
  case TermOp::bit_or: return sa | sb;
  case TermOp::bit_xor: return sa ^ sb;
  case TermOp::bit_not: return ~sa;
  case TermOp::negate: return wrapped(0 - ua);
  case TermOp::shift_left: return wrapped(ua << shift);
  case TermOp::shift_right: return sa >> shift;
  case TermOp::shift_right_unsigned: return wrapped(ua >> shift);
  case TermOp::equal: return sa == sb;
  case TermOp::less: return sa < sb;
  case TermOp::less_equal: return sa <= sb;
  case TermOp::below: return ua < ub;
  case TermOp::below_equal: return ua <= ub;
  case TermOp::logical_not: return sa == 0;
  case TermOp::sign_extend: return sa;
  case TermOp::zero_extend: return static_cast<Value>(ua);
  case TermOp::select: return a != 0 ? b : c;
  case TermOp::float_add: return litmus::floating::sum(bits, a, b);
  case TermOp::float_subtract: return litmus::floating::difference(bits, a, b);
  case TermOp::float_multiply: return litmus::floating::product(bits, a, b);
  case TermOp::float_divide: return litmus::floating::quotient(bits, a, b);
  case TermOp::float_remainder: return litmus::floating::remainder(bits, a, b);
  case TermOp::float_equal: return litmus::floating::equal(bits, a, b);
  case TermOp::float_less: return litmus::floating::less(bits, a, b);
  case TermOp::float_less_equal: return litmus::floating::less_equal(bits, a, b);
  case TermOp::float_of_integer: return litmus::floating::of_integer(bits, a);
  case TermOp::float_to_integer: return litmus::floating::to_integer(bits, a);
  case TermOp::float_resize: return litmus::floating::resized(bits, a);
  }
  bug(__FILE__, __LINE__, "not an operator on values");
}

} // namespace thinair::graph
