// Looks at the limits.
#include "litmus/text/watch.h"

#include "litmus/text/error.h"

#include <algorithm>

namespace thinair {

Deadline Deadline::in(double seconds) {
  constexpr double longest = 1e9; // thirty years
  if (!(seconds > 0) || seconds > longest) return {};
  return Deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds)));
}

std::optional<double> Deadline::left() const {
  if (!at_) return std::nullopt;
  return std::max(0.0, std::chrono::duration<double>(*at_ - Clock::now()).count());
}

Deadline Deadline::first(const Deadline& a, const Deadline& b) {
  if (!a.at_ || !b.at_) return a.at_ ? a : b;
  return *b.at_ < *a.at_ ? b : a;
}

bool Watch::look() {
  if (stopped()) return false;
  if (steps_ > limits_.steps)
    why_ = Limit::steps;
  else if (bytes_ > limits_.bytes)
    why_ = Limit::memory;
  else if (limits_.deadline.passed())
    why_ = Limit::time;
  next_ = stopped() ? 0 : std::min(steps_ + steps_a_look, limits_.steps + 1);
  return !stopped();
}

void Watch::refuse() const {
  THINAIR_CHECK(stopped(), "a watch that has not stopped");
  throw LimitReached(why_);
}

} // namespace thinair
