// The abstract machine of UMM: instructions leave their thread's buffer in any order that the
// bypassing table allows, and reads see completed writes by the visibility rule.
#pragma once

#include "litmus/test.h"
#include "oracle/executions/behaviours.h"
#include "oracle/umm/model.h"

namespace thinair::umm {

/// The final states of a test, by depth-first search over the machine's states; `executions` counts
/// complete states met, `candidates` all of them, against Limits::candidates and Limits::seconds.
///
/// Beyond UMM, which knows straight lines only: an instruction behind a branch waits until the
/// branch is decided, and one that uses a read value until it is there. A final field is frozen
/// before its writer's next write to something else, or at its end.
///
/// Throws Unsupported for what the test uses and the model's table or the machine lacks, InputError
/// for a question about a location: UMM defines what reads return, not what memory holds.
oracle::Result behaviours(const litmus::Test& test, const Model& model,
                          const executions::Options& options = {});

/// Whether some final state satisfies `p`.
oracle::Answer exists(const litmus::Test& test, const Model& model, const litmus::Proposition& p,
                      const executions::Options& options = {});

} // namespace thinair::umm
