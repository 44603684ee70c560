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

/// The words of `text` in lines of page_width, the first from `column` on, each other begun with
/// `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t column = 0);

} // namespace thinair::text
