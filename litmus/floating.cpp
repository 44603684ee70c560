// Arithmetic by the processor's IEEE operations, one a function, so that nothing is fused.
#include "litmus/floating.h"

#include <fmt/format.h>

#include <bit>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <limits>

namespace thinair::litmus::floating {
namespace {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);
static_assert(FLT_EVAL_METHOD == 0, "results are rounded to their own type, as Java's are");

template <class Number>
using BitsOf = std::conditional_t<sizeof(Number) == 4, std::int32_t, std::int64_t>;

template <class Number>
Number number(Value value) {
  return std::bit_cast<Number>(static_cast<BitsOf<Number>>(value));
}

template <class Number>
Value kept(Number value) {
  if (std::isnan(value)) return canonical_nan(8 * sizeof(Number));
  return std::bit_cast<BitsOf<Number>>(value);
}

/// The operation in the type of `bits`.
template <class Operation>
Value computed(unsigned bits, Value a, Value b, Operation&& operation) {
  if (bits == 32) return kept(operation(number<float>(a), number<float>(b)));
  return kept(operation(number<double>(a), number<double>(b)));
}

template <class Relation>
bool compared(unsigned bits, Value a, Value b, Relation&& relation) {
  if (bits == 32) return relation(number<float>(a), number<float>(b));
  return relation(number<double>(a), number<double>(b));
}

template <class Integer>
Value saturated(double value) {
  if (std::isnan(value)) return 0;
  constexpr auto least = std::numeric_limits<Integer>::min();
  // one more than the greatest, which no double of these need round
  constexpr double beyond = -static_cast<double>(least);
  if (value >= beyond) return std::numeric_limits<Integer>::max();
  if (value < static_cast<double>(least)) return least;
  return static_cast<Integer>(value);
}

Value sign_of(unsigned bits) {
  return bits == 32 ? Value{std::numeric_limits<std::int32_t>::min()}
                    : std::numeric_limits<Value>::min();
}

template <class Number>
std::optional<Value> parsed(std::string_view text) {
  Number value = 0;
  const auto* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  const bool zero =
      text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == std::string_view::npos;
  if (last != end) return std::nullopt;
  if (zero) return kept(Number{0}); // whatever its exponent
  if (error != std::errc() || std::isinf(value) || value == 0) return std::nullopt;
  return kept(value);
}

template <class Number>
std::string decimal(Number value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

} // namespace

bool is_nan(unsigned bits, Value value) {
  return bits == 32 ? std::isnan(number<float>(value)) : std::isnan(number<double>(value));
}

Value canonical_nan(unsigned bits) { return bits == 32 ? 0x7fc00000 : 0x7ff8000000000000; }

Value sum(unsigned bits, Value a, Value b) {
  return computed(bits, a, b, [](auto x, auto y) { return x + y; });
}

Value difference(unsigned bits, Value a, Value b) {
  return computed(bits, a, b, [](auto x, auto y) { return x - y; });
}

Value product(unsigned bits, Value a, Value b) {
  return computed(bits, a, b, [](auto x, auto y) { return x * y; });
}

Value quotient(unsigned bits, Value a, Value b) {
  return computed(bits, a, b, [](auto x, auto y) { return x / y; });
}

Value remainder(unsigned bits, Value a, Value b) {
  return computed(bits, a, b, [](auto x, auto y) { return std::fmod(x, y); });
}

Value negation(unsigned bits, Value value) {
  return is_nan(bits, value) ? canonical_nan(bits) : value ^ sign_of(bits);
}

bool equal(unsigned bits, Value a, Value b) {
  return compared(bits, a, b, [](auto x, auto y) { return x == y; });
}

bool less(unsigned bits, Value a, Value b) {
  return compared(bits, a, b, [](auto x, auto y) { return x < y; });
}

bool less_equal(unsigned bits, Value a, Value b) {
  return compared(bits, a, b, [](auto x, auto y) { return x <= y; });
}

Value of_integer(unsigned bits, Value number) {
  return bits == 32 ? kept(static_cast<float>(number)) : kept(static_cast<double>(number));
}

Value to_integer(unsigned bits, Value of_double) {
  const auto value = number<double>(of_double);
  return bits == 32 ? saturated<std::int32_t>(value) : saturated<std::int64_t>(value);
}

Value resized(unsigned bits, Value value) {
  return bits == 32 ? kept(static_cast<float>(number<double>(value)))
                    : kept(static_cast<double>(number<float>(value)));
}

std::optional<Value> of_decimal(unsigned bits, std::string_view text) {
  return bits == 32 ? parsed<float>(text) : parsed<double>(text);
}

std::string to_string(unsigned bits, Value value) {
  const std::string_view of = bits == 32 ? "Float" : "Double";
  if (value == canonical_nan(bits)) return fmt::format("{}.NaN", of);
  if (is_nan(bits, value))
    return bits == 32 ? fmt::format("{}.intBitsToFloat({})", of, value)
                      : fmt::format("{}.longBitsToDouble({}L)", of, value);
  const bool infinite =
      bits == 32 ? std::isinf(number<float>(value)) : std::isinf(number<double>(value));
  if (infinite) return fmt::format("{}.{}_INFINITY", of, value < 0 ? "NEGATIVE" : "POSITIVE");
  return bits == 32 ? decimal(number<float>(value)) : decimal(number<double>(value));
}

} // namespace thinair::litmus::floating

namespace thinair::litmus {

Value converted(TypeKind from, TypeKind to, Value value) {
  if (from == to) return value;
  const bool was = is_floating(from);
  if (is_floating(to)) {
    const unsigned bits = info(to).bits;
    return was ? floating::resized(bits, value) : floating::of_integer(bits, value);
  }
  if (!was) return narrowed(to, value);
  const Value as_double =
      from == TypeKind::double_ ? value : floating::resized(info(TypeKind::double_).bits, value);
  const Value whole = floating::to_integer(to == TypeKind::long_ ? 64 : 32, as_double);
  return narrowed(to, whole);
}

} // namespace thinair::litmus
