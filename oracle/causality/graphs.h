// The executions of a program that a single-execution model allows, as causality sees them: with
// values, races, and names for events that mean the same in every execution.
#pragma once

#include "litmus/condition.h"
#include "oracle/causality/rules.h"
#include "oracle/graph/path.h"

#include <array>
#include <cstdint>
#include <map>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace thinair::causality {

using graph::Kinds;
using graph::ProgramPaths;
using graph::Value;
using litmus::Behaviour;

/// An event within one execution. Initial writes come first, one a location in the order of
/// LocationId, then the events of thread 0, of thread 1, …, each in program order. An update is two
/// events, a read and a write (JLS 17.4.2 knows no other actions): parts_of().
using EventIndex = std::uint16_t;
inline constexpr EventIndex no_event = 0xffff;

/// An action: what committed sets consist of. The same number in all executions of a program.
using ActionIndex = std::uint16_t;
inline constexpr ActionIndex no_action = 0xffff;

/// 0 to n - 1.
inline auto indices(std::size_t n) {
  return std::views::iota(EventIndex{0}, static_cast<EventIndex>(n));
}

inline constexpr std::int32_t initial_thread = -1;

/// jMT §4: events are one action if thread, kind and location agree, and their position among such.
/// Actions on monitors and threads have these for locations.
struct Action {
  std::int32_t thread = initial_thread;
  Kinds kind = 0;           // of k_read, k_write, k_fence …; with the mode if that counts
  std::uint32_t object = 0; // LocationId, MonitorId or ThreadId, as the kind has it
  std::uint32_t occurrence = 0;
  friend auto operator<=>(const Action&, const Action&) = default;
};

/// The action, as its first occurrence, that an event is.
Action class_of(std::int32_t thread, Kinds kinds, std::uint32_t object, const Switches& switches);

/// A read and the write that it sees and that does not happen before it, by name: the same in all
/// executions. Where identity is free, occurrences count for nothing.
struct Race {
  Action read, write;
  friend auto operator<=>(const Race&, const Race&) = default;
};

/// What one event of a path is to causality: itself or, of an update, its read and its write.
class Parts {
 public:
  explicit Parts(Kinds kinds);
  const Kinds* begin() const { return parts_.data(); }
  const Kinds* end() const { return parts_.data() + count_; }
  std::size_t size() const { return count_; }

 private:
  std::array<Kinds, 2> parts_;
  std::size_t count_ = 1;
};

/// Each part has the modes of its half: acquire is the read's, release the write's.
inline Parts parts_of(Kinds kinds) { return Parts(kinds); }

struct Event {
  std::int32_t thread = initial_thread;
  Kinds kinds = graph::k_initial | graph::k_write;
  litmus::LocationId location;
  const graph::PathEvent* what = nullptr; // null: an initial write
  bool reads() const { return (kinds & graph::k_read) != 0; }
  bool writes() const { return (kinds & graph::k_write) != 0; }
  /// What it acts on: the location, or the monitor or thread.
  std::uint32_t object() const {
    return reads() || writes() ? location.value : what == nullptr ? 0 : what->object;
  }
};

/// Names of a skeleton's events.
struct Labelling {
  std::vector<ActionIndex> action_of; // by event
  std::vector<EventIndex> event_of;   // by action, as far as there are; no_event where absent
  EventIndex event(ActionIndex a) const { return a < event_of.size() ? event_of[a] : no_event; }
};

/// What executions that take the same control paths share.
struct Skeleton {
  std::vector<std::uint32_t> paths; // by thread
  std::vector<Event> events;
  bool complete = true; // all threads go to their ends; others are stages, and show nothing
  std::vector<Labelling> labellings; // the first: by occurrence; more if identity is free
};

/// A relation over the events of one execution: `stride` words a row.
struct RowsView {
  const std::uint64_t* words = nullptr;
  std::size_t stride = 1;
  bool has(std::size_t a, std::size_t b) const {
    return ((words[a * stride + b / 64] >> (b % 64)) & 1U) != 0;
  }
};

/// An execution as its producer describes it.
struct GraphView {
  std::span<const std::uint32_t> paths;
  std::span<const EventIndex> reads_from; // by event; no_event for what does not read
  RowsView so, sw, hb;
  bool shows = true;                     // false: it may be a stage, and nothing more
  std::span<const EventIndex> last = {}; // by LocationId: the write that is last, where observed
  std::string_view model = {};           // whose relations these are
};

struct Edge {
  EventIndex from = 0, to = 0;
};

struct Graph {
  static constexpr std::uint32_t no_behaviour = 0xffffffff;
  std::uint32_t skeleton = 0;
  std::uint32_t behaviour = no_behaviour; // in GraphSet::behaviours, of a complete one that shows
  bool shows = true;                      // as GraphView has it
  std::vector<EventIndex> reads_from;
  std::vector<EventIndex> last;    // as GraphView has it
  std::vector<std::uint64_t> rows; // so, sw, hb
  std::vector<Value> written;      // by event; 0 for what does not write
  std::vector<EventIndex> racy;    // reads that see a write which does not happen before them
  std::vector<Edge> justifying;    // rule 8: sw within the transitive reduction of hb, not in po

  std::size_t size() const { return reads_from.size(); }
  RowsView so() const { return view(0); }
  RowsView sw() const { return view(1); }
  RowsView hb() const { return view(2); }

 private:
  RowsView view(std::size_t which) const {
    const std::size_t stride = (size() + 63) / 64;
    return {rows.data() + which * size() * stride, stride};
  }
};

struct GraphLimits {
  std::size_t graphs = 200'000;
  std::size_t labellings = 5'000; // of one skeleton, where identity is free
  std::size_t valuations = 1'000; // of one graph whose values depend on themselves
  /// Programs with more executions are not looked at as a whole where one question is asked.
  std::size_t whole = 1'000;
};

/// Where what is observed is found: a register in Path::final_registers of a thread, or the final
/// value of a location.
struct RegisterPlace {
  std::uint32_t thread = 0;
  std::uint32_t reg = 0;
  bool memory = false; // `reg` is a LocationId
};

/// All consistent executions of one program. Those whose values depend on themselves are kept apart
/// until somebody gives the reads in a cycle values (jpr.h).
class GraphSet {
 public:
  /// `paths` outlives the set.
  GraphSet(const ProgramPaths& paths, std::vector<RegisterPlace> observed, const Switches& switches,
           const GraphLimits& limits = {});

  /// Throws InputError where a relation is not what causality needs, LimitReached.
  void add(const GraphView& view);

  const ProgramPaths& paths() const { return *paths_; }
  Watch& watch() const { return paths_->terms.watch(); } // of the question
  const Skeleton& skeleton_of(const Graph& g) const { return skeletons_[g.skeleton]; }
  const std::vector<Action>& actions() const { return actions_; }
  const std::vector<Graph>& graphs() const { return graphs_; }
  const std::vector<Behaviour>& behaviours() const { return behaviours_; } // as met

  /// Executions without values yet.
  const std::vector<Graph>& undetermined() const { return undetermined_; }
  /// Adds the races of an execution of this set.
  void races_of(const Graph& graph, std::set<Race>& races) const;

  /// Gives an undetermined execution the values of an assignment (by Variable); it must satisfy all
  /// constraints. False if it is known already.
  bool determine(std::size_t index, std::span<const Value> assignment);

 private:
  bool is_shown_already(const Graph& graph);
  std::uint32_t skeleton_for(std::span<const std::uint32_t> paths);
  void count_occurrences();
  void label(Skeleton& skeleton);
  void relabel(Skeleton& skeleton, Action action, const std::vector<EventIndex>& members);
  ActionIndex action_for(const Action& action);
  void finish(Graph graph, std::span<const Value> assignment);
  Value value_of(graph::TermId term, std::span<const Value> assignment) const;
  std::uint32_t behaviour_of(const Graph& graph, std::span<const Value> assignment);

  const ProgramPaths* paths_;
  std::vector<RegisterPlace> observed_;
  Switches switches_;
  GraphLimits limits_;
  std::vector<Skeleton> skeletons_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> skeleton_index_;
  std::vector<Action> actions_;
  std::map<Action, ActionIndex> action_index_;
  std::map<Action, std::uint32_t> occurrences_; // of each class, at most
  std::vector<Graph> graphs_;
  std::vector<Graph> undetermined_;
  std::vector<std::set<std::vector<Value>>> valuations_; // of each undetermined one
  std::vector<Behaviour> behaviours_;
  std::map<Behaviour, std::uint32_t> behaviour_index_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> shown_; // of graphs_, by hash
  std::size_t shown_up_to_ = 0;                                 // as far as they are in it
};

/// Whether program order, reads-from and happens-before have no cycle: in no way does a value
/// depend on itself (Rule::in_order).
bool in_order(const Graph& graph, const Skeleton& skeleton);

/// The write an event stands for in other executions: its action's number under index identity; its
/// thread, kind and location alone where identity is free.
ActionIndex write_name(const GraphSet& set, const Graph& graph, EventIndex event,
                       Identity identity);

} // namespace thinair::causality
