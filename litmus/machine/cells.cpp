// The table of types, and where cells lie.
#include "litmus/machine/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::litmus {
namespace {

// clang-format off
constexpr std::array<TypeInfo, 13> type_table{{
    {"int",      {Width::l, true}},  {"int32_t",  {Width::l, true}},
    {"uint32_t", {Width::l, false}}, {"unsigned", {Width::l, false}},
    {"int64_t",  {Width::q, true}},  {"long",     {Width::q, true}},
    {"uint64_t", {Width::q, false}},
    {"int16_t",  {Width::w, true}},  {"short",    {Width::w, true}},
    {"uint16_t", {Width::w, false}},
    {"int8_t",   {Width::b, true}},  {"char",     {Width::b, true}},
    {"uint8_t",  {Width::b, false}},
}};
// clang-format on

constexpr std::uint64_t first_address = 0x10000, address_stride = 64;

} // namespace

std::span<const TypeInfo> types() { return type_table; }

std::string_view name(Type type) {
  return std::ranges::find(type_table, type, &TypeInfo::type)->name;
}

Value as_declared(Value value, Type type) {
  const auto bits = static_cast<std::uint64_t>(value);
  return type.is_signed ? sign_extended(bits, type.width)
                        : static_cast<Value>(truncated(bits, type.width));
}

std::string shown(Value value, Type type) {
  const Value kept = as_declared(value, type);
  return type.is_signed ? std::to_string(kept) : std::to_string(static_cast<std::uint64_t>(kept));
}

std::uint64_t truncated(std::uint64_t value, Width width) {
  const unsigned unused = 64 - bits_of(width);
  return value << unused >> unused;
}

std::int64_t sign_extended(std::uint64_t value, Width width) {
  const unsigned unused = 64 - bits_of(width);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::string_view name_in_code(const Cell& cell) {
  const std::string_view name = cell.name;
  return cell.length == 0 ? name : name.substr(0, name.rfind('['));
}

namespace {

bool is_struct(std::span<const Cell> array) {
  return std::ranges::any_of(array, [&](const Cell& cell) { return cell.type != array[0].type; });
}

} // namespace

std::string declared(std::span<const Cell> cells, std::size_t at) {
  const Cell& first = cells[at];
  if (first.length == 0)
    return first.type == Type{} ? first.name : fmt::format("{} {}", name(first.type), first.name);
  const auto all = cells.subspan(at, first.length);
  if (!is_struct(all))
    return fmt::format("{} {}[{}]", name(first.type), name_in_code(first), first.length);
  std::string members;
  for (const Cell& cell : all)
    members += fmt::format("{}{}", members.empty() ? "" : "; ", name(cell.type));
  return fmt::format("struct {{{}}} {}", members, name_in_code(first));
}

bool has_struct(std::span<const Cell> cells) {
  for (std::size_t i = 0; i < cells.size(); i += std::max(cells[i].length, 1U))
    if (is_struct(cells.subspan(i, std::max(cells[i].length, 1U)))) return true;
  return false;
}

std::uint64_t address_of(LocationId location) {
  return first_address + address_stride * location.value;
}

std::uint64_t address_of(LocationId location, std::span<const Cell> cells) {
  const std::uint32_t first = location.value - cells[location.value].index;
  std::uint64_t offset = 0;
  for (std::uint32_t i = first;; ++i) {
    offset = aligned(offset, cells[i].type.width);
    if (i == location.value) return address_of(LocationId(first)) + offset;
    offset += static_cast<std::uint64_t>(cells[i].type.width);
  }
}

std::optional<LocationId> scalar_at(std::uint64_t address) {
  const std::uint64_t id = (address - first_address) / address_stride;
  if (address < first_address || id > 0xFFFF) return std::nullopt;
  const LocationId location(static_cast<std::uint32_t>(id));
  return address == address_of(location) ? std::optional(location) : std::nullopt;
}

std::optional<LocationId> location_at(std::uint64_t address, std::span<const Cell> cells) {
  if (address < first_address) return std::nullopt;
  const std::uint64_t id = (address - first_address) / address_stride;
  if (id >= cells.size()) return std::nullopt;
  const auto index = static_cast<std::uint32_t>(id);
  const Cell& cell = cells[index]; // of the array that the address lies in
  if (cell.length == 0)
    return address == address_of(LocationId(index)) ? std::optional(LocationId(index))
                                                    : std::nullopt;
  const std::uint32_t first = index - cell.index;
  const std::uint64_t wanted = address - address_of(LocationId(first));
  std::uint64_t offset = 0;
  for (std::uint32_t i = first; i < first + cell.length && offset <= wanted; ++i) {
    offset = aligned(offset, cells[i].type.width);
    if (offset == wanted) return LocationId(i);
    offset += static_cast<std::uint64_t>(cells[i].type.width);
  }
  return std::nullopt;
}

} // namespace thinair::litmus
