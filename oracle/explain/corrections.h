// What would have to go from a model for it to allow a behaviour: the other half of a core.
#pragma once

#include "oracle/answer.h"
#include "oracle/explain/parts.h"

#include <vector>

namespace thinair::explain {

/// The smallest sets of definitions (and rules of causality) without which the model allows the
/// behaviour: all sets of one, or, where none does, of two. Axioms as a whole are taken only where
/// that is not enough: without the axiom that forbids it anything is allowed. Empty: it is allowed
/// as it is, no such set is that small, or a limit was reached. Throws as the oracle does.
std::vector<std::vector<ModelPart>> corrections(const litmus::Test& test, const cat::Plan& model,
                                                const litmus::Proposition& proposition,
                                                const oracle::Options& options = {});

} // namespace thinair::explain
