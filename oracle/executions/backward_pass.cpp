// From the axioms down to decisions.
#include "oracle/executions/backward_pass.h"

#include <algorithm>

namespace thinair::executions {

namespace rows = graph::rows;
using cat::Op;

template <std::size_t W>
void BackwardPass<W>::run() {
  n_ = bounds_.size();
  if (scratch_.size() < 2 * n_) scratch_.resize(2 * n_);
  rows::clear(bounds_.registers().at(steps_.cleared().first), steps_.cleared().rows);
  const auto& outer = steps_.outer();
  for (auto s = outer.size(); s-- > 0;) {
    const auto& step = steps_.all()[outer[s]];
    if (step.check == Check::loop)
      forbid_loop(outer[s]);
    else if (step.check != Check::none)
      seed(step);
    else if (forbid(step))
      rows::clear(step.forbid_out, step.relation ? n_ : 1);
  }
}

template <std::size_t W>
void BackwardPass<W>::forbid_loop(std::size_t at) {
  const auto& loop = steps_.all()[at];
  const auto first = steps_.variables().begin() + loop.axiom, last = first + loop.variables;
  // Once around is sound; a second time reaches what the first one forbids of the variables.
  for (int round = 0; round < (loop.once ? 1 : 2); ++round) {
    for (auto v = first; v != last; ++v)
      if (v->forbid_body)
        rows::unite(v->forbid_body, v->forbid_body, v->forbid_variable, v->relation ? n_ : 1);
    for (auto s = at + loop.span; s > at; --s) forbid(steps_.all()[s]);
  }
}

/// Pairs that an axiom or an order rules out.
template <std::size_t W>
void BackwardPass<W>::seed(const Step<W>& step) {
  auto* out = step.forbid_a;
  if (!out || step.negated) return;
  switch (step.check) {
  case Check::acyclic:
    for (std::size_t y = 0; y < n_; ++y) {
      step.out[y].for_each([&](std::size_t x) { out[x].insert(y); });
      out[y].insert(y);
    }
    return;
  case Check::irreflexive:
    for (std::size_t x = 0; x < n_; ++x) out[x].insert(x);
    return;
  case Check::empty: {
    const auto count = step.relation ? n_ : 1;
    for (std::size_t x = 0; x < count; ++x) out[x] = Set::first(n_);
    return;
  }
  case Check::demand: {
    const auto& order = bounds_.orders()[step.choice];
    auto* against = scratch_.data() + n_;
    rows::clear(against, n_);
    order.domain.for_each([&](std::size_t y) {
      order.rows[y].for_each([&](std::size_t x) { against[x].insert(y); });
      against[y].insert(y);
    });
    return through_closure(step.out, against, step, out);
  }
  case Check::none:
  case Check::loop: return;
  }
}

/// Of r+: adding (x, y) to r adds (u, v) for every u that reaches x and v that y reaches.
template <std::size_t W>
void BackwardPass<W>::through_closure(const Set* closed, const Set* forbidden, const Step<W>& step,
                                      Set* out) {
  auto* above = scratch_.data();
  for (std::size_t x = 0; x < n_; ++x) above[x] = forbidden[x];
  for (std::size_t u = 0; u < n_; ++u) {
    if (forbidden[u].empty()) continue;
    closed[u].for_each([&](std::size_t x) { above[x] |= forbidden[u]; });
  }
  for (std::size_t x = 0; x < n_; ++x) {
    if (above[x].empty()) continue;
    (step.a_high[x] - step.a[x]).for_each([&](std::size_t y) {
      if (above[x].contains(y) || above[x].intersects(closed[y])) out[x].insert(y);
    });
  }
}

/// Passes on to the operands what the result must not have. False: there is nothing to pass on.
template <std::size_t W>
bool BackwardPass<W>::forbid(const Step<W>& step) {
  const auto* f = step.forbid_out;
  if (!f || (!step.forbid_a && !step.forbid_b)) return false;
  if (rows::empty(f, step.relation ? n_ : 1)) return false;
  pass_on(step);
  return true;
}

template <std::size_t W>
void BackwardPass<W>::pass_on(const Step<W>& step) {
  const auto* f = step.forbid_out;
  const auto count = step.relation ? n_ : 1;
  auto* a = step.forbid_a;
  auto* b = step.forbid_b;
  switch (step.op) {
  case Op::unite:
    if (a) rows::unite(a, a, f, count);
    if (b) rows::unite(b, b, f, count);
    return;
  case Op::intersect:
    for (std::size_t i = 0; i < count; ++i) {
      if (a) a[i] |= f[i] & step.b[i];
      if (b) b[i] |= f[i] & step.a[i];
    }
    return;
  case Op::subtract: // what b may come to hold is no violation
    if (a)
      for (std::size_t i = 0; i < count; ++i) a[i] |= f[i] - step.b_high[i];
    return;
  case Op::plus:
  case Op::star: return through_closure(step.out, f, step, a);
  case Op::optional_: return rows::unite(a, a, f, n_);
  case Op::inverse:
    for (std::size_t i = 0; i < n_; ++i) f[i].for_each([&](std::size_t j) { a[j].insert(i); });
    return;
  case Op::compose:
  case Op::restrict_domain:
  case Op::restrict_range: return forbid_relation(step);
  case Op::product:
  case Op::identity_on:
  case Op::domain:
  case Op::range: return forbid_set(step);
  case Op::complement:
  case Op::input:
  case Op::empty:
  case Op::choice:
  case Op::variable:
  case Op::interpreted: return;
  }
}

template <std::size_t W>
void BackwardPass<W>::forbid_relation(const Step<W>& step) {
  const auto* f = step.forbid_out;
  auto* a = step.forbid_a;
  auto* b = step.forbid_b;
  for (std::size_t x = 0; x < n_; ++x) {
    if (f[x].empty()) continue;
    if (step.op == Op::compose) {
      if (a)
        (step.a_high[x] - step.a[x]).for_each([&](std::size_t y) {
          if (step.b[y].intersects(f[x])) a[x].insert(y);
        });
      if (b) step.a[x].for_each([&](std::size_t y) { b[y] |= f[x]; });
    } else if (step.op == Op::restrict_domain) {
      if (a && step.b->contains(x)) a[x] |= f[x];
      if (b && step.a[x].intersects(f[x])) b->insert(x);
    } else {
      if (a) a[x] |= f[x] & *step.b;
      if (b) *b |= f[x] & step.a[x];
    }
  }
}

/// Where an operand or the result is a set.
template <std::size_t W>
void BackwardPass<W>::forbid_set(const Step<W>& step) {
  const auto* f = step.forbid_out;
  auto* a = step.forbid_a;
  auto* b = step.forbid_b;
  if (step.op == Op::domain) f->for_each([&](std::size_t x) { a[x] |= step.a_high[x]; });
  for (std::size_t x = 0; x < n_; ++x) {
    if (step.op == Op::range) a[x] |= step.a_high[x] & *f;
    if (step.op == Op::identity_on && f[x].contains(x)) a->insert(x);
    if (step.op != Op::product) continue;
    auto here = f[x];
    if (step.final_product) here.erase(x);
    if (a && here.intersects(*step.b)) a->insert(x);
    if (b && step.a->contains(x)) *b |= here;
  }
}

template class BackwardPass<1>;
template class BackwardPass<4>;

} // namespace thinair::executions
