// Values of one execution by forward substitution, with room for guesses where values depend on
// themselves.
#pragma once

#include "oracle/causality/graphs.h"

namespace thinair::causality {

class Valuation {
 public:
  /// The arguments outlive it.
  Valuation(const ProgramPaths& paths, const Skeleton& skeleton,
            std::span<const EventIndex> reads_from);

  /// Gives values to reads as far as the writes they see have them. False: some write has none, as
  /// it divides by zero.
  bool settle();

  /// A read without a value, or no_event: all have one.
  EventIndex stuck() const;

  /// A guess; to be followed by settle().
  void assume(EventIndex read, Value value);

  /// Whether the values of all reads are those of the writes they see and every constraint of the
  /// paths holds. All reads must have values.
  bool satisfied() const;

  std::span<const Value> assignment() const { return assignment_; } // by Variable
  Value read_value(EventIndex read) const;

 private:
  std::optional<Value> written(EventIndex write) const;
  bool known(graph::TermId term) const;

  const ProgramPaths* paths_;
  const Skeleton* skeleton_;
  std::span<const EventIndex> reads_from_;
  std::vector<Value> assignment_;
  std::vector<char> known_; // by Variable
  std::vector<EventIndex> open_;
};

} // namespace thinair::causality
