// A text with a name, and places in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thinair::text {

/// Bytes [begin, end) of a source; the default is "no place".
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Line and column, both from 1; columns count code points.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// A whole file in memory; what every reader reads from.
struct Source {
  std::string name; // as the user gave it: shown in diagnostics
  std::string text;
};

Position position_of(const Source& source, std::uint32_t offset);

/// The line that holds `offset`, without its end of line.
std::string_view line_of(const Source& source, std::uint32_t offset);

} // namespace thinair::text
