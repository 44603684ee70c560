// Why a model allows an outcome, or why it does not, whichever of the two it is.
#pragma once

#include "oracle/explain/drawing.h"
#include "oracle/explain/evidence.h"
#include "oracle/explain/refusal.h"

#include <optional>
#include <string>
#include <vector>

namespace thinair::explain {

struct Account {
  oracle::Answer answer;            // as Oracle::verdict has it
  std::optional<Evidence> evidence; // allowed by rules of causality: what justifies it
  std::optional<Drawing> example;   // allowed without such rules: an execution
  std::optional<Refusal> refusal; // forbidden; of vacuous what forbids some execution, if there is
                                  // any; of unknown what reached the limit
};

/// Throws as the oracle does, and LimitReached where an allowed outcome has no example within the
/// limits.
Account account_of(const litmus::Test& test, const cat::Plan& model,
                   const litmus::Proposition& proposition, const oracle::Options& options = {});

/// What stands behind the answer, with the execution that shows it; its lines are ended. Why there
/// is no answer is said by the answer.
std::string as_text(const Account& account);

/// The executions to draw.
std::vector<Drawing> drawings(const Account& account);

} // namespace thinair::explain
