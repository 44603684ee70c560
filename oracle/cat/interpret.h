// The slow path: runs a routine on the values that its operands have in one execution.
#pragma once

#include "litmus/text/watch.h"
#include "oracle/cat/routine.h"
#include "oracle/graph/relation.h"
#include "oracle/graph/vocabulary.h"

#include <cstdint>
#include <vector>

namespace thinair::cat {

using RunSet = graph::EventSet<4>;
using RunRelation = std::vector<RunSet>; // a row an event

/// A set or relation; the other member is empty.
struct RunValue {
  graph::Type type = graph::Type::relation;
  RunSet set;
  RunRelation relation;
};

/// One execution as a routine sees it.
struct RunInput {
  std::uint32_t events = 0;       // at most RunSet::capacity
  std::vector<RunValue> operands; // in the order of Interpreted::operands
  RunLimits limits;
  Watch* watch = nullptr; // of the question
};

/// The value of a routine that stands for a set or a relation. Throws LimitReached when it does not
/// end within its limits, InputError when the values do not fit together ("expected a set …").
RunValue interpret(const Routine& routine, const RunInput& input, graph::Type expected);

/// The distinct relations of a routine that stands for a set of relations, in a fixed order.
std::vector<RunRelation> interpret_choices(const Routine& routine, const RunInput& input);

} // namespace thinair::cat
