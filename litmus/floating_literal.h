// Floating-point values as tests write them: literals, and what Java has constants and methods for.
#pragma once

#include "litmus/lexer.h"
#include "litmus/type.h"

#include <optional>

namespace thinair::litmus {

struct FloatingLiteral {
  Value bits = 0;
  TypeKind kind = TypeKind::double_; // or float_
};

/// Whether `1.5f`, `Float.NaN`, `Double.longBitsToDouble(1L)` or the like comes next, without a
/// sign.
bool at_floating(Lexer& lexer);

/// Reads it. A minus sign at `minus` belongs to it: `-0.0` is one literal.
FloatingLiteral read_floating(Lexer& lexer, std::optional<text::Span> minus);

/// How a float is spelled in digits: as Java assigns it, with an `f`, or with or without one.
enum class Spelling : std::uint8_t { of_java, loose };

/// A constant of the type, float or double, with its sign: any number, read as that type, or one of
/// Java's constants.
Value read_floating_constant(Lexer& lexer, TypeKind kind, Spelling spelling);

} // namespace thinair::litmus
