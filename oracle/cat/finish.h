// From the nodes that a model made to the plan that a search runs: what nothing needs is dropped,
// recursion becomes groups of consecutive nodes, stages and polarities are computed.
#pragma once

#include "oracle/cat/session.h"

namespace thinair::cat {

/// Throws InputError when a recursive definition is not monotone, or the model speaks of what it
/// does not declare.
Plan finish(const Session& session, Architecture architecture);

} // namespace thinair::cat
