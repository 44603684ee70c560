// Expressions: the operator table, Java's arithmetic, evaluation.
#include "litmus/expression.h"

#include "litmus/floating.h"
#include "litmus/text/error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace thinair::litmus {
namespace {

using enum Operator;

// Precedences as JLS 15.15–15.24 order them.
constexpr std::array<OperatorInfo, 23> operator_table{{
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
    {cast, "()", 13, true},
}};

constexpr std::size_t first_operator = static_cast<std::size_t>(add);

consteval bool operators_in_order() {
  for (std::size_t i = 0; i < operator_table.size(); ++i)
    if (operator_table[i].op != static_cast<Operator>(first_operator + i)) return false;
  return true;
}
static_assert(operators_in_order(), "a row's place in the table is its enumerator");

/// The low bits, sign-extended: int and long are signed, and nothing else is worked in.
Value wrap(TypeKind in, std::uint64_t bits) { return narrowed(in, static_cast<Value>(bits)); }

Value shift(Operator op, TypeKind in, Value left, Value right) {
  const unsigned bits = info(in).bits;
  const unsigned distance = static_cast<unsigned>(right) & (bits - 1U); // JLS 15.19
  if (op == shift_right) return left >> distance;
  const auto low = static_cast<std::uint64_t>(left) << (64U - bits) >> (64U - bits);
  return wrap(in, op == shift_left ? low << distance : low >> distance);
}

/// JLS 15.17.2 and 15.17.3: the quotient truncates, and the least value divided by -1 is itself.
std::optional<Value> divided(Operator op, TypeKind in, Value left, Value right) {
  if (right == 0) return std::nullopt;
  if (right == -1) return op == divide ? wrap(in, 0U - static_cast<std::uint64_t>(left)) : 0;
  return op == divide ? left / right : left % right;
}

/// JLS 15.17 to 15.21 on floats and doubles, which have no bitwise operators and no shifts.
Value floating_value(Operator op, TypeKind in, Value left, Value right) {
  const unsigned bits = info(in).bits;
  if (op == add) return floating::sum(bits, left, right);
  if (op == subtract) return floating::difference(bits, left, right);
  if (op == multiply) return floating::product(bits, left, right);
  if (op == divide) return floating::quotient(bits, left, right);
  if (op == remainder) return floating::remainder(bits, left, right);
  if (op == equal) return floating::equal(bits, left, right);
  if (op == not_equal) return !floating::equal(bits, left, right);
  if (op == less) return floating::less(bits, left, right);
  if (op == less_equal) return floating::less_equal(bits, left, right);
  if (op == greater) return floating::less(bits, right, left);
  THINAIR_CHECK(op == greater_equal, "not an operator of floating-point values");
  return floating::less_equal(bits, right, left);
}

bool compares(Operator op) {
  return op == equal || op == not_equal || op == less || op == less_equal || op == greater ||
         op == greater_equal || op == logical_not;
}

} // namespace

std::span<const OperatorInfo> operators() {
  return std::span(operator_table).first(operator_table.size() - 1);
}

const OperatorInfo& info(Operator op) {
  THINAIR_CHECK(op >= add, "not an operator: a constant, register or access");
  return operator_table[static_cast<std::size_t>(op) - first_operator];
}

Expression Expression::number(Value value) {
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

TypeKind working_type(Operator op, TypeKind left, TypeKind right) {
  const TypeKind mine = info(left).promoted, theirs = info(right).promoted;
  const bool shifts = op == shift_left || op == shift_right || op == shift_right_unsigned;
  if (shifts || mine == theirs || info(op).unary) return mine;
  for (const TypeKind wider : {TypeKind::double_, TypeKind::float_, TypeKind::long_})
    if (mine == wider || theirs == wider) return wider;
  return TypeKind::int_;
}

TypeKind result_type(Operator op, TypeKind working) {
  return compares(op) ? TypeKind::int_ : working;
}

std::optional<Value> apply(Operator op, TypeKind in, Value left, Value right) {
  if (is_floating(in)) return floating_value(op, in, left, right);
  const auto a = static_cast<std::uint64_t>(left);
  const auto b = static_cast<std::uint64_t>(right);
  switch (op) {
  case add: return wrap(in, a + b);
  case subtract: return wrap(in, a - b);
  case multiply: return wrap(in, a * b);
  case divide:
  case remainder: return divided(op, in, left, right);
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
  case shift_right_unsigned: return shift(op, in, left, right);
  case constant:
  case reg:
  case access:
  case bit_not:
  case logical_not:
  case negate:
  case cast: break;
  }
  bug(__FILE__, __LINE__, "not a binary operator");
}

Value apply(Operator op, TypeKind in, Value operand) {
  if (is_floating(in)) {
    THINAIR_CHECK(op == negate, "not a unary operator of floating-point values");
    return floating::negation(info(in).bits, operand);
  }
  if (op == bit_not) return ~operand;
  if (op == logical_not) return operand == 0;
  THINAIR_CHECK(op == negate, "not a unary operator");
  return wrap(in, 0U - static_cast<std::uint64_t>(operand));
}

std::optional<TypedValue> evaluate(const Expression& e, std::span<const TypedValue> registers) {
  THINAIR_CHECK(e.op != access, "an access has no value outside an execution");
  if (e.op == constant) return TypedValue{e.constant, e.type.kind};
  if (e.op == reg) return registers[e.reg.value];
  const auto left = evaluate(e.arguments[0], registers);
  if (!left) return std::nullopt;
  if (e.op == cast) return TypedValue{converted(left->type, e.type.kind, left->value), e.type.kind};
  const bool unary = info(e.op).unary;
  const auto right = unary ? left : evaluate(e.arguments[1], registers);
  if (!right) return std::nullopt;
  const TypeKind in = working_type(e.op, left->type, right->type);
  const auto operand = [in](const TypedValue& side) {
    return is_floating(in) ? converted(side.type, in, side.value) : side.value;
  };
  const auto value =
      unary ? apply(e.op, in, operand(*left)) : apply(e.op, in, operand(*left), operand(*right));
  if (!value) return std::nullopt;
  return TypedValue{*value, result_type(e.op, in)};
}

bool has_access(const Expression& e) {
  return e.op == access || std::ranges::any_of(e.arguments, has_access);
}

} // namespace thinair::litmus
