// Paragraphs of Markdown, found line by line.
#include "litmus/text/prose.h"

#include "litmus/text/wrap.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace thinair::text {
namespace {

constexpr std::string_view fence = "```";

std::string_view without_indent(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

/// The bytes of "- " or "12. " that an item of a list begins with; 0: it is none.
std::size_t marker_of(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ")) return 2;
  std::size_t digits = 0;
  while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits])) != 0)
    ++digits;
  return digits > 0 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

/// Neither part of a paragraph nor the beginning of one.
bool stands_alone(std::string_view line) {
  const auto text = without_indent(line);
  return text.empty() || text.starts_with('|') || text.starts_with('#') || text.starts_with('<') ||
         text.starts_with('>') || text.starts_with("[^") || text == "---" ||
         line.starts_with("    ");
}

/// Would begin a list or a heading at the beginning of a line.
bool must_follow(std::string_view word) {
  const auto last = word.find_first_not_of("0123456789");
  return word == "-" || word == "*" || word == "+" || word.starts_with('#') ||
         word.starts_with('|') || word.starts_with('>') || word.starts_with('<') ||
         (last != std::string_view::npos && last > 0 && word.substr(last) == ".");
}

/// What is not broken: words, and code with the blanks in it.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (c != ' ' || code) {
      word += c;
      continue;
    }
    if (!word.empty() && must_follow(word) && !out.empty())
      out.back() += " " + word;
    else if (!word.empty())
      out.push_back(word);
    word.clear();
  }
  if (!word.empty()) out.push_back(word);
  return out;
}

class Wrapper {
 public:
  explicit Wrapper(std::size_t width) : width_(width) {}

  void line(std::string_view line) {
    const auto text = without_indent(line);
    const bool is_fence = text.starts_with(fence);
    if (inside_ || is_fence || stands_alone(line)) {
      flush();
      if (is_fence) inside_ = !inside_;
      out_ += std::string(line) + "\n";
      return;
    }
    if (marker_of(text) > 0) flush();
    lines_.push_back(line);
  }

  std::string end() {
    flush();
    return std::move(out_);
  }

 private:
  /// Writes the paragraph that is open.
  void flush() {
    const bool fits =
        std::ranges::all_of(lines_, [&](auto line) { return columns(line) <= width_; });
    const bool broken_by_hand =
        std::ranges::any_of(lines_, [](auto line) { return line.ends_with("  "); });
    if (fits || broken_by_hand)
      for (const auto line : lines_) out_ += std::string(line) + "\n";
    else
      wrap();
    lines_.clear();
  }

  void wrap() {
    const auto first = lines_.front();
    const auto blanks = first.size() - without_indent(first).size();
    const std::string indent(blanks + marker_of(without_indent(first)), ' ');
    std::string text;
    for (const auto line : lines_) text += std::string(without_indent(line)) + " ";
    std::string now(first.substr(0, blanks));
    for (const auto& word : words_of(text)) {
      const bool begins = without_indent(now).empty();
      if (!begins && columns(now) + 1 + columns(word) > width_) {
        out_ += now + "\n";
        now = indent + word;
      } else {
        now += (begins ? "" : " ") + word;
      }
    }
    out_ += now + "\n";
  }

  const std::size_t width_;
  std::vector<std::string_view> lines_; // of the paragraph that is open
  bool inside_ = false;                 // of a block of code
  std::string out_;
};

} // namespace

std::string wrapped_prose(std::string_view markdown, std::size_t width) {
  Wrapper wrapper(width);
  while (!markdown.empty()) {
    const auto end = std::min(markdown.find('\n'), markdown.size());
    wrapper.line(markdown.substr(0, end));
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
  }
  return wrapper.end();
}

} // namespace thinair::text
