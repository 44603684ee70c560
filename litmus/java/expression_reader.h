// Reads expressions and VarHandle calls of Java litmus code.
#pragma once

#include "litmus/expression.h"
#include "litmus/java/scope.h"
#include "litmus/lexer.h"

namespace thinair::litmus::java {

/// A call `X.method(arguments)` as it was read.
struct Call {
  Method method = Method::get;
  LocationId location;
  std::vector<Expression> arguments;
  std::size_t depth = 1; // levels of its tree
};

class ExpressionReader {
 public:
  ExpressionReader(Lexer& lexer, Scope& scope) : lexer_(lexer), scope_(scope) {}

  /// An expression with a value.
  Expression read() { return read_from(0).expression; }
  /// A call whose VarHandle is the next token.
  Call read_call();

 private:
  struct Parsed {
    Expression expression;
    std::size_t depth = 1;
  };

  Parsed read_from(int least_precedence);
  Parsed read_unary();
  Parsed read_primary();
  Parsed read_negative(const Token& minus);
  Parsed literal(const Token& number, std::optional<text::Span> minus) const;
  Method read_method();
  void check_arguments(const Call& call, const Token& method, text::Span span) const;
  void check_divisor(const Token& op, const Expression& divisor, text::Span span) const;
  std::size_t checked(std::size_t depth, text::Span span) const;

  Lexer& lexer_;
  Scope& scope_;
  std::size_t parentheses_ = 0;
  std::size_t unary_ = 0;
};

} // namespace thinair::litmus::java
