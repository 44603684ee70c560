// What a variable of a Java program holds: a row for each of Java's value types, and references.
#pragma once

#include "litmus/ids.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace thinair::litmus {

/// Java's value types (JLS 4.2) in the order of `value_types()`, then references. `int_` is first:
/// it is what a variable holds where nothing is said.
enum class TypeKind : std::uint8_t {
  int_,
  boolean,
  byte,
  short_,
  char_,
  long_,
  float_,
  double_,
  reference,
};

/// One row a value type. Values are kept as `Value`s: integers by their value (a char is 0 to
/// 65535), a boolean as 0 or 1, a float or double as its bits, sign-extended.
struct ValueTypeInfo {
  TypeKind kind;
  std::string_view word;   // in Java
  std::uint8_t bits;       // in memory
  bool is_signed;          // whether a wider register holds it sign-extended
  TypeKind promoted;       // of an operand of arithmetic (JLS 5.6)
  bool adds, masks;        // VarHandle has getAndAdd, and getAndBitwiseOr, for it
  std::string_view suffix; // of its literals
};

std::span<const ValueTypeInfo> value_types();
const ValueTypeInfo& info(TypeKind kind); // not of a reference
std::optional<TypeKind> type_named(std::string_view word);

constexpr bool is_floating(TypeKind kind) {
  return kind == TypeKind::float_ || kind == TypeKind::double_;
}
/// byte, short, char, int, long (JLS 4.2.1).
constexpr bool is_integral(TypeKind kind) {
  return kind != TypeKind::boolean && kind != TypeKind::reference && !is_floating(kind);
}

/// What a variable holds: a value of a type, or a reference to an object of the class `of`, or
/// null. A reference is kept as a number, 0 for null and one more than its ObjectId for an object.
struct JavaType {
  TypeKind kind = TypeKind::int_;
  ClassId of = {};

  constexpr JavaType() = default;
  constexpr JavaType(TypeKind of_kind) : kind(of_kind) {}
  constexpr JavaType(ClassId object) : kind(TypeKind::reference), of(object) {}

  constexpr bool refers() const { return kind == TypeKind::reference; }
  constexpr bool is_int() const { return kind == TypeKind::int_; }
  friend constexpr auto operator<=>(const JavaType&, const JavaType&) = default;
};

/// A number for the type, 0 of int; that of a reference is one more than its class's.
std::uint32_t number_of(JavaType type);

/// The value as the type holds it: its low bits, extended (JLS 5.1.3). Of a boolean, the lowest.
Value narrowed(TypeKind kind, Value value);
/// Of an integral type or boolean, the least and the greatest value.
Value least_of(TypeKind kind);
Value greatest_of(TypeKind kind);

} // namespace thinair::litmus
