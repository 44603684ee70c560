// What would make a model forbid an outcome that it allows: stronger accesses, or fences. Whoever
// writes lock-free code asks for that next.
//
//   const auto found = prevention_of(test, model, outcome);
//   found.ways[0].changes == {"`Y.setRelease(1)` for `Y.set(1)`",
//                             "`int r = Y.getAcquire()` for `int r = Y.get()`"}
#pragma once

#include "litmus/test.h"
#include "oracle/answer.h"

#include <string>
#include <vector>

namespace thinair::explain {

/// With all of the changes the outcome is forbidden; with one of them less, or a weaker one in its
/// place, it is allowed. Accesses within expressions are left as they are, and fences are put
/// between statements of a thread's outermost block.
struct Way {
  std::vector<std::string> changes; // "`fullFence()` behind `X.set(1)` of Thread0"
  litmus::Test test;                // after them
};

struct Prevention {
  std::vector<Way> ways;     // by stronger accesses, then by fences; what there is of them
  bool interleaving = false; // the statements of the threads end so one after the other
  Reason unknown = {};       // the limit that was reached first: then there are no ways
};

/// Of an outcome that the model allows a Java test. Throws Unsupported as the oracle does.
Prevention prevention_of(const litmus::Test& test, const cat::Plan& model,
                         const litmus::Proposition& outcome, const oracle::Options& options = {});

/// In sentences, their lines ended; empty where a limit was reached.
std::string as_text(const Prevention& prevention);

} // namespace thinair::explain
