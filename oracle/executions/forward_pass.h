// The forward pass: lower bounds under what is decided so far, and the checks on them. A violated
// axiom stays violated (complements are taken of upper bounds, so this needs no monotone model).
#pragma once

#include "oracle/executions/steps.h"

#include <vector>

namespace thinair::executions {

template <std::size_t W>
class ForwardPass {
 public:
  using Set = graph::EventSet<W>;
  ForwardPass(const Bounds<W>& bounds, const Steps<W>& steps) : bounds_(bounds), steps_(steps) {}

  /// What follows from the decisions that changed. False: an axiom fails, whatever is added.
  bool run(Deps changed);
  /// Everything is decided: every axiom, as it is.
  bool holds();
  /// What depends on nothing but `decided`, as it is.
  void run_decided(Deps decided);

 private:
  bool run_steps(bool exact, Deps changed);
  bool advance(const Step<W>& step, bool exact);
  bool check(const Step<W>& step);
  void run_loop(std::size_t at, bool exact);
  void mark(Deps changed);
  bool due(const Step<W>& step) const { return changed_[step.from_a] || changed_[step.from_b]; }

  const Bounds<W>& bounds_;
  const Steps<W>& steps_;
  std::size_t n_ = 0;
  std::vector<char> changed_; // by wire, in the pass under way
};

} // namespace thinair::executions
