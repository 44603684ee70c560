// UTF-8: where a text stops being well formed, and its code points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace thinair::text {

/// A code point and its length in bytes.
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 1;
};

/// The code point at `offset`; absent where the bytes are not well-formed UTF-8 (Unicode 15, table
/// 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
std::optional<CodePoint> decode_utf8(std::string_view text, std::size_t offset);

/// The first offset at which the text is not well-formed.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

} // namespace thinair::text
