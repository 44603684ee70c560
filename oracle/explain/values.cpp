// Values of nodes, cycles by breadth-first search, and the way from a pair back to what it came
// from.
#include "oracle/explain/values.h"

#include "oracle/cat/print.h"

#include <algorithm>
#include <deque>

namespace thinair::explain {
namespace {

using cat::NodeId;
using cat::Op;
using graph::Input;

/// Nodes within a recursive definition have values only while it is computed.
bool lasts(const cat::Node& node) { return node.fixpoint < 0 || node.op == Op::variable; }

} // namespace

cat::Plan showing_everything(cat::Plan plan) {
  plan.shows.clear();
  for (NodeId node = 0; node < plan.nodes.size(); ++node)
    if (lasts(plan.nodes[node])) plan.shows.push_back({std::to_string(node), node});
  return plan;
}

cat::Plan before_choice(const cat::Plan& plan, std::size_t choice) {
  cat::Plan out = plan;
  const NodeId end = plan.choices[choice].node; // operands come before users
  const auto later = [&](const cat::Shown& named) { return named.node >= end; };
  out.nodes.resize(end);
  out.judged = end;
  out.choices.resize(choice);
  out.axioms.clear();
  std::erase_if(out.fixpoints, [&](const cat::Fixpoint& group) { return group.first >= end; });
  std::erase_if(out.shows, later);
  std::erase_if(out.names, later);
  // A routine keeps its place, by which nodes know it; without its operands nothing can run it.
  for (auto& routine : out.interpreted)
    if (std::ranges::any_of(routine.operands, [&](NodeId node) { return node >= end; }))
      routine.operands.clear();
  return out;
}

Values::Values(const cat::Plan& shown, const executions::Witness& witness)
    : plan_(shown), events_(witness.skeleton().size()), rows_(shown.nodes.size()),
      names_(shown.nodes.size()) {
  for (std::size_t i = 0; i < shown.shows.size(); ++i) {
    const NodeId node = shown.shows[i].node;
    const bool is_set = shown.nodes[node].type == graph::Type::set;
    for (EventId event = 0; event < (is_set ? 1 : events_); ++event)
      rows_[node].push_back(witness.shown(i, event));
  }
  for (const auto& named : shown.names) names_[named.node] = named.name;
  for (const auto& choice : shown.choices) names_[choice.node] = choice.name;
  find_makers();
}

bool Values::has(NodeId relation, EventId from, EventId to) const {
  return !rows_[relation].empty() && row(relation, from).contains(to);
}

bool Values::contains(NodeId set, EventId event) const {
  return !rows_[set].empty() && row(set, 0).contains(event);
}

/// A shortest way of at least one step.
std::optional<std::vector<EventId>> Values::way(NodeId relation, EventId from, EventId to) const {
  std::vector<EventId> before(events_, executions::no_event);
  std::deque<EventId> next{from};
  while (!next.empty()) {
    const EventId at = next.front();
    next.pop_front();
    for (EventId event = 0; event < events_; ++event) {
      if (!has(relation, at, event)) continue;
      if (event == to) {
        std::vector<EventId> found{to, at};
        for (EventId e = at; e != from; e = before[e]) found.push_back(before[e]);
        std::ranges::reverse(found);
        return found;
      }
      if (event == from || before[event] != executions::no_event) continue;
      before[event] = at;
      next.push_back(event);
    }
  }
  return std::nullopt;
}

std::optional<std::vector<EventId>> Values::cycle(NodeId relation,
                                                  std::optional<NodeId> through) const {
  std::optional<std::vector<EventId>> best;
  for (EventId event = 0; event < events_; ++event) {
    if (through && !contains(*through, event)) continue;
    auto found = way(relation, event, event);
    if (found && (!best || found->size() < best->size())) best = std::move(found);
  }
  return best;
}

std::string Values::name(NodeId node) const {
  return names_[node].empty() ? cat::expression(plan_, node) : names_[node];
}

NodeId Values::body_of(NodeId variable) const {
  const auto& group = plan_.fixpoints[plan_.nodes[variable].a];
  const auto at = std::ranges::find(group.variables, variable) - group.variables.begin();
  return group.bodies[static_cast<std::size_t>(at)];
}

/// Nodes that make pairs, by po, rf or the like; the others only filter them: by location, by kind.
void Values::find_makers() {
  const auto makes = [&](const cat::Node& n) {
    switch (n.op) {
    case Op::input:
      return n.type == graph::Type::relation && n.input != Input::loc && n.input != Input::id &&
             n.input != Input::internal && n.input != Input::external;
    case Op::choice:
    case Op::variable:
    case Op::interpreted: return true;
    case Op::unite:
    case Op::intersect:
    case Op::compose: return makes_pairs_[n.a] != 0 || makes_pairs_[n.b] != 0;
    case Op::subtract:
    case Op::restrict_domain:
    case Op::restrict_range:
    case Op::inverse:
    case Op::plus:
    case Op::star:
    case Op::optional_: return makes_pairs_[n.a] != 0;
    case Op::empty:
    case Op::complement:
    case Op::product:
    case Op::identity_on:
    case Op::domain:
    case Op::range: return false;
    }
    return false;
  };
  for (NodeId node = 0; node < plan_.nodes.size(); ++node)
    makes_pairs_.push_back(makes(plan_.nodes[node]) ? 1 : 0);
}

bool Values::through(NodeId first, NodeId second, EventId from, EventId to,
                     std::vector<Step>& out) const {
  for (EventId by = 0; by < events_; ++by) {
    if (!has(first, from, by) || !has(second, by, to)) continue;
    follow(first, from, by, out);
    follow(second, by, to, out);
    return true;
  }
  return false;
}

/// The pair in terms of the node's operands; false where they say nothing.
bool Values::open(NodeId node, EventId from, EventId to, std::vector<Step>& out) const {
  const auto& n = plan_.nodes[node];
  switch (n.op) {
  case Op::unite: {
    const NodeId part = has(n.a, from, to) ? n.a : n.b;
    if (has(part, from, to)) return follow(part, from, to, out), true;
    const auto within = [&](NodeId side) { // of a recursive definition, what does not recurse
      const auto& s = plan_.nodes[side];
      return s.op == Op::unite && !lasts(s) && open(side, from, to, out);
    };
    return within(n.a) || within(n.b);
  }
  case Op::intersect:
    if (makes_pairs_[node] == 0) return false;
    return follow(makes_pairs_[n.a] != 0 ? n.a : n.b, from, to, out), true;
  case Op::subtract:
  case Op::restrict_domain:
  case Op::restrict_range:
    if (makes_pairs_[node] == 0) return false;
    return follow(n.a, from, to, out), true;
  case Op::compose: return through(n.a, n.b, from, to, out);
  case Op::identity_on: return from == to;
  case Op::optional_:
    if (from != to) follow(n.a, from, to, out);
    return true;
  case Op::plus:
  case Op::star: {
    if (n.op == Op::star && from == to) return true;
    const auto found = way(n.a, from, to);
    for (std::size_t i = 0; found && i + 1 < found->size(); ++i)
      follow(n.a, (*found)[i], (*found)[i + 1], out);
    return found.has_value();
  }
  case Op::inverse:
    if (plan_.nodes[n.a].op != Op::input && names_[n.a].empty()) return false;
    out.push_back({from, to, name(n.a), true});
    return true;
  case Op::variable: return open(body_of(node), from, to, out);
  case Op::input:
  case Op::empty:
  case Op::complement:
  case Op::product:
  case Op::domain:
  case Op::range:
  case Op::choice:
  case Op::interpreted: return false;
  }
  return false;
}

void Values::follow(NodeId node, EventId from, EventId to, std::vector<Step>& out) const {
  const Op op = plan_.nodes[node].op;
  const bool stops = !names_[node].empty() && op != Op::plus && op != Op::star;
  if (stops || !open(node, from, to, out)) out.push_back({from, to, name(node)});
}

std::vector<Step> Values::steps(NodeId relation, EventId from, EventId to) const {
  std::vector<Step> out;
  if (!open(relation, from, to, out)) out = {{from, to, name(relation)}};
  return out;
}

std::vector<Step> Values::behind(const Step& step) const {
  for (NodeId node = 0; node < names_.size(); ++node) {
    if (names_[node] != step.relation) continue;
    const EventId from = step.reversed ? step.to : step.from,
                  to = step.reversed ? step.from : step.to;
    std::vector<Step> out;
    if (has(node, from, to) && open(node, from, to, out) && out != std::vector{step}) return out;
  }
  return {};
}

} // namespace thinair::explain
