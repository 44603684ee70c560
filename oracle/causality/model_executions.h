// Executions of a .cat model, handed to causality.
#pragma once

#include "oracle/cat/plan.h"
#include "oracle/causality/analysis.h"
#include "oracle/executions/behaviours.h"

namespace thinair::causality {

/// Which synchronization orders of one execution are of interest.
enum class Orders : std::uint8_t {
  every,
  /// Where rules look at racing accesses only and at writes that these may see, orders tell
  /// executions apart by happens-before, by synchronizes-with, and by how they order volatile
  /// accesses to locations that are accessed in another mode, too. One of each kind. Where other
  /// accesses turn out to count, every order is produced all the same.
  telling,
};

/// What tells executions apart, besides what reads see.
struct Sought {
  Orders orders = Orders::every;
  std::vector<litmus::LocationId> finals = {}; // their last writes, where the model orders memory
};

/// Produces the executions of `program`, the paths of `test`, under `model`; all outlive it. Throws
/// InputError where the model does not show the relations so, sw and hb. What the engine's solver
/// did is added to `values`, which outlives it too.
Producer executions_of(const litmus::Test& test, ProgramPaths& program, const cat::Plan& model,
                       const executions::Limits& limits, const Switches& switches,
                       const Sought& sought = {}, values::Statistics* values = nullptr);

/// Looks for behaviours (registers, as the oracle observes them) among the executions of a model of
/// those that need no justification (well_behaved.h), in one search. Each execution found is looked
/// at as those of a Producer are.
executions::Membership justified_members(const litmus::Test& test, ProgramPaths& program,
                                         const cat::Plan& model,
                                         const std::vector<litmus::Observable>& observables,
                                         const std::vector<Behaviour>& behaviours,
                                         const executions::Limits& limits,
                                         const Switches& switches);

} // namespace thinair::causality
