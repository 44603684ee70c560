// Splits a litmus file into tokens.
#include "litmus/lexer.h"

#include "litmus/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace thinair::litmus {
namespace {

using TokenKind = Token::Kind;

/// Longest first: the first that matches is taken.
constexpr std::array<std::string_view, 12> long_symbols{
    ">>>", ">>", "<<", "<=", ">=", "==", "!=", "<>", "=>", "&&", "||", "/\\"};
constexpr std::string_view or_symbol = "\\/";
constexpr std::string_view single_symbols = "(){}[];:,.=+-*/%&|^~!<>$@#";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

text::Span span_at(std::size_t offset, std::size_t length) {
  return {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(offset + length)};
}

void check_bytes(const text::Source& source) {
  const std::string_view all = source.text;
  const auto control = std::ranges::find_if(all, is_control);
  if (control != all.end()) {
    const auto offset = static_cast<std::size_t>(control - all.begin());
    const auto byte = static_cast<unsigned char>(*control);
    throw InputError::at(source, span_at(offset, 1),
                         fmt::format("expected text, found the control character 0x{:02X}", byte),
                         byte == 0 ? "this looks like a binary file" : "");
  }
  if (const auto bad = text::first_invalid_utf8(all)) {
    throw InputError::at(source, span_at(*bad, 1),
                         fmt::format("expected UTF-8, found the byte 0x{:02X}",
                                     static_cast<unsigned char>(all[*bad])));
  }
}

} // namespace

bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_char(char c) { return is_word_start(c) || is_digit(c); }

std::string describe(const Token& token) {
  constexpr std::size_t shown = 40;
  if (token.kind == TokenKind::end) return "end of file";
  if (token.text.size() <= shown) return fmt::format("`{}`", token.text);
  std::size_t cut = shown;
  while ((static_cast<unsigned char>(token.text[cut]) & 0xC0) == 0x80) --cut;
  return fmt::format("`{}...`", token.text.substr(0, cut));
}

bool is_slip(std::string_view word, std::string_view candidate) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  if (std::ranges::equal(word, candidate, {}, lower, lower)) return true;
  const std::size_t distance = edit_distance(word, candidate);
  if (distance <= word.size() / 3) return true;
  return distance == 2 && std::ranges::is_permutation(word, candidate);
}

ValueRange range_of(TypeKind kind) {
  return {least_of(kind), static_cast<std::uint64_t>(greatest_of(kind)), info(kind).word};
}

bool is_long_literal(const Token& number) {
  return number.is_number() && (number.text.ends_with('L') || number.text.ends_with('l'));
}

std::string quoted(std::string_view content) {
  std::string out = "\"";
  for (std::size_t i = 0; i < content.size(); ++i) {
    const char c = content[i];
    const char following = i + 1 < content.size() ? content[i + 1] : '"';
    const bool escape = c == '"' || (c == '\\' && (following == '"' || following == '\\'));
    if (escape) out += '\\';
    out += c;
  }
  return out + '"';
}

Lexer::Lexer(const text::Source& source, const Limits& limits, Manner manner)
    : source_(source), limits_(limits), manner_(manner) {
  if (source.text.size() > limits.bytes) {
    throw InputError(fmt::format("{}: error: expected at most {} bytes, found {}", source.name,
                                 limits.bytes, source.text.size()));
  }
  check_bytes(source);
  if (source.text.starts_with(byte_order_mark)) offset_ = byte_order_mark.size();
}

void Lexer::read_assembly() {
  assembly_ = true;
  ahead_.reset(); // what was looked at may be read otherwise now
}

void Lexer::fail(text::Span span, std::string_view message, std::string_view hint) const {
  throw InputError::at(source_, span, message, hint);
}

void Lexer::fail_expected(std::string_view what, std::string_view hint) {
  fail_expected(what, peek(), hint);
}

void Lexer::fail_expected(std::string_view what, const Token& found, std::string_view hint) const {
  // What is missing at the end of a file is missing behind its last word, not on an empty line.
  const bool at_end = found.kind == TokenKind::end;
  const text::Span span = at_end ? text::Span{last_end_, last_end_} : found.span;
  fail(span, fmt::format("expected {}, found {}", what, describe(found)), hint);
}

const Token& Lexer::peek() {
  if (!ahead_) {
    const std::uint32_t before = offset_;
    ahead_ = read();
    offset_ = before; // until it is taken: offset() is that of the first byte not read
  }
  return *ahead_;
}

Token Lexer::next() {
  const Token token = peek();
  ahead_.reset();
  offset_ = token.span.end;
  last_end_ = token.span.end;
  return token;
}

Token Lexer::second() {
  const Token first = peek();
  const std::uint32_t before = offset_;
  offset_ = first.span.end;
  const Token token = read();
  offset_ = before;
  return token;
}

void Lexer::seek(std::uint32_t offset) {
  offset_ = offset;
  last_end_ = offset;
  ahead_.reset();
}

void Lexer::skip() {
  ahead_.reset();
  skip_blanks();
}

bool Lexer::accept(std::string_view word_or_symbol) {
  if (!at(word_or_symbol)) return false;
  next();
  return true;
}

Token Lexer::expect(std::string_view symbol) {
  if (!at(symbol)) fail_expected(fmt::format("`{}`", symbol));
  return next();
}

Token Lexer::expect_word(std::string_view what) {
  if (!peek().is_word()) fail_expected(what);
  const Token word = next();
  check_name(word);
  return word;
}

std::string Lexer::expect_string(std::string_view what) {
  if (peek().kind != TokenKind::string) fail_expected(what);
  const Token token = next();
  const std::string_view inside = token.text.substr(1, token.text.size() - 2);
  std::string content;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const bool escape = inside[i] == '\\' && i + 1 < inside.size() &&
                        (inside[i + 1] == '"' || inside[i + 1] == '\\');
    content += inside[escape ? ++i : i];
  }
  return content;
}

Value Lexer::expect_integer(const ValueRange& range) {
  std::optional<text::Span> minus;
  if (at("-")) minus = next().span;
  if (!peek().is_number()) fail_expected("a number");
  return integer(next(), minus, range);
}

Value Lexer::integer(const Token& number, std::optional<text::Span> minus,
                     const ValueRange& range) const {
  if (number.is_floating)
    fail(number.span, fmt::format("expected a value of type {}, found `{}`, which is no integer",
                                  range.type, number.text));
  if (is_long_literal(number) && range.greatest != java_long.greatest)
    fail(number.span,
         fmt::format("expected a value of type {}, found the long `{}`", range.type, number.text));
  const std::uint64_t bound =
      minus ? std::uint64_t{0} - static_cast<std::uint64_t>(range.least) : range.greatest;
  if (number.too_large || number.value > bound) {
    const text::Span span{minus ? minus->begin : number.span.begin, number.span.end};
    fail(span, fmt::format("expected a value of type {} ({} to {}), found `{}{}`", range.type,
                           range.least, range.greatest, minus ? "-" : "", number.text));
  }
  return static_cast<Value>(minus ? std::uint64_t{0} - number.value : number.value);
}

std::uint32_t Lexer::expect_count(std::string_view what, std::uint32_t greatest) {
  if (!peek().is_number()) fail_expected(what);
  const Token number = next();
  if (number.too_large || number.value > greatest || is_long_literal(number) || number.is_floating)
    fail_expected(fmt::format("{} up to {}", what, greatest), number);
  return static_cast<std::uint32_t>(number.value);
}

void Lexer::check_name(std::string_view name, text::Span span) const {
  if (name.size() > limits_.name_length) {
    fail(span, fmt::format("expected a name of at most {} characters, found one of {}",
                           limits_.name_length, name.size()));
  }
}

/// Skips blanks and comments; whether a line ended in them.
bool Lexer::skip_blanks() {
  const std::string_view all = source_.text;
  bool newline = false;
  while (offset_ < all.size()) {
    const char c = all[offset_];
    const std::string_view two = all.substr(offset_, 2);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      newline |= c == '\n';
      ++offset_;
    } else if (two == "//") {
      offset_ = static_cast<std::uint32_t>(std::min(all.find('\n', offset_), all.size()));
    } else if (two == "/*") {
      const std::size_t end = all.find("*/", offset_ + 2);
      if (end == std::string_view::npos)
        fail(span_at(offset_, 2), "expected `*/`, found end of file in a comment");
      offset_ = static_cast<std::uint32_t>(end + 2);
    } else if (two == "(*") {
      skip_nested_comment();
    } else {
      break;
    }
  }
  return newline;
}

void Lexer::skip_nested_comment() {
  const std::string_view all = source_.text;
  const std::uint32_t begin = offset_;
  std::size_t depth = 0;
  do {
    const std::string_view two = all.substr(offset_, 2);
    if (two.empty()) fail(span_at(begin, 2), "expected `*)`, found end of file in a comment");
    if (two == "(*") ++depth;
    if (two == "*)") --depth;
    offset_ += two == "(*" || two == "*)" ? 2 : 1;
  } while (depth > 0);
}

Token Lexer::token(TokenKind kind, std::uint32_t begin) const {
  Token token;
  token.kind = kind;
  token.text = std::string_view(source_.text).substr(begin, offset_ - begin);
  token.span = {begin, offset_};
  return token;
}

/// Whether the character belongs to a name that began before it. (Herd's names in assembly may even
/// end in `.`, `/` or `-`; ours go on behind it.)
bool Lexer::continues_name(std::uint32_t at) const {
  const std::string_view all = source_.text;
  if (at >= all.size()) return false;
  if (is_word_char(all[at])) return true;
  const bool joins = all[at] == '.' || all[at] == '/' || all[at] == '-';
  return assembly_ && joins && at + 1 < all.size() && is_word_char(all[at + 1]);
}

Token Lexer::read() {
  const bool newline = skip_blanks();
  const std::string_view all = source_.text;
  const std::uint32_t begin = offset_;
  Token result;
  if (begin == all.size()) {
    result = token(TokenKind::end, begin);
  } else if (is_word_start(all[begin])) {
    while (continues_name(offset_)) ++offset_;
    result = token(TokenKind::word, begin);
  } else if (is_digit(all[begin])) {
    result = read_number(begin);
  } else if (all[begin] == '"') {
    result = read_string(begin);
  } else {
    result = read_symbol(begin);
  }
  result.after_newline = newline || begin == 0;
  return result;
}

namespace {

bool is_hexadecimal(std::string_view number) {
  return number.starts_with("0x") || number.starts_with("0X");
}

/// The digits at the beginning.
std::string_view digits_of(std::string_view text) {
  return text.substr(0, std::min(text.size(), text.find_first_not_of("0123456789")));
}

/// Java's floating-point literals in decimal, with digits on both sides of a point (JLS 3.10.2).
bool is_floating_literal(std::string_view text) {
  if (is_hexadecimal(text)) return false;
  text.remove_prefix(digits_of(text).size());
  const bool whole = !text.starts_with('.');
  if (!whole) text.remove_prefix(1 + digits_of(text.substr(1)).size());
  const bool power = text.starts_with('e') || text.starts_with('E');
  if (power) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    const auto digits = digits_of(text);
    if (digits.empty()) return false;
    text.remove_prefix(digits.size());
  }
  const bool named =
      text.size() == 1 && std::string_view("fFdD").find(text[0]) != std::string_view::npos;
  return named || (text.empty() && (power || !whole));
}

} // namespace

/// To the end of what is written as one number. Assembly has no points in numbers.
void Lexer::skip_number() {
  const std::string_view all = source_.text;
  const std::uint32_t begin = offset_;
  const auto skip_word = [&] {
    while (offset_ < all.size() && is_word_char(all[offset_])) ++offset_;
  };
  const auto digit_at = [&](std::uint32_t at) { return at < all.size() && is_digit(all[at]); };
  skip_word();
  const auto so_far = [&] { return all.substr(begin, offset_ - begin); };
  if (assembly_ || is_hexadecimal(so_far())) return;
  const bool whole = digits_of(so_far()).size() == so_far().size();
  if (whole && offset_ < all.size() && all[offset_] == '.' && digit_at(offset_ + 1)) {
    ++offset_;
    skip_word();
  }
  const bool power = so_far().ends_with('e') || so_far().ends_with('E');
  if (power && offset_ < all.size() && (all[offset_] == '+' || all[offset_] == '-') &&
      digit_at(offset_ + 1)) {
    ++offset_;
    skip_word();
  }
}

void Lexer::fail_number(const Token& number) {
  const bool near = !assembly_ && number.text.find('.') != std::string_view::npos;
  fail_expected("a number", number,
                near ? "a float ends in `f`, as `1.5f`, a double in nothing, as `1.5e-3`" : "");
}

Token Lexer::read_number(std::uint32_t begin) {
  skip_number();
  Token number = token(TokenKind::number, begin);
  number.is_floating = !assembly_ && is_floating_literal(number.text);
  if (number.is_floating) return number;
  std::string_view digits = number.text;
  const bool hexadecimal = is_hexadecimal(digits);
  if (hexadecimal) digits.remove_prefix(2);
  const bool as_java = manner_ == Manner::ours && !assembly_;
  if (as_java && is_long_literal(number)) digits.remove_suffix(1);
  const std::string_view allowed = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  if (digits.empty() || digits.find_first_not_of(allowed) != std::string_view::npos)
    fail_number(number);
  if (as_java && !hexadecimal && digits.size() > 1 && digits[0] == '0') {
    fail_expected("a number without leading zeros", number,
                  "Java reads a leading zero as octal, herd as decimal");
  }
  const std::uint64_t base = hexadecimal ? 16 : 10;
  for (const char c : digits) {
    const std::uint64_t digit =
        static_cast<std::uint64_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    if (number.value > (std::numeric_limits<std::uint64_t>::max() - digit) / base)
      number.too_large = true;
    number.value = number.value * base + digit;
  }
  return number;
}

Token Lexer::read_string(std::uint32_t begin) {
  const std::string_view all = source_.text;
  for (++offset_; offset_ < all.size() && all[offset_] != '\n'; ++offset_) {
    if (all[offset_] == '"') {
      ++offset_;
      return token(TokenKind::string, begin);
    }
    const char following = offset_ + 1 < all.size() ? all[offset_ + 1] : '\0';
    if (all[offset_] == '\\' && (following == '"' || following == '\\')) ++offset_;
  }
  fail(span_at(begin, 1), "expected `\"`, found the end of the line in a string");
}

Token Lexer::read_symbol(std::uint32_t begin) {
  const std::string_view rest = std::string_view(source_.text).substr(begin);
  for (const std::string_view symbol : long_symbols) {
    if (rest.starts_with(symbol)) {
      offset_ += static_cast<std::uint32_t>(symbol.size());
      return token(TokenKind::symbol, begin);
    }
  }
  if (rest.starts_with(or_symbol)) {
    offset_ += 2;
    return token(TokenKind::symbol, begin);
  }
  if (single_symbols.find(rest[0]) != std::string_view::npos) {
    ++offset_;
    return token(TokenKind::symbol, begin);
  }
  const auto point = text::decode_utf8(source_.text, begin);
  const std::string shown = point && point->value >= 0x80 ? fmt::format("U+{:04X}", point->value)
                                                          : fmt::format("`{}`", rest[0]);
  fail(span_at(begin, 1), fmt::format("expected a word, a number or a symbol, found {}", shown));
}

Nesting::Nesting(const Lexer& lexer, std::size_t& depth, text::Span span, std::string_view what)
    : depth_(depth) {
  if (depth >= lexer.limits().depth) {
    lexer.fail(span, fmt::format("expected at most {} levels of {}, found more",
                                 lexer.limits().depth, what));
  }
  ++depth_;
}

} // namespace thinair::litmus
