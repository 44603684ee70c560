// Rules as masks.
#include "oracle/causality/projection.h"

#include <algorithm>
#include <bit>

namespace thinair::causality {
namespace {

Mask bit_of(std::size_t local) { return Mask{1} << local; }

/// The local events that event `i` comes before.
Mask local_row(const RowsView& order, const std::vector<EventIndex>& events, std::size_t i) {
  Mask row = 0;
  if (events[i] == no_event) return row;
  for (std::size_t j = 0; j < events.size(); ++j)
    if (i != j && events[j] != no_event && order.has(events[i], events[j])) row |= bit_of(j);
  return row;
}

/// One execution beside the target.
class Comparison {
 public:
  Comparison(const GraphSet& set, const Graph& graph, const Labelling& labelling,
             const LocalTarget& target, const Rules& rules, const Switches& switches,
             std::vector<EventIndex>& here)
      : graph_(graph), events_(set.skeleton_of(graph).events), labelling_(labelling),
        target_(target), rules_(rules), switches_(switches), here_(here) {
    here_.clear();
    for (const auto action : target.actions) here_.push_back(labelling.event(action));
  }

  bool run(Projection& p) {
    if (!find_races(p)) return false;
    p.conflicts.assign(target_.size(), 0);
    p.write_seen.assign(target_.size(), 0);
    for (std::size_t i = 0; i < target_.size(); ++i) compare_event(i, p);
    if (rules_.has(Rule::happens_before)) compare(graph_.hb(), target_.hb, p);
    if (rules_.has(Rule::synchronization)) compare(graph_.so(), target_.so, p);
    if (rules_.has(Rule::synchronizes_with)) compare_edges(p);
    if (rules_.has(Rule::external_first)) find_externals(p);
    return true;
  }

 private:
  /// Local number of an event of this execution, or -1.
  std::int32_t local(EventIndex here) const {
    const auto there = target_.labelling().event(labelling_.action_of[here]);
    return there == no_event ? -1 : target_.local_of[there];
  }

  bool find_races(Projection& p) {
    if (!rules_.has(Rule::well_behaved)) return true;
    for (const auto read : graph_.racy) {
      const auto at = local(read);
      if (at < 0) return false;
      p.racy |= bit_of(static_cast<std::size_t>(at));
      if (rules_.has(Rule::reads_from) && !sees_the_same(static_cast<std::size_t>(at)))
        return false;
    }
    return true;
  }

  bool sees_the_same(std::size_t i) const {
    const auto here = graph_.reads_from[here_[i]];
    const auto there = target_.graph->reads_from[target_.events[i]];
    return labelling_.action_of[here] == target_.labelling().action_of[there];
  }

  void compare_event(std::size_t i, Projection& p) {
    const auto here = here_[i], there = target_.events[i];
    if (here == no_event) {
      // rule 2 implies rule 1: initial writes happen before whatever occurs
      if (!rules_.has(Rule::occurrence) && !rules_.has(Rule::happens_before)) {
        p.usable |= bit_of(i);
        p.same_rf |= bit_of(i);
      }
      return;
    }
    const bool agrees = !events_[here].writes() || !rules_.has(Rule::values) ||
                        graph_.written[here] == target_.graph->written[there];
    if (agrees) p.usable |= bit_of(i);
    if (!events_[here].reads()) return;
    if (sees_the_same(i) || !rules_.has(Rule::reads_from)) p.same_rf |= bit_of(i);
    if (rules_.has(Rule::read_happens_before) && !read_orders_agree(i)) p.usable &= ~bit_of(i);
    if (rules_.has(Rule::stage_write_first)) need_stage_write(i, p);
  }

  /// hb[W r, r] as in the target, not hb[r, W r], for the write W r that the target's r sees.
  bool read_orders_agree(std::size_t i) const {
    const auto read = here_[i], read_there = target_.events[i];
    const auto write_there = target_.graph->reads_from[read_there];
    const auto write = labelling_.event(target_.labelling().action_of[write_there]);
    const bool before = write != no_event && graph_.hb().has(write, read);
    const bool after = write != no_event && write != read && graph_.hb().has(read, write);
    return before == target_.graph->hb().has(write_there, read_there) && !after;
  }

  void need_stage_write(std::size_t i, Projection& p) {
    const auto write = graph_.reads_from[here_[i]];
    if (events_[write].thread == initial_thread) return;
    const auto at = local(write);
    if (at < 0) {
      p.never |= bit_of(i);
    } else {
      p.write_seen[i] = bit_of(static_cast<std::size_t>(at));
    }
  }

  /// Pairs of events that this execution orders otherwise than the target.
  void compare(const RowsView& order, const std::vector<Mask>& theirs, Projection& p) {
    for (std::size_t i = 0; i < target_.size(); ++i) {
      const Mask differing = local_row(order, here_, i) ^ theirs[i];
      p.conflicts[i] |= differing;
      for (Mask rest = differing; rest != 0; rest &= rest - 1)
        p.conflicts[static_cast<std::size_t>(std::countr_zero(rest))] |= bit_of(i);
    }
  }

  /// What the target lacks cannot be committed, nor what happens after it here.
  void find_externals(Projection& p) {
    for (const auto x : indices(events_.size())) {
      if ((events_[x].kinds & graph::k_external) == 0) continue;
      if (p.externals.empty()) p.externals.assign(target_.size(), 0);
      const auto at = local(x);
      const Mask later = after(x);
      if (at < 0) p.usable &= ~later;
      for (std::size_t i = 0; i < target_.size(); ++i)
        if (at >= 0 && (later & bit_of(i)) != 0)
          p.externals[i] |= bit_of(static_cast<std::size_t>(at));
    }
  }

  void compare_edges(Projection& p) {
    p.triggers.assign(target_.edges.size(), 0);
    for (std::size_t k = 0; k < target_.edges.size(); ++k) {
      const auto from = labelling_.event(target_.edges[k].first);
      const auto to = labelling_.event(target_.edges[k].second);
      if (from != no_event && to != no_event && graph_.sw().has(from, to)) p.edges |= bit_of(k);
    }
    for (const auto& edge : graph_.justifying) {
      const std::pair name{labelling_.action_of[edge.from], labelling_.action_of[edge.to]};
      const auto at = std::find(target_.edges.begin(), target_.edges.end(), name);
      if (at != target_.edges.end()) {
        p.triggers[static_cast<std::size_t>(at - target_.edges.begin())] |= after(edge.to);
      } else if (switches_.rule8 == Rule8::stage) {
        p.usable &= ~after(edge.to);
      }
    }
  }

  Mask after(EventIndex y) const {
    Mask all = 0;
    for (std::size_t i = 0; i < target_.size(); ++i)
      if (here_[i] != no_event && (here_[i] == y || graph_.hb().has(y, here_[i]))) all |= bit_of(i);
    return all;
  }

  const Graph& graph_;
  const std::vector<Event>& events_;
  const Labelling& labelling_;
  const LocalTarget& target_;
  const Rules& rules_;
  const Switches& switches_;
  std::vector<EventIndex>& here_; // local number to event of this execution
};

} // namespace

std::vector<Mask> local_order(const RowsView& order, const std::vector<EventIndex>& events) {
  std::vector<Mask> all;
  for (std::size_t i = 0; i < events.size(); ++i) all.push_back(local_row(order, events, i));
  return all;
}

const Projection* Projector::operator()(std::uint32_t graph, std::uint32_t labelling) {
  const Graph& g = set_.graphs()[graph];
  projection_.clear();
  projection_.graph = graph;
  projection_.labelling = labelling;
  Comparison comparison(set_, g, set_.skeleton_of(g).labellings[labelling], target_, rules_,
                        switches_, here_);
  return comparison.run(projection_) ? &projection_ : nullptr;
}

void Projection::clear() {
  usable = same_rf = racy = never = edges = 0;
  for (auto* masks : {&conflicts, &write_seen, &externals, &triggers}) masks->clear();
}

bool same_meaning(const Projection& a, const Projection& b) {
  return a.usable == b.usable && a.same_rf == b.same_rf && a.racy == b.racy && a.never == b.never &&
         a.conflicts == b.conflicts && a.write_seen == b.write_seen && a.externals == b.externals &&
         a.edges == b.edges && a.triggers == b.triggers;
}

std::uint64_t hash_of(const Projection& p) {
  std::uint64_t h = 0;
  const auto mix = [&h](Mask m) { h = (h ^ m) * 0x9fb21c651e98df25U + (h >> 31); };
  for (const auto m : {p.usable, p.same_rf, p.racy, p.never, p.edges}) mix(m);
  for (const auto* masks : {&p.conflicts, &p.write_seen, &p.externals, &p.triggers})
    for (const auto m : *masks) mix(m);
  return h;
}

} // namespace thinair::causality
