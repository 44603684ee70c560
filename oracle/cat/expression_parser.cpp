// Recursive descent over expressions. Loosest to tightest: | ++ ; \ & then * (product) and ~, then
// the postfix operators, then application.
#include "oracle/cat/expression_parser.h"

#include "oracle/cat/parser.h"

#include <algorithm>
#include <array>
#include <optional>

namespace thinair::cat {

using ast::Binary;
using ast::Expression;
using ast::ExpressionPtr;
using ast::Pattern;
using Kind = ast::Expression::Kind;

namespace {

template <class... E>
std::vector<ExpressionPtr> list(E... e) {
  std::vector<ExpressionPtr> children;
  (children.push_back(std::move(e)), ...);
  return children;
}

} // namespace

ExpressionPtr ExpressionParser::make(Kind kind, std::uint32_t begin,
                                     std::vector<ExpressionPtr> children) const {
  auto node = std::make_unique<Expression>();
  node->kind = kind;
  node->span = in_.since(begin);
  for (const auto& child : children) node->depth = std::max(node->depth, child->depth + 1);
  if (node->depth > max_depth)
    in_.fail(node->span, fmt::format("this expression is nested more than {} deep", max_depth));
  node->children = std::move(children);
  return node;
}

ExpressionPtr ExpressionParser::expression() {
  if (++nesting_ > max_depth)
    in_.fail(in_.span(), fmt::format("this expression is nested more than {} deep", max_depth));
  auto result = dispatch();
  --nesting_;
  return result;
}

ExpressionPtr ExpressionParser::dispatch() {
  const auto begin = in_.span().begin;
  if (in_.accept(TokenKind::kw_let)) return let(begin);
  if (in_.accept(TokenKind::kw_fun)) return lambda(begin);
  if (in_.accept(TokenKind::kw_try)) return try_(begin);
  if (in_.accept(TokenKind::kw_if)) return if_(begin);
  if (in_.accept(TokenKind::kw_match)) return match(begin);
  return tuple_or_operators();
}

ExpressionPtr ExpressionParser::let(std::uint32_t begin) {
  const bool recursive = in_.accept(TokenKind::kw_rec);
  auto bound = bindings();
  in_.expect(TokenKind::kw_in);
  auto node = make(recursive ? Kind::let_rec : Kind::let, begin, list(expression()));
  for (const auto& b : bound) node->depth = std::max(node->depth, b.value->depth + 1);
  node->bindings = std::move(bound);
  node->span = in_.since(begin);
  return node;
}

ExpressionPtr ExpressionParser::lambda(std::uint32_t begin) {
  auto parameters = pattern();
  in_.expect(TokenKind::arrow);
  auto node = make(Kind::lambda, begin, list(expression()));
  node->span = in_.since(begin);
  node->pattern = std::move(parameters);
  return node;
}

ExpressionPtr ExpressionParser::try_(std::uint32_t begin) {
  auto preferred = expression();
  in_.expect(TokenKind::kw_with);
  auto otherwise = expression();
  return make(Kind::try_, begin, list(std::move(preferred), std::move(otherwise)));
}

ExpressionPtr ExpressionParser::if_(std::uint32_t begin) {
  auto test = std::make_unique<ast::Condition>(condition());
  in_.expect(TokenKind::kw_then);
  auto yes = expression();
  in_.expect(TokenKind::kw_else);
  auto no = expression();
  auto node = make(Kind::if_, begin, list(std::move(yes), std::move(no)));
  node->condition = std::move(test);
  return node;
}

ExpressionPtr ExpressionParser::match(std::uint32_t begin) {
  auto scrutinee = expression();
  in_.expect(TokenKind::kw_with);
  in_.accept(TokenKind::double_bar);
  const bool tags =
      in_.is(TokenKind::tag) || (in_.is(TokenKind::underscore) && in_.kind(1) == TokenKind::arrow);
  return tags ? match_tags(begin, std::move(scrutinee)) : match_set(begin, std::move(scrutinee));
}

ExpressionPtr ExpressionParser::match_tags(std::uint32_t begin, ExpressionPtr scrutinee) {
  std::vector<ast::TagClause> clauses;
  auto children = list(std::move(scrutinee));
  do {
    if (in_.accept(TokenKind::underscore)) {
      in_.expect(TokenKind::arrow);
      children.push_back(expression());
      break;
    }
    auto tag = in_.expect_tag();
    in_.expect(TokenKind::arrow);
    clauses.push_back({std::move(tag), expression()});
  } while (in_.accept(TokenKind::double_bar));
  in_.expect(TokenKind::kw_end);
  auto node = make(Kind::match_tag, begin, std::move(children));
  node->clauses = std::move(clauses);
  return node;
}

/// `e ++ rest` or `before | e ++ rest`.
Pattern ExpressionParser::element_clause() {
  const auto begin = in_.span().begin;
  Pattern result;
  const auto take = [&] {
    if (in_.accept(TokenKind::underscore)) return result.names.emplace_back();
    return result.names.emplace_back(in_.expect_name());
  };
  take();
  if (in_.accept(TokenKind::bar)) take();
  in_.expect(TokenKind::double_plus);
  take();
  result.tuple = true;
  result.span = in_.since(begin);
  return result;
}

ExpressionPtr ExpressionParser::match_set(std::uint32_t begin, ExpressionPtr scrutinee) {
  ExpressionPtr when_empty, otherwise;
  Pattern parts;
  for (int clause = 0; clause < 2; ++clause) {
    if (clause == 1) in_.expect(TokenKind::double_bar);
    const bool empty = in_.is(TokenKind::left_brace);
    if (clause == 1 && empty == static_cast<bool>(when_empty))
      in_.fail_expected(empty ? "the clause for a set with an element" : "the clause for '{}'");
    if (empty) {
      in_.advance();
      in_.expect(TokenKind::right_brace);
    } else {
      parts = element_clause();
    }
    in_.expect(TokenKind::arrow);
    (empty ? when_empty : otherwise) = expression();
  }
  in_.expect(TokenKind::kw_end);
  auto node = make(Kind::match_set, begin,
                   list(std::move(scrutinee), std::move(when_empty), std::move(otherwise)));
  node->pattern = std::move(parts);
  return node;
}

ExpressionPtr ExpressionParser::tuple_or_operators() {
  const auto begin = in_.span().begin;
  auto parts = list(operators());
  while (in_.accept(TokenKind::comma)) parts.push_back(operators());
  if (parts.size() == 1) return std::move(parts.front());
  return make(Kind::tuple, begin, std::move(parts));
}

ExpressionPtr ExpressionParser::operators() { return binary_level(0); }

ExpressionPtr ExpressionParser::binary_level(std::uint32_t level) {
  switch (level) {
  case 0: return flat(Binary::unite, level);
  case 1: return right_associative(Binary::insert, level);
  case 2: return flat(Binary::compose, level);
  case 3: return differences(level);
  case 4: return right_associative(Binary::intersect, level);
  default: return product();
  }
}

/// Associative operators: one node for a whole chain.
ExpressionPtr ExpressionParser::flat(Binary op, std::uint32_t level) {
  const auto separator = op == Binary::unite ? TokenKind::bar : TokenKind::semicolon;
  const auto begin = in_.span().begin;
  auto parts = list(binary_level(level + 1));
  while (in_.accept(separator)) parts.push_back(binary_level(level + 1));
  if (parts.size() == 1) return std::move(parts.front());
  auto node = make(Kind::binary, begin, std::move(parts));
  node->binary = op;
  return node;
}

ExpressionPtr ExpressionParser::right_associative(Binary op, std::uint32_t level) {
  const auto separator = op == Binary::insert ? TokenKind::double_plus : TokenKind::ampersand;
  auto parts = list(binary_level(level + 1));
  while (in_.accept(separator)) parts.push_back(binary_level(level + 1));
  while (parts.size() > 1) {
    auto right = std::move(parts.back());
    parts.pop_back();
    const auto begin = parts.back()->span.begin;
    auto node = make(Kind::binary, begin, list(std::move(parts.back()), std::move(right)));
    node->binary = op;
    parts.back() = std::move(node);
  }
  return std::move(parts.front());
}

ExpressionPtr ExpressionParser::differences(std::uint32_t level) {
  const auto begin = in_.span().begin;
  auto left = binary_level(level + 1);
  while (in_.accept(TokenKind::backslash)) {
    left = make(Kind::binary, begin, list(std::move(left), binary_level(level + 1)));
    left->binary = Binary::subtract;
  }
  return left;
}

/// `*` between two operands; alone behind one it is a closure, and `postfix` takes it.
ExpressionPtr ExpressionParser::product() {
  const auto begin = in_.span().begin;
  auto left = prefix();
  if (!in_.accept(TokenKind::star)) return left;
  auto node = make(Kind::binary, begin, list(std::move(left), prefix()));
  node->binary = Binary::product;
  if (in_.is(TokenKind::star)) in_.fail(in_.span(), "a product of products: sets have no triples");
  return node;
}

ExpressionPtr ExpressionParser::prefix() {
  const auto begin = in_.span().begin;
  if (!in_.accept(TokenKind::tilde)) return postfix();
  if (++nesting_ > max_depth)
    in_.fail(in_.span(), fmt::format("this expression is nested more than {} deep", max_depth));
  auto operand = prefix();
  --nesting_;
  auto node = make(Kind::unary, begin, list(std::move(operand)));
  node->unary = ast::Unary::complement;
  return node;
}

bool ExpressionParser::starts_operand() const {
  static constexpr auto starts = std::to_array<TokenKind>(
      {TokenKind::name, TokenKind::tag, TokenKind::left_parenthesis, TokenKind::left_brace,
       TokenKind::left_bracket, TokenKind::underscore, TokenKind::zero, TokenKind::tilde,
       TokenKind::kw_begin});
  return std::ranges::find(starts, in_.kind(1)) != starts.end();
}

ExpressionPtr ExpressionParser::postfix() {
  const auto begin = in_.span().begin;
  auto result = application();
  while (true) {
    std::optional<ast::Unary> op;
    if (in_.is(TokenKind::plus)) op = ast::Unary::plus;
    if (in_.is(TokenKind::question)) op = ast::Unary::optional_;
    if (in_.is(TokenKind::inverse)) op = ast::Unary::inverse;
    if (in_.is(TokenKind::star) && !starts_operand()) op = ast::Unary::star;
    if (!op) return result;
    in_.advance();
    result = make(Kind::unary, begin, list(std::move(result)));
    result->unary = *op;
  }
}

/// Only names are applied: `f x`, `f (x, y)`, `f x y`.
ExpressionPtr ExpressionParser::application() {
  const auto begin = in_.span().begin;
  const bool applicable = in_.is(TokenKind::name);
  auto result = atom("an expression");
  if (!applicable) return result;
  static constexpr auto arguments = std::to_array<TokenKind>(
      {TokenKind::name, TokenKind::tag, TokenKind::left_parenthesis, TokenKind::left_brace,
       TokenKind::left_bracket, TokenKind::underscore, TokenKind::zero, TokenKind::kw_begin});
  while (std::ranges::find(arguments, in_.kind()) != arguments.end())
    result = make(Kind::apply, begin, list(std::move(result), atom("an argument")));
  return result;
}

ExpressionPtr ExpressionParser::argument() { return atom("an argument"); }

ExpressionPtr ExpressionParser::atom(const char* expected) {
  const auto begin = in_.span().begin;
  const auto leaf = [&](Kind kind) {
    const auto span = in_.advance();
    auto node = make(kind, begin);
    node->name = in_.text_of(span);
    return node;
  };
  if (in_.is(TokenKind::name)) return leaf(Kind::name);
  if (in_.is(TokenKind::zero)) return leaf(Kind::zero);
  if (in_.is(TokenKind::underscore)) return leaf(Kind::universe);
  if (in_.is(TokenKind::tag)) {
    auto node = leaf(Kind::tag);
    node->name.erase(0, 1);
    return node;
  }
  if (in_.is(TokenKind::left_brace)) return set_literal();
  if (in_.accept(TokenKind::kw_begin)) return parenthesised(TokenKind::kw_end);
  if (in_.accept(TokenKind::left_parenthesis)) {
    if (in_.accept(TokenKind::right_parenthesis)) return make(Kind::tuple, begin);
    return parenthesised(TokenKind::right_parenthesis);
  }
  if (in_.accept(TokenKind::left_bracket)) {
    auto inner = expression();
    in_.expect(TokenKind::right_bracket);
    auto node = make(Kind::unary, begin, list(std::move(inner)));
    node->unary = ast::Unary::identity_on;
    return node;
  }
  in_.fail_expected(expected);
}

ExpressionPtr ExpressionParser::parenthesised(TokenKind close) {
  auto inner = expression();
  in_.expect(close);
  return inner;
}

ExpressionPtr ExpressionParser::set_literal() {
  const auto begin = in_.expect(TokenKind::left_brace).begin;
  std::vector<ExpressionPtr> members;
  if (++nesting_ > max_depth)
    in_.fail(in_.span(), fmt::format("this expression is nested more than {} deep", max_depth));
  if (!in_.is(TokenKind::right_brace)) {
    do {
      members.push_back(operators());
    } while (in_.accept(TokenKind::comma));
  }
  --nesting_;
  in_.expect(TokenKind::right_brace);
  return make(Kind::set, begin, std::move(members));
}

Pattern ExpressionParser::pattern() {
  const auto begin = in_.span().begin;
  Pattern result;
  const auto take = [&] {
    if (in_.accept(TokenKind::underscore))
      result.names.emplace_back();
    else
      result.names.push_back(in_.expect_name());
  };
  if (in_.accept(TokenKind::left_parenthesis)) {
    result.tuple = true;
    if (!in_.is(TokenKind::right_parenthesis)) {
      do {
        take();
      } while (in_.accept(TokenKind::comma));
    }
    in_.expect(TokenKind::right_parenthesis);
    result.tuple = result.names.size() != 1;
  } else {
    take();
  }
  result.span = in_.since(begin);
  return result;
}

/// `x = e`, `(x, y) = e`, `x, y = e`, `f x = e`, `f (x, y) = e`.
ast::Binding ExpressionParser::binding() {
  const auto begin = in_.span().begin;
  Pattern bound = pattern();
  while (in_.accept(TokenKind::comma)) {
    bound.tuple = true;
    auto more = pattern();
    bound.names.insert(bound.names.end(), more.names.begin(), more.names.end());
  }
  bound.span = in_.since(begin);
  if (in_.accept(TokenKind::equal)) return {std::move(bound), expression()};
  const bool function = bound.names.size() == 1 && !bound.names[0].empty() &&
                        (in_.is(TokenKind::name) || in_.is(TokenKind::underscore) ||
                         in_.is(TokenKind::left_parenthesis));
  if (!function) in_.fail_expected("'='");
  auto parameters = pattern();
  in_.expect(TokenKind::equal);
  auto body = make(Kind::lambda, begin, list(expression()));
  body->span = in_.since(begin);
  body->pattern = std::move(parameters);
  body->name = bound.names[0];
  return {std::move(bound), std::move(body)};
}

std::vector<ast::Binding> ExpressionParser::bindings() {
  std::vector<ast::Binding> result;
  do {
    result.push_back(binding());
  } while (in_.accept(TokenKind::kw_and));
  return result;
}

bool ExpressionParser::at_variants() const {
  std::size_t ahead = 0;
  while (in_.kind(ahead) == TokenKind::left_parenthesis) ++ahead;
  return in_.kind(ahead) == TokenKind::string || in_.kind(ahead) == TokenKind::kw_not;
}

ast::Condition ExpressionParser::condition() {
  if (at_variants()) return disjunction();
  const auto begin = in_.span().begin;
  ast::Condition result;
  result.sides.push_back(operators());
  if (in_.accept(TokenKind::equal))
    result.kind = ast::Condition::Kind::equal;
  else if (in_.accept(TokenKind::kw_subset))
    result.kind = ast::Condition::Kind::subset;
  else if (in_.accept(TokenKind::kw_in))
    result.kind = ast::Condition::Kind::member;
  else
    in_.fail_expected("'=', 'in' or 'subset'");
  result.sides.push_back(operators());
  result.span = in_.since(begin);
  return result;
}

ast::Condition ExpressionParser::disjunction() {
  auto left = conjunction();
  while (in_.accept(TokenKind::double_bar)) {
    ast::Condition both;
    both.kind = ast::Condition::Kind::disjunction;
    both.span = left.span;
    both.operands.push_back(std::move(left));
    both.operands.push_back(conjunction());
    left = std::move(both);
  }
  return left;
}

ast::Condition ExpressionParser::conjunction() {
  auto left = variant();
  while (in_.accept(TokenKind::double_ampersand)) {
    ast::Condition both;
    both.kind = ast::Condition::Kind::conjunction;
    both.span = left.span;
    both.operands.push_back(std::move(left));
    both.operands.push_back(variant());
    left = std::move(both);
  }
  return left;
}

ast::Condition ExpressionParser::variant() {
  ast::Condition result;
  result.span = in_.span();
  if (++nesting_ > max_depth)
    in_.fail(in_.span(), fmt::format("this condition is nested more than {} deep", max_depth));
  if (in_.accept(TokenKind::kw_not)) {
    result.kind = ast::Condition::Kind::negation;
    result.operands.push_back(variant());
  } else if (in_.accept(TokenKind::left_parenthesis)) {
    result = disjunction();
    in_.expect(TokenKind::right_parenthesis);
  } else {
    result.variant = in_.expect_string();
  }
  --nesting_;
  return result;
}

} // namespace thinair::cat
