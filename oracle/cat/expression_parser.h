// The half of the parser that reads expressions, patterns, bindings and conditions.
#pragma once

#include "oracle/cat/ast.h"
#include "oracle/cat/token_stream.h"

#include <vector>

namespace thinair::cat {

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& stream) : in_(stream) {}

  /// Anything: let, fun, try, if, match, tuples and operators.
  ast::ExpressionPtr expression();
  /// Operators and below.
  ast::ExpressionPtr operators();
  /// What may stand as an argument without parentheses.
  ast::ExpressionPtr argument();

  /// `x = e and f (y, z) = e`.
  std::vector<ast::Binding> bindings();
  /// `x`, `_`, `(x, y)`.
  ast::Pattern pattern();
  ast::Condition condition();

 private:
  using Ptr = ast::ExpressionPtr;
  TokenStream& in_;
  std::uint32_t nesting_ = 0;

  Ptr make(ast::Expression::Kind kind, std::uint32_t begin, std::vector<Ptr> children = {}) const;
  Ptr dispatch();
  Ptr let(std::uint32_t begin);
  Ptr lambda(std::uint32_t begin);
  Ptr try_(std::uint32_t begin);
  Ptr if_(std::uint32_t begin);
  Ptr match(std::uint32_t begin);
  Ptr match_tags(std::uint32_t begin, Ptr scrutinee);
  Ptr match_set(std::uint32_t begin, Ptr scrutinee);
  ast::Pattern element_clause();
  Ptr tuple_or_operators();
  Ptr binary_level(std::uint32_t level);
  Ptr flat(ast::Binary op, std::uint32_t level);
  Ptr right_associative(ast::Binary op, std::uint32_t level);
  Ptr differences(std::uint32_t level);
  Ptr product();
  Ptr prefix();
  Ptr postfix();
  Ptr application();
  Ptr atom(const char* expected);
  Ptr set_literal();
  Ptr parenthesised(TokenKind close);
  bool starts_operand() const;
  ast::Binding binding();
  ast::Condition disjunction();
  ast::Condition conjunction();
  ast::Condition variant();
  bool at_variants() const;
};

} // namespace thinair::cat
