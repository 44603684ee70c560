// The fixpoint over consistent executions.
#include "oracle/causality/jpr.h"

#include "oracle/causality/valuation.h"

#include <algorithm>

namespace thinair::causality {

WriteSet::WriteSet(GraphSet& set, Identity identity)
    : set_(set), identity_(identity), values_(set.actions().size()) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < set_.graphs().size(); ++i) {
      set_.watch().demand(1 + set_.graphs()[i].size() / 4);
      changed = learn(set_.graphs()[i]) || changed;
    }
    for (std::size_t i = 0; i < set_.undetermined().size(); ++i) changed = determine(i) || changed;
  }
}

bool WriteSet::contains(const Graph& graph, EventIndex write) const {
  const auto name = write_name(set_, graph, write, identity_);
  return values_[name].contains(graph.written[write]);
}

bool WriteSet::admits(const Graph& graph) const {
  for (EventIndex e = 0; e < graph.size(); ++e)
    if (graph.reads_from[e] != no_event && !contains(graph, graph.reads_from[e])) return false;
  return true;
}

bool WriteSet::has(Value value) const {
  return std::ranges::any_of(values_, [&](const auto& some) { return some.contains(value); });
}

std::vector<EventIndex> WriteSet::without_origin(const Graph& graph) const {
  std::set<EventIndex> writes;
  for (const auto write : graph.reads_from)
    if (write != no_event && !contains(graph, write)) writes.insert(write);
  return {writes.begin(), writes.end()};
}

/// Adds each write of whose thread all earlier reads see known writes.
bool WriteSet::learn(const Graph& graph) {
  const auto& events = set_.skeleton_of(graph).events;
  bool changed = false, reads_known = true;
  for (EventIndex e = 0; e < events.size(); ++e) {
    const bool first = e == 0 || events[e].thread != events[e - 1].thread;
    if (first) reads_known = true;
    if (events[e].reads()) reads_known = reads_known && contains(graph, graph.reads_from[e]);
    if (!events[e].writes() || !reads_known) continue;
    const auto name = write_name(set_, graph, e, identity_);
    if (!values_[name].insert(graph.written[e]).second) continue;
    ++size_;
    changed = true;
  }
  return changed;
}

/// Tries the known values in the cycles of an undetermined execution.
bool WriteSet::determine(std::size_t index) {
  return guess(set_, index, [&](const Graph& graph, EventIndex read) -> const std::set<Value>& {
    return values_[write_name(set_, graph, graph.reads_from[read], identity_)];
  });
}

bool guess(GraphSet& set, std::size_t index, const Guesses& values_of) {
  const Graph graph = set.undetermined()[index];
  const Skeleton& skeleton = set.skeleton_of(graph);
  std::vector<Valuation> todo{Valuation(set.paths(), skeleton, graph.reads_from)};
  bool changed = false;
  while (!todo.empty()) {
    set.watch().demand(1 + graph.size());
    auto valuation = std::move(todo.back());
    todo.pop_back();
    if (!valuation.settle()) continue;
    const auto read = valuation.stuck();
    if (read == no_event) {
      if (valuation.satisfied()) changed = set.determine(index, valuation.assignment()) || changed;
      continue;
    }
    for (const auto value : values_of(graph, read)) {
      todo.push_back(valuation);
      todo.back().assume(read, value);
    }
  }
  return changed;
}

} // namespace thinair::causality
