// Reads floating-point values.
#include "litmus/floating_literal.h"

#include "litmus/floating.h"

#include <fmt/format.h>

#include <array>

namespace thinair::litmus {
namespace {

constexpr ValueRange bits_of_int{INT32_MIN, UINT32_MAX, "int"};

struct Boxed {
  std::string_view name; // in java.lang
  TypeKind kind;
  std::string_view from_bits;
};
constexpr std::array<Boxed, 2> classes{{{"Float", TypeKind::float_, "intBitsToFloat"},
                                        {"Double", TypeKind::double_, "longBitsToDouble"}}};

const Boxed* class_at(Lexer& lexer) {
  for (const Boxed& each : classes)
    if (lexer.at(each.name)) return &each;
  return nullptr;
}

/// The digits of a literal, without the letter of its type.
std::string_view decimal_of(std::string_view literal) {
  const bool named = std::string_view("fFdD").find(literal.back()) != std::string_view::npos;
  return named ? literal.substr(0, literal.size() - 1) : literal;
}

TypeKind kind_of(const Token& literal) {
  const char last = literal.text.back();
  return last == 'f' || last == 'F' ? TypeKind::float_ : TypeKind::double_;
}

Value in_digits(const Lexer& lexer, const Token& number, TypeKind kind) {
  const auto value = floating::of_decimal(info(kind).bits, decimal_of(number.text));
  if (!value)
    lexer.fail(number.span,
               fmt::format("expected a value of type {}, found `{}`, which is out of its range",
                           info(kind).word, number.text),
               kind == TypeKind::float_ && kind_of(number) == TypeKind::float_
                   ? "a double has more digits and a wider range, without the `f`"
                   : "");
  return *value;
}

/// From the class on: `Float.NaN`, `Float.intBitsToFloat(1)`.
Value of_class(Lexer& lexer, const Boxed& of) {
  const unsigned bits = info(of.kind).bits;
  const Value infinity =
      floating::quotient(bits, floating::of_integer(bits, 1), floating::of_integer(bits, 0));
  lexer.next();
  lexer.expect(".");
  const Token word = lexer.peek();
  if (lexer.accept("NaN")) return floating::canonical_nan(bits);
  if (lexer.accept("POSITIVE_INFINITY")) return infinity;
  if (lexer.accept("NEGATIVE_INFINITY")) return floating::negation(bits, infinity);
  if (!lexer.accept(of.from_bits)) {
    const std::array<std::string_view, 4> names{"NaN", "POSITIVE_INFINITY", "NEGATIVE_INFINITY",
                                                of.from_bits};
    lexer.fail_expected(
        fmt::format("`NaN`, `POSITIVE_INFINITY`, `NEGATIVE_INFINITY` or `{}`", of.from_bits), word,
        word.is_word() ? Lexer::suggest(word.text, names) : "");
  }
  lexer.expect("(");
  const Value value = lexer.expect_integer(bits == 32 ? bits_of_int : java_long);
  lexer.expect(")");
  return narrowed(of.kind, value);
}

} // namespace

bool at_floating(Lexer& lexer) {
  if (lexer.peek().is_number()) return lexer.peek().is_floating;
  return class_at(lexer) != nullptr && lexer.second().is(".");
}

FloatingLiteral read_floating(Lexer& lexer, std::optional<text::Span> minus) {
  FloatingLiteral out;
  if (const Boxed* of = class_at(lexer)) {
    out.kind = of->kind;
    out.bits = of_class(lexer, *of);
  } else {
    const Token number = lexer.next();
    out.kind = kind_of(number);
    out.bits = in_digits(lexer, number, out.kind);
  }
  if (minus) out.bits = floating::negation(info(out.kind).bits, out.bits);
  return out;
}

Value read_floating_constant(Lexer& lexer, TypeKind kind, Spelling spelling) {
  std::optional<text::Span> minus;
  if (lexer.at("-")) minus = lexer.next().span;
  const Token first = lexer.peek();
  if (first.is_number() && !first.is_floating)
    return converted(TypeKind::long_, kind, lexer.integer(lexer.next(), minus, java_long));
  if (!at_floating(lexer)) lexer.fail_expected(fmt::format("a {}", info(kind).word));
  if (first.is_number() && spelling == Spelling::loose) {
    const unsigned bits = info(kind).bits;
    const Value value = in_digits(lexer, lexer.next(), kind);
    return minus ? floating::negation(bits, value) : value;
  }
  const FloatingLiteral found = read_floating(lexer, minus);
  if (kind == TypeKind::float_ && found.kind != kind)
    lexer.fail(lexer.since(first.span.begin), "expected a float, found a double",
               first.is_number()
                   ? fmt::format("a float ends in `f`, as `{}f`", decimal_of(first.text))
                   : "");
  return converted(found.kind, kind, found.bits);
}

} // namespace thinair::litmus
