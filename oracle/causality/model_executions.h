// Executions of a .cat model, handed to causality.
#pragma once

#include "oracle/cat/plan.h"
#include "oracle/causality/analysis.h"
#include "oracle/executions/behaviours.h"

namespace thinair::causality {

/// Which synchronization orders of one execution are of interest.
enum class Orders : std::uint8_t {
  every,
  /// One for each happens-before and synchronizes-with: enough where rules look at the
  /// synchronization order of racing accesses only and these are not in it. Where an execution
  /// comes up in which they are, every order is produced all the same.
  distinct_hb,
};

/// Produces the executions of `program` under `model`; both outlive it. Throws InputError where the
/// model does not show the relations so, sw and hb.
Producer executions_of(ProgramPaths& program, const cat::Plan& model,
                       const executions::Limits& limits, Orders orders = Orders::every);

/// Looks for behaviours (registers, as the oracle observes them) among the model's well-behaved
/// executions, in one search. Each execution found is looked at as those of a Producer are.
executions::Membership well_behaved_members(const litmus::Test& test, ProgramPaths& program,
                                            const cat::Plan& model,
                                            const std::vector<litmus::Observable>& observables,
                                            const std::vector<Behaviour>& behaviours,
                                            const executions::Limits& limits,
                                            const Switches& switches);

} // namespace thinair::causality
