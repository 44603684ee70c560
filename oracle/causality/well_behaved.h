// Models made of a user's model, for questions that causality asks of the engine.
#pragma once

#include "oracle/cat/plan.h"

namespace thinair::causality {

/// With one more axiom: what is read happens before. Such an execution is its own justification, in
/// one stage with nothing committed before (rule 6), under every rule set. The model must show
/// `hb`.
cat::Plan well_behaved(const cat::Plan& model);

/// The same, but for pairs of Input::granted.
cat::Plan well_behaved_but_granted(const cat::Plan& model);

/// With one more axiom: Rule::in_order. The model must show `hb`.
cat::Plan in_order(const cat::Plan& model);

/// Whether some axiom is asked of executions that show a behaviour only (cat::Axiom::of_stages).
bool asks_less_of_stages(const cat::Plan& model);

/// Without such axioms, and without choices that nothing else needs.
cat::Plan of_stages(const cat::Plan& model);

} // namespace thinair::causality
