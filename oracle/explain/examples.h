// Executions that show what a model allows, as drawings.
#pragma once

#include "oracle/answer.h"
#include "oracle/explain/drawing.h"

#include <optional>
#include <string>
#include <vector>

namespace thinair::explain {

/// The test with nothing else in view than executions with the proposition.
litmus::Test filtered(litmus::Test test, const litmus::Proposition& p);

/// An execution with the behaviour that the axioms allow; absent: there is none, or a limit was
/// reached. With causality rules it shows what happens, not why it is justified.
std::optional<Drawing> example(const litmus::Test& test, const cat::Plan& model,
                               const litmus::Proposition& proposition,
                               const oracle::Limits& limits = {});

/// One for each final state that is allowed, sorted by the states' texts; titles say which.
struct Examples {
  struct One {
    std::string state;
    Drawing drawing;
  };
  std::vector<One> all;
  Reason open; // why there may be more; empty: there are not
};
Examples examples(const litmus::Test& test, const cat::Plan& model, const oracle::Options& options);

inline constexpr std::uint64_t steps_a_node = 50; // of drawing and writing it, with its edges

} // namespace thinair::explain
