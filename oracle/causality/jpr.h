// Java Path Relaxer's over-approximation (JPR 2012): the least fixed point of the sets of values
// that writes may write.
#pragma once

#include "oracle/causality/graphs.h"

#include <functional>
#include <set>
#include <vector>

namespace thinair::causality {

/// The values to try for a read.
using Guesses = std::function<const std::set<Value>&(const Graph&, EventIndex read)>;

/// Gives the reads of an undetermined execution whose values depend on themselves all combinations
/// of these that fit. Whether the set has more executions then. Throws LimitReached.
bool guess(GraphSet& set, std::size_t index, const Guesses& values_of);

/// What each write may write, once every read before it in its thread sees such a write. Contains
/// every committed write of every justification under rules 4 to 7, and what JPR computes.
class WriteSet {
 public:
  /// Also gives values to the undetermined executions of the set, from the fixpoint.
  /// Throws LimitReached.
  WriteSet(GraphSet& set, Identity identity);

  /// Whether each read of an execution sees a write of the fixpoint: JPR's legal executions.
  bool admits(const Graph& graph) const;

  /// Whether some write of the fixpoint writes the value.
  bool has(Value value) const;

  /// The writes of an execution that are not in the fixpoint, of those that its reads see.
  std::vector<EventIndex> without_origin(const Graph& graph) const;

  std::size_t size() const { return size_; } // writes with their values, initial ones too

 private:
  bool learn(const Graph& graph);
  bool determine(std::size_t index);
  bool contains(const Graph& graph, EventIndex write) const;

  GraphSet& set_;
  Identity identity_;
  std::vector<std::set<Value>> values_; // by write_name
  std::size_t size_ = 0;
};

} // namespace thinair::causality
