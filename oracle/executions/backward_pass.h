// The backward pass: what must not be added, from the axioms down to rf, final writes and orders.
//
// A register `forbid_x` holds pairs (or events) of which any one, added to x alone, makes some
// axiom fail. An axiom forbids the pairs that would complete a violation, and each operator passes
// that on to its operands (as reverse-mode differentiation passes on gradients): which additions to
// an operand would add a forbidden pair to the result, given what the other operand surely holds.
// Missing some is allowed; naming one too many is not. One pass so forbids every single decision
// that fails at once.
#pragma once

#include "oracle/executions/steps.h"

#include <vector>

namespace thinair::executions {

template <std::size_t W>
class BackwardPass {
 public:
  using Set = graph::EventSet<W>;
  BackwardPass(Bounds<W>& bounds, const Steps<W>& steps) : bounds_(bounds), steps_(steps) {}

  void run();

 private:
  bool forbid(const Step<W>& step);
  void pass_on(const Step<W>& step);
  void forbid_relation(const Step<W>& step);
  void forbid_set(const Step<W>& step);
  void seed(const Step<W>& step);
  void forbid_loop(std::size_t at);
  void through_closure(const Set* closed, const Set* forbidden, const Step<W>& step, Set* out);

  Bounds<W>& bounds_;
  const Steps<W>& steps_;
  std::size_t n_ = 0;
  std::vector<Set> scratch_;
};

} // namespace thinair::executions
