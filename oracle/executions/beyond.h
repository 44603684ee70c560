// Whether anything lies beyond the bound on loops: paths that were cut off count for nothing where
// no execution gets to the end of them.
#pragma once

#include "oracle/cat/plan.h"
#include "oracle/executions/behaviours.h"
#include "oracle/graph/path.h"

namespace thinair::executions {

/// Whether some execution may take more rounds of a loop than the paths of the program have
/// (ProgramPaths::cut). False is proved: every execution takes these paths. True may be said for
/// want of a proof: the model has to order volatile accesses and to hold of parts of executions
/// (parts.h), and no cut path may be reached with volatile reads that see what was written before
/// and other reads that see anything (docs/causality.md).
bool goes_beyond(const graph::ProgramPaths& program, const cat::Plan& plan, const Limits& limits);

/// Throws Unsupported where some execution does what is not done here (Path::strays). The limit
/// that kept from finding out; empty: no execution does.
Reason goes_astray(const graph::ProgramPaths& program, const cat::Plan& plan, const Limits& limits);

} // namespace thinair::executions
