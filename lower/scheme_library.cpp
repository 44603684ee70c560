// The embedded scheme files: schemes/x86-table2.scheme is "x86:table2".
#include "lower/scheme.h"

#include <algorithm>

namespace thinair::lower {
namespace {

constexpr auto embedded = std::to_array<ShippedScheme>({
#include "lower/embedded.inc"
});

/// "x86:table2" for "x86-table2.scheme"; the name itself where it is neither.
std::string file_of(std::string_view name) {
  std::string file(name);
  if (const auto colon = file.find(':'); colon != std::string::npos) file[colon] = '-';
  return file + ".scheme";
}

} // namespace

std::vector<ShippedScheme> shipped_schemes(Machine machine) {
  std::vector<ShippedScheme> result;
  for (const auto& shipped : embedded)
    if (shipped.file.substr(0, shipped.file.find('-')) == info(machine).prefix)
      result.push_back(shipped);
  return result;
}

std::optional<ShippedScheme> shipped_file(std::string_view name) {
  const auto found = std::ranges::find(embedded, file_of(name), &ShippedScheme::file);
  return found == embedded.end() ? std::nullopt : std::optional(*found);
}

std::optional<Scheme> find_scheme(std::string_view name) {
  const auto shipped = shipped_file(name);
  if (!shipped || machine_of(name) != Machine::x86) return std::nullopt;
  return parse_scheme({std::string(shipped->file), std::string(shipped->text)});
}

} // namespace thinair::lower
