// Expressions: the operator table, Java's int arithmetic, evaluation.
#include "litmus/expression.h"

#include "litmus/text/error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace thinair::litmus {
namespace {

using enum Operator;

// Precedences as JLS 15.15–15.24 order them.
constexpr std::array<OperatorInfo, 22> table{{
    {add, "+", 11, false},           {subtract, "-", 11, false},
    {multiply, "*", 12, false},      {divide, "/", 12, false},
    {remainder, "%", 12, false},     {bit_and, "&", 7, false},
    {bit_or, "|", 5, false},         {bit_xor, "^", 6, false},
    {bit_not, "~", 13, true},        {equal, "==", 8, false},
    {not_equal, "!=", 8, false},     {less, "<", 9, false},
    {less_equal, "<=", 9, false},    {greater, ">", 9, false},
    {greater_equal, ">=", 9, false}, {shift_left, "<<", 10, false},
    {shift_right, ">>", 10, false},  {shift_right_unsigned, ">>>", 10, false},
    {logical_and, "&&", 4, false},   {logical_or, "||", 3, false},
    {logical_not, "!", 13, true},    {negate, "-", 13, true},
}};

constexpr std::size_t first_operator = static_cast<std::size_t>(add);

consteval bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].op != static_cast<Operator>(first_operator + i)) return false;
  return true;
}
static_assert(in_order(), "a row's place in the table is its enumerator");

std::int32_t wrap(std::uint32_t bits) { return static_cast<std::int32_t>(bits); }

std::int32_t shift(Operator op, std::int32_t left, std::int32_t right) {
  const std::uint32_t distance = static_cast<std::uint32_t>(right) & 31U; // JLS 15.19
  if (op == shift_right) return left >> distance;
  const auto bits = static_cast<std::uint32_t>(left);
  return wrap(op == shift_left ? bits << distance : bits >> distance);
}

/// JLS 15.17.2 and 15.17.3: the quotient truncates, and the least int divided by -1 is itself.
std::optional<std::int32_t> divided(Operator op, std::int32_t left, std::int32_t right) {
  if (right == 0) return std::nullopt;
  if (right == -1) return op == divide ? wrap(0U - static_cast<std::uint32_t>(left)) : 0;
  return op == divide ? left / right : left % right;
}

} // namespace

std::span<const OperatorInfo> operators() { return table; }

const OperatorInfo& info(Operator op) {
  THINAIR_CHECK(op >= add, "not an operator: a constant, register or access");
  return table[static_cast<std::size_t>(op) - first_operator];
}

Expression Expression::number(std::int32_t value) {
  Expression e;
  e.constant = value;
  return e;
}

Expression Expression::of(RegisterId reg) {
  Expression e;
  e.op = Operator::reg;
  e.reg = reg;
  return e;
}

Expression Expression::unary(Operator op, Expression operand) {
  Expression e;
  e.op = op;
  e.arguments.push_back(std::move(operand));
  return e;
}

Expression Expression::binary(Operator op, Expression left, Expression right) {
  Expression e;
  e.op = op;
  e.arguments.reserve(2);
  e.arguments.push_back(std::move(left));
  e.arguments.push_back(std::move(right));
  return e;
}

Expression Expression::of(Method method, LocationId location, std::vector<Expression> arguments) {
  Expression e;
  e.op = access;
  e.method = method;
  e.location = location;
  e.arguments = std::move(arguments);
  return e;
}

std::optional<std::int32_t> apply(Operator op, std::int32_t left, std::int32_t right) {
  const auto a = static_cast<std::uint32_t>(left);
  const auto b = static_cast<std::uint32_t>(right);
  switch (op) {
  case add: return wrap(a + b);
  case subtract: return wrap(a - b);
  case multiply: return wrap(a * b);
  case divide:
  case remainder: return divided(op, left, right);
  case bit_and:
  case logical_and: return left & right;
  case bit_or:
  case logical_or: return left | right;
  case bit_xor: return left ^ right;
  case equal: return left == right;
  case not_equal: return left != right;
  case less: return left < right;
  case less_equal: return left <= right;
  case greater: return left > right;
  case greater_equal: return left >= right;
  case shift_left:
  case shift_right:
  case shift_right_unsigned: return shift(op, left, right);
  case constant:
  case reg:
  case access:
  case bit_not:
  case logical_not:
  case negate: break;
  }
  bug(__FILE__, __LINE__, "not a binary operator");
}

std::int32_t apply(Operator op, std::int32_t operand) {
  if (op == bit_not) return ~operand;
  if (op == logical_not) return operand == 0;
  THINAIR_CHECK(op == negate, "not a unary operator");
  return wrap(0U - static_cast<std::uint32_t>(operand));
}

std::optional<std::int32_t> evaluate(const Expression& e, std::span<const std::int32_t> registers) {
  THINAIR_CHECK(e.op != access, "an access has no value outside an execution");
  if (e.op == constant) return e.constant;
  if (e.op == reg) return registers[e.reg.value];
  const auto left = evaluate(e.arguments[0], registers);
  if (!left || info(e.op).unary) return left ? std::optional(apply(e.op, *left)) : std::nullopt;
  const auto right = evaluate(e.arguments[1], registers);
  return right ? apply(e.op, *left, *right) : std::nullopt;
}

bool has_access(const Expression& e) {
  return e.op == access || std::ranges::any_of(e.arguments, has_access);
}

} // namespace thinair::litmus
