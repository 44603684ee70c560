// What the limits of a search say of the paths that it searches.
#pragma once

#include "oracle/executions/behaviours.h"
#include "oracle/graph/path.h"

namespace thinair::executions {

graph::PathLimits path_limits(const Limits& limits, Watch& watch);
/// The same under a model, which says whether plain longs tear.
graph::PathLimits path_limits(const Limits& limits, Watch& watch, const cat::Plan& model);

} // namespace thinair::executions
