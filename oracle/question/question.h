// What every question to a model has, whichever engine answers it: limits, an answer, a list of
// behaviours. oracle/answer.h says what can be asked.
#pragma once

#include "litmus/condition.h"
#include "litmus/text/watch.h"
#include "oracle/values/solver.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::oracle {

/// Whether a model allows something.
struct Answer {
  enum Kind : std::uint8_t {
    allowed,
    forbidden,
    unknown, // a limit was reached
    vacuous, // forbidden, but so is everything: the model allows the program nothing at all
  };
  Kind kind = unknown;
  Reason because; // of unknown and vacuous

  Answer() = default;
  Answer(Kind k, Reason why = {}) : kind(k), because(std::move(why)) {}
  friend bool operator==(const Answer& a, Kind k) { return a.kind == k; }
  friend bool operator==(const Answer&, const Answer&) = default;
};
std::string_view name(Answer::Kind kind); // "allowed"

/// What a question may cost. One that is reached makes the answer unknown, or throws LimitReached.
struct Limits {
  std::uint64_t candidates = 50'000'000;        // executions that are looked at
  double seconds = 0;                           // 0: no limit
  std::uint64_t steps = 10'000'000'000;         // small pieces of work
  std::uint64_t bytes = std::uint64_t{2} << 30; // of memory
  std::uint32_t loop_bound = 4;                 // rounds of a loop that has no bound of its own
  std::size_t events = 256;                     // of an execution
  std::size_t paths = 16384;                    // of a thread
  std::size_t values = 256;                     // final states of one execution with a value cycle
  std::uint32_t solver_effort = 20'000'000;     // of one query to z3
  // where rules of causality apply
  std::size_t graphs = 200'000;     // executions that justifications are made of
  std::size_t whole = 1'000;        // beyond so many, one question is about those that it needs
  std::size_t labellings = 5'000;   // ways to match actions, where identity is free
  std::size_t valuations = 1'000;   // of one execution with a value cycle
  std::uint64_t states = 2'000'000; // sets of committed events, for one target
  /// Of a larger question, that counts instead of `seconds`, `steps` and `bytes`; it outlives this.
  Watch* watch = nullptr;
};

/// Those of a new watch that starts now.
inline Watch::Limits watch_limits(const Limits& limits) {
  return {Deadline::in(limits.seconds), limits.steps, limits.bytes};
}

/// The watch of a question: the one that it is a part of, or a new one.
class Watched {
 public:
  explicit Watched(const Limits& limits)
      : own_(watch_limits(limits)), watch_(limits.watch != nullptr ? limits.watch : &own_) {}
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  Watch& operator*() const { return *watch_; }
  Watch* operator->() const { return watch_; }
  Watch* get() const { return watch_; }

 private:
  Watch own_;
  Watch* watch_;
};

/// Limits of one that is counted by `watch` from now on.
inline Limits watched_by(Watch& watch, Limits limits) {
  limits.watch = &watch;
  return limits;
}

/// All behaviours of a program. `status` is never dropped: what is `unknown` is a lower bound.
struct Result {
  enum class Status : std::uint8_t { ok, unknown } status = Status::ok;
  Reason reason; // of `unknown`
  std::vector<litmus::Observable> observables;
  std::vector<litmus::Behaviour> behaviours; // sorted by their canonical text
  // of whoever looks at executions one by one
  std::uint64_t executions = 0; // allowed ones found, or all of them where they are counted
  std::uint64_t candidates = 0; // looked at
  std::uint64_t positive = 0,
                negative = 0;     // executions that satisfy the first clause, and that do not
  std::vector<std::string> flags; // raised by `flag` axioms
  std::uint64_t value_cycles = 0; // executions whose values needed the solver
  bool cut_by_loop_bound = false;
  values::Statistics values; // who solved them
};

} // namespace thinair::oracle
