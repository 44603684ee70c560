// Depth-first search over committed sets, with the target's stages projected onto them.
#include "oracle/causality/justify.h"

#include "litmus/text/error.h"
#include "oracle/causality/projection.h"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

namespace thinair::causality {
namespace {

constexpr std::uint32_t no_node = ~std::uint32_t{0};
constexpr std::size_t most_local = 64;
constexpr std::size_t bytes_a_node = 128; // of memory, with its place in the tables

Mask bit(std::size_t local) { return Mask{1} << local; }

/// A committed set, the sw edges that must stay, and how it was reached.
struct Node {
  Mask committed = 0, edges = 0;
  std::uint32_t parent = no_node;
  std::uint32_t projection = 0;
};

/// An execution under one naming of its events.
struct Candidate {
  std::uint32_t graph = 0, labelling = 0;
};

/// A read and a write, in one word.
using RaceName = std::uint32_t;

std::vector<RaceName> races_of(const Graph& graph, const Labelling& labelling) {
  std::vector<RaceName> all;
  for (const auto read : graph.racy)
    all.push_back(RaceName{labelling.action_of[read]} << 16U |
                  labelling.action_of[graph.reads_from[read]]);
  std::ranges::sort(all);
  return all;
}

/// Executions by their races: a stage has none that the target lacks.
class Candidates {
 public:
  explicit Candidates(const GraphSet& set) {
    for (std::uint32_t g = 0; g < set.graphs().size(); ++g) {
      set.watch().demand();
      const Graph& graph = set.graphs()[g];
      const auto& labellings = set.skeleton_of(graph).labellings;
      for (std::uint32_t i = 0; i < labellings.size(); ++i) {
        by_races_[races_of(graph, labellings[i])].push_back(
            static_cast<std::uint32_t>(all_.size()));
        all_.push_back({g, i});
      }
    }
  }

  const std::vector<Candidate>& all() const { return all_; }

  /// Those with no other races, in their order.
  std::vector<Candidate> within(const std::vector<RaceName>& races, Watch& watch) const {
    std::vector<std::uint32_t> found;
    const auto add = [&](const std::vector<std::uint32_t>& some) {
      found.insert(found.end(), some.begin(), some.end());
    };
    if (races.size() < 20 && (std::size_t{1} << races.size()) < by_races_.size()) {
      std::vector<RaceName> some;
      for (std::uint32_t subset = 0; subset < 1U << races.size(); ++subset) {
        watch.demand();
        some.clear();
        for (std::size_t i = 0; i < races.size(); ++i)
          if ((subset >> i & 1U) != 0) some.push_back(races[i]);
        if (const auto at = by_races_.find(some); at != by_races_.end()) add(at->second);
      }
    } else {
      for (const auto& [theirs, some] : by_races_) {
        watch.demand();
        if (std::ranges::includes(races, theirs)) add(some);
      }
    }
    std::ranges::sort(found);
    std::vector<Candidate> out;
    watch.demand(found.size() / 16);
    for (const auto i : found) out.push_back(all_[i]);
    return out;
  }

 private:
  std::vector<Candidate> all_;
  std::map<std::vector<RaceName>, std::vector<std::uint32_t>> by_races_; // indices of all_
};

/// Which events of a target the search commits.
std::vector<EventIndex> local_events(const Graph& graph, const Skeleton& skeleton,
                                     const Rules& rules, bool commit_all) {
  const auto& events = skeleton.events;
  std::vector<char> chosen(events.size(), 0);
  if (commit_all || !races_suffice(rules)) {
    for (std::size_t e = 0; e < events.size(); ++e)
      if (events[e].thread != initial_thread && (events[e].kinds & graph::k_external) == 0)
        chosen[e] = 1;
  }
  if (rules.has(Rule::external_first))
    for (std::size_t e = 0; e < events.size(); ++e)
      if ((events[e].kinds & graph::k_external) != 0) chosen[e] = 1;
  for (const auto read : graph.racy) chosen[read] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    const auto choose = [&](std::size_t e) {
      if (chosen[e] || events[e].thread == initial_thread) return;
      chosen[e] = 1;
      changed = true;
    };
    for (std::size_t r = 0; r < events.size(); ++r) {
      if (!chosen[r] || !events[r].reads()) continue;
      choose(graph.reads_from[r]);
      if (!rules.has(Rule::stage_write_first)) continue;
      for (std::size_t w = 0; w < events.size(); ++w)
        if (events[w].writes() && events[w].location == events[r].location) choose(w);
    }
  }
  std::vector<EventIndex> local;
  for (std::size_t e = 0; e < events.size(); ++e)
    if (chosen[e]) local.push_back(static_cast<EventIndex>(e));
  return local;
}

LocalTarget local_target(const GraphSet& set, std::uint32_t index, const Rules& rules,
                         bool commit_all) {
  LocalTarget t;
  t.graph = &set.graphs()[index];
  t.skeleton = &set.skeleton_of(*t.graph);
  t.events = local_events(*t.graph, *t.skeleton, rules, commit_all);
  if (t.events.size() > most_local)
    throw LimitReached(Limit::events, "limit of 64 racing accesses in one execution");
  t.local_of.assign(t.graph->size(), -1);
  const auto& labels = t.labelling();
  for (std::size_t i = 0; i < t.events.size(); ++i) {
    t.local_of[t.events[i]] = static_cast<std::int32_t>(i);
    t.actions.push_back(labels.action_of[t.events[i]]);
    if (t.skeleton->events[t.events[i]].reads()) t.reads |= bit(i);
  }
  for (const auto e : t.events) {
    const auto write = t.graph->reads_from[e];
    const bool local = write != no_event && t.local_of[write] >= 0;
    t.write_seen.push_back(local ? bit(static_cast<std::size_t>(t.local_of[write])) : 0);
  }
  t.hb = local_order(t.graph->hb(), t.events);
  t.so = local_order(t.graph->so(), t.events);
  for (const auto read : t.graph->racy) t.goal |= bit(static_cast<std::size_t>(t.local_of[read]));
  for (const auto a : indices(t.graph->size()))
    for (const auto b : indices(t.graph->size()))
      if (t.graph->sw().has(a, b)) t.edges.emplace_back(labels.action_of[a], labels.action_of[b]);
  if (rules.has(Rule::synchronizes_with) && t.edges.size() > most_local)
    throw LimitReached(Limit::events, "limit of 64 synchronizes-with edges in one execution");
  return t;
}

/// The search for one target.
class Search {
 public:
  Search(const GraphSet& set, const std::vector<Candidate>& candidates, const Rules& rules,
         const Switches& switches, const SearchLimits& limits, SearchStatistics& statistics,
         std::uint32_t target)
      : set_(set), watch_(set.watch()), rules_(rules), switches_(switches), limits_(limits),
        statistics_(statistics), target_index_(target),
        target_(local_target(set, target, rules, limits.commit_all)) {
    collect(candidates);
  }

  Answer run() {
    push({});
    while (!stack_.empty()) {
      watch_.demand(1 + projections_.size() / 16);
      const auto at = stack_.back();
      stack_.pop_back();
      if ((target_.goal & ~nodes_[at].committed) == 0) {
        found_ = at;
        return Answer::allowed;
      }
      if (nodes_.size() > limits_.states) return Answer::unknown;
      for (std::uint32_t p = 0; p < projections_.size(); ++p) expand(at, p);
    }
    return Answer::forbidden;
  }

  Justification evidence() const;
  Furthest furthest() const;

 private:
  std::vector<std::uint32_t> path_to(std::uint32_t node) const;
  std::vector<Stage> stages_on(const std::vector<std::uint32_t>& path,
                               std::vector<char>& committed) const;
  void collect(const std::vector<Candidate>& candidates);
  void push(const Node& node);
  bool serves(const Projection& p, const Node& node) const;
  Mask additions(const Projection& p, Mask committed) const;
  void expand(std::uint32_t at, std::uint32_t projection);
  static bool commit_externals(const Projection& p, Mask& committed);
  void reach(std::uint32_t from, std::uint32_t projection, Mask committed);
  void finish(Justification& j, std::vector<char> committed) const;

  const GraphSet& set_;
  Watch& watch_;
  const Rules& rules_;
  const Switches& switches_;
  const SearchLimits& limits_;
  SearchStatistics& statistics_;
  std::uint32_t target_index_;
  LocalTarget target_;
  std::vector<Projection> projections_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> stack_;
  std::unordered_map<Mask, std::vector<Mask>> visited_; // committed to sets of lasting edges
  std::uint32_t found_ = no_node;
};

void Search::collect(const std::vector<Candidate>& candidates) {
  std::unordered_multimap<std::uint64_t, std::uint32_t> known;
  Projector project(set_, target_, rules_, switches_);
  for (const auto& candidate : candidates) {
    watch_.demand(1 + target_.size() / 4);
    ++statistics_.projections;
    const auto* p = project(candidate.graph, candidate.labelling);
    if (p == nullptr || p->usable == 0) continue;
    const auto hash = hash_of(*p);
    const auto [first, last] = known.equal_range(hash);
    if (std::any_of(first, last,
                    [&](const auto& k) { return same_meaning(projections_[k.second], *p); }))
      continue;
    known.emplace(hash, static_cast<std::uint32_t>(projections_.size()));
    projections_.push_back(*p);
    watch_.demand_memory(sizeof *p + 2 * target_.size() * sizeof(Mask));
  }
}

void Search::push(const Node& node) {
  auto& edge_sets = visited_[node.committed];
  for (const auto edges : edge_sets)
    if ((edges & ~node.edges) == 0) return; // been here with no more demands
  edge_sets.push_back(node.edges);
  stack_.push_back(static_cast<std::uint32_t>(nodes_.size()));
  nodes_.push_back(node);
  watch_.demand_memory(bytes_a_node);
  ++statistics_.states;
}

/// Whether the execution can be the stage after this node, whatever it commits.
bool Search::serves(const Projection& p, const Node& node) const {
  const Mask c = node.committed;
  if ((c & ~p.usable) != 0 || (p.racy & ~c) != 0) return false;
  if ((c & target_.reads & ~p.same_rf) != 0 || (node.edges & ~p.edges) != 0) return false;
  for (Mask rest = c; rest != 0; rest &= rest - 1)
    if ((p.conflicts[static_cast<std::size_t>(std::countr_zero(rest))] & c) != 0) return false;
  return true;
}

/// Events that may be committed with this stage, each by itself.
Mask Search::additions(const Projection& p, Mask committed) const {
  Mask all = 0;
  for (Mask rest = p.usable & ~committed; rest != 0; rest &= rest - 1) {
    const auto e = static_cast<std::size_t>(std::countr_zero(rest));
    if ((p.conflicts[e] & committed) != 0) continue;
    if ((target_.reads & bit(e)) != 0) {
      const bool target_first = rules_.has(Rule::target_write_first);
      if (target_first && (target_.write_seen[e] & ~committed) != 0) continue;
      if ((p.never & bit(e)) != 0 || (p.write_seen[e] & ~committed) != 0) continue;
    }
    all |= bit(e);
  }
  return all;
}

/// Commits single events, and sets of reads that will see another write from now on: after one of
/// them is committed, this execution is no stage any more, so that these may have to go together.
/// All other sets are reached one by one with the same stage.
void Search::expand(std::uint32_t at, std::uint32_t projection) {
  const Projection& p = projections_[projection];
  if (!serves(p, nodes_[at])) return;
  const Mask committed = nodes_[at].committed;
  const Mask all = additions(p, committed);
  const Mask changing = all & target_.reads & ~p.same_rf;
  for (Mask rest = all & ~target_.reads; rest != 0; rest &= rest - 1)
    reach(at, projection, committed | (rest & -rest));
  for (Mask rest = all & target_.reads; rest != 0; rest &= rest - 1)
    reach(at, projection, committed | (rest & -rest));
  if (std::popcount(changing) < 2) return;
  for (Mask some = changing; some != 0; some = (some - 1) & changing) {
    watch_.demand();
    if (std::popcount(some) < 2) continue;
    Mask conflicting = 0;
    for (Mask rest = some; rest != 0; rest &= rest - 1)
      conflicting |= p.conflicts[static_cast<std::size_t>(std::countr_zero(rest))];
    if ((conflicting & some) == 0) reach(at, projection, committed | some);
    if (nodes_.size() > limits_.states) return;
  }
}

/// Adds the external actions that happen before what is committed (rule 9). False: one cannot be.
bool Search::commit_externals(const Projection& p, Mask& committed) {
  Mask needed = 0;
  for (Mask rest = committed; rest != 0; rest &= rest - 1)
    needed |= p.externals[static_cast<std::size_t>(std::countr_zero(rest))];
  committed |= needed;
  if ((needed & ~p.usable) != 0) return false;
  for (Mask rest = needed; rest != 0; rest &= rest - 1)
    if ((p.conflicts[static_cast<std::size_t>(std::countr_zero(rest))] & committed) != 0)
      return false;
  return true;
}

void Search::reach(std::uint32_t from, std::uint32_t projection, Mask committed) {
  const Projection& p = projections_[projection];
  if (!p.externals.empty() && !commit_externals(p, committed)) return;
  Node node{committed, nodes_[from].edges, from, projection};
  for (std::size_t k = 0; k < p.triggers.size(); ++k)
    if ((p.triggers[k] & committed) != 0) node.edges |= bit(k);
  push(node);
}

std::vector<std::uint32_t> Search::path_to(std::uint32_t node) const {
  std::vector<std::uint32_t> path;
  for (auto at = node; at != no_node; at = nodes_[at].parent) path.push_back(at);
  std::reverse(path.begin(), path.end());
  return path;
}

Stage stage_of(std::uint32_t graph, std::uint32_t labelling, const std::vector<char>& committed) {
  Stage s{graph, labelling, {}};
  for (std::size_t a = 0; a < committed.size(); ++a)
    if (committed[a]) s.committed.push_back(static_cast<ActionIndex>(a));
  return s;
}

/// Those of the search, after one with the initial writes alone. `committed` is what they commit.
std::vector<Stage> Search::stages_on(const std::vector<std::uint32_t>& path,
                                     std::vector<char>& committed) const {
  committed.assign(set_.actions().size(), 0);
  for (std::size_t a = 0; a < committed.size(); ++a)
    committed[a] = set_.actions()[a].thread == initial_thread ? 1 : 0;
  std::vector<Stage> stages;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Node& node = nodes_[path[i]];
    const auto& p = projections_[node.projection];
    if (i == 1) stages.push_back(stage_of(p.graph, p.labelling, committed));
    for (std::size_t e = 0; e < target_.size(); ++e)
      if ((node.committed & bit(e)) != 0) committed[target_.actions[e]] = 1;
    stages.push_back(stage_of(p.graph, p.labelling, committed));
  }
  return stages;
}

Justification Search::evidence() const {
  std::vector<char> committed;
  Justification j{target_index_, stages_on(path_to(found_), committed)};
  if (j.stages.empty()) j.stages.push_back(stage_of(target_index_, 0, committed)); // no search
  finish(j, std::move(committed));
  return j;
}

Furthest Search::furthest() const {
  const auto most = std::ranges::max_element(
      nodes_, {}, [](const Node& node) { return std::popcount(node.committed); });
  THINAIR_CHECK(most != nodes_.end(), "how far a search gets that was not made");
  std::vector<char> committed;
  Furthest out;
  out.stages = stages_on(path_to(static_cast<std::uint32_t>(most - nodes_.begin())), committed);
  if (out.stages.empty())
    for (const auto& p : projections_)
      if (p.racy == 0) {
        out.stages.push_back(stage_of(p.graph, p.labelling, committed));
        break;
      }
  for (std::size_t e = 0; e < target_.size(); ++e)
    if ((most->committed & bit(e)) == 0) out.left.push_back(target_.actions[e]);
  return out;
}

/// With the target as the stage: writes and fences, then reads after the writes they see, external
/// actions before or after these; where none is left, the target all the same.
void Search::finish(Justification& j, std::vector<char> committed) const {
  const auto& events = target_.skeleton->events;
  const auto& labels = target_.labelling();
  const auto external = [&](std::size_t e) { return (events[e].kinds & graph::k_external) != 0; };
  const auto round = [&](auto&& ready) {
    auto next = committed;
    for (std::size_t e = 0; e < events.size(); ++e)
      if (!committed[labels.action_of[e]] && ready(e)) next[labels.action_of[e]] = 1;
    if (next == committed) return false;
    committed = std::move(next);
    j.stages.push_back(stage_of(target_index_, 0, committed));
    return true;
  };
  if (rules_.has(Rule::external_first)) round(external);
  round([&](std::size_t e) { return !events[e].reads() && !external(e); });
  while (round([&](std::size_t e) {
    return events[e].reads() && committed[labels.action_of[target_.graph->reads_from[e]]] != 0;
  })) {
  }
  round(external);
  if (j.stages.back().graph == target_index_) return;
  j.stages.push_back({target_index_, 0, j.stages.back().committed});
}

} // namespace

bool races_suffice(const Rules& rules) {
  const bool orders_persist =
      rules.has(Rule::happens_before) || rules.has(Rule::read_happens_before);
  return orders_persist && rules.has(Rule::reads_from) && rules.has(Rule::well_behaved) &&
         rules.has(Rule::target_write_first);
}

struct Justifier::State {
  State(const GraphSet& s, const Rules& r, const Switches& w, const SearchLimits& l)
      : set(s), rules(r), switches(w), limits(l), candidates(s) {}

  std::unique_ptr<Search> search_for(std::uint32_t target, const std::vector<Candidate>& among) {
    return std::make_unique<Search>(set, among, rules, switches, limits, statistics, target);
  }

  /// Whether a stage has no races that the target lacks.
  bool races_tell() const { return rules.has(Rule::well_behaved) && rules.has(Rule::reads_from); }

  /// What may be a stage on the way to a target.
  std::vector<Candidate> stages(std::uint32_t target) const {
    if (!races_tell()) return candidates.all();
    const Graph& graph = set.graphs()[target];
    return candidates.within(races_of(graph, set.skeleton_of(graph).labellings.front()),
                             set.watch());
  }

  Answer search(std::uint32_t target, const std::vector<Candidate>& among) {
    last = search_for(target, among);
    return last->run();
  }

  const GraphSet& set;
  Rules rules;
  Switches switches;
  SearchLimits limits;
  SearchStatistics statistics;
  Candidates candidates;
  std::unique_ptr<Search> last; // null: the last target needed no search
  std::uint32_t last_target = 0;
};

Justifier::Justifier(const GraphSet& set, const Rules& rules, const Switches& switches,
                     const SearchLimits& limits)
    : state_(std::make_unique<State>(set, rules, switches, limits)) {}

Justifier::~Justifier() = default;

const SearchStatistics& Justifier::statistics() const { return state_->statistics; }

Answer Justifier::justify(std::uint32_t target) {
  auto& s = *state_;
  s.set.watch().demand(1 + s.set.graphs()[target].size());
  ++s.statistics.targets;
  s.last_target = target;
  s.last.reset();
  const Graph& graph = s.set.graphs()[target];
  if (!s.rules.has(Rule::well_behaved) || graph.racy.empty()) return Answer::allowed;
  if (s.rules.has(Rule::in_order) && in_order(graph, s.set.skeleton_of(graph)))
    return Answer::allowed;
  ++s.statistics.searches;
  // Most that are justified are so by well-behaved executions alone, of which there are few.
  if (s.races_tell() && s.search(target, s.candidates.within({}, s.set.watch())) == Answer::allowed)
    return Answer::allowed;
  return s.search(target, s.stages(target));
}

Justification Justifier::evidence() const {
  auto& s = *state_;
  return s.last ? s.last->evidence() : s.search_for(s.last_target, {})->evidence();
}

Furthest Justifier::furthest() const {
  THINAIR_CHECK(state_->last != nullptr, "how far a target gets that needed no search");
  return state_->last->furthest();
}

} // namespace thinair::causality
