// Text in lines of the width that a terminal always has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thinair::text {

inline constexpr std::size_t page_width = 80;

/// Columns, not bytes: `…` is one.
std::size_t columns(std::string_view text);

/// With blanks behind it up to column `to`.
std::string padded(std::string_view text, std::size_t to);

/// Of lines that whoever shows them breaks.
inline constexpr std::size_t no_width = static_cast<std::size_t>(-1);

/// The words of `text` in lines of `width`, the first from `column` on, each other begun with
/// `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t column = 0,
                    std::size_t width = page_width);

/// Each line of a text wrapped by itself, what goes on indented by four more than it begins.
std::string rewrapped(std::string_view text);

} // namespace thinair::text
