// The product of the threads' paths, each combination searched at the width that it needs.
#include "oracle/executions/driver.h"

#include "litmus/text/error.h"
#include "oracle/executions/symmetry.h"

#include <algorithm>
#include <ranges>

namespace thinair::executions {

Driver::Driver(graph::ProgramPaths& program, const cat::Plan& plan, SearchSetup setup, Goal& goal,
               const Limits& limits)
    : program_(program), analysis_(plan), setup_(std::move(setup)), goal_(goal), limits_(limits),
      budget_(limits), solver_({.z3_effort = limits.solver_effort}) {
  setup_.values = limits.values;
  // A routine of the model may look at events in the order of their threads.
  const bool alike = !setup_.every_execution && plan.interpreted.empty();
  if (alike) setup_.twins = twins_of(program_, setup_.observed);
  const auto own = std::views::iota(0U, static_cast<std::uint32_t>(setup_.twins.size()));
  if (std::ranges::equal(setup_.twins, own)) setup_.twins.clear();
}

/// The same paths were chosen before, by threads that have changed places since.
bool Driver::repeats() const {
  for (std::size_t t = 0; t < setup_.twins.size(); ++t)
    for (std::size_t earlier = setup_.twins[t]; earlier < t; ++earlier)
      if (setup_.twins[earlier] == setup_.twins[t] && chosen_[earlier] > chosen_[t]) return true;
  return false;
}

bool Driver::explore() {
  skeleton_.assign(program_, chosen_);
  const auto n = skeleton_.size();
  if (n > limits_.events || n > graph::EventSet<4>::capacity)
    throw LimitReached("events of an execution", "--max-events");
  if (n <= graph::EventSet<1>::capacity) {
    if (!small_)
      small_ = std::make_unique<Search<1>>(analysis_, setup_, goal_, budget_, solver_, remarks_);
    return small_->explore(skeleton_);
  }
  if (!large_)
    large_ = std::make_unique<Search<4>>(analysis_, setup_, goal_, budget_, solver_, remarks_);
  return large_->explore(skeleton_);
}

void Driver::run() {
  chosen_.assign(program_.threads.size(), 0);
  for (const auto& thread : program_.threads)
    if (thread.paths.empty()) return;
  for (;;) {
    if (!repeats() && !explore()) return;
    std::size_t t = 0;
    while (t < chosen_.size() && ++chosen_[t] == program_.threads[t].paths.size()) chosen_[t++] = 0;
    if (t == chosen_.size()) return;
  }
}

} // namespace thinair::executions
