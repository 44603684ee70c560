// Splits a scheme file into tokens and rules.
#include "lower/scheme_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace thinair::lower {
namespace {

constexpr std::array<std::string_view, role_count> role_names{"dst", "arg", "exp",
                                                              "new", "tmp", "tmp2"};

bool word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
}

/// Splits the text into tokens; `#` and `//` start comments.
class Lexer {
 public:
  explicit Lexer(const text::Source& source) : source_(source), text_(source.text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    do tokens.push_back(next());
    while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  Token next() {
    skip_blanks();
    const std::size_t begin = at_;
    if (at_ == text_.size()) return token(Token::Kind::end, begin);
    const char c = text_[at_++];
    if (c == '\n') return token(Token::Kind::newline, begin);
    if (c == '"') {
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') ++at_;
      if (at_ == text_.size() || text_[at_] != '"') fail(begin, "a quoted text without its end");
      ++at_;
      return token(Token::Kind::title, begin);
    }
    if (std::string_view("{},:;[]").find(c) != std::string_view::npos)
      return token(Token::Kind::punctuation, begin);
    const bool number = c == '-' || std::isdigit(static_cast<unsigned char>(c));
    if (!word_character(c)) fail(begin, "a character that no scheme file uses");
    while (at_ < text_.size() && word_character(text_[at_])) ++at_;
    return token(number ? Token::Kind::number : Token::Kind::word, begin);
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#' || text_.substr(at_, 2) == "//")
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      else if (c == ' ' || c == '\t' || c == '\r')
        ++at_;
      else
        return;
    }
  }

  Token token(Token::Kind kind, std::size_t begin) const {
    return {kind,
            text_.substr(begin, at_ - begin),
            {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)}};
  }

  [[noreturn]] void fail(std::size_t begin, std::string_view message) const {
    const auto at = static_cast<std::uint32_t>(begin);
    throw InputError::at(source_, {at, at + 1}, message);
  }

  const text::Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
};

std::vector<std::string_view> all_operations() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < operation_count; ++i) names.push_back(name(operation_at(i)));
  return names;
}

} // namespace

SchemeReader::SchemeReader(const text::Source& source)
    : source_(source), tokens_(Lexer(source).all()) {}

void SchemeReader::read() {
  header();
  for (skip_newlines(); here().kind != Token::Kind::end; skip_newlines()) {
    if (here().text == "drop")
      peephole();
    else
      rule();
  }
  if (head_.like.empty()) require_every_operation();
}

void SchemeReader::skip_newlines() {
  while (here().kind == Token::Kind::newline) take();
}

std::string SchemeReader::found(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the file";
  if (token.kind == Token::Kind::newline) return "the end of the line";
  return fmt::format("\"{}\"", token.text);
}

void SchemeReader::fail(const Token& token, std::string_view message, std::string_view hint) const {
  throw InputError::at(source_, token.span, message, hint);
}

void SchemeReader::expect(std::string_view text, std::string_view where) {
  if (!is(text))
    fail(here(), fmt::format("expected \"{}\" {}, found {}", text, where, found(here())));
  take();
}

void SchemeReader::header() {
  skip_newlines();
  if (here().text != "scheme")
    fail(here(), fmt::format("expected \"scheme NAME\" first, found {}", found(here())));
  take();
  head_.name = read_name("the scheme's name");
  if (here().kind == Token::Kind::title) {
    const auto quoted = take().text;
    head_.title = quoted.substr(1, quoted.size() - 2);
  }
  if (here().text != "like") return;
  take();
  head_.like = read_name("the scheme that it is like, by its name or file");
}

/// "x86:mine", or a file.
std::string SchemeReader::read_name(std::string_view what) {
  if (here().kind != Token::Kind::word)
    fail(here(), fmt::format("expected {}, found {}", what, found(here())));
  std::string result(take().text);
  if (!is(":")) return result;
  take();
  if (here().kind != Token::Kind::word)
    fail(here(), fmt::format("expected a name after the colon, found {}", found(here())));
  return result + fmt::format(":{}", take().text);
}

/// `drop { fence w, r } before { fence rw, rw } across set, setOpaque`
void SchemeReader::peephole() {
  const Token begin = take();
  if (peepholes_.size() == most_peepholes)
    fail(begin, fmt::format("more than {} peepholes", most_peepholes));
  Peephole made;
  auto dropped = pattern();
  if (dropped.size() != 1)
    fail(begin, fmt::format("expected one instruction to drop, found {}", dropped.size()));
  made.drop = std::move(dropped.front());
  skip_newlines();
  if (here().text != "before")
    fail(here(), fmt::format("expected \"before\", found {}", found(here())));
  take();
  made.before = pattern();
  if (made.before.empty()) fail(before(), "expected an instruction that follows");
  skip_newlines();
  if (here().text == "across") {
    take();
    for (const Token& token : operations()) made.across[index_of(operation_of(token))] = true;
  }
  made.place = {begin.span.begin, before().span.end};
  peepholes_.push_back(std::move(made));
}

std::vector<std::string> SchemeReader::pattern() {
  expect("{", "before instructions");
  const auto labels = body();
  if (!labels.empty()) fail(here(), "no label stands in a peephole");
  expect("}", "after instructions");
  return end_pattern();
}

std::vector<Token> SchemeReader::operations() {
  std::vector<Token> names;
  while (true) {
    skip_newlines();
    if (here().kind != Token::Kind::word)
      fail(here(), fmt::format("expected an operation, found {}", found(here())));
    names.push_back(take());
    skip_newlines();
    if (!is(",")) return names;
    take();
  }
}

Operation SchemeReader::operation_of(const Token& token) const {
  if (const auto operation = operation_named(token.text)) return *operation;
  const auto near = nearest(token.text, all_operations());
  fail(token, fmt::format("no VarHandle operation is called \"{}\"", token.text),
       near ? fmt::format("did you mean {}?", *near) : "");
}

void SchemeReader::rule() {
  const std::vector<Token> names = operations();
  for (const Token& token : names)
    if (std::exchange(given_[index_of(operation_of(token))], true))
      fail(token, fmt::format("a second rule for {}", token.text));
  expect("{", "before the instructions of a rule");
  std::vector<std::string> labels = body();
  if (!is("}")) fail(here(), "expected \"}\" at the end of a rule");
  take();
  end_rule(names, std::move(labels));
}

/// Up to the closing brace or the end of the text; returns the labels before it.
std::vector<std::string> SchemeReader::body() {
  begin_rule();
  std::vector<std::string> labels;
  while (true) {
    while (here().kind == Token::Kind::newline || is(";")) take();
    if (is("}") || here().kind == Token::Kind::end) return labels;
    if (after().text == ":" && here().kind == Token::Kind::word) {
      labels.emplace_back(take().text);
      take();
      continue;
    }
    instruction(std::exchange(labels, {}));
    if (!at_end_of_instruction())
      fail(here(), fmt::format("expected the end of the instruction, found {}", found(here())));
  }
}

void SchemeReader::read_instructions() {
  end_rule({}, body());
  if (here().kind != Token::Kind::end) fail(here(), "expected instructions and nothing else");
}

void SchemeReader::require_every_operation() const {
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < operation_count; ++i)
    if (!given_[i]) missing.push_back(name(operation_at(i)));
  if (missing.empty()) return;
  fail(here(), fmt::format("the scheme has no rule for {}", fmt::join(missing, ", ")));
}

std::optional<Role> role_called(std::string_view word) {
  const auto found = std::ranges::find(role_names, word);
  if (found == role_names.end()) return std::nullopt;
  return static_cast<Role>(found - role_names.begin());
}

SchemeHead scheme_head(const text::Source& source) {
  const auto tokens = Lexer(source).all();
  std::size_t at = 0;
  while (tokens[at].kind == Token::Kind::newline) ++at;
  SchemeHead head;
  if (tokens[at].text != "scheme") return head;
  const auto name = [&] {
    std::string text;
    while (tokens[at].text == ":" ||
           (tokens[at].kind == Token::Kind::word && (text.empty() || text.ends_with(':'))))
      text += tokens[at++].text;
    return text;
  };
  ++at;
  head.name = name();
  if (tokens[at].kind == Token::Kind::title) {
    head.title = tokens[at].text.substr(1, tokens[at].text.size() - 2);
    ++at;
  }
  if (tokens[at].text != "like") return head;
  ++at;
  head.like = name();
  return head;
}

std::string_view name(Role role) { return role_names[static_cast<std::size_t>(role)]; }

Role role_of(const litmus::Access& access, std::size_t argument) {
  if (access.arguments.size() == 1) return Role::arg;
  return argument == 0 ? Role::exp : Role::new_;
}

} // namespace thinair::lower
