// From intervals to steps: which nodes the open axioms and orders need, in which order they run.
#include "oracle/executions/steps.h"

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
bool Steps<W>::decide_axioms() {
  const auto& plan = bounds_->plan();
  for (std::uint32_t i = 0; i < plan.axioms.size(); ++i) {
    const auto& axiom = plan.axioms[i];
    const auto count = bounds_->rows_of(axiom.node);
    if (axiom.effect != Axiom::Effect::required) {
      open_axioms_.push_back(i);
      continue;
    }
    // A larger relation has more cycles: these properties only get lost.
    const bool at_least = satisfied(axiom.kind, bounds_->low(axiom.node), count, bounds_->size());
    if (at_least == axiom.negated && (axiom.negated ? !bounds_->varies(axiom.node) : true))
      return false;
    const bool at_most =
        !bounds_->varies(axiom.node)
            ? at_least
            : satisfied(axiom.kind, bounds_->high(axiom.node), count, bounds_->size());
    if (axiom.negated && at_most) return false;
    if (axiom.negated ? at_least : !at_most) open_axioms_.push_back(i);
  }
  return true;
}

/// w, and what it takes to compute it, is among the steps.
template <std::size_t W>
void Steps<W>::need(NodeId w) {
  w = bounds_->same_as(w);
  if (!bounds_->varies(w) || needed_[w]) return;
  needed_[w] = 1;
  const auto& node = wire(w);
  const auto& plan = bounds_->plan();
  if (node.op == Op::variable) {
    for (const auto body : plan.fixpoints[node.a].bodies) need(body);
    for (const auto v : plan.fixpoints[node.a].variables) need(v);
  } else if (node.op == Op::interpreted) {
    for (const auto operand : plan.interpreted[node.a].operands) need(operand);
  }
  const auto operands = cat::operand_count(node.op);
  if (operands > 1) need(node.b);
  if (operands > 0) need(node.a);
}

template <std::size_t W>
bool Steps<W>::wire_up(Bounds<W>& bounds, bool want_shown) {
  bounds_ = &bounds;
  const auto wires = bounds.plan().nodes.size();
  needed_.assign(wires, 0);
  forbidden_.assign(wires, nullptr);
  steps_.clear();
  outer_.clear();
  variables_.clear();
  open_axioms_.clear();
  inexact_ = false;
  if (!decide_axioms()) return false;
  need_all(want_shown);
  connect();
  emit_all();
  live_.rows = bounds.registers().used() - live_.first;
  return true;
}

template <std::size_t W>
void Steps<W>::need_all(bool want_shown) {
  const auto& plan = bounds_->plan();
  for (const auto i : open_axioms_) need(plan.axioms[i].node);
  for (const auto& choice : plan.choices) {
    if (choice.kind == cat::Choice::Kind::interpreted) {
      for (const auto o : plan.interpreted[choice.interpreted].operands) need(o);
      continue;
    }
    need(choice.order);
    need(choice.set);
  }
  if (want_shown)
    for (const auto& shown : plan.shows) need(shown.node);
}

/// Registers for what is forbidden: of decisions and in loops, in one stretch, which the backward
/// pass clears; of other results, which it clears as it passes them on. Then those that change with
/// decisions, in one stretch with the closures of checks, which frames of the search
/// save and restore. Both start from what is certain with nothing decided.
template <std::size_t W>
void Steps<W>::connect() {
  auto& registers = bounds_->registers();
  const auto& plan = bounds_->plan();
  const auto wires = static_cast<NodeId>(plan.nodes.size());
  const auto passing = [&](NodeId w) {
    const auto op = wire(w).op;
    return bounds_->analysis().group[w] < 0 && op != Op::input && op != Op::choice &&
           op != Op::variable;
  };
  const auto forbid = [&](bool of_passing) {
    for (NodeId w = 0; w < wires; ++w)
      if (needed_[w] && passing(w) == of_passing)
        forbidden_[w] = registers.take(bounds_->rows_of(w));
  };
  cleared_.first = registers.used();
  forbid(false);
  cleared_.rows = registers.used() - cleared_.first;
  forbid(true);
  live_.first = registers.used();
  const auto live = [&](NodeId w) {
    bounds_->keep_in(w, registers.duplicate(bounds_->low(w), bounds_->rows_of(w)));
  };
  for (NodeId w = 0; w < wires; ++w)
    if (needed_[w]) live(w);
  for (std::size_t c = 0; c < plan.choices.size(); ++c) {
    const auto w = plan.choices[c].node;
    if (!needed_[w]) live(w); // of no consequence, but counted
    bounds_->orders()[c].rows = bounds_->low(w);
    bounds_->orders()[c].forbidden = forbidden_[w];
  }
}

template <std::size_t W>
void Steps<W>::emit_all() {
  const auto& plan = bounds_->plan();
  for (NodeId w = 0; w < plan.nodes.size(); ++w) {
    if (const auto g = bounds_->analysis().group[w]; g >= 0) {
      const auto& group = plan.fixpoints[static_cast<std::size_t>(g)];
      if (w == group.first) emit_loop(group);
      w = group.last - 1;
    } else if (needed_[w]) {
      emit(w);
      if (wire(w).op != Op::variable) emit_checks(w);
    }
  }
  for (std::uint32_t s = 0; s < steps_.size(); s += 1 + steps_[s].span) outer_.push_back(s);
}

template <std::size_t W>
void Steps<W>::emit(NodeId w) {
  const auto& node = wire(w);
  if (node.op == Op::input || node.op == Op::choice || node.op == Op::variable) return;
  Step<W> step;
  step.op = node.op;
  step.wire = w;
  step.deps = node.deps;
  step.relation = node.type == graph::Type::relation;
  step.final_product = node.final_product;
  step.out = bounds_->low(w);
  step.forbid_out = forbidden_[w];
  if (node.op != Op::interpreted) {
    const auto a = bounds_->same_as(node.final_product ? wire(node.a).a : node.a);
    const auto b = bounds_->same_as(node.b);
    step.a = bounds_->low(a);
    step.a_high = bounds_->high(a);
    step.forbid_a = forbidden_[a];
    step.b = bounds_->low(b);
    step.b_high = bounds_->high(b);
    step.forbid_b = forbidden_[b];
    step.from_a = a;
    step.from_b = b;
  }
  const bool negative = (node.op == Op::subtract && needed_[step.from_b]) ||
                        (node.op == Op::complement && needed_[step.from_a]);
  inexact_ = inexact_ || negative || node.op == Op::interpreted;
  steps_.push_back(step);
}

/// A check of w; `closed`: on its transitive closure, which a register keeps.
template <std::size_t W>
Step<W> Steps<W>::check_of(NodeId w, Check check, bool closed) {
  Step<W> step;
  step.check = check;
  step.relation = wire(w).type == graph::Type::relation;
  step.deps = wire(w).deps;
  step.a = bounds_->low(w);
  step.a_high = bounds_->high(w);
  step.forbid_a = forbidden_[w];
  step.from_a = step.from_b = w;
  if (closed) {
    step.out = bounds_->registers().duplicate(bounds_->low(w), bounds_->size());
    rows::close(step.out, bounds_->size());
  }
  return step;
}

template <std::size_t W>
void Steps<W>::emit_checks(NodeId w) {
  const auto& plan = bounds_->plan();
  for (const auto i : open_axioms_) {
    const auto& axiom = plan.axioms[i];
    if (bounds_->same_as(axiom.node) != w || axiom.effect != Axiom::Effect::required) continue;
    const auto check = axiom.kind == Axiom::Kind::acyclic       ? Check::acyclic
                       : axiom.kind == Axiom::Kind::irreflexive ? Check::irreflexive
                                                                : Check::empty;
    auto step = check_of(w, check, check == Check::acyclic);
    step.axiom = i;
    step.negated = axiom.negated;
    steps_.push_back(step);
  }
  for (std::uint32_t c = 0; c < plan.choices.size(); ++c) {
    auto& order = bounds_->orders()[c];
    if (!order.ready || bounds_->same_as(plan.choices[c].order) != w) continue;
    auto step = check_of(w, Check::demand, true);
    step.choice = c;
    order.demanded = step.out;
    steps_.push_back(step);
  }
}

template <std::size_t W>
void Steps<W>::emit_loop(const cat::Fixpoint& group) {
  const auto at = steps_.size();
  Step<W> loop;
  loop.check = Check::loop;
  loop.axiom = static_cast<std::uint32_t>(variables_.size());
  loop.once = true;
  steps_.push_back(loop);
  for (NodeId w = group.first; w < group.last; ++w)
    if (needed_[w]) emit(w);
  for (std::size_t i = 0; i < group.variables.size(); ++i) {
    const auto v = group.variables[i];
    if (!needed_[v]) continue;
    const auto body = bounds_->same_as(group.bodies[i]);
    variables_.push_back({v, bounds_->low(v), bounds_->low(body), forbidden_[v], forbidden_[body],
                          wire(v).type == graph::Type::relation});
    for (auto s = at + 1; s < steps_.size(); ++s)
      if (steps_[s].a == bounds_->low(v) || steps_[s].b == bounds_->low(v)) steps_[at].once = false;
    if (body == v) steps_[at].once = false;
    steps_[at].deps |= wire(v).deps;
  }
  for (auto s = at + 1; s < steps_.size(); ++s) {
    steps_[at].deps |= steps_[s].deps;
    if (steps_[s].op == Op::interpreted) steps_[at].once = false;
  }
  steps_[at].span = static_cast<std::uint32_t>(steps_.size() - at - 1);
  steps_[at].variables = static_cast<std::uint32_t>(variables_.size() - steps_[at].axiom);
  for (NodeId w = group.first; w < group.last; ++w)
    if (needed_[w] && wire(w).op != Op::variable) emit_checks(w);
  for (const auto v : group.variables)
    if (needed_[v]) emit_checks(v);
}

template class Steps<1>;
template class Steps<4>;

} // namespace thinair::executions
