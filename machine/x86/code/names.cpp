// Names that no reader of x86 code mistakes for something else.
#include "machine/x86/code/names.h"

#include "litmus/text/ascii.h"
#include "machine/x86/program.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace thinair::lower::x86_code {
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

} // namespace

bool is_cell_name(std::string_view name) {
  const std::string lowered = text::lower_case(name);
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) &&
         std::ranges::all_of(name, identifier_character) && !x86::register_named(lowered) &&
         !is_mnemonic(lowered) && lowered != "lock" && !is_thread_name(name);
}

} // namespace thinair::lower::x86_code
