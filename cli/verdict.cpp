// Decides clauses from a set of behaviours that is exact or a lower bound.
#include "cli/verdict.h"

#include "cli/failure.h"

#include <fmt/format.h>

namespace thinair::cli {
namespace {

using litmus::Quantifier;
using oracle::Result;

/// One behaviour settles it: the answer when it is there, whatever else may be.
Decision settled_by(bool found, Decision when_found, const Result& result) {
  if (found) return when_found;
  if (result.status == Result::Status::unknown) return Decision::undecided;
  return when_found == Decision::holds ? Decision::fails : Decision::holds;
}

} // namespace

bool is_empty(const Result& result) {
  return result.status == Result::Status::ok && result.behaviours.empty();
}

bool negated(Quantifier quantifier) {
  return quantifier == Quantifier::not_exists || quantifier == Quantifier::forbidden;
}

Tally tally(const litmus::Clause& clause, const Result& result) {
  Tally tally;
  for (const auto& behaviour : result.behaviours) {
    const bool satisfied = litmus::holds(clause.proposition, result.observables, behaviour);
    ++(satisfied != negated(clause.quantifier) ? tally.positive : tally.negative);
  }
  return tally;
}

Decision decide(const litmus::Clause& clause, const Result& result, bool vacuous) {
  if (vacuous) return Decision::vacuous;
  const auto [positive, negative] = tally(clause, result);
  switch (clause.quantifier) {
  case Quantifier::exists:
  case Quantifier::required:
  case Quantifier::contested: return settled_by(positive > 0, Decision::holds, result);
  case Quantifier::not_exists:
  case Quantifier::forbidden:
  case Quantifier::forall: return settled_by(negative > 0, Decision::fails, result);
  }
  bug(__FILE__, __LINE__, "a quantifier that is none");
}

std::string_view word(Quantifier quantifier) {
  switch (quantifier) {
  case Quantifier::exists: return "exists";
  case Quantifier::not_exists: return "~exists";
  case Quantifier::forall: return "forall";
  case Quantifier::required: return "required";
  case Quantifier::forbidden: return "forbidden";
  case Quantifier::contested: return "contested";
  }
  bug(__FILE__, __LINE__, "a quantifier that is none");
}

std::string_view word(Decision decision) {
  switch (decision) {
  case Decision::holds: return "holds";
  case Decision::fails: return "fails";
  case Decision::undecided: return "undecided";
  case Decision::vacuous: return "vacuous";
  }
  bug(__FILE__, __LINE__, "a decision that is none");
}

std::string text_of(const litmus::Clause& clause) {
  const std::string label = clause.label.empty() ? "" : fmt::format(" \"{}\"", clause.label);
  return fmt::format("{}{} ({})", word(clause.quantifier), label,
                     litmus::to_string(clause.proposition));
}

std::string_view observation(Quantifier quantifier, const Tally& tally) {
  const bool swap = negated(quantifier);
  const std::uint64_t satisfied = swap ? tally.negative : tally.positive;
  const std::uint64_t others = swap ? tally.positive : tally.negative;
  if (satisfied == 0) return "Never";
  return others == 0 ? "Always" : "Sometimes";
}

Exit exit_of(const litmus::Test& test, const Result& result, bool vacuous) {
  if (vacuous) return Exit::undecided;
  Exit exit = result.status == Result::Status::ok ? Exit::clean : Exit::undecided;
  for (const auto& clause : test.clauses) {
    const bool expectation =
        clause.quantifier == Quantifier::required || clause.quantifier == Quantifier::forbidden;
    if (expectation && decide(clause, result) == Decision::fails) exit = worst(exit, Exit::finding);
  }
  return exit;
}

} // namespace thinair::cli
