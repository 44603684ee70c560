// Reads expressions by precedence climbing.
#include "litmus/java/expression_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace thinair::litmus::java {
namespace {

constexpr std::string_view levels = "operators";

const OperatorInfo* find_operator(const Token& token, bool unary) {
  if (token.kind != Token::Kind::symbol) return nullptr;
  for (const OperatorInfo& row : operators())
    if (row.unary == unary && row.symbol == token.text) return &row;
  return nullptr;
}

bool adjacent(const Token& left, const Token& right) { return left.span.end == right.span.begin; }

/// `getAndAddAcquire` without its mode: `getAndAdd`.
std::string_view stem(std::string_view method) {
  constexpr std::array<std::string_view, 5> modes{"Plain", "Opaque", "Acquire", "Release",
                                                  "Volatile"};
  for (const std::string_view mode : modes)
    if (method.ends_with(mode)) return method.substr(0, method.size() - mode.size());
  return method;
}

/// For an unknown method: the modes in which a known one comes, or a name that is close.
std::string method_hint(std::string_view written) {
  std::string modes;
  std::vector<std::string_view> names;
  for (const MethodInfo& row : methods()) {
    names.push_back(row.name);
    if (stem(row.name) != stem(written)) continue;
    modes += fmt::format("{}`{}`", modes.empty() ? "" : ", ", row.name);
  }
  if (!modes.empty()) return "VarHandle has " + modes;
  return Lexer::suggest(written, names);
}

} // namespace

std::size_t ExpressionReader::checked(std::size_t depth, text::Span span) const {
  std::size_t below = depth - 1;
  const Nesting check(lexer_, below, span, levels);
  return depth;
}

ExpressionReader::Parsed ExpressionReader::read_from(int least_precedence) {
  const text::Span begin = lexer_.peek().span;
  Parsed left = read_unary();
  while (const OperatorInfo* op = find_operator(lexer_.peek(), false)) {
    if (op->precedence < least_precedence) break;
    const Token symbol = lexer_.next();
    if (symbol.is("-") && lexer_.at("-") && adjacent(symbol, lexer_.peek()) &&
        !lexer_.second().is_number())
      lexer_.fail_expected("a value", "`--` is not part of the language");
    const Token first = lexer_.peek();
    Parsed right = read_from(op->precedence + 1);
    check_divisor(symbol, right.expression, first.span);
    left.depth = checked(std::max(left.depth, right.depth) + 1, begin);
    left.expression =
        Expression::binary(op->op, std::move(left.expression), std::move(right.expression));
  }
  return left;
}

void ExpressionReader::check_divisor(const Token& op, const Expression& divisor,
                                     text::Span span) const {
  const bool divides = op.is("/") || op.is("%");
  if (divides && divisor.op == Operator::constant && divisor.constant == 0)
    lexer_.fail(span, fmt::format("expected a divisor other than zero after `{}`", op.text));
}

ExpressionReader::Parsed ExpressionReader::read_unary() {
  const OperatorInfo* op = find_operator(lexer_.peek(), true);
  if (!op) return read_primary();
  const Token symbol = lexer_.next();
  const Nesting nesting(lexer_, unary_, symbol.span, levels);
  if (op->op == Operator::negate) return read_negative(symbol);
  Parsed operand = read_unary();
  operand.depth = checked(operand.depth + 1, symbol.span);
  operand.expression = Expression::unary(op->op, std::move(operand.expression));
  return operand;
}

/// A minus before a number is part of the number, as in herd.
ExpressionReader::Parsed ExpressionReader::read_negative(const Token& minus) {
  if (lexer_.peek().is_number()) return literal(lexer_.next(), minus.span);
  if (lexer_.at("-") && adjacent(minus, lexer_.peek()))
    lexer_.fail_expected("a value", "`--` is not part of the language; write `-(-r)`");
  Parsed operand = read_unary();
  operand.depth = checked(operand.depth + 1, minus.span);
  operand.expression = Expression::unary(Operator::negate, std::move(operand.expression));
  return operand;
}

ExpressionReader::Parsed ExpressionReader::literal(const Token& number,
                                                   std::optional<text::Span> minus) const {
  const Value value = lexer_.integer(number, minus, java_int);
  return {Expression::number(static_cast<std::int32_t>(value)), 1};
}

ExpressionReader::Parsed ExpressionReader::read_primary() {
  const Token first = lexer_.peek();
  if (first.is_number()) return literal(lexer_.next(), {});
  if (first.is("(")) {
    const Nesting nesting(lexer_, parentheses_, lexer_.next().span, "parentheses");
    Parsed inside = read_from(0);
    if (!lexer_.at(")")) lexer_.fail_expected("an operator or `)`");
    lexer_.next();
    return inside;
  }
  if (!first.is_word()) lexer_.fail_expected("a value");
  if (!lexer_.second().is(".")) {
    lexer_.next();
    if (lexer_.at("("))
      lexer_.fail_expected("a value", first, "only a VarHandle has methods, as `X.get()`");
    return {Expression::of(scope_.use(first)), 1};
  }
  Call call = read_call();
  if (!reads(info(call.method).action)) {
    lexer_.fail(
        lexer_.since(first.span.begin),
        fmt::format("expected a value, found `{}`, which returns none", info(call.method).name));
  }
  return {Expression::of(call.method, call.location, std::move(call.arguments)), call.depth};
}

Call ExpressionReader::read_call() {
  Call call;
  const Token handle = lexer_.next();
  if (handle.is("VarHandle"))
    lexer_.fail_expected("a VarHandle", handle, "a fence is a statement of its own");
  call.location = scope_.handle(handle);
  lexer_.expect(".");
  const Token method = lexer_.peek();
  call.method = read_method();
  const Nesting nesting(lexer_, parentheses_, lexer_.expect("(").span, "parentheses");
  while (!lexer_.at(")")) {
    Parsed argument = read_from(0);
    call.depth = std::max(call.depth, argument.depth + 1);
    call.arguments.push_back(std::move(argument.expression));
    if (!lexer_.at(",") && !lexer_.at(")")) lexer_.fail_expected("an operator, `,` or `)`");
    if (lexer_.accept(",") && lexer_.at(")")) lexer_.fail_expected("a value");
  }
  lexer_.next();
  checked(call.depth, handle.span);
  check_arguments(call, method, lexer_.since(handle.span.begin));
  return call;
}

Method ExpressionReader::read_method() {
  if (!lexer_.peek().is_word()) lexer_.fail_expected("an access method");
  const Token word = lexer_.peek();
  const auto method = method_named(word.text);
  if (!method) {
    lexer_.fail_expected("an access method", word,
                         fence_named(word.text)
                             ? fmt::format("a fence is written `{}();`", word.text)
                             : method_hint(word.text));
  }
  lexer_.next();
  return *method;
}

void ExpressionReader::check_arguments(const Call& call, const Token& method,
                                       text::Span span) const {
  const auto wanted = static_cast<std::size_t>(info(call.method).arguments);
  if (call.arguments.size() == wanted) return;
  lexer_.fail(span, fmt::format("expected {} argument{} of `{}`, found {}", wanted,
                                wanted == 1 ? "" : "s", method.text, call.arguments.size()));
}

} // namespace thinair::litmus::java
