// Reads propositions in herd's syntax. From loose to tight: `\/`, `/\`, `=>` (to the right), `not`.
#include "litmus/initial.h"
#include "litmus/questions.h"
#include "litmus/text/error.h"

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
    if (rules_.cells && lexer_.peek().is_word() && !at_thread_number(lexer_))
      if (const auto cells = rules_.cells(lexer_.peek().text); !cells.empty() && !at_cell(lexer_))
        return read_array_atom(cells);
    Parsed result;
    Proposition& p = result.proposition;
    p.left = read_observable(true);
    p.kind = read_comparison();
    const std::uint32_t begin = lexer_.peek().span.begin;
    if (const auto named =
            rules_.reference && !at_register() ? rules_.reference(lexer_, p.left) : std::nullopt) {
      p.constant = named->first;
      p.address = named->second;
    } else if (at_constant()) {
      p.constant = lexer_.expect_integer(rules_.range);
    } else if (rules_.address && lexer_.peek().is_word() && !at_thread_number(lexer_)) {
      read_address(p);
    } else {
      p.right = read_observable(lexer_.accept("*")); // herd's `*x` is `[x]`
      if (rules_.comparable) rules_.comparable(p.left, *p.right, lexer_.since(begin));
    }
    return result;
  }

  Kind read_comparison() {
    if (lexer_.accept("=") || lexer_.accept("==")) return Kind::equal;
    if (lexer_.accept("!=") || lexer_.accept("<>")) return Kind::not_equal;
    lexer_.fail_expected("`=` or `!=`");
  }

  /// `t={1,2}`, all cells of an array.
  Parsed read_array_atom(const std::vector<Observable>& cells) {
    const Token name = lexer_.next();
    const Kind kind = read_comparison();
    std::vector<Parsed> parts;
    if (lexer_.peek().is_word()) throw Unsupported("addresses as values of arrays");
    if (!lexer_.at("{")) lexer_.fail_expected("the values of an array, as `{1,2}`");
    do {
      lexer_.next();
      Proposition cell;
      cell.kind = Kind::equal;
      if (parts.size() < cells.size()) cell.left = cells[parts.size()];
      cell.constant = lexer_.expect_integer(rules_.range);
      parts.push_back({std::move(cell)});
    } while (lexer_.at(","));
    lexer_.expect("}");
    if (parts.size() != cells.size())
      lexer_.fail(lexer_.since(name.span.begin),
                  fmt::format("expected {} values of `{}`, found {}", cells.size(), name.text,
                              parts.size()));
    Parsed all =
        parts.size() == 1 ? std::move(parts[0]) : combine(Kind::all, std::move(parts), name.span);
    if (kind == Kind::equal) return all;
    std::vector<Parsed> negated{std::move(all)};
    return combine(Kind::negation, std::move(negated), name.span);
  }

  /// The address of a location, which a register may hold.
  void read_address(Proposition& p) {
    const Token name = lexer_.expect_word("a location");
    if (lexer_.at("[")) throw Unsupported("addresses inside arrays");
    p.constant = rules_.address(name.text, name.span);
    p.address = name.text;
  }

  /// `1:r`, `[x]` or herd's `*x`.
  bool at_register() { return at_thread_number_of_register() || lexer_.at("[") || lexer_.at("*"); }
  bool at_thread_number_of_register() {
    return at_thread_number(lexer_) && lexer_.second().is(":");
  }

  bool at_constant() {
    if (lexer_.at("-")) return true;
    return lexer_.peek().is_number() && !lexer_.second().is(":");
  }

  /// `0:r1`, `[x]`, of assembly `%r1` and `t[1]`; and a bare `x` on the left of an atom. On the
  /// right that is herd's address of x.
  Observable read_observable(bool bare_location) {
    const Token first = lexer_.peek();
    if (!at_observable(lexer_, rules_) ||
        (first.is_word() && !bare_location && !at_cell(lexer_) && !at_thread_number(lexer_)))
      lexer_.fail_expected(bare_location ? "a proposition" : "a value", location_hint(first));
    return litmus::read_observable(lexer_, rules_);
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

bool at_cell(Lexer& lexer) { return lexer.peek().is_word() && lexer.second().is("["); }

bool at_observable(Lexer& lexer, const QuestionRules& rules) {
  return at_thread_number(lexer) || lexer.peek().is_word() || lexer.at("[") ||
         (rules.cells && lexer.at("%"));
}

Observable read_observable(Lexer& lexer, const QuestionRules& rules) {
  Observable written;
  const std::uint32_t begin = lexer.peek().span.begin;
  if (at_thread_number(lexer)) {
    written.thread = ThreadId{read_thread_number(lexer)};
    if (!lexer.at(":")) lexer.fail_expected("`:` and a register");
    lexer.next();
    written.name = lexer.expect_word("a register").text;
  } else if (lexer.accept("[")) {
    written.name = lexer.expect_word("a location").text;
    lexer.expect("]");
  } else if (rules.cells && lexer.accept("%")) { // herd's register that belongs to no thread yet
    written.name = '%';
    written.name += lexer.expect_word("a register").text;
  } else {
    written.name = lexer.expect_word("a location").text;
    if (rules.cells && lexer.accept("[")) {
      const auto most = static_cast<std::uint32_t>(lexer.limits().locations);
      written.name += fmt::format("[{}]", lexer.expect_count("a cell's number", most));
      lexer.expect("]");
    }
  }
  return rules.resolve(std::move(written), lexer.since(begin));
}

Proposition read_proposition(Lexer& lexer, const QuestionRules& rules) {
  return PropositionReader(lexer, rules).read_any().proposition;
}

} // namespace thinair::litmus
