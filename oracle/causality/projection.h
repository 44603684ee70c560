// What an execution means to a target as a stage of its justification, in terms of the few events
// that the search commits.
#pragma once

#include "oracle/causality/graphs.h"

namespace thinair::causality {

/// A set of the target's local events.
using Mask = std::uint64_t;

/// The events of a target that the search commits, and its synchronizes-with edges.
struct LocalTarget {
  const Graph* graph = nullptr;
  const Skeleton* skeleton = nullptr;
  std::vector<EventIndex> events;     // local number to event
  std::vector<std::int32_t> local_of; // event to local number, or -1
  std::vector<ActionIndex> actions;   // by local number
  std::vector<Mask> write_seen;       // by local read: its write in the target, if local
  Mask reads = 0;
  Mask goal = 0;                                          // racy reads
  std::vector<std::pair<ActionIndex, ActionIndex>> edges; // sw, without initial writes
  std::vector<Mask> hb, so; // by local event: those that it comes before in the target

  const Labelling& labelling() const { return skeleton->labellings.front(); }
  std::size_t size() const { return events.size(); }
};

struct Projection {
  std::uint32_t graph = 0, labelling = 0;
  Mask usable = 0;  // may be committed while this is the stage (rules 1, 4, revised 2, 8)
  Mask same_rf = 0; // reads that see here what they see in the target (rule 5)
  Mask racy = 0;    // reads that must be committed before (rule 6)
  Mask never = 0;   // reads that cannot become committed here: they see a write that the target
                    // lacks (rule 7)
  std::vector<Mask> conflicts;  // by local event: not both committed (rules 2, 3)
  std::vector<Mask> write_seen; // by local event: to be committed before (rule 7)
  std::vector<Mask> externals;  // by local event: to be committed with it (rule 9)
  Mask edges = 0;               // the target's sw edges that are here too (rule 8)
  std::vector<Mask> triggers;   // by edge of the target: what, once committed, makes it stay

  void clear();
};

/// Which local events each comes before, itself left out.
std::vector<Mask> local_order(const RowsView& order, const std::vector<EventIndex>& events);

/// Executions beside one target, one after the other.
class Projector {
 public:
  /// All outlive it.
  Projector(const GraphSet& set, const LocalTarget& target, const Rules& rules,
            const Switches& switches)
      : set_(set), target_(target), rules_(rules), switches_(switches) {}

  /// Null: no stage of this target's justifications. Good until the next call.
  const Projection* operator()(std::uint32_t graph, std::uint32_t labelling);

 private:
  const GraphSet& set_;
  const LocalTarget& target_;
  const Rules& rules_;
  const Switches& switches_;
  Projection projection_;
  std::vector<EventIndex> here_; // local number to event of the execution
};

/// Equal up to which execution it came from.
bool same_meaning(const Projection& a, const Projection& b);
std::uint64_t hash_of(const Projection& p);

} // namespace thinair::causality
