// What a single-execution model allows a test to do: its final states, by search over candidate
// executions.
#pragma once

#include "litmus/condition.h"
#include "litmus/test.h"
#include "litmus/text/watch.h"
#include "oracle/cat/plan.h"
#include "oracle/values/solver.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace thinair::executions {

/// How much of the space is walked.
enum class Depth : std::uint8_t {
  states,     // each distinct final state once: stop at its first witness
  executions, // every allowed execution, counted as herd counts (distinct values of `with` choices
              // included)
};

struct Limits {
  std::uint64_t candidates = 50'000'000;        // --max-candidates
  double seconds = 0;                           // --timeout, of one question; 0: none
  std::uint64_t steps = 10'000'000'000;         // of one question: --max-steps
  std::uint64_t bytes = std::uint64_t{2} << 30; // of memory, likewise: --max-memory
  std::uint32_t loop_bound = 4;                 // --unroll
  std::size_t events = 256;                     // --max-events
  std::size_t paths = 4096;                     // of a thread: --max-paths
  std::size_t values = 256;                 // final states of one cyclic execution: --max-values
  std::uint32_t solver_effort = 20'000'000; // of one query to z3: --solver-effort
  /// Of a larger question, that counts instead of `seconds`, `steps` and `bytes`; it outlives this.
  Watch* watch = nullptr;
};

/// Those of a new watch that starts now.
Watch::Limits watch_limits(const Limits& limits);

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
Limits watched_by(Watch& watch, Limits limits);

struct Options {
  Depth depth = Depth::states;
  Limits limits;
  bool all_registers = false;
};

/// The outcome of a run. `status` is never dropped: an `unknown` set of states is a lower bound and
/// says why.
struct Result {
  enum class Status : std::uint8_t { ok, unknown } status = Status::ok;
  std::string reason; // of `unknown`: "candidates limit reached (--max-candidates)"
  std::vector<litmus::Observable> observables;
  std::vector<litmus::Behaviour> behaviours; // sorted by their canonical text
  std::uint64_t executions = 0;              // allowed ones found (Depth::executions: all of them)
  std::uint64_t candidates = 0;              // looked at
  std::uint64_t positive = 0,
                negative = 0;     // executions that satisfy the first clause, and that do not
  std::vector<std::string> flags; // raised by `flag` axioms
  std::uint64_t value_cycles = 0; // candidates whose values needed the solver
  bool cut_by_loop_bound = false;
  values::Statistics values; // who solved them
};

/// Throws Unsupported for what the test uses and the engine lacks, InputError for a condition on a
/// location when the model does not order writes.
Result behaviours(const litmus::Test& test, const cat::Plan& model, const Options& options = {});

/// One question only, stopping at the first answer: is there an allowed execution whose final state
/// satisfies `p`?
enum class Answer : std::uint8_t { yes, no, unknown };
Answer exists(const litmus::Test& test, const cat::Plan& model, const litmus::Proposition& p,
              const Options& options = {});

/// The same of many final states at once, in one search that ends when all are found. Values that
/// depend on themselves are solved for each state: an answer is exact even where there are too many
/// to list.
struct Membership {
  std::vector<Answer> answers; // by state
  std::string reason;          // why some are unknown
  std::uint64_t candidates = 0;
  std::uint64_t value_cycles = 0;
  values::Statistics values;
};
Membership members(const litmus::Test& test, const cat::Plan& model,
                   const std::vector<litmus::Observable>& observables,
                   const std::vector<litmus::Behaviour>& states, const Options& options = {});

} // namespace thinair::executions
