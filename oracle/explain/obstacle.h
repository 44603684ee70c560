// What stands in the way of an outcome that a model's axioms allow and its rules of causality do
// not, in words.
#pragma once

#include "litmus/text/wrap.h"
#include "oracle/answer.h"
#include "oracle/explain/changes.h"
#include "oracle/explain/evidence.h"

#include <optional>
#include <string>
#include <vector>

namespace thinair::explain {

struct Obstacle {
  /// Why an execution with what is committed cannot commit the action next.
  struct Failure {
    std::vector<causality::Rule> rules; // that it breaks
    std::string words; // "b writes 0 there, and 1 in the outcome (values, JLS 17.4.8 rule 4)"
  };
  EvidenceStage target;              // with what is committed at most
  std::vector<EvidenceStage> stages; // that get there; the rules allow each
  std::string action;                // that cannot be committed next; empty: see `origin`
  std::string deed;                  // "b, `X.set(r2)` of Thread1"
  std::vector<Failure> failures;     // of the executions that come nearest, one of each kind
  std::string origin;                // of values out of thin air; empty: there are none
  std::optional<Change> change;      // a smallest that would allow it, if a single one does
};

/// Of an outcome that the oracle forbids under rules of causality. Absent: where no execution with
/// the outcome is known, or a limit was reached.
std::optional<Obstacle> obstacle_of(const litmus::Test& test, const cat::Plan& model,
                                    const litmus::Proposition& proposition,
                                    const oracle::Options& options);

/// Lines of at most so many columns, each ended.
std::string as_text(const Obstacle& obstacle, std::size_t width = text::page_width);

} // namespace thinair::explain
