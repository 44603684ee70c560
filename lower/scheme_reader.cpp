// Splits a scheme file into tokens and rules.
#include "lower/scheme_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

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

std::vector<std::string_view> all_types() {
  std::vector<std::string_view> names;
  for (const auto& row : litmus::value_types()) names.push_back(row.word);
  names.push_back(rule_type_name(litmus::TypeKind::reference));
  return names;
}

} // namespace

SchemeTokens::SchemeTokens(const text::Source& source)
    : source_(source), tokens_(Lexer(source).all()) {}

SchemeReader::SchemeReader(const text::Source& source, const SchemeText* base)
    : SchemeTokens(source) {
  for (std::size_t i = 0; i < operation_count; ++i)
    if (may_be_left_out(operation_at(i))) text_.rules_[i].code = fmt::format("  {}\n", no_code);
  if (base == nullptr) return;
  text_ = *base;
  peepholes_of_base_ = text_.peepholes_.size();
}

SchemeText SchemeReader::read() {
  SchemeHead head = header();
  text_.name_ = std::move(head.name);
  text_.title_ = std::move(head.title);
  for (skip_newlines(); here().kind != Token::Kind::end; skip_newlines()) {
    if (here().text == "drop")
      peephole();
    else
      rule();
  }
  if (head.like.empty()) require_every_operation();
  require_used_peepholes();
  return std::move(text_);
}

void SchemeTokens::skip_newlines() {
  while (here().kind == Token::Kind::newline) take();
}

std::string SchemeTokens::found(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the file";
  if (token.kind == Token::Kind::newline) return "the end of the line";
  return fmt::format("\"{}\"", token.text);
}

void SchemeTokens::fail(const Token& token, std::string_view message, std::string_view hint) const {
  throw InputError::at(source_, token.span, message, hint);
}

void SchemeTokens::expect(std::string_view text, std::string_view where) {
  if (!is(text))
    fail(here(), fmt::format("expected \"{}\" {}, found {}", text, where, found(here())));
  take();
}

SchemeHead SchemeTokens::header() {
  SchemeHead head;
  skip_newlines();
  if (here().text != "scheme")
    fail(here(), fmt::format("expected \"scheme NAME\" first, found {}", found(here())));
  take();
  head.name = read_name("the scheme's name");
  if (here().kind == Token::Kind::title) {
    const auto quoted = take().text;
    head.title = quoted.substr(1, quoted.size() - 2);
  }
  if (here().text != "like") return head;
  take();
  head.like = read_name("the scheme that it is like, by its name or file");
  return head;
}

/// "x86:mine", or a file.
std::string SchemeTokens::read_name(std::string_view what) {
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
  if (text_.peepholes_.size() == most_peepholes)
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
  text_.peepholes_.push_back(std::move(made));
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
  fail(token, fmt::format("no operation is called \"{}\"", token.text),
       near ? fmt::format("did you mean {}?", *near) : "");
}

/// `setVolatile`, or `setVolatile reference`
NamedRule SchemeReader::named_rule() {
  skip_newlines();
  if (here().kind != Token::Kind::word)
    fail(here(), fmt::format("expected an operation, found {}", found(here())));
  const Token word = take();
  NamedRule out{operation_of(word), word.span};
  if (here().kind != Token::Kind::word) return out;
  const Token type = take();
  out.span.end = type.span.end;
  out.name.type = rule_type_named(type.text);
  if (!out.name.type) {
    const auto near = nearest(type.text, all_types());
    fail(type, fmt::format("no type is called \"{}\"", type.text),
         near ? fmt::format("did you mean {}?", *near)
              : fmt::format("types are {}", fmt::join(all_types(), ", ")));
  }
  if (!std::holds_alternative<litmus::Method>(out.name.operation))
    fail(type, fmt::format("{} is no access: it has no type", word.text));
  if (!has_rule_for(out.name.operation, *out.name.type))
    fail(type, fmt::format("VarHandle has no {} of a {}", word.text, type.text));
  return out;
}

std::vector<NamedRule> SchemeReader::named_rules() {
  std::vector<NamedRule> names;
  while (true) {
    names.push_back(named_rule());
    skip_newlines();
    if (!is(",")) return names;
    take();
  }
}

void SchemeReader::rule() {
  const std::vector<NamedRule> names = named_rules();
  for (const auto& [name, span] : names)
    if (!given_.insert(name).second)
      throw InputError::at(source_, span, fmt::format("a second rule for {}", to_string(name)));
  expect("{", "before the instructions of a rule");
  std::vector<std::string> labels = body();
  if (!is("}")) fail(here(), "expected \"}\" at the end of a rule");
  take();
  const auto line = text::position_of(source_, names.front().span.begin).line;
  const std::string code = end_rule(names, std::move(labels));
  for (const auto& each : names)
    put(text_.rules_, each.name, SchemeText::RuleText{code, source_.name, line});
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
    if (!given_.contains(operation_at(i)) && !may_be_left_out(operation_at(i)))
      missing.push_back(name(operation_at(i)));
  if (missing.empty()) return;
  fail(here(), fmt::format("the scheme has no rule for {}", fmt::join(missing, ", ")));
}

/// A peephole of this file that looks for what no rule has is a mistake.
void SchemeReader::require_used_peepholes() const {
  std::vector<Mark> marks;
  for (const RuleName& rule : text_.rules())
    std::ranges::copy(marks_of(text_, rule), std::back_inserter(marks));
  require_use(source_, text_.peepholes_, text_.peepholes_.size() - peepholes_of_base_, marks);
}

std::optional<Role> role_called(std::string_view word) {
  const auto found = std::ranges::find(role_names, word);
  if (found == role_names.end()) return std::nullopt;
  return static_cast<Role>(found - role_names.begin());
}

SchemeHead scheme_head(const text::Source& source) { return SchemeTokens(source).header(); }

std::string_view name(Role role) { return role_names[static_cast<std::size_t>(role)]; }

Role role_of(const litmus::Access& access, std::size_t argument) {
  if (litmus::operands_of(access).size() == 1) return Role::arg;
  return argument == 0 ? Role::exp : Role::new_;
}

} // namespace thinair::lower
