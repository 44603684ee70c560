// The one place that decides which characters of inputs are shown.
#include "litmus/text/printable.h"

#include "litmus/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::text {
namespace {

struct Range {
  char32_t first, last;
};

/// By code point. Unicode's categories Cc, Zl, Zp, and those of Cf and Cn that a reader cannot see
/// or that reorder what stands beside them.
constexpr auto hidden = std::to_array<Range>({
    {0x0000, 0x001F},   // C0
    {0x007F, 0x009F},   // DEL, C1
    {0x061C, 0x061C},   // Arabic letter mark
    {0x180E, 0x180E},   // Mongolian vowel separator
    {0x200B, 0x200F},   // without width, marks of direction
    {0x2028, 0x202E},   // separators, embeddings and overrides of direction
    {0x2060, 0x206F},   // without width, isolates of direction
    {0xFDD0, 0xFDEF},   // noncharacters
    {0xFEFF, 0xFEFF},   // byte order mark
    {0xFFF0, 0xFFFB},   // unassigned, annotations
    {0xE0000, 0xE0FFF}, // tags
});

std::string escaped_everywhere_but(std::string_view text, std::string_view kept) {
  std::string out;
  for (std::size_t offset = 0; offset < text.size();) {
    const auto point = decode_utf8(text, offset);
    const std::size_t length = point ? point->length : 1;
    const auto bytes = text.substr(offset, length);
    if (point && (is_printable(point->value) || kept.find(bytes) != std::string_view::npos)) {
      out += bytes;
    } else if (!point || point->value < 0x80) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes.front()));
    } else {
      out += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(point->value));
    }
    offset += length;
  }
  return out;
}

} // namespace

bool is_printable(char32_t code_point) {
  const bool noncharacter = (code_point & 0xFFFE) == 0xFFFE;
  return !noncharacter && std::ranges::none_of(hidden, [&](const Range& range) {
    return range.first <= code_point && code_point <= range.last;
  });
}

std::string printable(std::string_view text) { return escaped_everywhere_but(text, "\n\t"); }

std::string printable_word(std::string_view text) { return escaped_everywhere_but(text, {}); }

std::size_t unfinished_tail(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80U) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

} // namespace thinair::text
