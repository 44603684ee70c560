// Reads a scheme file: a line-oriented grammar of rules, instructions and operands.
#include "litmus/text/error.h"
#include "lower/scheme.h"
#include "lower/scheme_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace thinair::lower {
namespace {

using text::Span;

struct Token {
  enum class Kind : std::uint8_t { word, number, title, punctuation, newline, end } kind;
  std::string_view text;
  Span span;
};

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

constexpr std::array<std::string_view, role_count> role_names{"dst", "arg", "exp",
                                                              "new", "tmp", "tmp2"};

struct Mnemonic {
  x86::Opcode opcode;
  x86::ConditionCode condition = x86::ConditionCode::e;
};

bool takes_condition(x86::Opcode opcode) {
  return opcode == x86::Opcode::jcc || opcode == x86::Opcode::setcc ||
         opcode == x86::Opcode::cmovcc;
}

std::optional<Mnemonic> mnemonic_named(std::string_view word) {
  for (const x86::OpcodeInfo& row : x86::opcodes()) {
    if (!takes_condition(row.opcode)) {
      if (row.mnemonic == word) return Mnemonic{row.opcode};
      continue;
    }
    if (!word.starts_with(row.mnemonic)) continue;
    if (const auto code = x86::condition_named(word.substr(row.mnemonic.size())))
      return Mnemonic{row.opcode, *code};
  }
  return std::nullopt;
}

std::vector<std::string> all_mnemonics() {
  std::vector<std::string> words;
  for (const x86::OpcodeInfo& row : x86::opcodes()) {
    if (!takes_condition(row.opcode)) words.emplace_back(row.mnemonic);
    for (unsigned i = 0; takes_condition(row.opcode) && i < 16; ++i)
      words.push_back(fmt::format("{}{}", row.mnemonic, name(static_cast<x86::ConditionCode>(i))));
  }
  return words;
}

std::optional<x86::Width> width_named(std::string_view letter) {
  if (letter == "b") return x86::Width::b;
  if (letter == "w") return x86::Width::w;
  if (letter == "l") return x86::Width::l;
  if (letter == "q") return x86::Width::q;
  return std::nullopt;
}

std::optional<RoleOperand> role_named(std::string_view word) {
  const std::size_t dot = word.find('.');
  const auto found = std::ranges::find(role_names, word.substr(0, dot));
  if (found == role_names.end()) return std::nullopt;
  RoleOperand operand{static_cast<Role>(found - role_names.begin()), x86::Width::l};
  if (dot == std::string_view::npos) return operand;
  const auto width = width_named(word.substr(dot + 1));
  if (!width) return std::nullopt;
  operand.width = *width;
  return operand;
}

std::optional<Operation> operation_named(std::string_view word) {
  if (const auto method = litmus::method_named(word)) return *method;
  if (const auto fence = litmus::fence_named(word)) return *fence;
  return std::nullopt;
}

std::vector<std::string_view> all_operations() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < operation_count; ++i) names.push_back(name(operation_at(i)));
  return names;
}

class Parser {
 public:
  explicit Parser(const text::Source& source) : source_(source), tokens_(Lexer(source).all()) {}

  Scheme parse() {
    header();
    for (skip_newlines(); here().kind != Token::Kind::end; skip_newlines()) rule();
    require_every_operation();
    return std::move(scheme_);
  }

 private:
  const Token& here() const { return tokens_[at_]; }
  const Token& after() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  Token take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool is(std::string_view text) const {
    return here().kind == Token::Kind::punctuation && here().text == text;
  }
  void skip_newlines() {
    while (here().kind == Token::Kind::newline) take();
  }
  static std::string found(const Token& token) {
    if (token.kind == Token::Kind::end) return "the end of the file";
    if (token.kind == Token::Kind::newline) return "the end of the line";
    return fmt::format("\"{}\"", token.text);
  }
  [[noreturn]] void fail(const Token& token, std::string_view message,
                         std::string_view hint = {}) const {
    throw InputError::at(source_, token.span, message, hint);
  }
  void expect(std::string_view text, std::string_view where) {
    if (!is(text))
      fail(here(), fmt::format("expected \"{}\" {}, found {}", text, where, found(here())));
    take();
  }

  void header();
  void rule();
  std::vector<Token> operations();
  Rule body();
  TemplateInstruction instruction();
  TemplateOperand operand();
  TemplateOperand place();
  TemplateOperand number();
  void mnemonic(TemplateInstruction& instruction);
  void require_every_operation() const;

  const text::Source& source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Scheme scheme_;
  std::array<bool, operation_count> given_{};
};

void Parser::header() {
  skip_newlines();
  if (here().text != "scheme")
    fail(here(), fmt::format("expected \"scheme NAME\" first, found {}", found(here())));
  take();
  if (here().kind != Token::Kind::word)
    fail(here(), fmt::format("expected the scheme's name, found {}", found(here())));
  scheme_.name = take().text;
  if (is(":")) {
    take();
    if (here().kind != Token::Kind::word)
      fail(here(), fmt::format("expected a name after the colon, found {}", found(here())));
    scheme_.name += fmt::format(":{}", take().text);
  }
  if (here().kind == Token::Kind::title) {
    const auto quoted = take().text;
    scheme_.title = quoted.substr(1, quoted.size() - 2);
  }
}

std::vector<Token> Parser::operations() {
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

void Parser::rule() {
  const std::vector<Token> names = operations();
  for (const Token& token : names) {
    const auto operation = operation_named(token.text);
    if (!operation) {
      const auto near = nearest(token.text, all_operations());
      fail(token, fmt::format("no VarHandle operation is called \"{}\"", token.text),
           near ? fmt::format("did you mean {}?", *near) : "");
    }
    if (std::exchange(given_[index_of(*operation)], true))
      fail(token, fmt::format("a second rule for {}", token.text));
  }
  expect("{", "before the instructions of a rule");
  const Rule parsed = body();
  for (const Token& token : names) {
    const Operation operation = *operation_named(token.text);
    scheme_.rules[index_of(operation)] = checked(source_, token.span, operation, parsed);
  }
}

Rule Parser::body() {
  Rule rule;
  std::vector<std::string> labels;
  while (true) {
    while (here().kind == Token::Kind::newline || is(";")) take();
    if (is("}")) break;
    if (here().kind == Token::Kind::end) fail(here(), "expected \"}\" at the end of a rule");
    if (after().text == ":" && here().kind == Token::Kind::word) {
      labels.emplace_back(take().text);
      take();
      continue;
    }
    rule.code.push_back(instruction());
    rule.code.back().labels = std::exchange(labels, {});
    if (here().kind != Token::Kind::newline && !is(";") && !is("}"))
      fail(here(), fmt::format("expected the end of the instruction, found {}", found(here())));
  }
  take();
  rule.end_labels = std::move(labels);
  return rule;
}

void Parser::mnemonic(TemplateInstruction& instruction) {
  const Token word = take();
  const auto known = word.kind == Token::Kind::word ? mnemonic_named(word.text) : std::nullopt;
  if (!known) {
    const auto words = all_mnemonics();
    const auto near = nearest(word.text, words);
    fail(word, fmt::format("no x86 instruction is called {}", found(word)),
         near ? fmt::format("did you mean {}?", *near) : "docs/lowering.md lists the instructions");
  }
  instruction.opcode = known->opcode;
  instruction.condition = known->condition;
  instruction.span = word.span;
}

TemplateInstruction Parser::instruction() {
  TemplateInstruction result;
  const Token first = here();
  if (first.text == "lock") {
    result.lock = true;
    take();
  }
  mnemonic(result);
  if (result.opcode == x86::Opcode::jmp || result.opcode == x86::Opcode::jcc) {
    if (here().kind != Token::Kind::word)
      fail(here(), fmt::format("expected a label to jump to, found {}", found(here())));
    result.target = take().text;
  } else if (here().kind != Token::Kind::newline && !is(";") && !is("}")) {
    result.operands.push_back(operand());
    while (is(",")) {
      take();
      result.operands.push_back(operand());
    }
  }
  result.span = {first.span.begin, tokens_[at_ - 1].span.end};
  check_operands(source_, result);
  return result;
}

TemplateOperand Parser::operand() {
  if (is("[")) return place();
  if (here().kind == Token::Kind::number) return number();
  const Token word = take();
  if (word.kind != Token::Kind::word)
    fail(word, fmt::format("expected an operand, found {}", found(word)));
  if (const auto role = role_named(word.text)) return *role;
  if (const auto reg = x86::register_named(word.text)) return *reg;
  fail(word, fmt::format("no operand is called \"{}\"", word.text),
       "operands are dst, arg, exp, new, tmp, tmp2 (with .b .w .q for a width), a register such as "
       "eax, a number, [x] and [stack]");
}

TemplateOperand Parser::place() {
  take();
  const Token word = take();
  if (word.text != "x" && word.text != "stack")
    fail(word, fmt::format("expected x or stack in brackets, found {}", found(word)));
  expect("]", "after a memory operand");
  return word.text == "x" ? Place::location : Place::stack;
}

TemplateOperand Parser::number() {
  const Token token = take();
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(token.text.begin(), token.text.end(), value);
  if (error != std::errc() || end != token.text.end())
    fail(token, fmt::format("expected a 32-bit decimal number, found {}", found(token)));
  return x86::Immediate{value};
}

void Parser::require_every_operation() const {
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < operation_count; ++i)
    if (!given_[i]) missing.push_back(name(operation_at(i)));
  if (missing.empty()) return;
  fail(here(), fmt::format("the scheme has no rule for {}", fmt::join(missing, ", ")));
}

} // namespace

std::string_view name(Role role) { return role_names[static_cast<std::size_t>(role)]; }

std::size_t index_of(Operation operation) {
  if (const auto* method = std::get_if<litmus::Method>(&operation))
    return static_cast<std::size_t>(*method);
  return litmus::methods().size() + static_cast<std::size_t>(std::get<litmus::Fence>(operation));
}

Operation operation_at(std::size_t index) {
  if (index < litmus::methods().size()) return litmus::methods()[index].method;
  return litmus::fences()[index - litmus::methods().size()].fence;
}

std::string_view name(Operation operation) {
  if (const auto* method = std::get_if<litmus::Method>(&operation))
    return litmus::info(*method).name;
  return litmus::info(std::get<litmus::Fence>(operation)).name;
}

Scheme parse_scheme(const text::Source& source) { return Parser(source).parse(); }

} // namespace thinair::lower
