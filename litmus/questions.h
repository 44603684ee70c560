// Everything after the program: `locations`, `filter`, `exists` and our clauses, in every dialect.
#pragma once

#include "litmus/condition.h"
#include "litmus/lexer.h"
#include "litmus/test.h"

#include <functional>
#include <string>

namespace thinair::litmus {

/// What a dialect knows of final values.
struct QuestionRules {
  /// The observable meant by one as written (`0:EAX`, `x`); throws InputError where there is none.
  std::function<Observable(Observable written, text::Span span)> resolve;
  ValueRange range; // of constants
};

/// Reads to the end of the file. Fills locations, filter and clauses.
void read_questions(Lexer& lexer, const QuestionRules& rules, Test& test);

/// A proposition alone, up to what cannot continue it.
Proposition read_proposition(Lexer& lexer, const QuestionRules& rules);

std::string print_questions(const Test& test);

/// The word that opens a clause, as `required`; and those of verdicts.
std::string_view name(Quantifier quantifier);
std::string_view name(Verdict verdict);

} // namespace thinair::litmus
