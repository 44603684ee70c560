// Builds the texts of errors: place, excerpt, caret, suggestion.
#include "litmus/text/error.h"

#include "litmus/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace thinair {
namespace {

constexpr std::size_t excerpt_width = 100;

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

bool printable(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; }

/// The line with control characters and bytes that are not ASCII made harmless to a terminal, one
/// column each.
std::string shown(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (continues_code_point(c)) continue;
    out += static_cast<unsigned char>(c) >= 0x80 ? '?' : printable(c) ? c : ' ';
  }
  return out;
}

} // namespace

InputError InputError::at(const text::Source& source, text::Span span, std::string_view message,
                          std::string_view hint) {
  const auto position = text::position_of(source, span.begin);
  std::string line = shown(text::line_of(source, span.begin));
  std::size_t caret = position.column - 1;
  if (line.size() > excerpt_width) { // keep the caret in view
    const std::size_t from =
        caret > excerpt_width / 2 ? std::min(caret - excerpt_width / 2, line.size()) : 0;
    line = line.substr(from, excerpt_width);
    caret -= from;
  }
  const std::size_t room = line.size() > caret ? line.size() - caret : 1;
  const std::size_t width =
      std::clamp<std::size_t>(span.end - std::min(span.begin, span.end), 1, room);
  std::string text = fmt::format("{}:{}:{}: error: {}\n  {}\n  {}{}",
                                 text::printable_word(source.name), position.line, position.column,
                                 message, line, std::string(caret, ' '), std::string(width, '^'));
  if (!hint.empty()) text += fmt::format("\n  hint: {}", hint);
  return {text, {source.name, position}};
}

InputError InputError::in(std::string_view file, std::string_view message, std::string_view hint) {
  const std::string name = file.empty() ? "''" : text::printable_word(file);
  std::string text = fmt::format("{}: error: {}", name, message);
  if (!hint.empty()) text += fmt::format("\n  hint: {}", hint);
  return {text, {std::string(file), {0, 0}}};
}

NoAnswer::NoAnswer(std::string_view kind, Reason reason)
    : std::runtime_error(std::string(kind) + reason.text), reason_(std::move(reason)) {}

void bug(const char* file, int line, std::string_view what) {
  throw Bug(fmt::format("internal error at {}:{}: {}", file, line, what));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

} // namespace thinair
