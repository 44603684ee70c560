// Allowed executions one by one, for whoever needs more of them than final states: causality rules,
// drawings, explanations.
#pragma once

#include "oracle/executions/behaviours.h"
#include "oracle/executions/skeleton.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace thinair::executions {

/// An allowed execution, while a visitor looks at it; nothing of it outlives the call.
class Witness {
 public:
  virtual ~Witness() = default;
  virtual const Skeleton& skeleton() const = 0;            // its events
  virtual EventId source(EventId read) const = 0;          // the write it reads
  virtual EventId final_write(std::size_t cell) const = 0; // no_event: the model leaves it open
  /// Values of reads, by variable. Where the execution is cyclic (its values depend on themselves)
  /// they are one solution of many: each variable equals what its source writes, and the paths'
  /// constraints hold.
  virtual std::span<const litmus::Value> assignment() const = 0;
  virtual bool cyclic() const = 0;
  /// Row `row` of the relation that the model shows as plan.shows[index] (of a set: row 0).
  virtual graph::EventSet<4> shown(std::size_t index, EventId row) const = 0;
  virtual void raised(std::vector<std::uint32_t>& out) const = 0; // flags, by index of axiom
};

struct Enumeration {
  Result::Status status = Result::Status::ok;
  Reason reason; // of `unknown`
  std::uint64_t executions = 0;
  std::uint64_t value_cycles = 0;
  values::Statistics values; // who solved them
};

/// What tells executions apart that differ in the model's choices only. Nothing named: the choices
/// themselves. Otherwise those that agree in the relations named, and order the accesses of the
/// locations named alike, may be visited once instead of all.
struct Distinct {
  std::vector<std::size_t> shown; // indices of plan.shows
  std::vector<char> locations;    // by LocationId; or empty
};

/// The pairs of Input::granted over the events of one combination of paths.
using Grant = std::function<std::vector<std::pair<EventId, EventId>>(const Skeleton&)>;

/// Which executions are visited: by default all.
struct Selection {
  const litmus::Test* test = nullptr;         // of `shows`
  const litmus::Proposition* shows = nullptr; // that end in such a state
  Grant grant = {};                           // for models that name Input::granted
  /// The locations of which the last write tells executions apart, where the model orders memory;
  /// absent: all.
  std::optional<std::vector<litmus::LocationId>> finals = {};
};

/// Every allowed execution of a program: each combination of rf, of final writes of all locations
/// (where the model orders memory) and of the model's choices once; a cyclic one once, whatever
/// solutions its values have. The visitor returns false to end it.
Enumeration enumerate(graph::ProgramPaths& program, const cat::Plan& model,
                      const std::function<bool(const Witness&)>& visit, const Limits& limits = {},
                      const Distinct& distinct = {}, const Selection& selection = {});

/// `members`, on paths that the caller has made of the test, with a witness for each state found.
Membership members(const litmus::Test& test, graph::ProgramPaths& paths, const cat::Plan& model,
                   const std::vector<litmus::Observable>& observables,
                   const std::vector<litmus::Behaviour>& states, const Options& options,
                   const std::function<void(const Witness&)>& visit);

/// `exists`, on paths that the caller has made of the test.
Answer exists(const litmus::Test& test, graph::ProgramPaths& paths, const cat::Plan& model,
              const litmus::Proposition& p, const Options& options);

/// As `behaviours`, with a witness for each final state (for each execution at Depth::executions).
Result
witnesses(const litmus::Test& test, const cat::Plan& model, const Options& options,
          const std::function<void(std::span<const litmus::Value> state, const Witness&)>& visit);

} // namespace thinair::executions
