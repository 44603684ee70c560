// Reads and prints the header of a litmus file.
#include "litmus/header.h"

#include "litmus/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace thinair::litmus {
namespace {

constexpr std::string_view blanks = " \t\r";

bool is_test_name_char(char c) {
  return is_word_char(c) || (c >= '0' && c <= '9') ||
         std::string_view("/.-+[]").find(c) != std::string_view::npos;
}

bool is_key_char(char c) {
  return is_word_char(c) || std::string_view("/.-").find(c) != std::string_view::npos;
}

/// Takes the characters that `accepted` allows from where the lexer stands.
template <class Accepted>
std::string_view take_while(Lexer& lexer, Accepted accepted) {
  const std::string_view rest = lexer.text().substr(lexer.offset());
  const auto end = std::ranges::find_if_not(rest, accepted);
  const auto taken = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  lexer.seek(lexer.offset() + static_cast<std::uint32_t>(taken.size()));
  return taken;
}

void skip_blanks(Lexer& lexer) {
  take_while(lexer, [](char c) { return blanks.find(c) != std::string_view::npos; });
}

/// "`Java`, `X86_64` or `X86`".
std::string listed(const std::vector<std::string_view>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return out;
}

const Language* read_language(Lexer& lexer) {
  const Token word = lexer.next();
  std::vector<std::string_view> words;
  for (const Language* language : languages()) {
    if (word.is_word() && language->word == word.text) return language;
    words.push_back(language->word);
  }
  lexer.fail_expected(listed(words), word, word.is_word() ? Lexer::suggest(word.text, words) : "");
}

std::string read_name(Lexer& lexer) {
  skip_blanks(lexer);
  const std::uint32_t begin = lexer.offset();
  const std::string_view name = take_while(lexer, is_test_name_char);
  if (name.empty()) lexer.fail_expected("the test's name");
  lexer.check_name(name, {begin, lexer.offset()});
  skip_blanks(lexer);
  return std::string(name);
}

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

char next_char(const Lexer& lexer) {
  return lexer.offset() < lexer.text().size() ? lexer.text()[lexer.offset()] : '\0';
}

/// Herd's `(TeXName)` behind the name, which nothing uses.
void skip_second_name(Lexer& lexer) {
  const std::uint32_t begin = lexer.offset();
  if (next_char(lexer) != '(') return;
  lexer.seek(begin + 1);
  const std::string_view name = take_while(lexer, is_key_char);
  const bool whole = !name.empty() && next_char(lexer) == ')';
  lexer.seek(whole ? lexer.offset() + 1 : begin); // else some text: skipped with the line
  skip_blanks(lexer);
}

/// A title in quotes; where it goes over several lines, with a blank for the end of each. `\"` and
/// `\\` stand for `"` and `\`.
void read_title(Lexer& lexer, Test& test) {
  lexer.skip();
  const std::uint32_t begin = lexer.offset();
  if (next_char(lexer) != '"') return;
  const std::string_view rest = lexer.text().substr(begin + 1);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char following = i + 1 < rest.size() ? rest[i + 1] : '\0';
    if (rest[i] == '"') return lexer.seek(begin + 2 + static_cast<std::uint32_t>(i));
    const bool escape = rest[i] == '\\' && (following == '"' || following == '\\');
    if (rest[i] == '\n') {
      test.title = std::string(trimmed(test.title));
      if (!test.title.empty()) test.title += ' ';
      i = std::min(rest.find_first_not_of(" \t\r\n", i), rest.size()) - 1;
    } else {
      test.title += rest[escape ? ++i : i];
    }
  }
  lexer.fail({begin, begin + 1}, "expected `\"`, found end of file in a title");
}

/// `Key=Value`, from the key on; false where the line is something else.
bool read_metadata_line(Lexer& lexer, Test& test) {
  const std::uint32_t begin = lexer.offset();
  if (!is_word_start(next_char(lexer)) || next_char(lexer) == '_') return false;
  const std::string_view key = take_while(lexer, is_key_char);
  const text::Span span{begin, lexer.offset()};
  skip_blanks(lexer);
  if (next_char(lexer) != '=') {
    lexer.seek(begin);
    return false;
  }
  lexer.check_name(key, span);
  if (test.metadata_value(key))
    lexer.fail(span, fmt::format("expected one value of `{}`, found a second", key));
  lexer.seek(lexer.offset() + 1);
  const std::string_view value = take_while(lexer, [](char c) { return c != '\n'; });
  test.metadata.emplace_back(key, trimmed(value));
  return true;
}

} // namespace

void read_header(Lexer& lexer, Test& test) {
  test.language = read_language(lexer);
  test.name = read_name(lexer);
  skip_second_name(lexer);
  read_title(lexer, test);
  for (;;) {
    lexer.skip();
    if (next_char(lexer) == '{') return;
    if (lexer.offset() == lexer.text().size())
      lexer.fail_expected("a `Key=Value` line or the `{` of the initial state");
    if (!read_metadata_line(lexer, test)) // as herd, which skips all other text
      take_while(lexer, [](char c) { return c != '\n' && c != '{'; });
  }
}

std::string print_header(const Test& test) {
  std::string out = fmt::format("{} {}\n", test.language->word, test.name);
  if (!test.title.empty()) out += quoted(test.title) + "\n";
  for (const auto& [key, value] : test.metadata) out += fmt::format("{}={}\n", key, value);
  return out;
}

} // namespace thinair::litmus
