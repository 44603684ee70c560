// The forward pass: lower bounds under what is decided so far, and the checks on them.
#include "litmus/text/error.h"
#include "oracle/cat/interpret.h"
#include "oracle/executions/circuit.h"

namespace thinair::executions {

namespace rows = graph::rows;
using cat::Op;

namespace {

/// The transitive closure of `base | a`, where `base` is closed.
template <std::size_t W>
void close_over(graph::EventSet<W>* out, const graph::EventSet<W>* base,
                const graph::EventSet<W>* a, std::size_t n) {
  rows::copy(out, base, n);
  for (std::size_t i = 0; i < n; ++i)
    (a[i] - out[i]).for_each([&](std::size_t j) { rows::add_closed(out, i, j, n); });
}

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

template <std::size_t W>
bool Circuit<W>::perform_check(Step& step, bool exact) {
  const auto count = step.relation ? n_ : 1;
  if (step.negated && !exact) return true;
  bool good = true;
  switch (step.check) {
  case Check::acyclic:
    rows::copy(step.out, step.base, n_);
    good = rows::close_onto(step.out, step.a, n_);
    break;
  case Check::irreflexive: good = rows::irreflexive(step.a, n_); break;
  case Check::empty: good = rows::empty(step.a, count); break;
  case Check::demand: close_over(step.out, step.base, step.a, n_); return true;
  case Check::none:
  case Check::loop: return true;
  }
  return good != step.negated;
}

template <std::size_t W>
bool Circuit<W>::perform(Step& step, bool exact) {
  if (step.check != Check::none) return perform_check(step, exact);
  if (step.op == Op::interpreted) {
    if (exact) run_routine(step.wire, step.out);
  } else if (step.base) { // plus, star
    close_over(step.out, step.base, step.a, n_);
  } else if (step.op == Op::subtract) {
    operate(step, step.out, step.a, exact ? step.b : step.b_high);
  } else if (step.op == Op::complement) {
    operate(step, step.out, exact ? step.a : step.a_high, step.b);
  } else {
    operate(step, step.out, step.a, step.b);
  }
  return true;
}

/// Repeats the loop's steps until no variable grows.
template <std::size_t W>
void Circuit<W>::run_loop(std::size_t at, bool exact) {
  const auto& loop = steps_[at];
  const auto first = loops_.begin() + loop.axiom, last = first + loop.variables;
  const auto count = [&](const LoopVariable& v) { return v.relation ? n_ : 1; };
  if (!loop.once)
    for (auto v = first; v != last; ++v) {
      if (inexact_)
        rows::clear(v->variable, count(*v));
      else
        rows::copy(v->variable, v->base, count(*v));
    }
  for (std::size_t round = 0;; ++round) {
    if (round > n_ * n_ + 2)
      throw LimitReached("iterations of a recursive definition", "none: it does not converge");
    for (auto s = at + 1; s <= at + loop.span; ++s) perform(steps_[s], exact);
    bool stable = true;
    for (auto v = first; v != last; ++v) {
      if (!loop.once && stable) stable = rows::equal(v->variable, v->body, count(*v));
      rows::copy(v->variable, v->body, count(*v));
    }
    if (stable) return;
  }
}

template <std::size_t W>
bool Circuit<W>::run(std::size_t first, std::size_t last, Deps changed, bool exact) {
  for (auto s = first; s < last; ++s) {
    auto& step = steps_[s];
    const bool due = (step.deps & changed) != 0;
    if (step.check == Check::loop) {
      if (due) run_loop(s, exact);
      s += step.span;
    } else if (due && !perform(step, exact)) {
      return false;
    }
  }
  return true;
}

template <std::size_t W>
bool Circuit<W>::forward() {
  if (dirty_ != 0 && !run(0, steps_.size(), dirty_, false)) return false; // stays dirty
  dirty_ = 0;
  return true;
}

template <std::size_t W>
bool Circuit<W>::holds() {
  if (inexact_) {
    dirty_ = d_all;
    return run(0, steps_.size(), d_all, true);
  }
  if (!forward()) return false;
  for (auto& step : steps_)
    if (step.negated && !perform_check(step, true)) return false;
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
    auto& step = steps_[s];
    if ((step.deps & ~decided) != 0) continue;
    if (step.check == Check::loop)
      run_loop(s, true);
    else if (step.check == Check::none)
      perform(step, true);
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
