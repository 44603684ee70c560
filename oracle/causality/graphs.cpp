// Skeletons, labels and races of executions.
#include "oracle/causality/graphs.h"

#include "litmus/text/error.h"
#include "oracle/causality/valuation.h"
#include "oracle/causality/wellformed.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace thinair::causality {
namespace {

constexpr Kinds identifying = graph::k_read | graph::k_write | graph::k_fence | graph::k_lock |
                              graph::k_unlock | graph::k_start | graph::k_begin | graph::k_end |
                              graph::k_join | graph::k_external | graph::k_freeze;
constexpr Kinds modes =
    graph::k_plain | graph::k_opaque | graph::k_acquire | graph::k_release | graph::k_volatile;

void copy_rows(const RowsView& from, std::size_t n, std::vector<std::uint64_t>& to) {
  const std::size_t stride = (n + 63) / 64;
  for (std::size_t a = 0; a < n; ++a) {
    const auto* row = from.words + a * from.stride;
    to.insert(to.end(), row, row + stride);
  }
}

bool in_program_order(const std::vector<Event>& events, std::size_t a, std::size_t b) {
  return events[a].thread == events[b].thread && events[a].thread != initial_thread && a < b;
}

/// An event strictly between in happens-before.
bool between(const RowsView& hb, std::size_t a, std::size_t b) {
  for (std::size_t word = 0; word < hb.stride; ++word)
    for (auto rest = hb.words[a * hb.stride + word]; rest != 0; rest &= rest - 1) {
      const auto z = 64 * word + static_cast<std::size_t>(std::countr_zero(rest));
      if (z != a && z != b && hb.has(z, b)) return true;
    }
  return false;
}

std::vector<Edge> justifying_edges(const std::vector<Event>& events, const RowsView& sw,
                                   const RowsView& hb, const Switches& switches) {
  std::vector<Edge> edges;
  const auto n = events.size();
  for (std::size_t a = 0; a < n; ++a) {
    if (events[a].thread == initial_thread && switches.synthetic_first_action) continue;
    for (std::size_t b = 0; b < n; ++b)
      if (sw.has(a, b) && !in_program_order(events, a, b) && !between(hb, a, b))
        edges.push_back({static_cast<EventIndex>(a), static_cast<EventIndex>(b)});
  }
  return edges;
}

} // namespace

Action class_of(std::int32_t thread, Kinds kinds, std::uint32_t object, const Switches& switches) {
  const Kinds mask = identifying | (switches.mode_in_identity ? modes : 0);
  return Action{thread, kinds & mask, object, 0};
}

Parts::Parts(Kinds kinds) : parts_{kinds, 0} {
  constexpr Kinds update = graph::k_read | graph::k_write;
  if ((kinds & update) != update) return;
  count_ = 2;
  parts_ = {kinds & ~(graph::k_write | graph::k_release),
            kinds & ~(graph::k_read | graph::k_acquire)};
  for (auto& part : parts_)
    if ((part & modes) == 0) part |= graph::k_plain;
}

GraphSet::GraphSet(const ProgramPaths& paths, std::vector<RegisterPlace> observed,
                   const Switches& switches, const GraphLimits& limits)
    : paths_(&paths), observed_(std::move(observed)), switches_(switches), limits_(limits) {
  count_occurrences();
}

ActionIndex GraphSet::action_for(const Action& action) {
  const auto [at, fresh] =
      action_index_.try_emplace(action, static_cast<ActionIndex>(actions_.size()));
  if (fresh) actions_.push_back(action);
  if (actions_.size() >= no_action) throw LimitReached(Limit::events, "limit of actions");
  return at->second;
}

std::uint32_t GraphSet::skeleton_for(std::span<const std::uint32_t> paths) {
  std::vector<std::uint32_t> way(paths.begin(), paths.end());
  if (const auto known = skeleton_index_.find(way); known != skeleton_index_.end())
    return known->second;
  Skeleton skeleton;
  skeleton.paths = way;
  for (std::uint32_t l = 0; l < paths_->initial.size(); ++l)
    skeleton.events.push_back(Event{.location = litmus::LocationId{l}});
  for (std::size_t t = 0; t < paths.size(); ++t) {
    const auto& path = paths_->threads[t].paths[paths[t]];
    skeleton.complete = skeleton.complete && !path.stops;
    for (const auto& what : path.events)
      for (const auto kinds : parts_of(what.kinds))
        skeleton.events.push_back(Event{static_cast<std::int32_t>(t), kinds, what.location, &what});
  }
  label(skeleton);
  watch().demand_memory(skeleton.events.size() *
                        (sizeof(Event) + skeleton.labellings.size() * 2 * sizeof(EventIndex)));
  const auto index = static_cast<std::uint32_t>(skeletons_.size());
  skeletons_.push_back(std::move(skeleton));
  skeleton_index_.emplace(std::move(way), index);
  return index;
}

/// How often each action of a thread occurs at most: the atoms there are to be matched freely.
void GraphSet::count_occurrences() {
  for (std::size_t t = 0; t < paths_->threads.size(); ++t)
    for (const auto& path : paths_->threads[t].paths) {
      std::map<Action, std::uint32_t> here;
      for (const auto& what : path.events)
        for (const auto kinds : parts_of(what.kinds)) {
          const Event event{static_cast<std::int32_t>(t), kinds, what.location, &what};
          const auto action = class_of(event.thread, event.kinds, event.object(), switches_);
          auto& most = occurrences_[action];
          most = std::max(most, ++here[action]);
        }
    }
}

void GraphSet::label(Skeleton& skeleton) {
  std::map<Action, std::vector<EventIndex>> classes;
  Labelling first;
  for (std::size_t e = 0; e < skeleton.events.size(); ++e) {
    const Event& event = skeleton.events[e];
    Action action = class_of(event.thread, event.kinds, event.object(), switches_);
    auto& members = classes[action];
    action.occurrence = static_cast<std::uint32_t>(members.size());
    members.push_back(static_cast<EventIndex>(e));
    first.action_of.push_back(action_for(action));
  }
  skeleton.labellings.push_back(std::move(first));
  if (switches_.identity == Identity::free)
    for (const auto& [action, members] : classes)
      if (action.thread != initial_thread) relabel(skeleton, action, members);
  for (auto& labelling : skeleton.labellings) {
    labelling.event_of.assign(actions_.size(), no_event);
    for (std::size_t e = 0; e < skeleton.events.size(); ++e)
      labelling.event_of[labelling.action_of[e]] = static_cast<EventIndex>(e);
  }
}

/// Multiplies the labellings by all ways of naming `members` with occurrences of `action`.
void GraphSet::relabel(Skeleton& skeleton, Action action, const std::vector<EventIndex>& members) {
  std::vector<ActionIndex> atoms;
  const auto most = occurrences_[class_of(action.thread, action.kind, action.object, switches_)];
  for (action.occurrence = 0; action.occurrence < most; ++action.occurrence)
    atoms.push_back(action_for(action));
  auto& all = skeleton.labellings;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const std::size_t before = all.size();
    for (std::size_t i = 0; i < before; ++i)
      for (const auto atom : atoms) {
        // members from m on still have their first names: exchange keeps a labelling injective
        auto other = all[i];
        const auto mine = other.action_of[members[m]];
        if (atom == mine) continue;
        const auto taken = std::find_if(members.begin(), members.end(),
                                        [&](EventIndex e) { return other.action_of[e] == atom; });
        if (taken != members.end() && taken - members.begin() < static_cast<std::ptrdiff_t>(m))
          continue; // given to an earlier member
        if (taken != members.end()) other.action_of[*taken] = mine;
        other.action_of[members[m]] = atom;
        watch().demand(1 + members.size() / 8);
        all.push_back(std::move(other));
        if (all.size() > limits_.labellings) throw LimitReached(Limit::labellings);
      }
  }
}

void GraphSet::add(const GraphView& view) {
  watch().demand(1 + view.reads_from.size());
  const auto index = skeleton_for(view.paths);
  const Skeleton& skeleton = skeletons_[index];
  const auto& events = skeleton.events;
  if (const auto problem = ill_formed(view, events)) throw UnfitModel(view.model, *problem);
  if (graphs_.size() + undetermined_.size() >= limits_.graphs) throw LimitReached(Limit::graphs);

  Valuation valuation(*paths_, skeleton, view.reads_from);
  if (!valuation.settle()) return;
  const bool determined = valuation.stuck() == no_event;
  if (determined && !valuation.satisfied()) return;

  Graph graph;
  graph.skeleton = index;
  graph.shows = view.shows;
  graph.last.assign(view.last.begin(), view.last.end());
  graph.reads_from.assign(view.reads_from.begin(), view.reads_from.end());
  graph.rows.reserve(3 * events.size() * ((events.size() + 63) / 64));
  for (const auto& relation : {view.so, view.sw, view.hb})
    copy_rows(relation, events.size(), graph.rows);
  for (const auto e : indices(events.size()))
    if (events[e].reads() && !view.hb.has(graph.reads_from[e], e)) graph.racy.push_back(e);
  graph.justifying = justifying_edges(events, view.sw, view.hb, switches_);
  if (!graph.shows && is_shown_already(graph)) return;
  watch().demand_memory(sizeof graph + graph.rows.size() * sizeof(std::uint64_t) +
                        events.size() * (sizeof(Value) + sizeof(EventIndex)));
  if (determined) return finish(std::move(graph), valuation.assignment());
  undetermined_.push_back(std::move(graph));
  valuations_.emplace_back();
}

/// Whether an execution that shows a behaviour is the same.
bool GraphSet::is_shown_already(const Graph& graph) {
  const auto hash_of = [](const Graph& g) {
    std::uint64_t h = g.skeleton;
    const auto mix = [&h](std::uint64_t word) {
      h = (h ^ word) * 0x9fb21c651e98df25U;
      h ^= h >> 29;
    };
    for (const auto source : g.reads_from) mix(source);
    for (const auto word : g.rows) mix(word);
    return h;
  };
  for (; shown_up_to_ < graphs_.size(); ++shown_up_to_)
    if (graphs_[shown_up_to_].shows)
      shown_.emplace(hash_of(graphs_[shown_up_to_]), static_cast<std::uint32_t>(shown_up_to_));
  const auto [first, last] = shown_.equal_range(hash_of(graph));
  return std::any_of(first, last, [&](const auto& known) {
    const Graph& other = graphs_[known.second];
    return other.skeleton == graph.skeleton && other.reads_from == graph.reads_from &&
           other.rows == graph.rows;
  });
}

Value GraphSet::value_of(graph::TermId term, std::span<const Value> assignment) const {
  const auto value = paths_->terms.evaluate(term, assignment);
  THINAIR_CHECK(value.has_value(), "a value that divides by zero in a consistent execution");
  return *value;
}

void GraphSet::finish(Graph graph, std::span<const Value> assignment) {
  const Skeleton& skeleton = skeletons_[graph.skeleton];
  graph.written.reserve(skeleton.events.size());
  for (const auto& event : skeleton.events)
    graph.written.push_back(event.what == nullptr ? paths_->initial[event.location.value]
                            : event.writes()      ? value_of(event.what->written, assignment)
                                                  : 0);
  if (skeleton.complete && graph.shows) graph.behaviour = behaviour_of(graph, assignment);
  graphs_.push_back(std::move(graph));
}

std::uint32_t GraphSet::behaviour_of(const Graph& graph, std::span<const Value> assignment) {
  const Skeleton& skeleton = skeletons_[graph.skeleton];
  Behaviour behaviour;
  behaviour.reserve(observed_.size());
  for (const auto& [thread, reg, memory] : observed_) {
    if (memory) {
      behaviour.push_back(graph.written[graph.last.at(reg)]);
      continue;
    }
    const auto& path = paths_->threads[thread].paths[skeleton.paths[thread]];
    behaviour.push_back(value_of(path.final_registers[reg], assignment));
  }
  const auto [at, fresh] =
      behaviour_index_.try_emplace(behaviour, static_cast<std::uint32_t>(behaviours_.size()));
  if (fresh) behaviours_.push_back(std::move(behaviour));
  return at->second;
}

void GraphSet::races_of(const Graph& graph, std::set<Race>& races) const {
  const auto& labels = skeleton_of(graph).labellings.front();
  const auto name = [&](EventIndex e) {
    Action action = actions_[labels.action_of[e]];
    if (switches_.identity == Identity::free) action.occurrence = 0;
    return action;
  };
  for (const auto read : graph.racy) races.insert({name(read), name(graph.reads_from[read])});
}

bool GraphSet::determine(std::size_t index, std::span<const Value> assignment) {
  const Graph& graph = undetermined_[index];
  std::vector<Value> reads;
  for (const auto e : indices(graph.size()))
    if (graph.reads_from[e] != no_event)
      reads.push_back(assignment[skeleton_of(graph).events[e].what->read.value]);
  if (!valuations_[index].insert(std::move(reads)).second) return false;
  if (valuations_[index].size() > limits_.valuations) throw LimitReached(Limit::values);
  finish(graph, assignment);
  return true;
}

bool in_order(const Graph& graph, const Skeleton& skeleton) {
  const auto n = graph.size();
  const auto comes_before = [&](EventIndex a, EventIndex b) {
    return a != b && (graph.hb().has(a, b) || graph.reads_from[b] == a ||
                      in_program_order(skeleton.events, a, b));
  };
  std::vector<char> gone(n, 0);
  for (std::size_t left = n; left > 0;) {
    const auto before = left;
    for (const auto b : indices(n)) {
      if (gone[b]) continue;
      const bool first = std::ranges::none_of(
          indices(n), [&](EventIndex a) { return !gone[a] && comes_before(a, b); });
      if (!first) continue;
      gone[b] = 1;
      --left;
    }
    if (left == before) return false;
  }
  return true;
}

ActionIndex write_name(const GraphSet& set, const Graph& graph, EventIndex event,
                       Identity identity) {
  const auto& labelling = set.skeleton_of(graph).labellings.front();
  if (identity == Identity::index) return labelling.action_of[event];
  // occurrence 0 of the class has the smallest number: it was met first
  const Action& action = set.actions()[labelling.action_of[event]];
  for (const auto a : indices(set.actions().size())) {
    Action other = set.actions()[a];
    other.occurrence = action.occurrence;
    if (other == action) return a;
  }
  return no_action;
}

} // namespace thinair::causality
