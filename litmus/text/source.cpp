// Places in a text: from byte offsets to lines and columns.
#include "litmus/text/source.h"

#include <algorithm>

namespace thinair::text {

Position position_of(const Source& source, std::uint32_t offset) {
  const std::string_view before = std::string_view(source.text).substr(0, offset);
  Position position;
  for (const char c : before) {
    if (c == '\n') {
      ++position.line;
      position.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      ++position.column;
    }
  }
  return position;
}

std::string_view line_of(const Source& source, std::uint32_t offset) {
  const std::string_view all = source.text;
  offset = std::min<std::uint32_t>(offset, static_cast<std::uint32_t>(all.size()));
  const std::size_t newline = offset == 0 ? std::string_view::npos : all.rfind('\n', offset - 1);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  std::string_view line = all.substr(begin, all.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

} // namespace thinair::text
