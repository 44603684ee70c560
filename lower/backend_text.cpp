// What backend.h says in words, which needs no LLVM.
#include "lower/backend.h"

#include <fmt/format.h>

#include <array>

namespace thinair::lower {

std::string_view name(Level level) {
  constexpr std::array<std::string_view, 4> names{"O0", "O1", "O2", "O3"};
  return names[static_cast<std::size_t>(level)];
}

std::string hexadecimal(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes)
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", byte);
  return text;
}

} // namespace thinair::lower
