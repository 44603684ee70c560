// Words, numbers and symbols of a litmus file, with their places; what every reader reads through.
#pragma once

#include "litmus/ids.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/text/source.h"
#include "litmus/type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thinair::litmus {

struct Token {
  enum class Kind : std::uint8_t { word, number, string, symbol, end } kind = Kind::end;
  std::string_view text; // as written; of a string, with its quotes
  text::Span span;
  std::uint64_t value = 0;    // of a number
  bool too_large = false;     // a number that 64 bits do not hold
  bool is_floating = false;   // a number as `1.5`, `1e3` or `1f`, which has no `value`
  bool after_newline = false; // first of its line

  bool is(std::string_view word_or_symbol) const {
    return (kind == Kind::word || kind == Kind::symbol) && text == word_or_symbol;
  }
  bool is_word() const { return kind == Kind::word; }
  bool is_number() const { return kind == Kind::number; }
};

/// The integers a dialect accepts in a place, and what it calls them in errors. What is above the
/// greatest Value stands for the negative one of the same 64 bits.
struct ValueRange {
  Value least;
  std::uint64_t greatest;
  std::string_view type;
};
inline constexpr ValueRange java_long{INT64_MIN, INT64_MAX, "long"};
inline constexpr ValueRange java_int{INT32_MIN, INT32_MAX, "int"};
inline constexpr ValueRange any_64_bits{INT64_MIN, UINT64_MAX, "64-bit integer"};

/// Of a value type of Java; of a boolean 0 and 1.
ValueRange range_of(TypeKind kind);

/// How words and numbers are spelled, and what is taken for granted.
enum class Manner : std::uint8_t {
  ours,  // numbers as in Java; what nothing introduces is an error
  herds, // as herd7: `010` is ten, and what nothing introduces is 0
};

/// Reads a source from left to right, one token at a time. Skips blanks and comments (`//` to the
/// end of the line, `/* */`, and herd's nesting `(* *)`). Every failure is an InputError at a
/// place.
class Lexer {
 public:
  /// Refuses what no reader should see: more bytes than the limit, NUL and other control
  /// characters, malformed UTF-8. A byte-order mark is skipped. Both must outlive the lexer.
  Lexer(const text::Source& source, const Limits& limits, Manner manner = Manner::ours);

  const Token& peek();
  Token next();
  /// The token after the next.
  Token second();

  bool at(std::string_view word_or_symbol) { return peek().is(word_or_symbol); }
  bool accept(std::string_view word_or_symbol);
  Token expect(std::string_view symbol); // "expected `;`, found ..."
  Token expect_word(std::string_view what);
  std::string expect_string(std::string_view what); // unescaped

  /// An optional minus sign and a number.
  Value expect_integer(const ValueRange& range);
  /// The value of a number token under a sign that was read before it at `sign`.
  Value integer(const Token& number, std::optional<text::Span> minus,
                const ValueRange& range) const;
  /// A number that counts or names something: a thread, a bound.
  std::uint32_t expect_count(std::string_view what, std::uint32_t greatest);

  Manner manner() const { return manner_; }
  /// From here on as herd reads assembly: names may contain `.`, `/` and `-`, `010` is ten.
  void read_assembly();

  /// For what is not made of tokens: the offset of the first byte not yet read, and a jump.
  std::uint32_t offset() const { return offset_; }
  void seek(std::uint32_t offset);
  void skip(); // blanks and comments
  std::string_view text() const { return source_.text; }

  const text::Source& source() const { return source_; }
  const Limits& limits() const { return limits_; }
  /// From `begin` to the end of the last token taken.
  text::Span since(std::uint32_t begin) const { return {begin, last_end_}; }

  [[noreturn]] void fail(text::Span span, std::string_view message,
                         std::string_view hint = {}) const;
  /// "expected WHAT, found TOKEN" at the next token.
  [[noreturn]] void fail_expected(std::string_view what, std::string_view hint = {});
  [[noreturn]] void fail_expected(std::string_view what, const Token& found,
                                  std::string_view hint = {}) const;
  /// "did you mean `X`?" where one of the candidates is close enough to be what was meant, or
  /// nothing.
  template <class Range>
  static std::string suggest(std::string_view word, const Range& candidates);

  /// Checks `name` against Limits::name_length.
  void check_name(const Token& name) const { check_name(name.text, name.span); }
  void check_name(std::string_view name, text::Span span) const;

 private:
  Token read();
  bool skip_blanks();
  void skip_nested_comment();
  Token read_number(std::uint32_t begin);
  void skip_number();
  [[noreturn]] void fail_number(const Token& number);
  Token read_string(std::uint32_t begin);
  Token read_symbol(std::uint32_t begin);
  bool continues_name(std::uint32_t at) const;
  Token token(Token::Kind kind, std::uint32_t begin) const;

  const text::Source& source_;
  const Limits& limits_;
  Manner manner_;
  bool assembly_ = false;
  std::uint32_t offset_ = 0;
  std::uint32_t last_end_ = 0;
  std::optional<Token> ahead_;
};

/// Counts levels of nesting while it lives, against Limits::depth.
class Nesting {
 public:
  Nesting(const Lexer& lexer, std::size_t& depth, text::Span span, std::string_view what);
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  std::size_t& depth_;
};

/// "`x`" or "end of file": how errors name what they found.
std::string describe(const Token& token);

/// `1L`, as Java writes numbers of type long.
bool is_long_literal(const Token& number);

/// A string in quotes as `expect_string` reads it: `\"` and `\\` stand for themselves, any other
/// backslash is literal.
std::string quoted(std::string_view content);

/// Whether `word` may be a slip of the pen for `candidate`: another case, letters in another order,
/// or one letter in three wrong.
bool is_slip(std::string_view word, std::string_view candidate);

bool is_word_start(char c); // letter or _
bool is_word_char(char c);  // letter, digit or _

template <class Range>
std::string Lexer::suggest(std::string_view word, const Range& candidates) {
  const auto near = nearest(word, candidates);
  if (!near || !is_slip(word, *near)) return {};
  return "did you mean `" + std::string(*near) + "`?";
}

} // namespace thinair::litmus
