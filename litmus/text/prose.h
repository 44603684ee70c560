// Markdown whose prose is in lines that an editor shows whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thinair::text {

inline constexpr std::size_t prose_width = 120;

/// Paragraphs and items of lists with a longer line are broken between words anew; all others, and
/// headings, tables, HTML and code stay as they are. Code between backticks is not broken.
std::string wrapped_prose(std::string_view markdown, std::size_t width = prose_width);

} // namespace thinair::text
