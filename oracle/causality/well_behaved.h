// Executions that justify themselves: every read sees a write that happens before it.
#pragma once

#include "oracle/cat/plan.h"

namespace thinair::causality {

/// The model with one more axiom: what is read happens before. Such an execution is its own
/// justification, in one stage with nothing committed before (rule 6), under every rule set. The
/// model must show `hb`.
cat::Plan well_behaved(const cat::Plan& model);

} // namespace thinair::causality
