// The part of scheme files that is the same for all machines: header, rules, operations.
#pragma once

#include "litmus/text/error.h"
#include "lower/scheme.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::lower {

struct Token {
  enum class Kind : std::uint8_t { word, number, title, punctuation, newline, end } kind;
  std::string_view text;
  text::Span span;
};

/// A rule's name as a file has it.
struct NamedRule {
  RuleName name;
  text::Span span;
};

/// A scheme file's tokens, one after the other.
class SchemeTokens {
 public:
  explicit SchemeTokens(const text::Source& source);
  SchemeHead header();

 protected:
  const Token& here() const { return tokens_[at_]; }
  const Token& after() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  const Token& before() const { return tokens_[at_ - 1]; }
  Token take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool is(std::string_view text) const {
    return here().kind == Token::Kind::punctuation && here().text == text;
  }
  bool at_end_of_instruction() const {
    return here().kind == Token::Kind::newline || here().kind == Token::Kind::end || is(";") ||
           is("}");
  }
  static std::string found(const Token& token);
  [[noreturn]] void fail(const Token& token, std::string_view message,
                         std::string_view hint = {}) const;
  void expect(std::string_view text, std::string_view where);
  void skip_newlines();

  const text::Source& source_;

 private:
  std::string read_name(std::string_view what);

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

/// Reads a scheme file; what an instruction is, its heirs say.
class SchemeReader : protected SchemeTokens {
 public:
  /// `base`: of the scheme that this one is like, or null.
  explicit SchemeReader(const text::Source& source, const SchemeText* base = nullptr);
  virtual ~SchemeReader() = default;

 protected:
  /// The whole file. Throws InputError, that of operations without a rule included.
  SchemeText read();
  /// Nothing but instructions: what stands between the braces of a rule.
  void read_instructions();

  virtual void begin_rule() = 0;
  /// The next token is the first of an instruction; `labels` stand before it.
  virtual void instruction(std::vector<std::string> labels) = 0;
  /// Returns the rule as SchemeText::code has it.
  virtual std::string end_rule(const std::vector<NamedRule>& names,
                               std::vector<std::string> labels) = 0;
  /// The instructions since begin_rule(), as a peephole compares them.
  virtual std::vector<std::string> end_pattern() = 0;

  /// A rule of this file. For every type, it takes the place of all that the scheme that this one
  /// is like has for the operation.
  template <class Rule>
  void put(RuleTable<Rule>& table, const RuleName& name, Rule rule) const {
    if (!name.type)
      table.erase_typed([&](const RuleName& other) {
        return other.operation == name.operation && !given_.contains(other);
      });
    table.own(name) = std::move(rule);
  }

 private:
  void rule();
  void peephole();
  std::vector<std::string> pattern();
  std::vector<Token> operations();
  Operation operation_of(const Token& token) const;
  NamedRule named_rule();
  std::vector<NamedRule> named_rules();
  std::vector<std::string> body();
  void require_every_operation() const;
  void require_used_peepholes() const;

  SchemeText text_;
  std::size_t peepholes_of_base_ = 0;
  std::set<RuleName> given_;
};

/// "arg" without its width; none for other words.
std::optional<Role> role_called(std::string_view word);

} // namespace thinair::lower
