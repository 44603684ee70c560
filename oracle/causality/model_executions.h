// Executions of a .cat model, handed to causality.
#pragma once

#include "oracle/cat/plan.h"
#include "oracle/causality/analysis.h"
#include "oracle/executions/behaviours.h"

namespace thinair::causality {

/// Produces the executions of `program` under `model`; both outlive it. Throws InputError where the
/// model does not show the relations so, sw and hb.
Producer executions_of(ProgramPaths& program, const cat::Plan& model,
                       const executions::Limits& limits);

} // namespace thinair::causality
