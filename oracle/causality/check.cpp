// The rules, transcribed.
#include "oracle/causality/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace thinair::causality {
namespace {

using Actions = std::set<ActionIndex>;
using Pairs = std::set<std::pair<ActionIndex, ActionIndex>>;

/// An execution in terms of actions.
struct Execution {
  Actions all, reads, external, initial;
  std::map<ActionIndex, Value> written;
  std::map<ActionIndex, ActionIndex> sees;
  Pairs po, so, sw, hb; // hb without the diagonal
};

Execution described(const GraphSet& set, std::uint32_t index, std::uint32_t labelling) {
  const Graph& g = set.graphs().at(index);
  const auto& events = set.skeleton_of(g).events;
  const auto& name = set.skeleton_of(g).labellings.at(labelling).action_of;
  Execution x;
  for (std::size_t a = 0; a < events.size(); ++a) {
    x.all.insert(name[a]);
    if (events[a].thread == initial_thread) x.initial.insert(name[a]);
    if ((events[a].kinds & graph::k_external) != 0) x.external.insert(name[a]);
    if (events[a].writes()) x.written[name[a]] = g.written[a];
    if (events[a].reads()) {
      x.reads.insert(name[a]);
      x.sees[name[a]] = name[g.reads_from[a]];
    }
    for (std::size_t b = 0; b < events.size(); ++b) {
      if (a == b) continue;
      const std::pair edge{name[a], name[b]};
      if (events[a].thread == events[b].thread && a < b && !x.initial.contains(name[a]))
        x.po.insert(edge);
      if (g.so().has(a, b)) x.so.insert(edge);
      if (g.sw().has(a, b)) x.sw.insert(edge);
      if (g.hb().has(a, b)) x.hb.insert(edge);
    }
  }
  return x;
}

Pairs restricted(const Pairs& relation, const Actions& to) {
  Pairs rest;
  for (const auto& [a, b] : relation)
    if (to.contains(a) && to.contains(b)) rest.emplace(a, b);
  return rest;
}

bool subset(const Actions& inner, const Actions& outer) {
  return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
}

/// Rule 8's edges: synchronizes-with in the transitive reduction of happens-before, outside program
/// order.
Pairs justifying(const Execution& x, const Switches& switches) {
  Pairs all;
  for (const auto& [a, b] : x.sw) {
    if (x.po.contains({a, b})) continue;
    if (x.initial.contains(a) && switches.synthetic_first_action) continue;
    const bool direct = std::none_of(x.all.begin(), x.all.end(), [&, from = a, to = b](auto z) {
      return x.hb.contains({from, z}) && x.hb.contains({z, to});
    });
    if (direct) all.emplace(a, b);
  }
  return all;
}

/// Some order of all actions agrees with program order, what is read from what, and happens-before:
/// takes away what nothing is left before, again and again.
bool has_an_order(const Execution& x) {
  Pairs edges = x.po;
  edges.insert(x.hb.begin(), x.hb.end());
  for (const auto& [read, write] : x.sees) edges.emplace(write, read);
  Actions left = x.all;
  for (bool changed = true; changed;) {
    changed = false;
    Actions held;
    for (const auto& [a, b] : edges)
      if (left.contains(a)) held.insert(b);
    changed = std::erase_if(left, [&](ActionIndex a) { return !held.contains(a); }) > 0;
  }
  return left.empty();
}

/// The stages of a justification, or of the beginning of one.
class Checker {
 public:
  Checker(const GraphSet& set, const Justification& j, const Rules& rules, const Switches& switches)
      : rules_(rules), switches_(switches), target_(described(set, j.target, 0)),
        ends_with_target_(!j.stages.empty() && j.stages.back().graph == j.target &&
                          j.stages.back().labelling == 0) {
    for (const auto& stage : j.stages) {
      alone_ = alone_ && stage.graph == j.target && stage.labelling == 0;
      stages_.push_back(described(set, stage.graph, stage.labelling));
      committed_.emplace_back(stage.committed.begin(), stage.committed.end());
    }
  }

  std::optional<std::string> run() {
    if (stages_.empty() || committed_.back() != target_.all)
      return "the last stage does not commit the whole target";
    if (!ends_with_target_) return "the last stage is not the target";
    if (committed_.front() != target_.initial) return "the first stage is not the initial writes";
    if (alone_ && rules_.has(Rule::in_order) && has_an_order(target_)) return std::nullopt;
    return on_the_way();
  }

  std::optional<std::string> on_the_way() const {
    for (std::size_t i = 0; i < stages_.size(); ++i)
      if (auto problem = stage(i)) return fmt::format("stage {}: {}", i + 1, *problem);
    return std::nullopt;
  }

  /// Rules that one more stage breaks.
  std::vector<Rule> broken_by(const Execution& next, const Actions& committed) {
    const Actions before = committed_.empty() ? Actions{} : committed_.back();
    auto all = broken(next, committed, before);
    stages_.push_back(next);
    committed_.push_back(committed);
    bool last = true;
    for (std::size_t i = 0; i < stages_.size(); ++i) last = last && edges_last(i);
    stages_.pop_back();
    committed_.pop_back();
    if (rules_.has(Rule::synchronizes_with) && !last) all.push_back(Rule::synchronizes_with);
    std::ranges::sort(all);
    return all;
  }

  Actions committed() const { return committed_.empty() ? target_.initial : committed_.back(); }

 private:
  std::optional<std::string> stage(std::size_t i) const {
    const Execution& g = stages_[i];
    const Actions& now = committed_[i];
    const Actions before = i == 0 ? Actions{} : committed_[i - 1];
    if (!subset(before, now)) return "committed actions are taken back";
    if (!subset(now, target_.all)) return "actions that the target lacks are committed";
    for (const auto rule : broken(g, now, before)) return std::string(info(rule).name);
    if (rules_.has(Rule::synchronizes_with) && !edges_last(i))
      return std::string(info(Rule::synchronizes_with).name);
    return std::nullopt;
  }

  std::vector<Rule> broken(const Execution& g, const Actions& now, const Actions& before) const {
    std::vector<Rule> all;
    const auto demand = [&](Rule rule, bool holds) {
      if (rules_.has(rule) && !holds) all.push_back(rule);
    };
    demand(Rule::occurrence, subset(now, g.all));
    demand(Rule::happens_before, restricted(g.hb, now) == restricted(target_.hb, now));
    demand(Rule::read_happens_before, read_orders_agree(g, now));
    demand(Rule::synchronization, restricted(g.so, now) == restricted(target_.so, now));
    demand(Rule::values, std::ranges::all_of(now, [&](ActionIndex a) {
             return !g.written.contains(a) || g.written.at(a) == target_.written.at(a);
           }));
    demand(Rule::reads_from, std::ranges::all_of(before, [&](ActionIndex a) {
             return !g.sees.contains(a) || g.sees.at(a) == target_.sees.at(a);
           }));
    demand(Rule::well_behaved, std::ranges::all_of(g.reads, [&](ActionIndex r) {
             return before.contains(r) || g.hb.contains({g.sees.at(r), r});
           }));
    demand(Rule::stage_write_first, writes_first(g, g, now, before));
    demand(Rule::target_write_first, writes_first(g, target_, now, before));
    demand(Rule::external_first, std::ranges::all_of(g.external, [&](ActionIndex x) {
             return now.contains(x) ||
                    std::ranges::none_of(now, [&](ActionIndex y) { return g.hb.contains({x, y}); });
           }));
    demand(Rule::external_last, std::ranges::all_of(g.external, [&](ActionIndex y) {
             return !now.contains(y) || std::ranges::all_of(g.all, [&](ActionIndex x) {
               return !target_.hb.contains({x, y}) || now.contains(x);
             });
           }));
    return all;
  }

  bool read_orders_agree(const Execution& g, const Actions& now) const {
    return std::ranges::all_of(now, [&](ActionIndex r) {
      if (!g.reads.contains(r)) return true;
      const auto w = target_.sees.at(r);
      return target_.hb.contains({w, r}) == g.hb.contains({w, r}) && !g.hb.contains({r, w});
    });
  }

  /// Reads committed now see, in `where`, a write committed before.
  static bool writes_first(const Execution& g, const Execution& where, const Actions& now,
                           const Actions& before) {
    return std::ranges::all_of(now, [&](ActionIndex r) {
      return before.contains(r) || !g.reads.contains(r) || before.contains(where.sees.at(r));
    });
  }

  /// Each edge that a committed action of stage i needs is in this and all later stages and the
  /// target.
  bool edges_last(std::size_t i) const {
    for (const auto& [x, y] : justifying(stages_[i], switches_)) {
      const bool needed = std::ranges::any_of(committed_[i], [&, to = y](ActionIndex z) {
        return z == to || stages_[i].hb.contains({to, z});
      });
      if (!needed) continue;
      if (switches_.rule8 == Rule8::target && !target_.sw.contains({x, y})) continue;
      if (!target_.sw.contains({x, y})) return false;
      for (std::size_t j = i; j < stages_.size(); ++j)
        if (!stages_[j].sw.contains({x, y})) return false;
    }
    return true;
  }

  Rules rules_;
  Switches switches_;
  Execution target_;
  bool ends_with_target_;
  bool alone_ = true; // every stage is the target
  std::vector<Execution> stages_;
  std::vector<Actions> committed_;
};

} // namespace

std::optional<std::string> violation(const GraphSet& set, const Justification& justification,
                                     const Rules& rules, const Switches& switches) {
  return Checker(set, justification, rules, switches).run();
}

std::optional<std::string> violation_on_the_way(const GraphSet& set, const Justification& stages,
                                                const Rules& rules, const Switches& switches) {
  return Checker(set, stages, rules, switches).on_the_way();
}

struct NextStage::State {
  const GraphSet& set;
  Checker checker;
};

NextStage::NextStage(const GraphSet& set, const Justification& stages, const Rules& rules,
                     const Switches& switches)
    : state_(std::make_unique<State>(State{set, Checker(set, stages, rules, switches)})) {}

NextStage::~NextStage() = default;

std::vector<std::vector<Rule>>
NextStage::broken(std::uint32_t graph, std::uint32_t labelling,
                  const std::vector<std::vector<ActionIndex>>& some) const {
  const auto next = described(state_->set, graph, labelling);
  std::vector<std::vector<Rule>> all;
  for (const auto& actions : some) {
    auto committed = state_->checker.committed();
    committed.insert(actions.begin(), actions.end());
    all.push_back(state_->checker.broken_by(next, committed));
  }
  return all;
}

} // namespace thinair::causality
