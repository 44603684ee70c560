// Reads propositions in herd's syntax. From loose to tight: `\/`, `/\`, `=>` (to the right), `not`.
#include "litmus/initial.h"
#include "litmus/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace thinair::litmus {
namespace {

using Kind = Proposition::Kind;

/// For a bare location where a value should stand.
std::string location_hint(const Token& found) {
  if (!found.is_word()) return {};
  return fmt::format("the final value of a location is written `[{}]` here", found.text);
}

/// A proposition and the levels of its tree.
struct Parsed {
  Proposition proposition;
  std::size_t depth = 1;
};

class PropositionReader {
 public:
  PropositionReader(Lexer& lexer, const QuestionRules& rules) : lexer_(lexer), rules_(rules) {}

  Parsed read_any() { return read_chain(Kind::any, "\\/", &PropositionReader::read_all); }

 private:
  using Part = Parsed (PropositionReader::*)();

  Parsed read_all() { return read_chain(Kind::all, "/\\", &PropositionReader::read_implication); }

  Parsed read_chain(Kind kind, std::string_view connective, Part read_part) {
    const text::Span begin = lexer_.peek().span;
    std::vector<Parsed> parts{(this->*read_part)()};
    while (lexer_.accept(connective)) parts.push_back((this->*read_part)());
    if (parts.size() == 1) return std::move(parts[0]);
    return combine(kind, std::move(parts), begin);
  }

  Parsed read_implication() {
    const text::Span begin = lexer_.peek().span;
    std::vector<Parsed> parts{read_negation()};
    if (!lexer_.at("=>")) return std::move(parts[0]);
    const Nesting nesting(lexer_, operators_, lexer_.next().span, what);
    parts.push_back(read_implication());
    return combine(Kind::implication, std::move(parts), begin);
  }

  Parsed read_negation() {
    if (!lexer_.at("not") && !lexer_.at("~")) return read_operand();
    const text::Span begin = lexer_.next().span;
    const Nesting nesting(lexer_, operators_, begin, what);
    std::vector<Parsed> parts{read_negation()};
    return combine(Kind::negation, std::move(parts), begin);
  }

  Parsed read_operand() {
    Parsed result;
    if (lexer_.accept("true")) return result;
    if (lexer_.accept("false")) {
      result.proposition.kind = Kind::never;
      return result;
    }
    if (!lexer_.at("(")) return read_atom();
    const Nesting nesting(lexer_, parentheses_, lexer_.next().span, "parentheses");
    result = read_any();
    if (!lexer_.at(")")) lexer_.fail_expected("`/\\`, `\\/` or `)`");
    lexer_.next();
    return result;
  }

  Parsed read_atom() {
    Parsed result;
    Proposition& p = result.proposition;
    p.left = read_observable(true);
    if (lexer_.accept("=") || lexer_.accept("==")) {
      p.kind = Kind::equal;
    } else if (lexer_.accept("!=") || lexer_.accept("<>")) {
      p.kind = Kind::not_equal;
    } else {
      lexer_.fail_expected("`=` or `!=`");
    }
    if (at_constant()) {
      p.constant = lexer_.expect_integer(rules_.range);
    } else {
      p.right = read_observable(false);
    }
    return result;
  }

  bool at_constant() {
    if (lexer_.at("-")) return true;
    return lexer_.peek().is_number() && !lexer_.second().is(":");
  }

  /// `0:r1`, `[x]`; and a bare `x` on the left of an atom. On the right that is herd's address of
  /// x.
  Observable read_observable(bool bare_location) {
    Observable written;
    const Token first = lexer_.peek();
    if (at_thread_number(lexer_)) {
      written.thread = ThreadId{read_thread_number(lexer_)};
      if (!lexer_.at(":")) lexer_.fail_expected("`:` and a register");
      lexer_.next();
      written.name = lexer_.expect_word("a register").text;
    } else if (lexer_.accept("[")) {
      written.name = lexer_.expect_word("a location").text;
      lexer_.expect("]");
    } else if (bare_location && first.is_word()) {
      written.name = lexer_.expect_word("a location").text;
    } else {
      lexer_.fail_expected(bare_location ? "a proposition" : "a value", location_hint(first));
    }
    return rules_.resolve(std::move(written), lexer_.since(first.span.begin));
  }

  Parsed combine(Kind kind, std::vector<Parsed> parts, text::Span begin) {
    Parsed result;
    result.proposition.kind = kind;
    for (Parsed& part : parts) {
      result.depth = std::max(result.depth, part.depth + 1);
      result.proposition.parts.push_back(std::move(part.proposition));
    }
    std::size_t below = result.depth - 1;
    const Nesting check(lexer_, below, begin, what);
    return result;
  }

  static constexpr std::string_view what = "connectives";
  Lexer& lexer_;
  const QuestionRules& rules_;
  std::size_t parentheses_ = 0;
  std::size_t operators_ = 0;
};

} // namespace

Proposition read_proposition(Lexer& lexer, const QuestionRules& rules) {
  return PropositionReader(lexer, rules).read_any().proposition;
}

} // namespace thinair::litmus
