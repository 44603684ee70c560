// What backend.h says in words, which needs no LLVM.
#include "litmus/text/error.h"
#include "lower/backend.h"

#include <fmt/format.h>

#include <algorithm>
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

std::string text_of(const MachineInstruction& instruction) {
  std::string text = instruction.text;
  std::ranges::replace(text, '\t', ' ');
  return text.substr(text.find_first_not_of(' '));
}

void unsupported(const MachineInstruction& instruction) {
  throw Unsupported(fmt::format("{} [{}]", text_of(instruction), hexadecimal(instruction.bytes)));
}

} // namespace thinair::lower
