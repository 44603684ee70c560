// Everything after the program: `locations`, `filter`, `exists` and our clauses, in every dialect.
#pragma once

#include "litmus/condition.h"
#include "litmus/lexer.h"
#include "litmus/test.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace thinair::litmus {

/// What a dialect knows of final values.
struct QuestionRules {
  /// The observable meant by one as written (`0:EAX`, `x`); throws InputError where there is none.
  std::function<Observable(Observable written, text::Span span)> resolve;
  ValueRange range; // of constants
  /// Of assembly: the cells of an array by its name, none where it is none; and the number that
  /// stands for a location's address.
  std::function<std::vector<Observable>(std::string_view name)> cells = nullptr;
  std::function<Value(std::string_view location, text::Span span)> address = nullptr;
  /// Of Java: reads what a value on the left of an atom is compared with that is no int, `null`,
  /// `A.1` or `true`; the number that stands for it, and the name of a reference. None: it is one.
  std::function<std::optional<std::pair<Value, std::string>>(Lexer&, const Observable& left)>
      reference = nullptr;
  /// Of Java: fails where two observables have different types.
  std::function<void(const Observable& left, const Observable& right, text::Span span)> comparable =
      nullptr;
};

/// Reads to the end of the file. Fills locations, filter and clauses.
void read_questions(Lexer& lexer, const QuestionRules& rules, Test& test);

/// Whether something that is observed comes next, `0:r1`, `x`, `[x]`, `t[1]` or `%r`; and reads it.
bool at_observable(Lexer& lexer, const QuestionRules& rules);
Observable read_observable(Lexer& lexer, const QuestionRules& rules);
/// Whether `t[` comes next.
bool at_cell(Lexer& lexer);

/// A proposition alone, up to what cannot continue it.
Proposition read_proposition(Lexer& lexer, const QuestionRules& rules);

std::string print_questions(const Test& test);

/// The word that opens a clause, as `required`; and those of verdicts.
std::string_view name(Quantifier quantifier);
std::string_view name(Verdict verdict);

} // namespace thinair::litmus
