// Reads expressions by precedence climbing.
#include "litmus/java/expression_reader.h"

#include "litmus/objects.h"

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

Expression Call::expression() && {
  auto e = Expression::of(method, location, std::move(arguments));
  e.field = field;
  return e;
}

Access Call::statement(std::optional<RegisterId> target, bool declares) && {
  Access access{target, declares, method, location, std::move(arguments)};
  access.field = field;
  return access;
}

Expression ExpressionReader::read(JavaType wanted) {
  const std::uint32_t begin = lexer_.peek().span.begin;
  Parsed value = read_from(0);
  demand(value.type, wanted, lexer_.since(begin));
  return std::move(value.expression);
}

std::pair<Expression, ValueType> ExpressionReader::read_any() {
  Parsed value = read_from(0);
  return {std::move(value.expression), value.type};
}

std::string ExpressionReader::name_of(const ValueType& type) const {
  if (type.is_null) return "`null`";
  return type.of ? fmt::format("a reference to `{}`", to_string(scope_.program(), type.of))
                 : "an int";
}

void ExpressionReader::demand(const ValueType& found, JavaType wanted, text::Span span) const {
  if (found.fits(wanted)) return;
  lexer_.fail(span, fmt::format("expected {}, found {}", name_of({wanted}), name_of(found)),
              !wanted && !found.is_null ? "references are compared with `==` and `!=`" : "");
}

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
    check_operands(symbol, left, right, lexer_.since(begin.begin));
    check_divisor(symbol, right.expression, first.span);
    left.type = {};
    left.depth = checked(std::max(left.depth, right.depth) + 1, begin);
    left.expression =
        Expression::binary(op->op, std::move(left.expression), std::move(right.expression));
  }
  return left;
}

/// References are compared with references to the same class, and with null; nothing else is done
/// with them.
void ExpressionReader::check_operands(const Token& op, const Parsed& left, const Parsed& right,
                                      text::Span span) const {
  if (left.type.is_int() && right.type.is_int()) return;
  const bool refer = !left.type.is_int() && !right.type.is_int();
  const bool alike = left.type.is_null || right.type.fits(left.type.of);
  if (refer && alike && (op.is("==") || op.is("!="))) return;
  if (op.is("==") || op.is("!="))
    lexer_.fail(span, fmt::format("expected two values of one type, found {} and {}",
                                  name_of(left.type), name_of(right.type)));
  lexer_.fail(span, fmt::format("expected two ints around `{}`, found {} and {}", op.text,
                                name_of(left.type), name_of(right.type)));
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
  demand(operand.type, {}, lexer_.since(symbol.span.begin));
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
  demand(operand.type, {}, lexer_.since(minus.span.begin));
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
  if (lexer_.accept("null")) return {Expression::number(0), 1, {.of = {}, .is_null = true}};
  if (!lexer_.second().is(".")) {
    if (first.is("new"))
      lexer_.fail_expected("a value", first, "an object is made by `A r = new A();` alone");
    lexer_.next();
    if (lexer_.at("("))
      lexer_.fail_expected("a value", first, "only a VarHandle has methods, as `X.get()`");
    const RegisterId reg = scope_.use(first);
    return {Expression::of(reg), 1, {scope_.thread().registers[reg.value].type}};
  }
  Call call = read_call();
  if (!reads(info(call.method).action)) {
    lexer_.fail(
        lexer_.since(first.span.begin),
        fmt::format("expected a value, found `{}`, which returns none", info(call.method).name));
  }
  const std::size_t depth = call.depth;
  Expression e = std::move(call).expression();
  const JavaType type = type_of(scope_.program(), scope_.thread(), e);
  return {std::move(e), depth, {type}};
}

Call ExpressionReader::read_call() {
  if (scope_.knows_register(lexer_.peek().text)) return read_field();
  Call call;
  const Token handle = lexer_.next();
  if (handle.is("VarHandle"))
    lexer_.fail_expected("a VarHandle", handle, "a fence is a statement of its own");
  call.location = scope_.handle(handle);
  lexer_.expect(".");
  const Token method = lexer_.peek();
  call.method = read_method();
  read_arguments(call, method, handle.span.begin);
  return call;
}

/// `r.x`, a plain read unless `=` follows, or `r.x.getAcquire()`.
Call ExpressionReader::read_field() {
  Call call;
  const Token reference = lexer_.next();
  lexer_.expect(".");
  call.field = scope_.field(reference, lexer_.expect_word("a field"));
  call.bare = !lexer_.accept(".");
  if (call.bare) return call;
  const Token method = lexer_.peek();
  if (!method_named(method.text) && !lexer_.second().is("(") &&
      field_of(scope_.program(), scope_.thread(), *call.field).type)
    lexer_.fail_expected("an access method", method,
                         "read the reference into a register before its field");
  call.method = read_method();
  read_arguments(call, method, reference.span.begin);
  check_writes(call, method);
  return call;
}

void ExpressionReader::check_writes(const Call& call, const Token& method) const {
  const Field& field = field_of(scope_.program(), scope_.thread(), *call.field);
  if (!field.is_final || !writes(info(call.method).action)) return;
  lexer_.fail_expected(fmt::format("an access that only reads the final field `{}`", field.name),
                       method, "a constructor writes it, as `r.x = 1;`");
}

/// From the `(`. What adds to or masks a reference is an error.
void ExpressionReader::read_arguments(Call& call, const Token& method, std::uint32_t begin) {
  const JavaType type = type_of(scope_.program(), scope_.thread(), call.location, call.field);
  const Action action = info(call.method).action;
  const bool counts = action == Action::get_and_add || action == Action::get_and_or ||
                      action == Action::get_and_and || action == Action::get_and_xor;
  if (type && counts)
    lexer_.fail_expected("a method that references have", method,
                         "references are read, written, exchanged, and compared");
  const Nesting nesting(lexer_, parentheses_, lexer_.expect("(").span, "parentheses");
  while (!lexer_.at(")")) {
    const std::uint32_t first = lexer_.peek().span.begin;
    Parsed argument = read_from(0);
    demand(argument.type, type, lexer_.since(first));
    call.depth = std::max(call.depth, argument.depth + 1);
    call.arguments.push_back(std::move(argument.expression));
    if (!lexer_.at(",") && !lexer_.at(")")) lexer_.fail_expected("an operator, `,` or `)`");
    if (lexer_.accept(",") && lexer_.at(")")) lexer_.fail_expected("a value");
  }
  lexer_.next();
  checked(call.depth, lexer_.since(begin));
  check_arguments(call, method, lexer_.since(begin));
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
