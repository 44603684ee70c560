// From intervals to steps: which nodes the open axioms and orders need, in which order they run.
#include "oracle/executions/circuit.h"

#include <algorithm>

namespace thinair::executions {

namespace rows = graph::rows;
using cat::Axiom;
using cat::NodeId;
using cat::Op;

namespace {

template <std::size_t W>
bool satisfied(Axiom::Kind kind, const graph::EventSet<W>* value, std::size_t count,
               std::size_t n) {
  switch (kind) {
  case Axiom::Kind::acyclic: return rows::acyclic(value, n);
  case Axiom::Kind::irreflexive: return rows::irreflexive(value, n);
  case Axiom::Kind::empty: return rows::empty(value, count);
  }
  return false;
}

} // namespace

/// Axioms that the bounds already decide, and those that stay open. False: one cannot hold.
template <std::size_t W>
bool Circuit<W>::decide_axioms() {
  const auto& plan = analysis_.plan;
  for (std::uint32_t i = 0; i < plan.axioms.size(); ++i) {
    const auto& axiom = plan.axioms[i];
    const auto count = rows_of(axiom.node);
    if (axiom.effect != Axiom::Effect::required) {
      live_axioms_.push_back(i);
      continue;
    }
    // A larger relation has more cycles: these properties only get lost.
    const bool at_least = satisfied(axiom.kind, low_[axiom.node], count, n_);
    if (at_least == axiom.negated && (axiom.negated ? low_[axiom.node] == high_[axiom.node] : true))
      return false;
    const bool at_most = high_[axiom.node] == low_[axiom.node]
                             ? at_least
                             : satisfied(axiom.kind, high_[axiom.node], count, n_);
    if (axiom.negated && at_most) return false;
    if (axiom.negated ? at_least : !at_most) live_axioms_.push_back(i);
  }
  return true;
}

/// w, and what it takes to compute it, is among the steps.
template <std::size_t W>
void Circuit<W>::need(NodeId w) {
  w = same_as_[w];
  if (low_[w] == high_[w] || needed_[w]) return;
  needed_[w] = 1;
  const auto& node = wire(w);
  const auto& plan = analysis_.plan;
  switch (node.op) {
  case Op::input:
  case Op::empty:
  case Op::choice: return;
  case Op::variable:
    for (const auto body : plan.fixpoints[node.a].bodies) need(body);
    for (const auto v : plan.fixpoints[node.a].variables) need(v);
    return;
  case Op::interpreted:
    for (const auto operand : plan.interpreted[node.a].operands) need(operand);
    return;
  case Op::unite:
  case Op::intersect:
  case Op::subtract:
  case Op::compose:
  case Op::product:
  case Op::restrict_domain:
  case Op::restrict_range: need(node.b); [[fallthrough]];
  case Op::complement:
  case Op::inverse:
  case Op::plus:
  case Op::star:
  case Op::optional_:
  case Op::identity_on:
  case Op::domain:
  case Op::range: need(node.a); return;
  }
}

template <std::size_t W>
void Circuit<W>::emit_all() {
  const auto& plan = analysis_.plan;
  for (const auto i : live_axioms_) need(plan.axioms[i].node);
  for (std::size_t c = 0; c < plan.choices.size(); ++c) {
    if (plan.choices[c].kind == cat::Choice::Kind::interpreted) {
      for (const auto o : plan.interpreted[plan.choices[c].interpreted].operands) need(o);
      continue;
    }
    need(plan.choices[c].order);
    need(plan.choices[c].set);
  }
  if (want_shown_)
    for (const auto& shown : plan.shows) need(shown.node);
  connect();
  for (NodeId w = 0; w < plan.nodes.size(); ++w) {
    if (const auto g = analysis_.group[w]; g >= 0) {
      const auto& group = plan.fixpoints[static_cast<std::size_t>(g)];
      if (w == group.first) emit_loop(group);
      w = group.last - 1;
    } else if (needed_[w]) {
      emit(w);
      if (wire(w).op != Op::variable) emit_checks(w);
    }
  }
  outer_.clear();
  for (std::uint32_t s = 0; s < steps_.size(); s += 1 + steps_[s].span) outer_.push_back(s);
  live_rows_ = used_ - live_first_;
}

/// Registers for what is forbidden: of decisions and in loops, in one stretch, which the backward
/// pass clears; of other results, which it clears as it passes them on. Then those that change with
/// decisions, in one stretch with the closures of checks, which frames of the search
/// save and restore. Both start from what is certain with nothing decided.
template <std::size_t W>
void Circuit<W>::connect() {
  const auto& plan = analysis_.plan;
  const auto wires = static_cast<NodeId>(plan.nodes.size());
  changed_.assign(wires, 0);
  const auto passing = [&](NodeId w) {
    const auto op = wire(w).op;
    return analysis_.group[w] < 0 && op != Op::input && op != Op::choice && op != Op::variable;
  };
  forbidden_first_ = used_;
  for (NodeId w = 0; w < wires; ++w)
    if (needed_[w] && !passing(w)) forbidden_[w] = take(rows_of(w));
  passing_first_ = used_;
  for (NodeId w = 0; w < wires; ++w)
    if (needed_[w] && passing(w)) forbidden_[w] = take(rows_of(w));
  live_first_ = used_;
  std::fill(memory_.data() + passing_first_, memory_.data() + live_first_, Set{});
  for (NodeId w = 0; w < wires; ++w)
    if (needed_[w]) low_[w] = duplicate(low_[w], rows_of(w));
  if (rf_wire_ != no_wire) {
    rf_ = low_[rf_wire_];
    rf_forbidden_ = forbidden_[rf_wire_];
  }
  if (final_wire_ != no_wire) {
    final_ = low_[final_wire_];
    final_forbidden_ = forbidden_[final_wire_];
  }
  for (std::size_t c = 0; c < plan.choices.size(); ++c) {
    const auto w = plan.choices[c].node;
    if (!needed_[w]) low_[w] = duplicate(low_[w], n_); // of no consequence, but counted
    orders_[c].rows = low_[w];
    orders_[c].forbidden = forbidden_[w];
  }
}

template <std::size_t W>
void Circuit<W>::emit(NodeId w) {
  const auto& node = wire(w);
  if (node.op == Op::input || node.op == Op::choice || node.op == Op::variable) return;
  Step step;
  step.op = node.op;
  step.wire = w;
  step.deps = node.deps;
  step.relation = node.type == graph::Type::relation;
  step.final_product = node.final_product;
  step.out = low_[w];
  step.forbid_out = forbidden_[w];
  if (node.op != Op::interpreted) {
    const auto a = same_as_[node.final_product ? wire(node.a).a : node.a];
    const auto b = same_as_[node.b];
    step.a = low_[a];
    step.a_high = high_[a];
    step.forbid_a = forbidden_[a];
    step.b = low_[b];
    step.b_high = high_[b];
    step.forbid_b = forbidden_[b];
    step.from_a = a;
    step.from_b = b;
  }
  const bool negative = (node.op == Op::subtract && needed_[step.from_b]) ||
                        (node.op == Op::complement && needed_[step.from_a]);
  inexact_ = inexact_ || negative || node.op == Op::interpreted;
  steps_.push_back(step);
}

template <std::size_t W>
void Circuit<W>::emit_checks(NodeId w) {
  const auto& plan = analysis_.plan;
  for (const auto i : live_axioms_) {
    const auto& axiom = plan.axioms[i];
    if (same_as_[axiom.node] != w || axiom.effect != Axiom::Effect::required) continue;
    Step step;
    step.check = axiom.kind == Axiom::Kind::acyclic       ? Check::acyclic
                 : axiom.kind == Axiom::Kind::irreflexive ? Check::irreflexive
                                                          : Check::empty;
    step.axiom = i;
    step.negated = axiom.negated;
    step.relation = wire(w).type == graph::Type::relation;
    step.deps = wire(w).deps;
    step.a = low_[w];
    step.a_high = high_[w];
    step.forbid_a = forbidden_[w];
    step.from_a = step.from_b = w;
    if (step.check == Check::acyclic) {
      step.out = duplicate(low_[w], n_);
      rows::close(step.out, n_);
    }
    steps_.push_back(step);
  }
  for (std::uint32_t c = 0; c < plan.choices.size(); ++c) {
    if (!orders_[c].ready || same_as_[plan.choices[c].order] != w) continue;
    Step step;
    step.check = Check::demand;
    step.choice = c;
    step.deps = wire(w).deps;
    step.a = low_[w];
    step.a_high = high_[w];
    step.forbid_a = forbidden_[w];
    step.from_a = step.from_b = w;
    step.out = duplicate(low_[w], n_);
    rows::close(step.out, n_);
    orders_[c].demanded = step.out;
    steps_.push_back(step);
  }
}

template <std::size_t W>
void Circuit<W>::emit_loop(const cat::Fixpoint& group) {
  const auto at = steps_.size();
  Step loop;
  loop.check = Check::loop;
  loop.axiom = static_cast<std::uint32_t>(loops_.size());
  loop.once = true;
  steps_.push_back(loop);
  for (NodeId w = group.first; w < group.last; ++w)
    if (needed_[w]) emit(w);
  for (std::size_t i = 0; i < group.variables.size(); ++i) {
    const auto v = group.variables[i];
    if (!needed_[v]) continue;
    const auto body = same_as_[group.bodies[i]];
    loops_.push_back({v, low_[v], low_[body], forbidden_[v], forbidden_[body],
                      wire(v).type == graph::Type::relation});
    for (auto s = at + 1; s < steps_.size(); ++s)
      if (steps_[s].a == low_[v] || steps_[s].b == low_[v]) steps_[at].once = false;
    if (body == v) steps_[at].once = false;
    steps_[at].deps |= wire(v).deps;
  }
  for (auto s = at + 1; s < steps_.size(); ++s) {
    steps_[at].deps |= steps_[s].deps;
    if (steps_[s].op == Op::interpreted) steps_[at].once = false;
  }
  steps_[at].span = static_cast<std::uint32_t>(steps_.size() - at - 1);
  steps_[at].variables = static_cast<std::uint32_t>(loops_.size() - steps_[at].axiom);
  for (NodeId w = group.first; w < group.last; ++w)
    if (needed_[w] && wire(w).op != Op::variable) emit_checks(w);
  for (const auto v : group.variables)
    if (needed_[v]) emit_checks(v);
}

template class Circuit<1>;
template class Circuit<4>;

} // namespace thinair::executions
