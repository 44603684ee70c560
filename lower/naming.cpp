// Finds names for memory cells that no reader of assembly mistakes for something else.
#include "lower/naming.h"

#include <algorithm>
#include <cctype>

namespace thinair::lower {
namespace {

bool identifier_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

} // namespace

/// Herd7's AArch64 and RISC-V readers take a letter or two and digits for a register, and words
/// that begin as one for an instruction.
bool is_safe_name(std::string_view name) {
  const std::size_t digits = name.find_first_of("0123456789");
  const bool numbered =
      digits != std::string_view::npos && digits <= 2 &&
      std::ranges::all_of(name.substr(digits), [](unsigned char c) { return std::isdigit(c); });
  return !numbered && (name.size() == 1 || name.size() > 5) &&
         std::isalpha(static_cast<unsigned char>(name[0]));
}

litmus::TypeKind kind_of(litmus::JavaType type) {
  return type.refers() ? litmus::TypeKind::int_ : type.kind;
}

litmus::Type cell_type(litmus::JavaType type) {
  const auto& row = litmus::info(kind_of(type));
  return {static_cast<litmus::Width>(row.bits / 8), row.is_signed};
}

litmus::Type register_type(litmus::JavaType type) {
  const bool is_long = cell_type(type).width == litmus::Width::q;
  return {is_long ? litmus::Width::q : litmus::Width::l, true};
}

litmus::LocationId add_cell(std::vector<litmus::Cell>& cells, std::string_view wanted,
                            litmus::Value initial, Legal legal, litmus::Type type) {
  std::string name(wanted);
  for (char& c : name)
    if (!identifier_character(c)) c = '_';
  if (!legal(name)) name = "v_" + name;
  while (std::ranges::find(cells, name, &litmus::Cell::name) != cells.end()) name += '_';
  litmus::Cell cell;
  cell.name = std::move(name);
  cell.type = type;
  cell.initial = litmus::as_declared(initial, type);
  cells.push_back(std::move(cell));
  return litmus::LocationId(static_cast<std::uint32_t>(cells.size() - 1));
}

std::vector<litmus::Cell> cells_of(const litmus::Program& source, Legal legal) {
  std::vector<litmus::Cell> cells;
  for (const auto& location : source.locations)
    add_cell(cells, location.name, location.initial, legal, cell_type(location.type));
  return cells;
}

} // namespace thinair::lower
