// What both halves of the parser share: looking ahead, and saying what was expected.
#pragma once

#include "litmus/text/error.h"
#include "oracle/cat/lexer.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace thinair::cat {

class TokenStream {
 public:
  explicit TokenStream(const text::Source& source) : source_(source), tokens_(lex(source)) {}

  const text::Source& source() const { return source_; }
  const Tokens& tokens() const { return tokens_; }

  TokenKind kind(std::size_t ahead = 0) const { return token(ahead).kind; }
  text::Span span(std::size_t ahead = 0) const { return token(ahead).span; }
  bool is(TokenKind kind) const { return this->kind() == kind; }

  std::string_view text_of(text::Span span) const {
    return std::string_view(source_.text).substr(span.begin, span.end - span.begin);
  }

  text::Span advance() {
    last_end_ = span().end;
    return tokens_.tokens[at_ + 1 < tokens_.tokens.size() ? at_++ : at_].span;
  }
  bool accept(TokenKind kind) {
    if (!is(kind)) return false;
    advance();
    return true;
  }
  text::Span expect(TokenKind kind) {
    if (!is(kind)) fail_expected(describe(kind));
    return advance();
  }
  std::string expect_name() { return std::string(text_of(expect(TokenKind::name))); }
  std::string expect_string() {
    const auto quoted = text_of(expect(TokenKind::string));
    return std::string(quoted.substr(1, quoted.size() - 2));
  }
  std::string expect_tag() { return std::string(text_of(expect(TokenKind::tag)).substr(1)); }

  /// From `begin` to the end of the last token taken.
  text::Span since(std::uint32_t begin) const { return {begin, std::max(begin, last_end_)}; }

  [[noreturn]] void fail_expected(std::string_view expected) const {
    const bool shows_text = is(TokenKind::name) || is(TokenKind::tag) || is(TokenKind::string);
    const std::string found =
        shows_text ? fmt::format("'{}'", text_of(span())) : std::string(describe(kind()));
    throw InputError::at(source_, span(), fmt::format("expected {}, found {}", expected, found));
  }
  [[noreturn]] void fail(text::Span span, std::string_view message,
                         std::string_view hint = {}) const {
    throw InputError::at(source_, span, message, hint);
  }

 private:
  const text::Source& source_;
  Tokens tokens_;
  std::size_t at_ = 0;
  std::uint32_t last_end_ = 0;

  const Token& token(std::size_t ahead) const {
    return tokens_.tokens[std::min(at_ + ahead, tokens_.tokens.size() - 1)];
  }
};

} // namespace thinair::cat
