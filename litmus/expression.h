// Expressions over a thread's registers: value trees with Java's semantics.
#pragma once

#include "litmus/ids.h"
#include "litmus/modes.h"
#include "litmus/type.h"

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
  cast, // `(byte) e`: to Expression::type
};

struct OperatorInfo {
  Operator op;
  std::string_view symbol;
  int precedence; // higher binds tighter, as in JLS 15; unary operators bind tightest
  bool unary;
};

std::span<const OperatorInfo> operators(); // but for casts, which a type makes
const OperatorInfo& info(Operator op);     // not for constant, reg, access

/// What a reference leads to: a field, `r.x`, by its place in the class of `object`'s type; or an
/// element of an array, `r[i]`, whose index stands before what the access's method takes.
struct FieldOf {
  RegisterId object;
  std::uint32_t field = 0; // of an element 0: the one that stands for all
  bool element = false;
  friend bool operator==(const FieldOf&, const FieldOf&) = default;
};

/// A node and its operands. `arguments` holds 1 or 2 operands of an operator, or the arguments of
/// an access (an element's index first).
struct Expression {
  Operator op = Operator::constant;
  Value constant = 0;                // op == constant
  JavaType type = {};                // op == constant: its literal's; op == cast: the target
  RegisterId reg;                    // op == reg
  Method method = Method::get;       // op == access
  LocationId location;               // op == access, but of fields
  std::optional<FieldOf> field = {}; // op == access: in place of a location
  std::vector<Expression> arguments;

  static Expression number(Value value);
  static Expression of(RegisterId reg);
  static Expression unary(Operator op, Expression operand);
  static Expression binary(Operator op, Expression left, Expression right);
  static Expression of(Method method, LocationId location, std::vector<Expression> arguments);

  friend bool operator==(const Expression&, const Expression&) = default;
};

/// Of an access, an Expression or an Access: the index of the element that it goes to; null: it
/// goes to none.
template <class Node>
const Expression* element_index(const Node& access) {
  return access.field && access.field->element ? &access.arguments.front() : nullptr;
}
/// What its method takes: the arguments without that index.
template <class Node>
std::span<const Expression> operands_of(const Node& access) {
  return std::span(access.arguments).subspan(element_index(access) == nullptr ? 0 : 1);
}

/// The type to which an operator's operands are promoted, and in which it works: of a shift the
/// left one's (JLS 15.19), else the wider of both (JLS 5.6). Of an int and a boolean, int.
TypeKind working_type(Operator op, TypeKind left, TypeKind right);
/// Of what it yields: that, but int of comparisons and `!`, which yield 0 or 1.
TypeKind result_type(Operator op, TypeKind working);

/// Java's arithmetic in a type that operands are promoted to (JLS 15.15–15.24): it wraps at the
/// type's bits, shifts go by the low five bits, of a long the low six; division truncates. That of
/// floats and doubles is litmus/floating.h's. No value: a division of integers by zero.
std::optional<Value> apply(Operator op, TypeKind in, Value left, Value right);
Value apply(Operator op, TypeKind in, Value operand); // but of casts

struct TypedValue {
  Value value = 0;
  TypeKind type = TypeKind::int_;
};
/// The expression without accesses under an assignment of registers; no value where it divides by
/// zero.
std::optional<TypedValue> evaluate(const Expression& e, std::span<const TypedValue> registers);

bool has_access(const Expression& e);

} // namespace thinair::litmus
