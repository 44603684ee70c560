// Why rules of causality justify none of the executions with a behaviour: how far commitments get,
// what cannot be committed next, and which values have no origin.
#pragma once

#include "oracle/causality/jpr.h"
#include "oracle/causality/justify.h"

#include <optional>
#include <vector>

namespace thinair::causality {

struct Impasse {
  /// An execution that comes nearest to being the stage that commits an action next.
  struct Way {
    std::uint32_t graph = 0, labelling = 0;
    std::vector<Rule> broken; // by it as that stage; never none
  };
  /// An action that cannot be committed next.
  struct Stuck {
    ActionIndex action = no_action;
    std::vector<Way> ways; // that break the fewest rules; each breaks others; with few races
  };
  std::uint32_t target = 0;          // an execution with the behaviour
  std::vector<Stage> stages;         // obey the rules; none: there is no first one
  std::vector<Stuck> stuck;          // in no order; empty: no action is to blame
  std::vector<EventIndex> unfounded; // writes of the target that it reads and that no execution can
                                     // do first: who writes such a value has read one
  bool written_otherwise = false;    // some other write of such a value has an origin
};

/// Of the targets, of which none is justified, the one that gets furthest; absent: there are none.
/// Throws LimitReached.
std::optional<Impasse> impasse_of(const GraphSet& set, const std::vector<std::uint32_t>& targets,
                                  const WriteSet& writes, const Rules& rules,
                                  const Switches& switches, const SearchLimits& limits);

} // namespace thinair::causality
