// A minimal core of a question: the statements, the parts of the outcome, the axioms and the rules
// of causality that together forbid it (MemSAT, section 2.4).
#pragma once

#include "oracle/explain/changes.h"
#include "oracle/explain/core.h"

#include <cstddef>
#include <string>
#include <vector>

namespace thinair::explain {

/// What is not named is left open. A statement that is left open may be done or not, with any of
/// the values that program and outcome name: a store stores any of them, where somebody may see
/// it, or is not there, a register gets any of them, a branch goes either way, a fence is
/// not there. Monitors, starts and joins are never left open, and not named.
struct ProgramCore {
  Core core;                               // of the model
  cat::Plan model;                         // with nothing that the core does not need
  causality::Rules rules;                  // of causality, those that are needed
  std::vector<std::size_t> outcome;        // conjuncts of the proposition, by place
  std::vector<StatementNumber> statements; // as `numbered` has them
  /// Parts of it that a limit keeps from being shown to be needed; of a minimal core none.
  std::size_t undecided = 0;
};

/// Throws as the oracle does. Its core is `unknown` where the outcome is not forbidden.
ProgramCore program_core_of(const litmus::Test& test, const cat::Plan& model,
                            const litmus::Proposition& proposition,
                            const oracle::Options& options = {});

/// What the parts of a core, or fewer, say of the outcome: forbidden, or allowed where some way to
/// do what is left open shows it.
oracle::Answer answer_of(const ProgramCore& core, const litmus::Test& test,
                         const litmus::Proposition& proposition,
                         const oracle::Options& options = {});

/// Lines: statements by thread, what is asked, rules and axioms.
std::string as_text(const ProgramCore& core, const litmus::Test& test,
                    const litmus::Proposition& proposition);

} // namespace thinair::explain
