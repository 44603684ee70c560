// Java's floating-point values (JLS 4.2.3): IEEE 754 of 32 and 64 bits, kept as their bits, rounded
// to nearest, ties to even. What arithmetic and conversions make of a NaN, or as one, is the NaN of
// `canonical_nan`, as the Java language has one NaN alone; what only moves keeps its bits.
#pragma once

#include "litmus/ids.h"
#include "litmus/type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thinair::litmus::floating {

/// `bits` is 32 for floats and 64 for doubles, here and below.
bool is_nan(unsigned bits, Value value);
/// Float.NaN, Double.NaN: 0x7fc00000, 0x7ff8000000000000.
Value canonical_nan(unsigned bits);

/// JLS 15.17, 15.18. The remainder is that of a division that truncates.
Value sum(unsigned bits, Value a, Value b);
Value difference(unsigned bits, Value a, Value b);
Value product(unsigned bits, Value a, Value b);
Value quotient(unsigned bits, Value a, Value b);
Value remainder(unsigned bits, Value a, Value b);
/// -x; of a NaN the canonical one.
Value negation(unsigned bits, Value value);

/// JLS 15.20.1, 15.21.1: 0.0 is -0.0, and a NaN is nothing.
bool equal(unsigned bits, Value a, Value b);
bool less(unsigned bits, Value a, Value b);
bool less_equal(unsigned bits, Value a, Value b);

/// JLS 5.1.2: a number as the nearest value of `bits`.
Value of_integer(unsigned bits, Value number);
/// JLS 5.1.3: a double as an int or long of `bits`, towards zero; the nearest one where it is out
/// of range, 0 of a NaN.
Value to_integer(unsigned bits, Value of_double);
/// A value of the other width as one of `bits`.
Value resized(unsigned bits, Value value);

/// Of a decimal literal without its sign and suffix, as "1.5e-3". No value: it is no such text, too
/// large, or rounded to zero (JLS 3.10.2).
std::optional<Value> of_decimal(unsigned bits, std::string_view text);

/// "1.5", "-0.0", "1e+20", the shortest text that reads back to the same bits, and
/// "Float.POSITIVE_INFINITY", "Double.NaN", "Float.intBitsToFloat(2143289345)".
std::string to_string(unsigned bits, Value value);

} // namespace thinair::litmus::floating

namespace thinair::litmus {

/// A value of type `from` as one of type `to` (JLS 5.1.2, 5.1.3): all between numbers, and what
/// leaves a value as it is.
Value converted(TypeKind from, TypeKind to, Value value);

} // namespace thinair::litmus
