// Text that came from outside, as a terminal may show it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace thinair::text {

/// `text` in which everything is printable. Bytes that are not UTF-8 and ASCII's controls become
/// `\x9b`; other code points that control a terminal or reorder a line (C1, separators, marks of
/// direction, code points without width, noncharacters) become `\u{9b}`. New lines and tabs stay.
/// What is printable stays as it is, so that this may be done twice.
std::string printable(std::string_view text);

/// The same for what stands within a line, as the name of a file: new lines and tabs are escaped,
/// too.
std::string printable_word(std::string_view text);

/// Whether a code point may be shown as it is (new lines and tabs may not).
bool is_printable(char32_t code_point);

/// How many bytes at the end of `text` begin a sequence of UTF-8 that is not over.
std::size_t unfinished_tail(std::string_view text);

} // namespace thinair::text
