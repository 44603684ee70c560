// Splits a .cat text into tokens; comments are kept apart, since axioms cite their sources in them.
#pragma once

#include "litmus/text/source.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace thinair::cat {

enum class TokenKind : std::uint8_t {
  end_of_file,
  name,
  tag,    // 'name
  string, // "text"
  // punctuation
  left_parenthesis,
  right_parenthesis,
  left_brace,
  right_brace,
  left_bracket,
  right_bracket,
  underscore,
  zero,
  bar,
  double_bar,
  ampersand,
  double_ampersand,
  star,
  tilde,
  plus,
  double_plus,
  inverse, // ^-1
  backslash,
  question,
  equal,
  semicolon,
  comma,
  arrow,
  // keywords
  kw_acyclic,
  kw_and,
  kw_as,
  kw_assert,
  kw_begin,
  kw_call,
  kw_catdep,
  kw_debug,
  kw_default,
  kw_do,
  kw_else,
  kw_empty,
  kw_end,
  kw_enum,
  kw_flag,
  kw_forall,
  kw_from,
  kw_fun,
  kw_if,
  kw_in,
  kw_include,
  kw_instructions,
  kw_irreflexive,
  kw_let,
  kw_match,
  kw_not,
  kw_procedure,
  kw_rec,
  kw_show,
  kw_subset,
  kw_then,
  kw_try,
  kw_undefined_unless,
  kw_unshow,
  kw_when,
  kw_with,
};

struct Token {
  TokenKind kind = TokenKind::end_of_file;
  text::Span span;
};

struct Tokens {
  std::vector<Token> tokens; // the last one is end_of_file
  std::vector<text::Span> comments;
};

/// Largest model file that is read.
constexpr std::size_t max_model_bytes = 1U << 20U;

/// Throws InputError for a character that no token starts with, an open comment or string, or a
/// text larger than max_model_bytes.
Tokens lex(const text::Source& source);

/// As the user writes it: "'let'", "a name".
std::string_view describe(TokenKind kind);

} // namespace thinair::cat
