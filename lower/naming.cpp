// Finds names for memory cells that no reader of assembly mistakes for something else.
#include "lower/naming.h"

#include "litmus/text/ascii.h"

#include <algorithm>
#include <cctype>

namespace thinair::lower {
namespace {

bool identifier_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Mnemonics as written, with any width suffix or condition: a prefix is enough to stay away from.
bool is_mnemonic(std::string_view lowered) {
  return std::ranges::any_of(x86::opcodes(), [&](const x86::OpcodeInfo& row) {
    if (!lowered.starts_with(row.mnemonic)) return false;
    const auto rest = lowered.substr(row.mnemonic.size());
    return rest.empty() || rest == "b" || rest == "w" || rest == "l" || rest == "q" ||
           (row.reads_flags && x86::condition_named(rest));
  });
}

bool is_thread_name(std::string_view name) {
  return name.size() > 1 && (name[0] == 'P' || name[0] == 'p') &&
         std::ranges::all_of(name.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

bool taken(const x86::Program& program, std::string_view name) {
  return std::ranges::find(program.locations, name, &x86::Location::name) !=
         program.locations.end();
}

} // namespace

bool is_cell_name(std::string_view name) {
  const std::string lowered = text::lower_case(name);
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) &&
         std::ranges::all_of(name, identifier_character) && !x86::register_named(lowered) &&
         !is_mnemonic(lowered) && lowered != "lock" && !is_thread_name(name);
}

litmus::LocationId add_cell(x86::Program& program, std::string_view wanted, std::int32_t initial) {
  std::string name(wanted);
  for (char& c : name)
    if (!identifier_character(c)) c = '_';
  if (!is_cell_name(name)) name = "v_" + name;
  while (taken(program, name)) name += '_';
  x86::Location cell;
  cell.name = std::move(name);
  cell.initial = initial;
  program.locations.push_back(std::move(cell));
  return litmus::LocationId(static_cast<std::uint32_t>(program.locations.size() - 1));
}

x86::Program with_locations(const litmus::Program& source) {
  x86::Program program;
  for (const auto& location : source.locations) add_cell(program, location.name, location.initial);
  return program;
}

} // namespace thinair::lower
