// Memory cells of machine programs: their types, their addresses, how their values are shown.
#pragma once

#include "litmus/condition.h"
#include "litmus/ids.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::litmus {

/// Bytes of an access, a register's part or a cell: a byte, a word, a long and a quad word of x86.
enum class Width : std::uint8_t { b = 1, w = 2, l = 4, q = 8 };

constexpr std::uint8_t bits_of(Width width) {
  return static_cast<std::uint8_t>(8 * static_cast<unsigned>(width));
}

/// A declared C type: how wide a cell is, and how the final value of a cell or register is shown.
struct Type {
  Width width = Width::l;
  bool is_signed = true;
  friend bool operator==(const Type&, const Type&) = default;
};

struct TypeInfo {
  std::string_view name;
  Type type;
};
std::span<const TypeInfo> types(); // of rows with one type, printers use the first
std::string_view name(Type type);

/// `value` as a thing of that type holds it: cut to the width, then sign- or zero-extended. (Eight
/// unsigned bytes fill a Value: a large one is negative here and is shown as what it stands for.)
Value as_declared(Value value, Type type);

/// `value`, which something of that type holds, in decimal.
std::string shown(Value value, Type type);

/// `value` cut to its low `width` bytes, and its sign at that width.
std::uint64_t truncated(std::uint64_t value, Width width);
std::int64_t sign_extended(std::uint64_t value, Width width);

/// A cell. Those of an array `t` are called `t[0]`, `t[1]` and follow each other, and so are those
/// of a struct, an array whose cells have types of their own: each lies at the next multiple of its
/// width, as C has it.
struct Cell {
  std::string name;
  Type type; // `int` by default
  Value initial = 0;
  std::uint32_t length = 0; // of the array that it belongs to; 0: to none
  std::uint32_t index = 0;  // in that array
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// What code and initial states call a cell: `t` for the first cell of that array.
std::string_view name_in_code(const Cell& cell);

/// How a test declares a cell, or the array or struct that begins there: "x", "int64_t y",
/// "int t[2]", "struct {int8_t; int} s".
std::string declared(std::span<const Cell> cells, std::size_t at);
/// Whether some array has cells of several types.
bool has_struct(std::span<const Cell> cells);

/// The first place for a cell of that width, `from` bytes into an array or behind that.
constexpr std::uint64_t aligned(std::uint64_t from, Width width) {
  const auto bytes = static_cast<std::uint64_t>(width);
  return (from + bytes - 1) / bytes * bytes;
}

/// The value of a register that points at a cell (`0:rdi=x`); of an array, at its first cell.
std::uint64_t address_of(LocationId location);
/// That of any cell.
std::uint64_t address_of(LocationId location, std::span<const Cell> cells);
/// And back, where no cell is of an array.
std::optional<LocationId> scalar_at(std::uint64_t address);
/// And back: cells of an array lie side by side.
std::optional<LocationId> location_at(std::uint64_t address, std::span<const Cell> cells);

} // namespace thinair::litmus
