// Why a model allows an outcome, or why it does not, whichever of the two it is.
#pragma once

#include "oracle/causality/evidence.h"
#include "oracle/explain/drawing.h"
#include "oracle/explain/refusal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::explain {

struct Account {
  enum class Verdict : std::uint8_t {
    allowed,
    forbidden,
    unknown, // a limit was reached
    vacuous, // the model allows the program nothing at all
  };
  Verdict verdict = Verdict::unknown;
  std::optional<causality::Evidence> evidence; // allowed by rules of causality: what justifies it
  std::optional<Drawing> example;              // allowed without such rules: an execution
  std::optional<Refusal> refusal; // forbidden; of vacuous what forbids some execution, if there is
                                  // any; of unknown what reached the limit
  std::string reason;             // of vacuous; of unknown without a refusal
};

std::string_view name(Account::Verdict verdict); // "allowed"

/// The answer alone; `reason` is that of unknown and vacuous.
struct Judgement {
  Account::Verdict verdict = Account::Verdict::unknown;
  std::string reason;
};
Judgement judge(causality::Oracle& oracle, const litmus::Test& test, const cat::Plan& model,
                const litmus::Proposition& proposition, const executions::Limits& limits);

/// Throws as the oracle does, and LimitReached where an allowed outcome has no example within the
/// limits.
Account account_of(const litmus::Test& test, const cat::Plan& model,
                   const litmus::Proposition& proposition, const causality::Options& options = {});

/// The reason in words, with the execution that shows it; its lines are ended.
std::string as_text(const Account& account);

/// The executions to draw.
std::vector<Drawing> drawings(const Account& account);

} // namespace thinair::explain
