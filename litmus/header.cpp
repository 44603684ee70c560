// Reads and prints the header of a litmus file.
#include "litmus/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::litmus {
namespace {

struct DialectInfo {
  Dialect dialect;
  std::string_view word;
};

constexpr std::array<DialectInfo, 3> dialects{{
    {Dialect::java, "Java"},
    {Dialect::x86_att, "X86_64"},
    {Dialect::x86_intel, "X86"},
}};

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

Dialect read_dialect(Lexer& lexer) {
  const Token word = lexer.next();
  const auto found = std::ranges::find_if(
      dialects, [&](const DialectInfo& row) { return word.is_word() && row.word == word.text; });
  if (found != dialects.end()) return found->dialect;
  std::array<std::string_view, dialects.size()> words;
  std::ranges::transform(dialects, words.begin(), &DialectInfo::word);
  lexer.fail_expected("`Java`, `X86_64` or `X86`", word,
                      word.is_word() ? Lexer::suggest(word.text, words) : "");
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

void read_metadata_line(Lexer& lexer, Test& test) {
  const Token first = lexer.peek();
  if (!first.is_word() || !first.after_newline || first.text.starts_with('_'))
    lexer.fail_expected("a `Key=Value` line or the `{` of the initial state");
  lexer.seek(first.span.begin);
  const std::string_view key = take_while(lexer, is_key_char);
  const text::Span span{first.span.begin, lexer.offset()};
  lexer.check_name(key, span);
  skip_blanks(lexer);
  if (lexer.offset() == lexer.text().size() || lexer.text()[lexer.offset()] != '=')
    lexer.fail_expected(fmt::format("`=` after the metadata key `{}`", key));
  if (test.metadata_value(key))
    lexer.fail(span, fmt::format("expected one value of `{}`, found a second", key));
  lexer.seek(lexer.offset() + 1);
  const std::string_view value = take_while(lexer, [](char c) { return c != '\n'; });
  test.metadata.emplace_back(key, trimmed(value));
}

} // namespace

std::string_view name(Dialect dialect) { return dialects[static_cast<std::size_t>(dialect)].word; }

void read_header(Lexer& lexer, Test& test) {
  test.dialect = read_dialect(lexer);
  test.name = read_name(lexer);
  if (lexer.peek().kind == Token::Kind::string) test.title = lexer.expect_string("a title");
  lexer.accept(";");
  if (!lexer.peek().after_newline && !lexer.at("{")) lexer.fail_expected("the end of the line");
  while (!lexer.at("{")) read_metadata_line(lexer, test);
}

std::string print_header(const Test& test) {
  std::string out = fmt::format("{} {}\n", name(test.dialect), test.name);
  if (!test.title.empty()) out += quoted(test.title) + "\n";
  for (const auto& [key, value] : test.metadata) out += fmt::format("{}={}\n", key, value);
  return out;
}

} // namespace thinair::litmus
