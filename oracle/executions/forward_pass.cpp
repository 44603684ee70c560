// Registers that grow, and axioms that fail.
#include "oracle/executions/forward_pass.h"

#include "litmus/text/error.h"

namespace thinair::executions {

namespace rows = graph::rows;
using cat::Op;

namespace {

/// out[i] becomes value(i), which is never less; whether that changed anything.
template <std::size_t W, class Value>
bool grow(graph::EventSet<W>* out, std::size_t count, Value&& value) {
  graph::EventSet<W> fresh;
  for (std::size_t i = 0; i < count; ++i) {
    const auto now = value(i);
    fresh |= now - out[i];
    out[i] = now;
  }
  return !fresh.empty();
}

/// Adds the pairs of `a` to the closed relation `out`.
template <std::size_t W>
bool extend_closure(graph::EventSet<W>* out, const graph::EventSet<W>* a, std::size_t n) {
  bool changed = false;
  for (std::size_t i = 0; i < n; ++i)
    (a[i] - out[i]).for_each([&](std::size_t j) {
      rows::add_closed(out, i, j, n);
      changed = true;
    });
  return changed;
}

template <std::size_t W>
bool extend_inverse(graph::EventSet<W>* out, const graph::EventSet<W>* a, std::size_t n) {
  bool changed = false;
  for (std::size_t i = 0; i < n; ++i)
    a[i].for_each([&](std::size_t j) {
      changed = changed || !out[j].contains(i);
      out[j].insert(i);
    });
  return changed;
}

} // namespace

/// Brings a register up to date with its operands; whether it changed. Everything only grows: the
/// register holds what was certain with fewer decisions.
template <std::size_t W>
bool ForwardPass<W>::advance(const Step<W>& step, bool exact) {
  const auto count = step.relation ? n_ : 1;
  auto* out = step.out;
  const auto* a = step.a;
  const auto* b = step.b;
  const Set none;
  switch (step.op) {
  case Op::unite: return grow(out, count, [&](std::size_t i) { return a[i] | b[i]; });
  case Op::intersect: return grow(out, count, [&](std::size_t i) { return a[i] & b[i]; });
  case Op::subtract:
    if (!exact) b = step.b_high;
    return grow(out, count, [&](std::size_t i) { return a[i] - b[i]; });
  case Op::complement: {
    const auto all = Set::first(n_);
    if (!exact) a = step.a_high;
    return grow(out, count, [&](std::size_t i) { return all - a[i]; });
  }
  case Op::compose:
    return grow(out, n_, [&](std::size_t i) {
      Set row;
      a[i].for_each([&](std::size_t j) { row |= b[j]; });
      return row;
    });
  case Op::inverse: return extend_inverse(out, a, n_);
  case Op::plus:
  case Op::star: return extend_closure(out, a, n_);
  case Op::optional_: return grow(out, n_, [&](std::size_t i) { return a[i] | Set::of(i); });
  case Op::product:
    return grow(out, n_, [&](std::size_t i) {
      auto row = a->contains(i) ? *b : none;
      if (step.final_product) row.erase(i);
      return row;
    });
  case Op::identity_on:
    return grow(out, n_, [&](std::size_t i) { return a->contains(i) ? Set::of(i) : none; });
  case Op::restrict_domain:
    return grow(out, n_, [&](std::size_t i) { return b->contains(i) ? a[i] : none; });
  case Op::restrict_range: return grow(out, n_, [&](std::size_t i) { return a[i] & *b; });
  case Op::domain: return grow(out, 1, [&](std::size_t) { return rows::domain(a, n_); });
  case Op::range: return grow(out, 1, [&](std::size_t) { return rows::range(a, n_); });
  case Op::interpreted:
    if (exact) bounds_.run_routine(step.wire, out);
    return exact;
  case Op::input:
  case Op::empty:
  case Op::choice:
  case Op::variable: break;
  }
  throw Bug("not a step");
}

/// False: violated for good.
template <std::size_t W>
bool ForwardPass<W>::check(const Step<W>& step) {
  switch (step.check) {
  case Check::acyclic: return step.negated || rows::close_onto(step.out, step.a, n_);
  case Check::irreflexive: return step.negated || rows::irreflexive(step.a, n_);
  case Check::empty: return step.negated || rows::empty(step.a, step.relation ? n_ : 1);
  case Check::demand: extend_closure(step.out, step.a, n_); return true;
  case Check::none:
  case Check::loop: break;
  }
  throw Bug("not a check");
}

/// Repeats the loop's steps until no variable grows.
template <std::size_t W>
void ForwardPass<W>::run_loop(std::size_t at, bool exact) {
  const auto& steps = steps_.all();
  const auto& loop = steps[at];
  const auto first = steps_.variables().begin() + loop.axiom, last = first + loop.variables;
  for (std::size_t round = 0;; ++round) {
    THINAIR_CHECK(round <= loop.variables * n_ * n_ + 2, "a monotone recursion converges");
    for (auto s = at + 1; s <= at + loop.span; ++s)
      if (exact || due(steps[s])) changed_[steps[s].wire] |= advance(steps[s], exact);
    bool stable = true;
    for (auto v = first; v != last; ++v) {
      const bool grown =
          grow(v->variable, v->relation ? n_ : 1, [&](std::size_t i) { return v->body[i]; });
      changed_[v->wire] |= grown;
      stable = stable && !grown;
    }
    if (stable || loop.once) return;
  }
}

/// What follows from the registers that changed. False: an axiom fails.
template <std::size_t W>
bool ForwardPass<W>::run_steps(bool exact, Deps changed) {
  const auto& steps = steps_.all();
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const auto& step = steps[s];
    if (step.check == Check::none) {
      if (exact || due(step)) changed_[step.wire] = advance(step, exact);
    } else if (step.check == Check::loop) {
      if (exact || (step.deps & changed) != 0) run_loop(s, exact);
      s += step.span;
    } else if ((exact || due(step)) && !check(step)) {
      return false;
    }
  }
  return true;
}

template <std::size_t W>
void ForwardPass<W>::mark(Deps changed) {
  const auto& plan = bounds_.plan();
  changed_.assign(plan.nodes.size(), 0);
  const auto mark_wire = [&](cat::NodeId w) {
    if (w != Bounds<W>::no_wire) changed_[w] = 1;
  };
  if ((changed & d_rf) != 0) mark_wire(bounds_.rf_wire());
  if ((changed & d_final) != 0) mark_wire(bounds_.final_wire());
  for (std::size_t c = 0; c < plan.choices.size(); ++c)
    if ((changed & d_choice(c)) != 0) changed_[plan.choices[c].node] = 1;
}

template <std::size_t W>
bool ForwardPass<W>::run(Deps changed) {
  if (changed == 0) return true;
  n_ = bounds_.size();
  mark(changed);
  return run_steps(false, changed);
}

template <std::size_t W>
bool ForwardPass<W>::holds() {
  n_ = bounds_.size();
  changed_.resize(bounds_.plan().nodes.size());
  if (steps_.inexact() && !run_steps(true, d_all)) return false;
  for (const auto& step : steps_.all()) {
    if (!step.negated) continue;
    const bool good = step.check == Check::acyclic ? rows::acyclic(step.a, n_)
                      : step.check == Check::irreflexive
                          ? rows::irreflexive(step.a, n_)
                          : rows::empty(step.a, step.relation ? n_ : 1);
    if (good) return false;
  }
  return true;
}

/// What depends on nothing but `decided`, as it is.
template <std::size_t W>
void ForwardPass<W>::run_decided(Deps decided) {
  n_ = bounds_.size();
  changed_.resize(bounds_.plan().nodes.size());
  const auto& steps = steps_.all();
  for (const auto s : steps_.outer()) {
    const auto& step = steps[s];
    if ((step.deps & ~decided) != 0) continue;
    if (step.check == Check::loop)
      run_loop(s, true);
    else if (step.check == Check::none)
      advance(step, true);
  }
}

template class ForwardPass<1>;
template class ForwardPass<4>;

} // namespace thinair::executions
