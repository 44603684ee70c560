// How long a question may take: every loop that may be long counts its steps on a watch, which
// looks at the clock now and then and remembers what stopped it.
#pragma once

#include "litmus/text/limit.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace thinair {

/// A point in time, or never.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default; // never
  explicit Deadline(Clock::time_point at) : at_(at) {}
  /// So many seconds from now; never for none, or for more than a clock can count.
  static Deadline in(double seconds);

  bool never() const { return !at_; }
  bool passed() const { return at_ && Clock::now() >= *at_; }
  /// Seconds until then, 0 once it has passed; absent: never.
  std::optional<double> left() const;
  /// The earlier of two.
  static Deadline first(const Deadline& a, const Deadline& b);

 private:
  std::optional<Clock::time_point> at_;
};

/// One watch is shared by all that works on one question, in one thread.
///
/// A step is a small piece of work, a microsecond or less; whoever does more at once counts more.
/// The number of steps depends on the question alone, so that a limit on steps gives the same
/// answer on every machine; the clock is looked at every `steps_a_look` steps. A watch that has
/// stopped stays so: whatever asks it ends soon.
///
///     while (more()) {
///       if (!watch.step()) break; // the answer is unknown: watch.reason()
///       …
///     }
class Watch {
 public:
  struct Limits {
    Deadline deadline = {};
    std::uint64_t steps = most_steps;
    std::uint64_t bytes = std::uint64_t{2} << 30; // of memory
  };
  static constexpr std::uint64_t most_steps = ~std::uint64_t{0} >> 1U; // never reached
  static constexpr std::uint64_t steps_a_look = 256;

  Watch() : Watch(Limits{}) {}
  explicit Watch(const Limits& limits) : limits_(limits), next_(0) { look(); }

  /// Counts, and says whether to go on.
  bool step(std::uint64_t steps = 1) {
    steps_ += steps;
    return steps_ < next_ || look();
  }

  /// Counts, and throws LimitReached where a limit has been reached.
  void demand(std::uint64_t steps = 1) {
    if (!step(steps)) refuse();
  }

  /// Counts memory that stays until the question is answered, as far as it is worth counting.
  bool grow(std::uint64_t bytes) {
    bytes_ += bytes;
    return bytes_ <= limits_.bytes || look();
  }
  void demand_memory(std::uint64_t bytes) {
    if (!grow(bytes)) refuse();
  }

  /// Which limit was reached: of time, steps or memory.
  Limit why() const { return why_; }
  bool stopped() const { return why_ != Limit::none; }
  /// Empty: none was reached.
  Reason reason() const { return stopped() ? Reason::reached(why_) : Reason(); }
  /// Throws LimitReached; only after a limit was reached.
  [[noreturn]] void refuse() const;

  /// Looks at the clock at once.
  bool go_on() { return look(); }

  std::uint64_t steps() const { return steps_; }
  std::uint64_t bytes() const { return bytes_; }
  const Deadline& deadline() const { return limits_.deadline; }
  const Limits& limits() const { return limits_; }

 private:
  bool look();

  Limits limits_;
  std::uint64_t steps_ = 0, bytes_ = 0;
  std::uint64_t next_; // the count at which to look again; 0 once stopped
  Limit why_ = Limit::none;
};

} // namespace thinair
