// The table of embedded .cat files and the look-ups on it.
#include "models/library.h"

#include <algorithm>
#include <array>
#include <string>

namespace thinair::models {
namespace {

constexpr auto embedded = std::to_array<File>({
#include "models/embedded.inc"
});

std::optional<File> find(std::string_view name) {
  const auto found = std::ranges::find(embedded, name, &File::name);
  return found == embedded.end() ? std::nullopt : std::optional(*found);
}

} // namespace

std::span<const File> files() { return embedded; }

std::optional<File> find_model(std::string_view name) {
  if (auto exact = find(name); exact && !name.starts_with("library/")) return exact;
  return find(std::string(name) + ".cat");
}

std::optional<File> find_include(std::string_view name) {
  if (auto library = find("library/" + std::string(name))) return library;
  return find(name);
}

} // namespace thinair::models
