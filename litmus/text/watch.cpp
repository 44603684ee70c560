// Looks at the limits, and words what stopped a search.
#include "litmus/text/watch.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace thinair {
namespace {

struct Words {
  std::string_view limit, option;
};

Words words_of(Watch::Stop why) {
  switch (why) {
  case Watch::Stop::time: return {"time limit", "--timeout"};
  case Watch::Stop::steps: return {"steps limit", "--max-steps"};
  case Watch::Stop::memory: return {"memory limit", "--max-memory"};
  case Watch::Stop::none: break;
  }
  bug(__FILE__, __LINE__, "a watch that has not stopped");
}

} // namespace

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
    why_ = Stop::steps;
  else if (bytes_ > limits_.bytes)
    why_ = Stop::memory;
  else if (limits_.deadline.passed())
    why_ = Stop::time;
  next_ = stopped() ? 0 : std::min(steps_ + steps_a_look, limits_.steps + 1);
  return !stopped();
}

std::string Watch::reason() const {
  if (!stopped()) return "";
  const auto [limit, option] = words_of(why_);
  return fmt::format("{} reached ({})", limit, option);
}

void Watch::refuse() const {
  const auto [limit, option] = words_of(why_);
  throw LimitReached(limit, option);
}

} // namespace thinair
