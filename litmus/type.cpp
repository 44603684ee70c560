// The table of Java's value types.
#include "litmus/type.h"

#include "litmus/text/error.h"

#include <algorithm>
#include <array>

namespace thinair::litmus {
namespace {

using enum TypeKind;

// JLS 4.2, 5.6 and 3.10; the methods as MethodHandles.Lookup.findVarHandle lists them: "numeric
// atomic update" for byte, short, char, int, long, float and double, "bitwise atomic update" for
// boolean, byte, short, char, int and long, all others for every type.
// clang-format off
constexpr std::array<ValueTypeInfo, 8> type_table{{
    // kind     word      bits signed promoted  adds   masks suffix
    {int_,    "int",     32, true,  int_,    true,  true,  ""},
    {boolean, "boolean", 8,  false, boolean, false, true,  ""},
    {byte,    "byte",    8,  true,  int_,    true,  true,  ""},
    {short_,  "short",   16, true,  int_,    true,  true,  ""},
    {char_,   "char",    16, false, int_,    true,  true,  ""},
    {long_,   "long",    64, true,  long_,   true,  true,  "L"},
    {float_,  "float",   32, true,  float_,  true,  false, "f"},
    {double_, "double",  64, true,  double_, true,  false, ""},
}};
// clang-format on

consteval bool types_in_order() {
  for (std::size_t i = 0; i < type_table.size(); ++i)
    if (type_table[i].kind != static_cast<TypeKind>(i)) return false;
  return static_cast<std::size_t>(reference) == type_table.size();
}
static_assert(types_in_order(), "a row's place in the table is its enumerator");

} // namespace

std::span<const ValueTypeInfo> value_types() { return type_table; }

const ValueTypeInfo& info(TypeKind kind) {
  THINAIR_CHECK(kind != reference, "a reference is no value type");
  return type_table[static_cast<std::size_t>(kind)];
}

std::optional<TypeKind> type_named(std::string_view word) {
  const auto found = std::ranges::find(type_table, word, &ValueTypeInfo::word);
  return found == type_table.end() ? std::nullopt : std::optional(found->kind);
}

std::uint32_t number_of(JavaType type) {
  constexpr std::uint32_t behind_classes = 0x10000;
  if (type.refers()) return type.of.value + 1;
  return type.is_int() ? 0 : behind_classes + static_cast<std::uint32_t>(type.kind);
}

Value narrowed(TypeKind kind, Value value) {
  if (kind == boolean) return value & 1;
  const ValueTypeInfo& row = info(kind);
  const unsigned unused = 64U - row.bits;
  const auto high = static_cast<std::uint64_t>(value) << unused;
  return row.is_signed ? static_cast<Value>(high) >> unused : static_cast<Value>(high >> unused);
}

Value least_of(TypeKind kind) {
  const ValueTypeInfo& row = info(kind);
  return row.is_signed ? -greatest_of(kind) - 1 : 0;
}

Value greatest_of(TypeKind kind) {
  if (kind == boolean) return 1;
  const ValueTypeInfo& row = info(kind);
  return static_cast<Value>(~std::uint64_t{0} >> (64U - row.bits + (row.is_signed ? 1U : 0U)));
}

} // namespace thinair::litmus
