// Breaking lines between words.
#include "litmus/text/wrap.h"

#include <algorithm>

namespace thinair::text {

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(std::string_view text, std::size_t to) {
  const std::size_t used = columns(text);
  return std::string(text) + std::string(used < to ? to - used : 0, ' ');
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t column,
                    std::size_t width) {
  std::string out;
  bool begun = column > indent; // whether the line has a word already
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column + columns(word) >= width && begun) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
      begun = false;
    }
    if (begun) {
      out += ' ';
      ++column;
    }
    begun = true;
    out += word;
    column += columns(word);
  }
  return out;
}

std::string rewrapped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto indent = std::min(line.find_first_not_of(' '), line.size());
    out += line.substr(0, indent);
    out += wrapped(line.substr(indent), indent + 4, indent) + "\n";
  }
  return out;
}

} // namespace thinair::text
