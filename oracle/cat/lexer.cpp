// The scanner of .cat texts.
#include "oracle/cat/lexer.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cat {
namespace {

struct Row {
  TokenKind kind;
  std::string_view text;        // as written; empty for classes of tokens
  std::string_view description; // in messages
};

using enum TokenKind;

/// Keywords and punctuation; longer punctuation comes before its own prefixes.
constexpr auto table = std::to_array<Row>({
    {end_of_file, "", "the end of the file"},
    {name, "", "a name"},
    {tag, "", "a tag"},
    {string, "", "a string"},
    {left_parenthesis, "(", "'('"},
    {right_parenthesis, ")", "')'"},
    {left_brace, "{", "'{'"},
    {right_brace, "}", "'}'"},
    {left_bracket, "[", "'['"},
    {right_bracket, "]", "']'"},
    {double_bar, "||", "'||'"},
    {bar, "|", "'|'"},
    {double_ampersand, "&&", "'&&'"},
    {ampersand, "&", "'&'"},
    {star, "*", "'*'"},
    {tilde, "~", "'~'"},
    {double_plus, "++", "'++'"},
    {plus, "+", "'+'"},
    {inverse, "^-1", "'^-1'"},
    {backslash, "\\", "'\\'"},
    {question, "?", "'?'"},
    {equal, "=", "'='"},
    {semicolon, ";", "';'"},
    {comma, ",", "','"},
    {arrow, "->", "'->'"},
    {underscore, "_", "'_'"},
    {zero, "0", "'0'"},
    {kw_acyclic, "acyclic", "'acyclic'"},
    {kw_and, "and", "'and'"},
    {kw_as, "as", "'as'"},
    {kw_assert, "assert", "'assert'"},
    {kw_begin, "begin", "'begin'"},
    {kw_call, "call", "'call'"},
    {kw_catdep, "catdep", "'catdep'"},
    {kw_debug, "debug", "'debug'"},
    {kw_default, "default", "'default'"},
    {kw_do, "do", "'do'"},
    {kw_else, "else", "'else'"},
    {kw_empty, "empty", "'empty'"},
    {kw_end, "end", "'end'"},
    {kw_enum, "enum", "'enum'"},
    {kw_flag, "flag", "'flag'"},
    {kw_forall, "forall", "'forall'"},
    {kw_from, "from", "'from'"},
    {kw_fun, "fun", "'fun'"},
    {kw_if, "if", "'if'"},
    {kw_in, "in", "'in'"},
    {kw_include, "include", "'include'"},
    {kw_instructions, "instructions", "'instructions'"},
    {kw_irreflexive, "irreflexive", "'irreflexive'"},
    {kw_let, "let", "'let'"},
    {kw_match, "match", "'match'"},
    {kw_not, "not", "'not'"},
    {kw_procedure, "procedure", "'procedure'"},
    {kw_rec, "rec", "'rec'"},
    {kw_show, "show", "'show'"},
    {kw_subset, "subset", "'subset'"},
    {kw_then, "then", "'then'"},
    {kw_try, "try", "'try'"},
    {kw_undefined_unless, "undefined_unless", "'undefined_unless'"},
    {kw_unshow, "unshow", "'unshow'"},
    {kw_when, "when", "'when'"},
    {kw_with, "with", "'with'"},
});

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
constexpr bool continues_name(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-';
}

class Lexer {
 public:
  explicit Lexer(const text::Source& source) : source_(source), text_(source.text) {}

  Tokens run() {
    if (text_.size() > max_model_bytes)
      fail({0, 0}, fmt::format("the model is too large: {} bytes, at most {} are read",
                               text_.size(), max_model_bytes));
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) result_.tokens.push_back(next());
    const auto end = static_cast<std::uint32_t>(text_.size());
    result_.tokens.push_back({end_of_file, {end, end}});
    return std::move(result_);
  }

 private:
  const text::Source& source_;
  std::string_view text_;
  std::uint32_t at_ = 0;
  Tokens result_;

  [[noreturn]] void fail(text::Span span, std::string_view message) const {
    throw InputError::at(source_, span, message);
  }

  bool starts(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }
  char peek(std::uint32_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const auto begin = at_;
      if (is_blank(text_[at_])) {
        ++at_;
        continue;
      }
      if (starts("(*")) {
        skip_block_comment();
      } else if (starts("//") || starts("#")) {
        at_ = static_cast<std::uint32_t>(std::min(text_.find('\n', at_), text_.size()));
      } else {
        return;
      }
      result_.comments.push_back({begin, at_});
    }
  }

  /// Comments nest.
  void skip_block_comment() {
    const auto begin = at_;
    std::uint32_t depth = 0;
    do {
      if (at_ >= text_.size()) fail({begin, begin + 2}, "this comment is never closed");
      if (starts("(*")) {
        ++depth;
        at_ += 2;
      } else if (starts("*)")) {
        --depth;
        at_ += 2;
      } else {
        ++at_;
      }
    } while (depth > 0);
  }

  bool name_starts(std::uint32_t ahead) const {
    return is_letter(peek(ahead)) || (peek(ahead) == '_' && is_letter(peek(ahead + 1)));
  }

  Token next() {
    const auto begin = at_;
    if (name_starts(0)) return name_or_keyword();
    if (peek() == '\'' && name_starts(1)) {
      ++at_;
      take_name();
      return {tag, {begin, at_}};
    }
    if (peek() == '"') return quoted();
    if (peek() == '^') return inverse_mark();
    for (const Row& row : table) {
      if (row.text.empty() || is_letter(row.text[0]) || !starts(row.text)) continue;
      at_ += static_cast<std::uint32_t>(row.text.size());
      return {row.kind, {begin, at_}};
    }
    fail({begin, begin + 1}, unexpected(text_[begin]));
  }

  static std::string unexpected(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f) return fmt::format("unexpected character '{}'", c);
    return fmt::format("unexpected byte 0x{:02x}", byte);
  }

  void take_name() {
    while (continues_name(peek()) && !starts("->")) ++at_;
    if (peek() == '\'') ++at_;
  }

  Token name_or_keyword() {
    const auto begin = at_;
    take_name();
    const auto word = text_.substr(begin, at_ - begin);
    const auto row = std::ranges::find(table, word, &Row::text);
    return {row == table.end() ? name : row->kind, {begin, at_}};
  }

  /// `^-1`, with blanks after the hat if need be.
  Token inverse_mark() {
    const auto begin = at_++;
    while (is_blank(peek())) ++at_;
    if (!starts("-1")) fail({begin, begin + 1}, "expected '^-1', found '^'");
    at_ += 2;
    return {inverse, {begin, at_}};
  }

  Token quoted() {
    const auto begin = at_++;
    while (at_ < text_.size() && peek() != '"') ++at_;
    if (at_ >= text_.size()) fail({begin, begin + 1}, "this string is never closed");
    ++at_;
    return {string, {begin, at_}};
  }
};

} // namespace

Tokens lex(const text::Source& source) { return Lexer(source).run(); }

std::string_view describe(TokenKind kind) {
  return std::ranges::find(table, kind, &Row::kind)->description;
}

} // namespace thinair::cat
