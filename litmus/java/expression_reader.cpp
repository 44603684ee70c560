// Reads expressions by precedence climbing.
#include "litmus/java/expression_reader.h"

#include "litmus/floating_literal.h"
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

/// Assignment (JLS 5.2): what is wider in `wanted`, or a literal that fits. Every integer is wider
/// as a float, and a float as a double (JLS 5.1.2).
bool ValueType::fits(JavaType wanted) const {
  if (wanted.refers() || refers()) return wanted.refers() && (is_null || of == wanted);
  if (of == wanted) return true;
  if (wanted.kind == TypeKind::boolean || is_boolean()) return is_truth;
  if (litmus::is_floating(wanted.kind)) return !is_floating() || wanted.kind == TypeKind::double_;
  if (is_floating()) return false;
  if (literal) return *literal >= least_of(wanted.kind) && *literal <= greatest_of(wanted.kind);
  return least_of(of.kind) >= least_of(wanted.kind) &&
         greatest_of(of.kind) <= greatest_of(wanted.kind);
}

Expression ExpressionReader::read(JavaType wanted) {
  const std::uint32_t begin = lexer_.peek().span.begin;
  Parsed value = read_from(0);
  demand(value.type, wanted, lexer_.since(begin));
  return std::move(value.expression);
}

Expression ExpressionReader::read_value() {
  const std::uint32_t begin = lexer_.peek().span.begin;
  Parsed value = read_from(0);
  if (value.type.refers()) demand(value.type, {}, lexer_.since(begin));
  return std::move(value.expression);
}

Expression ExpressionReader::read_condition() {
  const std::uint32_t begin = lexer_.peek().span.begin;
  Parsed value = read_from(0);
  if (value.type.refers()) demand(value.type, {}, lexer_.since(begin));
  if (value.type.is_floating())
    lexer_.fail(lexer_.since(begin),
                fmt::format("expected a condition, found {}", name_of(value.type)),
                "a number is compared, as `r != 0`");
  return std::move(value.expression);
}

std::pair<Expression, ValueType> ExpressionReader::read_any() {
  Parsed value = read_from(0);
  return {std::move(value.expression), value.type};
}

std::string ExpressionReader::name_of(const ValueType& type) const {
  return type.is_null ? "`null`" : with_article(scope_.program(), type.of);
}

namespace {

/// How a value becomes one of another type.
std::string hint_for(const ValueType& found, JavaType wanted) {
  if (found.is_null || wanted.refers()) return "";
  if (found.refers()) return "references are compared with `==` and `!=`";
  if (found.is_boolean()) return "a boolean is compared, as `b == true`, which is 1 or 0";
  if (wanted.kind == TypeKind::boolean) return "a number is compared, as `r != 0`";
  if (wanted.kind == TypeKind::float_)
    return "a float ends in `f`, as `1.5f`; a cast rounds, as `(float) r`";
  if (found.is_floating())
    return fmt::format("a cast drops the fraction, as `({}) r`", info(wanted.kind).word);
  return fmt::format("a cast keeps its low bits, as `({}) r`", info(wanted.kind).word);
}

} // namespace

void ExpressionReader::demand(const ValueType& found, JavaType wanted, text::Span span) const {
  if (found.fits(wanted)) return;
  lexer_.fail(span, fmt::format("expected {}, found {}", name_of({wanted}), name_of(found)),
              hint_for(found, wanted));
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
    const ValueType type = type_of_operation(op->op, left, right, lexer_.since(begin.begin));
    if (!type.is_floating()) check_divisor(symbol, right, first.span);
    left.type = type;
    left.depth = checked(std::max(left.depth, right.depth) + 1, begin);
    left.expression =
        Expression::binary(op->op, std::move(left.expression), std::move(right.expression));
  }
  return left;
}

namespace {

bool is_comparison(Operator op) {
  return result_type(op, TypeKind::long_) == TypeKind::int_; // whatever the operands are
}

/// Of truth values a truth value.
bool is_logical(Operator op) {
  using enum Operator;
  return op == bit_and || op == bit_or || op == bit_xor || op == logical_and || op == logical_or;
}

} // namespace

/// References and booleans are compared with their like for equality (JLS 15.21); a comparison's
/// value is both an int and a boolean.
ValueType ExpressionReader::compared(Operator op, const ValueType& left, const ValueType& right,
                                     text::Span span) const {
  const bool refer = left.refers() && right.refers();
  const auto as_boolean = [](const ValueType& type) { return type.is_boolean() || type.is_truth; };
  const bool numbers = !left.is_boolean() && !right.is_boolean();
  const bool alike = refer ? left.is_null || right.fits(left.of)
                           : !left.refers() && !right.refers() &&
                                 (numbers || (as_boolean(left) && as_boolean(right)));
  if (!alike)
    lexer_.fail(span, fmt::format("expected two values of one type, found {} and {}", name_of(left),
                                  name_of(right)));
  const bool ordered = op != Operator::equal && op != Operator::not_equal;
  if (ordered && (refer || left.is_boolean() || right.is_boolean()))
    lexer_.fail(span, fmt::format("expected two numbers around `{}`, found {} and {}",
                                  info(op).symbol, name_of(left), name_of(right)));
  return {.of = {}, .is_truth = true};
}

/// References are compared, and nothing else is done with them; of booleans there are `&`, `|` and
/// `^` (JLS 15.22.2).
ValueType ExpressionReader::type_of_operation(Operator op, const Parsed& left, const Parsed& right,
                                              text::Span span) const {
  const ValueType &a = left.type, &b = right.type;
  if (is_comparison(op)) return compared(op, a, b, span);
  const bool truths = (a.is_truth || a.is_boolean()) && (b.is_truth || b.is_boolean());
  if (truths && is_logical(op)) {
    if (a.is_truth && b.is_truth) return {.of = {}, .is_truth = true};
    return {.of = TypeKind::boolean};
  }
  const bool refer = a.refers() || b.refers();
  if (refer || a.is_boolean() || b.is_boolean())
    lexer_.fail(span,
                fmt::format("expected two {} around `{}`, found {} and {}",
                            refer ? "ints" : "numbers", info(op).symbol, name_of(a), name_of(b)));
  if (a.is_floating() || b.is_floating()) check_integers(op, a, b, span);
  return {.of = working_type(op, a.of.kind, b.of.kind)};
}

/// JLS 15.19, 15.22, 15.23: shifts and bitwise operators are of integers.
void ExpressionReader::check_integers(Operator op, const ValueType& left, const ValueType& right,
                                      text::Span span) const {
  using enum Operator;
  if (op == add || op == subtract || op == multiply || op == divide || op == remainder) return;
  lexer_.fail(span,
              fmt::format("expected two integers around `{}`, found {} and {}", info(op).symbol,
                          name_of(left), name_of(right)),
              is_logical(op) ? "numbers are compared first, as `(r != 0) & (s != 0)`"
                             : "a cast drops the fraction, as `(int) r`");
}

void ExpressionReader::check_number(const Token& op, const ValueType& operand,
                                    text::Span span) const {
  if (operand.refers()) return demand(operand, {}, span);
  if (operand.is_boolean())
    lexer_.fail(span, fmt::format("expected a number after `{}`, found a boolean", op.text));
  if (operand.is_floating() && !op.is("-"))
    lexer_.fail(span,
                fmt::format("expected an integer after `{}`, found {}", op.text, name_of(operand)),
                op.is("!") ? "a number is compared, as `r == 0`" : "");
}

void ExpressionReader::check_divisor(const Token& op, const Parsed& divisor,
                                     text::Span span) const {
  const bool divides = op.is("/") || op.is("%");
  const Expression& by = divisor.expression;
  if (divides && by.op == Operator::constant && by.constant == 0)
    lexer_.fail(span, fmt::format("expected a divisor other than zero after `{}`", op.text));
}

ExpressionReader::Parsed ExpressionReader::read_unary() {
  if (at_cast()) return read_cast();
  const OperatorInfo* op = find_operator(lexer_.peek(), true);
  if (!op) return read_primary();
  const Token symbol = lexer_.next();
  const Nesting nesting(lexer_, unary_, symbol.span, levels);
  if (op->op == Operator::negate) return read_negative(symbol);
  Parsed operand = read_unary();
  const bool negates =
      op->op == Operator::logical_not && !operand.type.refers() && !operand.type.is_floating();
  if (!negates) check_number(symbol, operand.type, lexer_.since(symbol.span.begin));
  operand.type = negates ? ValueType{.of = {}, .is_truth = true}
                         : ValueType{info(operand.type.of.kind).promoted};
  operand.depth = checked(operand.depth + 1, symbol.span);
  operand.expression = Expression::unary(op->op, std::move(operand.expression));
  return operand;
}

bool ExpressionReader::at_cast() {
  return lexer_.at("(") && lexer_.second().is_word() && type_named(lexer_.second().text);
}

/// `(byte) e` (JLS 15.16): of numbers to numbers.
ExpressionReader::Parsed ExpressionReader::read_cast() {
  const Token open = lexer_.next();
  const Nesting nesting(lexer_, unary_, open.span, levels);
  const TypeKind to = *type_named(lexer_.next().text);
  if (!lexer_.at(")")) lexer_.fail_expected("`)` after a type");
  lexer_.next();
  Parsed operand = read_unary();
  const text::Span span = lexer_.since(open.span.begin);
  if (operand.type.refers()) demand(operand.type, {}, span);
  const bool to_boolean = to == TypeKind::boolean;
  if (to_boolean ? !operand.type.fits(to) : operand.type.is_boolean())
    demand(operand.type, to, span);
  operand.type = {to};
  operand.depth = checked(operand.depth + 1, open.span);
  operand.expression = Expression::unary(Operator::cast, std::move(operand.expression));
  operand.expression.type = to;
  return operand;
}

/// A minus before a number is part of the number, as in herd.
ExpressionReader::Parsed ExpressionReader::read_negative(const Token& minus) {
  if (lexer_.peek().is_number()) return literal(minus.span);
  if (lexer_.at("-") && adjacent(minus, lexer_.peek()))
    lexer_.fail_expected("a value", "`--` is not part of the language; write `-(-r)`");
  Parsed operand = read_unary();
  check_number(minus, operand.type, lexer_.since(minus.span.begin));
  operand.type = {info(operand.type.of.kind).promoted};
  operand.depth = checked(operand.depth + 1, minus.span);
  operand.expression = Expression::unary(Operator::negate, std::move(operand.expression));
  return operand;
}

/// An integer or a floating-point value, `minus` its sign.
ExpressionReader::Parsed ExpressionReader::literal(std::optional<text::Span> minus) {
  if (at_floating(lexer_)) {
    const FloatingLiteral found = read_floating(lexer_, minus);
    Parsed out{Expression::number(found.bits), 1, {found.kind}};
    out.expression.type = found.kind;
    return out;
  }
  const Token number = lexer_.next();
  const bool is_long = is_long_literal(number);
  const Value value = lexer_.integer(number, minus, is_long ? java_long : java_int);
  Parsed out{Expression::number(value), 1};
  if (is_long)
    out.type.of = out.expression.type = TypeKind::long_;
  else
    out.type.literal = value;
  return out;
}

ExpressionReader::Parsed ExpressionReader::read_primary() {
  const Token first = lexer_.peek();
  if (first.is_number() || at_floating(lexer_)) return literal({});
  if (first.is("(")) {
    const Nesting nesting(lexer_, parentheses_, lexer_.next().span, "parentheses");
    Parsed inside = read_from(0);
    if (!lexer_.at(")")) lexer_.fail_expected("an operator or `)`");
    lexer_.next();
    return inside;
  }
  if (!first.is_word()) lexer_.fail_expected("a value");
  if (first.is("true") || first.is("false")) {
    Parsed out{Expression::number(lexer_.next().is("true") ? 1 : 0), 1, {TypeKind::boolean}};
    out.expression.type = TypeKind::boolean;
    return out;
  }
  if (lexer_.accept("null")) return {Expression::number(0), 1, {.of = {}, .is_null = true}};
  if (!lexer_.second().is(".") && !lexer_.second().is("[")) {
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
  const Action action = info(e.method).action;
  const bool tells = action == Action::compare_and_set || action == Action::weak_compare_and_set;
  return {std::move(e), depth, {.of = type, .is_truth = tells}};
}

Call ExpressionReader::read_call() {
  if (lexer_.second().is("[")) return read_element();
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
  return read_method_of(std::move(call), reference);
}

/// `a[i]`, or `a[i].getAcquire()`.
Call ExpressionReader::read_element() {
  Call call;
  const Token array = lexer_.next();
  call.field = scope_.element(array);
  read_index(call);
  return read_method_of(std::move(call), array);
}

/// An int (JLS 15.10.3), from the `[`.
void ExpressionReader::read_index(Call& call) {
  const Token open = lexer_.expect("[");
  const Nesting nesting(lexer_, parentheses_, open.span, "parentheses");
  const std::uint32_t begin = lexer_.peek().span.begin;
  Parsed index = read_from(0);
  const text::Span span = lexer_.since(begin);
  demand(index.type, {}, span);
  if (index.expression.op == Operator::constant)
    scope_.add_constant_index(*call.field, index.expression.constant, span);
  if (!lexer_.at("]")) lexer_.fail_expected("an operator or `]`");
  lexer_.next();
  call.depth = checked(index.depth + 1, span);
  call.arguments.push_back(std::move(index.expression));
}

/// What may follow a field or an element.
Call ExpressionReader::read_method_of(Call call, const Token& reference) {
  call.bare = !lexer_.accept(".");
  if (call.bare && lexer_.at("["))
    lexer_.fail_expected("an access method",
                         "read the reference into a register before its element");
  if (call.bare) return call;
  const Token method = lexer_.peek();
  if (!method_named(method.text) && !lexer_.second().is("(") &&
      field_of(scope_.program(), scope_.thread(), *call.field).type.refers())
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

/// Which types have which methods: MethodHandles.Lookup.findVarHandle.
void ExpressionReader::check_method(JavaType type, Action action, const Token& method) const {
  const bool adds = action == Action::get_and_add;
  const bool masks = action == Action::get_and_or || action == Action::get_and_and ||
                     action == Action::get_and_xor;
  if (type.refers() && (adds || masks))
    lexer_.fail_expected("a method that references have", method,
                         "references are read, written, exchanged, and compared");
  if (type.refers() || !(adds ? !info(type.kind).adds : masks && !info(type.kind).masks)) return;
  lexer_.fail_expected(fmt::format("a method that a {} has", info(type.kind).word), method,
                       adds ? "VarHandle adds to numbers; a boolean has getAndBitwiseOr, And, Xor"
                            : "VarHandle has bitwise methods for booleans and integers");
}

/// From the `(`. What adds to or masks a reference is an error.
void ExpressionReader::read_arguments(Call& call, const Token& method, std::uint32_t begin) {
  const JavaType type = type_of(scope_.program(), scope_.thread(), call.location, call.field);
  check_method(type, info(call.method).action, method);
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
  const std::size_t found = operands_of(call).size();
  if (found == wanted) return;
  lexer_.fail(span, fmt::format("expected {} argument{} of `{}`, found {}", wanted,
                                wanted == 1 ? "" : "s", method.text, found));
}

} // namespace thinair::litmus::java
