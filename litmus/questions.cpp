// Reads and prints the questions of a test.
#include "litmus/questions.h"

#include "litmus/initial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace thinair::litmus {
namespace {

struct QuantifierInfo {
  Quantifier quantifier;
  std::string_view word;
  bool ours; // takes a label; any number of them
};

constexpr std::array<QuantifierInfo, 6> quantifiers{{
    {Quantifier::exists, "exists", false},
    {Quantifier::not_exists, "~exists", false},
    {Quantifier::forall, "forall", false},
    {Quantifier::required, "required", true},
    {Quantifier::forbidden, "forbidden", true},
    {Quantifier::contested, "contested", true},
}};

struct VerdictInfo {
  Verdict verdict;
  std::string_view word;
};

constexpr std::array<VerdictInfo, 3> verdict_words{{
    {Verdict::allowed, "allowed"},
    {Verdict::forbidden, "forbidden"},
    {Verdict::contested, "contested"},
}};

constexpr std::array<std::string_view, 3> confidences{"certain", "likely", "unsure"};

/// What may stand between clauses, for suggestions.
constexpr std::array<std::string_view, 13> openers{
    "locations", "filter",    "exists",  "forall",   "final",      "observed", "required",
    "forbidden", "contested", "because", "verdicts", "confidence", "with"};

const QuantifierInfo& info(Quantifier quantifier) {
  return quantifiers[static_cast<std::size_t>(quantifier)];
}

bool is_model_char(char c) { return is_word_char(c) || c == '-' || c == '.'; }

class QuestionReader {
 public:
  QuestionReader(Lexer& lexer, const QuestionRules& rules, Test& test)
      : lexer_(lexer), rules_(rules), test_(test) {}

  void read() {
    while (lexer_.peek().kind != Token::Kind::end) {
      if (lexer_.at("<<")) { // what herd's ancestors drew: herd7 does not look at it
        lexer_.seek(static_cast<std::uint32_t>(lexer_.text().size()));
      } else if (lexer_.at("locations")) {
        read_locations();
      } else if (lexer_.at("filter")) {
        read_filter();
      } else {
        read_clause();
      }
    }
  }

 private:
  void once(bool already) {
    if (already)
      lexer_.fail(lexer_.peek().span,
                  fmt::format("expected one `{}`, found a second", lexer_.peek().text));
    lexer_.next();
  }

  void read_locations() {
    once(std::exchange(seen_locations_, true));
    lexer_.expect("[");
    while (!lexer_.at("]")) {
      read_location_item();
      if (!lexer_.accept(";") && !lexer_.at("]")) lexer_.fail_expected("`;` or `]`");
    }
    lexer_.next();
  }

  /// `x`, `[x]`, `0:r1`, an array, each with herd's optional type behind it.
  void read_location_item() {
    std::vector<Observable> cells;
    if (rules_.cells && lexer_.peek().is_word() && !at_cell(lexer_))
      cells = rules_.cells(lexer_.peek().text);
    if (!cells.empty()) {
      lexer_.next();
    } else {
      if (!at_observable(lexer_, rules_)) lexer_.fail_expected("a location or a register");
      cells.push_back(read_observable(lexer_, rules_));
    }
    test_.locations.insert(test_.locations.end(), cells.begin(), cells.end());
    if (lexer_.peek().is_word()) lexer_.next();
    lexer_.accept("*");
  }

  void read_filter() {
    once(test_.filter.has_value());
    test_.filter = read_proposition(lexer_, rules_);
    lexer_.accept(";");
  }

  void read_clause() {
    Clause clause;
    const Token first = lexer_.peek();
    const bool observed = first.is("observed") || first.is("Observed");
    clause.quantifier = read_quantifier();
    if (info(clause.quantifier).ours) {
      read_label(clause);
    } else if (std::exchange(seen_herd_clause_, true)) {
      lexer_.fail(first.span, "expected one `exists`, `~exists` or `forall`, found a second",
                  "several outcomes are asked for with `required`, `forbidden` and `contested`");
    }
    clause.proposition = observed ? read_observed() : read_proposition(lexer_, rules_);
    lexer_.accept(";");
    if (!info(clause.quantifier).ours && lexer_.accept("with")) skip_kinds();
    while (read_remark(clause)) {
    }
    test_.clauses.push_back(std::move(clause));
  }

  Quantifier read_quantifier() {
    const Token first = lexer_.peek();
    if (first.is("~") || first.is("not")) {
      lexer_.next();
      lexer_.expect("exists");
      return Quantifier::not_exists;
    }
    if (first.is("(")) return Quantifier::exists; // herd: a bare proposition
    if (lexer_.accept("final") || lexer_.accept("observed") || lexer_.accept("Observed"))
      return Quantifier::exists;
    const auto found = std::ranges::find_if(
        quantifiers, [&](const QuantifierInfo& row) { return first.is(row.word); });
    if (found == quantifiers.end()) {
      lexer_.fail_expected("a clause, as `exists (...)`, or the end of the file",
                           first.is_word() ? Lexer::suggest(first.text, openers) : "");
    }
    lexer_.next();
    return found->quantifier;
  }

  /// Herd's `observed 0:r1=0; x=1; and 0:r1=1; x=0;`: one of these states.
  Proposition read_observed() {
    Proposition any;
    any.kind = Proposition::Kind::any;
    do {
      Proposition all;
      all.kind = Proposition::Kind::all;
      while (at_observable(lexer_, rules_) && !lexer_.at("and") && !lexer_.at("with")) {
        all.parts.push_back(read_proposition(lexer_, rules_));
        lexer_.expect(";");
      }
      any.parts.push_back(simplified(std::move(all)));
    } while (lexer_.accept("and"));
    return simplified(std::move(any));
  }

  static Proposition simplified(Proposition p) {
    if (p.parts.empty()) return {};
    return p.parts.size() == 1 ? Proposition(std::move(p.parts[0])) : p;
  }

  /// `x86-tso: ~exists; sc: forall`: what herd is told of the clause's verdict, and does not use.
  void skip_kinds() {
    while (lexer_.peek().is_word()) {
      const std::uint32_t begin = lexer_.peek().span.begin;
      lexer_.seek(begin + static_cast<std::uint32_t>(model_at(begin).size()));
      lexer_.expect(":");
      const Token kind = lexer_.peek();
      if (info(read_quantifier()).ours)
        lexer_.fail_expected("`exists`, `~exists` or `forall`", kind);
      if (!lexer_.accept(";")) return;
    }
  }

  void read_label(Clause& clause) {
    const Token token = lexer_.peek();
    if (token.kind != Token::Kind::string) return;
    clause.label = lexer_.expect_string("a label");
    lexer_.check_name(clause.label, token.span);
    if (clause.label.empty()) lexer_.fail_expected("a label that is not empty", token);
    if (std::ranges::find(test_.clauses, clause.label, &Clause::label) != test_.clauses.end())
      lexer_.fail(token.span,
                  fmt::format("expected a label of its own, found `{}` again", clause.label));
  }

  bool read_remark(Clause& clause) {
    if (lexer_.at("because")) {
      once(!clause.because.empty());
      const Token token = lexer_.peek();
      clause.because = lexer_.expect_string("a sentence in quotes");
      if (clause.because.empty()) lexer_.fail_expected("a sentence that is not empty", token);
    } else if (lexer_.at("verdicts")) {
      once(!clause.verdicts.empty());
      do read_verdict(clause);
      while (at_verdict());
    } else if (lexer_.at("confidence")) {
      once(!clause.confidence.empty());
      clause.confidence = read_one_of(confidences, "`certain`, `likely` or `unsure`");
    } else {
      return false;
    }
    return true;
  }

  /// A model's name, as `jls04` or `x86-tso`; empty if there is none.
  std::string_view model_at(std::uint32_t begin) const {
    const std::string_view rest = lexer_.text().substr(begin);
    const auto end = std::ranges::find_if_not(rest, is_model_char);
    return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  }

  bool at_verdict() {
    const Token first = lexer_.peek();
    if (!first.is_word()) return false;
    const std::uint32_t after =
        first.span.begin + static_cast<std::uint32_t>(model_at(first.span.begin).size());
    Lexer ahead = lexer_;
    ahead.seek(after);
    return ahead.at("=");
  }

  void read_verdict(Clause& clause) {
    const Token first = lexer_.peek();
    if (!first.is_word()) lexer_.fail_expected("a verdict, as `jls04=allowed`");
    ModelVerdict entry;
    entry.model = model_at(first.span.begin);
    const text::Span span{first.span.begin,
                          first.span.begin + static_cast<std::uint32_t>(entry.model.size())};
    lexer_.check_name(entry.model, span);
    if (std::ranges::find(clause.verdicts, entry.model, &ModelVerdict::model) !=
        clause.verdicts.end())
      lexer_.fail(span, fmt::format("expected one verdict of `{}`, found a second", entry.model));
    lexer_.seek(span.end);
    lexer_.expect("=");
    std::array<std::string_view, verdict_words.size()> words;
    std::ranges::transform(verdict_words, words.begin(), &VerdictInfo::word);
    const auto word = read_one_of(words, "`allowed`, `forbidden` or `contested`");
    entry.verdict = std::ranges::find(verdict_words, word, &VerdictInfo::word)->verdict;
    clause.verdicts.push_back(std::move(entry));
  }

  std::string_view read_one_of(std::span<const std::string_view> words, std::string_view what) {
    const Token token = lexer_.peek();
    if (!token.is_word() || std::ranges::find(words, token.text) == words.end())
      lexer_.fail_expected(what, token.is_word() ? Lexer::suggest(token.text, words) : "");
    lexer_.next();
    return token.text;
  }

  Lexer& lexer_;
  const QuestionRules& rules_;
  Test& test_;
  bool seen_locations_ = false;
  bool seen_herd_clause_ = false;
};

std::string print_clause(const Clause& clause) {
  std::string out(name(clause.quantifier));
  if (!clause.label.empty()) out += " " + quoted(clause.label);
  out += fmt::format(" ({})\n", to_string(clause.proposition));
  if (!clause.because.empty()) out += fmt::format("  because {}\n", quoted(clause.because));
  if (!clause.verdicts.empty()) {
    out += "  verdicts";
    for (const ModelVerdict& entry : clause.verdicts)
      out += fmt::format(" {}={}", entry.model, name(entry.verdict));
    out += '\n';
  }
  if (!clause.confidence.empty()) out += fmt::format("  confidence {}\n", clause.confidence);
  return out;
}

} // namespace

std::string_view name(Quantifier quantifier) { return info(quantifier).word; }

std::string_view name(Verdict verdict) {
  return verdict_words[static_cast<std::size_t>(verdict)].word;
}

void read_questions(Lexer& lexer, const QuestionRules& rules, Test& test) {
  QuestionReader(lexer, rules, test).read();
}

std::string print_questions(const Test& test) {
  std::string out;
  if (!test.locations.empty()) {
    out += "locations [";
    for (const Observable& item : test.locations)
      out += (item.thread ? to_string(item) : item.name) + "; ";
    out.back() = ']';
    out += '\n';
  }
  if (test.filter) out += fmt::format("filter ({})\n", to_string(*test.filter));
  for (const Clause& clause : test.clauses) out += print_clause(clause);
  return out;
}

} // namespace thinair::litmus
