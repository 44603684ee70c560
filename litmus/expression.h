// Expressions over a thread's registers: value trees with Java's int semantics.
#pragma once

#include "litmus/ids.h"
#include "litmus/modes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace thinair::litmus {

/// What a node of an expression is. Binary and unary operators stand in one table (`operators()`).
enum class Operator : std::uint8_t {
  constant,
  reg,
  access, // a VarHandle access used as a value, as in `X.set(Y.get())`
  add,
  subtract,
  multiply,
  divide,
  remainder,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  shift_right_unsigned,
  logical_and,
  logical_or,  // as in herd: bitwise on their int operands, both evaluated
  logical_not, // 1 if the operand is 0, else 0
  negate,
};

struct OperatorInfo {
  Operator op;
  std::string_view symbol;
  int precedence; // higher binds tighter, as in JLS 15; unary operators bind tightest
  bool unary;
};

std::span<const OperatorInfo> operators();
const OperatorInfo& info(Operator op); // not for constant, reg, access

/// A field by a reference, `r.x`: its place in the class of `object`'s type.
struct FieldOf {
  RegisterId object;
  std::uint32_t field = 0;
  friend bool operator==(const FieldOf&, const FieldOf&) = default;
};

/// A node and its operands. `arguments` holds 1 or 2 operands of an operator, or the arguments of
/// an access.
struct Expression {
  Operator op = Operator::constant;
  std::int32_t constant = 0;         // op == constant
  RegisterId reg;                    // op == reg
  Method method = Method::get;       // op == access
  LocationId location;               // op == access, but of fields
  std::optional<FieldOf> field = {}; // op == access: in place of a location
  std::vector<Expression> arguments;

  static Expression number(std::int32_t value);
  static Expression of(RegisterId reg);
  static Expression unary(Operator op, Expression operand);
  static Expression binary(Operator op, Expression left, Expression right);
  static Expression of(Method method, LocationId location, std::vector<Expression> arguments);

  friend bool operator==(const Expression&, const Expression&) = default;
};

/// Java int arithmetic (JLS 15.15–15.24): wraps at 32 bits, shifts by the low five bits, division
/// truncates. No value: division by zero.
std::optional<std::int32_t> apply(Operator op, std::int32_t left, std::int32_t right);
std::int32_t apply(Operator op, std::int32_t operand);

/// The expression without accesses under an assignment of registers; no value where it divides by
/// zero.
std::optional<std::int32_t> evaluate(const Expression& e, std::span<const std::int32_t> registers);

bool has_access(const Expression& e);

} // namespace thinair::litmus
