// The frame, style and small parts that all pages share: one file each, no script, nothing from
// elsewhere, readable on a phone and in the dark.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thinair::campaign {

/// Text for HTML and XML; what is not printable, which XML has no way to say, is escaped
/// (litmus/text/printable.h).
std::string escape_html(std::string_view text);

/// The same of a sentence: what stands in backticks is code.
std::string escape_sentence(std::string_view text);

/// A whole page; `title` is text, `body` is HTML, `own_style` is CSS for this page alone.
std::string page(std::string_view title, std::string_view body, std::string_view own_style = {});

/// A block of code with a heading above; nothing for no text.
std::string code_block(std::string_view heading, std::string_view text);

/// Lines of words: they wrap where code scrolls.
std::string note_block(std::string_view text);

/// A drawing (an SVG without style of its own) with a heading above.
std::string figure(std::string_view heading, std::string_view svg);

/// What opens on demand. `body` is HTML.
std::string folded(std::string_view summary, std::string_view body);

/// A number with a name under it, for a row of such.
std::string fact(std::string_view name, std::string_view value);

std::string duration(double seconds);

} // namespace thinair::campaign
