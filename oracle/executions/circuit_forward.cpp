// The forward pass: lower bounds under what is decided so far, and the checks on them.
#include "litmus/text/error.h"
#include "oracle/cat/interpret.h"
#include "oracle/executions/circuit.h"

namespace thinair::executions {

namespace rows = graph::rows;
using cat::Op;

namespace {

template <std::size_t W>
void final_product(graph::EventSet<W>* out, const graph::EventSet<W>& left,
                   const graph::EventSet<W>& finals, std::size_t n) {
  rows::product(out, left, finals, n);
  for (std::size_t i = 0; i < n; ++i) out[i].erase(i);
}

template <std::size_t W>
cat::RunSet widen(const graph::EventSet<W>& s) {
  cat::RunSet wide;
  for (std::size_t i = 0; i < W; ++i) wide.words[i] = s.words[i];
  return wide;
}

template <std::size_t W>
graph::EventSet<W> narrow(const cat::RunSet& s) {
  graph::EventSet<W> out;
  for (std::size_t i = 0; i < W; ++i) out.words[i] = s.words[i];
  return out;
}

} // namespace

/// One operator, on rows of a relation or on the one row of a set.
template <std::size_t W>
void Circuit<W>::operate(const Step& step, Set* out, const Set* a, const Set* b) {
  const auto count = step.relation ? n_ : 1;
  switch (step.op) {
  case Op::empty: return rows::clear(out, count);
  case Op::unite: return rows::unite(out, a, b, count);
  case Op::intersect: return rows::intersect(out, a, b, count);
  case Op::subtract: return rows::subtract(out, a, b, count);
  case Op::complement: {
    const auto all = Set::first(n_);
    for (std::size_t i = 0; i < count; ++i) out[i] = all - a[i];
    return;
  }
  case Op::compose: return rows::compose(out, a, b, n_);
  case Op::inverse: return rows::inverse(out, a, n_);
  case Op::plus:
  case Op::star:
    rows::copy(out, a, n_);
    rows::close(out, n_);
    if (step.op == Op::star) rows::add_identity(out, n_);
    return;
  case Op::optional_: rows::copy(out, a, n_); return rows::add_identity(out, n_);
  case Op::product:
    return step.final_product ? final_product(out, *a, *b, n_) : rows::product(out, *a, *b, n_);
  case Op::identity_on: return rows::identity_on(out, *a, n_);
  case Op::restrict_domain: return rows::restrict_rows(out, *b, a, n_);
  case Op::restrict_range: return rows::restrict_columns(out, a, *b, n_);
  case Op::domain: *out = rows::domain(a, n_); return;
  case Op::range: *out = rows::range(a, n_); return;
  case Op::input:
  case Op::choice:
  case Op::variable:
  case Op::interpreted: break;
  }
  throw Bug("not an operator");
}

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
bool Circuit<W>::advance(const Step& step, bool exact) {
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
    if (exact) run_routine(step.wire, out);
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
bool Circuit<W>::check(const Step& step) {
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
void Circuit<W>::run_loop(std::size_t at, bool exact) {
  const auto& loop = steps_[at];
  const auto first = loops_.begin() + loop.axiom, last = first + loop.variables;
  for (std::size_t round = 0;; ++round) {
    THINAIR_CHECK(round <= loop.variables * n_ * n_ + 2, "a monotone recursion converges");
    for (auto s = at + 1; s <= at + loop.span; ++s)
      if (exact || due(steps_[s])) changed_[steps_[s].wire] |= advance(steps_[s], exact);
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
bool Circuit<W>::run(bool exact) {
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const auto& step = steps_[s];
    if (step.check == Check::none) {
      if (exact || due(step)) changed_[step.wire] = advance(step, exact);
    } else if (step.check == Check::loop) {
      if (exact || (step.deps & dirty_) != 0) run_loop(s, exact);
      s += step.span;
    } else if ((exact || due(step)) && !check(step)) {
      return false;
    }
  }
  return true;
}

template <std::size_t W>
void Circuit<W>::mark_changes() {
  std::fill(changed_.begin(), changed_.end(), 0);
  if ((dirty_ & d_rf) != 0 && rf_wire_ != no_wire) changed_[rf_wire_] = 1;
  if ((dirty_ & d_final) != 0 && final_wire_ != no_wire) changed_[final_wire_] = 1;
  for (std::size_t c = 0; c < orders_.size(); ++c)
    if ((dirty_ & d_choice(c)) != 0) changed_[analysis_.plan.choices[c].node] = 1;
}

template <std::size_t W>
bool Circuit<W>::forward() {
  if (dirty_ == 0) return true;
  mark_changes();
  const bool possible = run(false);
  dirty_ = 0;
  return possible;
}

template <std::size_t W>
bool Circuit<W>::holds() {
  if (!forward()) return false;
  if (inexact_ && !run(true)) return false;
  for (const auto& step : steps_) {
    if (!step.negated) continue;
    const bool good = step.check == Check::acyclic ? rows::acyclic(step.a, n_)
                      : step.check == Check::irreflexive
                          ? rows::irreflexive(step.a, n_)
                          : rows::empty(step.a, step.relation ? n_ : 1);
    if (good) return false;
  }
  return true;
}

template <std::size_t W>
void Circuit<W>::raised(std::vector<std::uint32_t>& out) const {
  for (const auto i : live_axioms_) {
    const auto& axiom = analysis_.plan.axioms[i];
    if (axiom.effect == cat::Axiom::Effect::required) continue;
    const auto* value = low_[same_as_[axiom.node]];
    bool good = false;
    switch (axiom.kind) {
    case cat::Axiom::Kind::acyclic: good = rows::acyclic(value, n_); break;
    case cat::Axiom::Kind::irreflexive: good = rows::irreflexive(value, n_); break;
    case cat::Axiom::Kind::empty: good = rows::empty(value, rows_of(axiom.node)); break;
    }
    // `flag P` speaks up where P holds, `undefined_unless P` where it does not.
    const bool flags = axiom.effect == cat::Axiom::Effect::flag;
    if ((good != axiom.negated) == flags) out.push_back(i);
  }
}

/// What depends on nothing but `decided`, as it is.
template <std::size_t W>
void Circuit<W>::run_decided(Deps decided) {
  for (std::size_t s = 0; s < steps_.size(); s += 1 + steps_[s].span) {
    const auto& step = steps_[s];
    if ((step.deps & ~decided) != 0) continue;
    if (step.check == Check::loop)
      run_loop(s, true);
    else if (step.check == Check::none)
      advance(step, true);
  }
  dirty_ = d_all;
}

template <std::size_t W>
bool Circuit<W>::settle_order(std::size_t index, Deps decided) {
  run_decided(decided);
  const auto& choice = analysis_.plan.choices[index];
  return start_order(orders_[index], *low_[same_as_[choice.set]], low_[same_as_[choice.order]]);
}

template <std::size_t W>
std::vector<std::vector<graph::EventSet<W>>> Circuit<W>::alternatives(std::size_t index,
                                                                      Deps decided) {
  run_decided(decided);
  const auto& interpreted = analysis_.plan.interpreted[analysis_.plan.choices[index].interpreted];
  std::vector<std::vector<Set>> out;
  for (const auto& relation : cat::interpret_choices(interpreted.routine, input_of(interpreted))) {
    out.emplace_back();
    for (const auto& row : relation) out.back().push_back(narrow<W>(row));
  }
  return out;
}

template <std::size_t W>
cat::RunInput Circuit<W>::input_of(const cat::Interpreted& interpreted) const {
  cat::RunInput input;
  input.watch = &skeleton_->program().terms.watch();
  input.limits = analysis_.plan.limits;
  input.events = static_cast<std::uint32_t>(n_);
  for (const auto operand : interpreted.operands) {
    cat::RunValue value;
    value.type = wire(operand).type;
    const auto* from = low_[same_as_[operand]];
    if (value.type == graph::Type::set)
      value.set = widen(*from);
    else
      for (std::size_t i = 0; i < n_; ++i) value.relation.push_back(widen(from[i]));
    input.operands.push_back(std::move(value));
  }
  return input;
}

template <std::size_t W>
void Circuit<W>::run_routine(cat::NodeId w, Set* out) {
  const auto& interpreted = analysis_.plan.interpreted[wire(w).a];
  const auto result = cat::interpret(interpreted.routine, input_of(interpreted), wire(w).type);
  if (wire(w).type == graph::Type::set)
    *out = narrow<W>(result.set);
  else
    for (std::size_t i = 0; i < n_; ++i) out[i] = narrow<W>(result.relation[i]);
}

template <std::size_t W>
auto Circuit<W>::shown(std::size_t index) const -> const Set* {
  return low_[same_as_[analysis_.plan.shows[index].node]];
}

template class Circuit<1>;
template class Circuit<4>;

} // namespace thinair::executions
