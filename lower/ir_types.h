// Types of values in LLVM's IR, and in names of globals: @"g0" is an int, @"g0.i8" a byte,
// @"g0.[2 x i32]" an object of two fields or an array, @"g0.{i8, i64}" an object of two types.
#pragma once

#include "litmus/machine/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::lower {

constexpr std::string_view ir_type(litmus::Width width) {
  switch (width) {
  case litmus::Width::b: return "i8";
  case litmus::Width::w: return "i16";
  case litmus::Width::l: return "i32";
  case litmus::Width::q: return "i64";
  }
  return "i32";
}

/// In bytes.
constexpr unsigned ir_align(std::string_view type) {
  if (type.find(ir_type(litmus::Width::q)) != std::string_view::npos) return 8;
  for (const auto width : {litmus::Width::b, litmus::Width::w, litmus::Width::q})
    if (ir_type(width) == type) return static_cast<unsigned>(width);
  return static_cast<unsigned>(litmus::Width::l);
}

/// What stands behind a global's number in its name.
inline std::string ir_suffix(litmus::Type type) {
  if (type.width == litmus::Width::l) return {};
  return "." + std::string(ir_type(type.width));
}
/// That of an object with such cells, or an array.
inline std::string ir_suffix(std::span<const litmus::Type> cells) {
  const auto width = cells.front().width;
  const auto same = [&](litmus::Type cell) { return cell.width == width; };
  if (std::ranges::all_of(cells, same))
    return fmt::format(".[{} x {}]", cells.size(), ir_type(width));
  std::string members;
  for (const auto cell : cells)
    members += fmt::format("{}{}", members.empty() ? "" : ", ", ir_type(cell.width));
  return fmt::format(".{{{}}}", members);
}
/// The type in "0.i8"; that of an int in "0".
constexpr std::string_view ir_type_in(std::string_view named) {
  const auto dot = named.find('.');
  return dot == std::string_view::npos ? ir_type(litmus::Width::l) : named.substr(dot + 1);
}

/// What a body calls its globals, in the order of their numbers; `count` of them.
std::vector<std::string> global_names(std::string_view body, std::size_t count);
/// The type that such a name says, as a cell of the thread's own has it.
litmus::Type type_in(std::string_view global);

} // namespace thinair::lower
