// Reads expressions and VarHandle calls of Java litmus code.
#pragma once

#include "litmus/expression.h"
#include "litmus/java/scope.h"
#include "litmus/lexer.h"
#include "litmus/program.h"

#include <optional>
#include <string>
#include <utility>

namespace thinair::litmus::java {

/// What an expression may stand for: `null` fits every class, what comparisons yield an int and a
/// boolean, an int literal what its value fits (JLS 5.2).
struct ValueType {
  JavaType of = {};
  bool is_null = false;
  bool is_truth = false;             // 0 or 1, of a comparison
  std::optional<Value> literal = {}; // of an int
  bool refers() const { return of.refers() || is_null; }
  bool is_boolean() const { return of.kind == TypeKind::boolean; }
  bool is_floating() const { return litmus::is_floating(of.kind); }
  bool fits(JavaType wanted) const;
};

/// A call `X.method(arguments)`, or an access to a field or an element, as it was read.
struct Call {
  Method method = Method::get;
  LocationId location;
  std::optional<FieldOf> field;      // in place of a location
  std::vector<Expression> arguments; // an element's index first
  std::size_t depth = 1;             // levels of its tree
  bool bare = false;                 // `r.x` or `r[i]` without a method

  Expression expression() &&;
  Access statement(std::optional<RegisterId> target, bool declares) &&;
};

class ExpressionReader {
 public:
  ExpressionReader(Lexer& lexer, Scope& scope) : lexer_(lexer), scope_(scope) {}

  /// An expression with a value of the type.
  Expression read(JavaType wanted);
  /// Of any type but references.
  Expression read_value();
  /// Of integers and booleans: it holds where it is not 0.
  Expression read_condition();
  /// The same of whatever type it has.
  std::pair<Expression, ValueType> read_any();
  /// A call whose VarHandle is the next token, or `r.x` or `r[i]` and perhaps a method of it.
  Call read_call();
  /// Fails unless a value of the type goes where one of `wanted` is needed.
  void demand(const ValueType& found, JavaType wanted, text::Span span) const;
  std::string name_of(const ValueType& type) const;

 private:
  struct Parsed {
    Expression expression;
    std::size_t depth = 1;
    ValueType type = {};
  };

  Parsed read_from(int least_precedence);
  Parsed read_unary();
  Parsed read_primary();
  Parsed read_negative(const Token& minus);
  bool at_cast();
  Parsed read_cast();
  Parsed literal(std::optional<text::Span> minus);
  Method read_method();
  Call read_field();
  Call read_element();
  void read_index(Call& call);
  Call read_method_of(Call call, const Token& reference);
  void read_arguments(Call& call, const Token& method, std::uint32_t begin);
  void check_writes(const Call& call, const Token& method) const;
  ValueType type_of_operation(Operator op, const Parsed& left, const Parsed& right,
                              text::Span span) const;
  ValueType compared(Operator op, const ValueType& left, const ValueType& right,
                     text::Span span) const;
  void check_number(const Token& op, const ValueType& operand, text::Span span) const;
  void check_method(JavaType type, Action action, const Token& method) const;
  void check_arguments(const Call& call, const Token& method, text::Span span) const;
  void check_integers(Operator op, const ValueType& left, const ValueType& right,
                      text::Span span) const;
  void check_divisor(const Token& op, const Parsed& divisor, text::Span span) const;
  std::size_t checked(std::size_t depth, text::Span span) const;

  Lexer& lexer_;
  Scope& scope_;
  std::size_t parentheses_ = 0;
  std::size_t unary_ = 0;
};

} // namespace thinair::litmus::java
