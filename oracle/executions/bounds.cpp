// Values of nodes from those of their operands, at least and at most.
#include "oracle/executions/bounds.h"

#include "litmus/text/error.h"

#include <algorithm>

namespace thinair::executions {

namespace rows = graph::rows;
using cat::NodeId;
using cat::Op;
using graph::Input;

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

template <std::size_t W>
void Bounds<W>::reset(const Skeleton& skeleton, const Set* sources, const Set& finals) {
  skeleton_ = &skeleton;
  sources_ = sources;
  n_ = skeleton.size();
  const auto wires = plan().nodes.size();
  // Low, high, base and forbidden of every node; closures of axioms and orders; odds and ends.
  // A set takes a row where there is no event, too.
  const auto most = (4 * wires + 3 * plan().axioms.size() + 4 * plan().choices.size() + 8) *
                        std::max<std::size_t>(n_, 1) +
                    8;
  registers_.start(most);
  low_.assign(wires, nullptr);
  high_.assign(wires, nullptr);
  same_as_.resize(wires);
  for (NodeId w = 0; w < wires; ++w) same_as_[w] = w;
  orders_.assign(plan().choices.size(), {});
  scratch_.resize(std::max(scratch_.size(), n_));
  same_location_.assign(n_, {});
  const auto events = skeleton.events();
  for (std::size_t c = 0; c < skeleton.cells().size(); ++c) {
    Set here;
    for (EventId e = 0; e < n_; ++e)
      if (events[e].accesses() && skeleton.cell_of(events[e].location) == c) here.insert(e);
    here.for_each([&](std::size_t e) { same_location_[e] = here; });
  }
  rf_wire_ = final_wire_ = no_wire;
  rf_ = registers_.take(n_);
  final_ = registers_.take(1);
  high_final_ = registers_.take(1);
  *high_final_ = finals;
}

template <std::size_t W>
bool Bounds<W>::load(const Skeleton& skeleton, const Set* sources, const Set& finals) {
  reset(skeleton, sources, finals);
  for (NodeId w = 0; w < plan().nodes.size(); ++w) {
    const auto group = analysis_.group[w];
    if (group >= 0 && plan().fixpoints[static_cast<std::size_t>(group)].first == w) {
      bound_group(plan().fixpoints[static_cast<std::size_t>(group)]);
      w = plan().fixpoints[static_cast<std::size_t>(group)].last - 1;
    } else if (!bound(w)) {
      return false;
    }
  }
  return true;
}

template <std::size_t W>
void Bounds<W>::keep_in(NodeId w, Set* at) {
  low_[w] = at;
  if (w == rf_wire_) rf_ = at;
  if (w == final_wire_) final_ = at;
}

/// rf and FW: however many nodes name them, there is one register.
template <std::size_t W>
void Bounds<W>::bound_shared(NodeId w, NodeId& first, const Set* at_most) {
  if (first == no_wire) {
    first = w;
    low_[w] = w == rf_wire_ ? rf_ : final_;
    high_[w] = const_cast<Set*>(at_most);
    if (rows::equal(low_[w], high_[w], rows_of(w))) high_[w] = low_[w];
  } else {
    low_[w] = low_[first];
    high_[w] = high_[first];
    same_as_[w] = first;
  }
}

template <std::size_t W>
bool Bounds<W>::bound(NodeId w) {
  const auto& node = wire(w);
  if (node.op == Op::input && node.input == Input::rf) {
    bound_shared(w, rf_wire_, sources_);
    return true;
  }
  if (node.op == Op::input && node.input == Input::final_writes) {
    bound_shared(w, final_wire_, high_final_);
    return true;
  }
  if (node.op == Op::choice) return bound_choice(w);
  low_[w] = registers_.take(rows_of(w));
  if (node.op == Op::variable) {
    high_[w] = registers_.take(rows_of(w));
    return true;
  }
  compute(w, low_[w], false);
  high_[w] = low_[w];
  if (node.constant()) return true;
  const auto before = registers_.used();
  high_[w] = registers_.take(rows_of(w));
  compute(w, high_[w], true);
  settle(w);
  if (high_[w] == low_[w]) registers_.take_back_to(before);
  return true;
}

template <std::size_t W>
void Bounds<W>::settle(NodeId w) {
  if (rows::equal(low_[w], high_[w], rows_of(w))) high_[w] = low_[w];
  if (high_[w] != low_[w]) same_as_[w] = simpler(w);
}

template <std::size_t W>
void Bounds<W>::bound_group(const cat::Fixpoint& group) {
  for (NodeId w = group.first; w < group.last; ++w) {
    low_[w] = registers_.take(rows_of(w));
    high_[w] = registers_.take(rows_of(w));
  }
  iterate(group, false);
  iterate(group, true);
  for (const auto v : group.variables)
    if (rows::equal(low_[v], high_[v], rows_of(v))) high_[v] = low_[v];
  for (NodeId w = group.first; w < group.last; ++w)
    if (wire(w).op != Op::variable) settle(w);
}

template <std::size_t W>
void Bounds<W>::iterate(const cat::Fixpoint& group, bool high) {
  auto& values = high ? high_ : low_;
  for (std::size_t round = 0;; ++round) {
    THINAIR_CHECK(round <= group.variables.size() * n_ * n_ + 2, "a monotone recursion converges");
    for (NodeId w = group.first; w < group.last; ++w)
      if (wire(w).op != Op::variable) compute(w, values[w], high);
    bool stable = true;
    for (std::size_t i = 0; i < group.variables.size(); ++i) {
      const auto v = group.variables[i];
      const auto* body = values[group.bodies[i]];
      if (rows::equal(values[v], body, rows_of(v))) continue;
      rows::copy(values[v], body, rows_of(v));
      stable = false;
    }
    if (stable) return;
  }
}

/// One operator, on rows of a relation or on the one row of a set.
template <std::size_t W>
void Bounds<W>::operate(const Wire& node, Set* out, const Set* a, const Set* b) const {
  const auto count = node.type == graph::Type::relation ? n_ : 1;
  switch (node.op) {
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
    if (node.op == Op::star) rows::add_identity(out, n_);
    return;
  case Op::optional_: rows::copy(out, a, n_); return rows::add_identity(out, n_);
  case Op::product:
    return node.final_product ? final_product(out, *a, *b, n_) : rows::product(out, *a, *b, n_);
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

/// The value of w from bounds of its operands: of what is taken off, the other bound.
template <std::size_t W>
void Bounds<W>::compute(NodeId w, Set* out, bool high) {
  const auto& node = wire(w);
  const auto& same = high ? high_ : low_;
  const auto& opposite = high ? low_ : high_;
  if (node.op == Op::input) return base(*skeleton_, node.input, out);
  if (node.op == Op::empty) return rows::clear(out, rows_of(w));
  if (node.op == Op::interpreted) {
    const auto& operands = plan().interpreted[node.a].operands;
    const bool known = std::ranges::all_of(operands, [&](NodeId o) { return low_[o] == high_[o]; });
    if (known) return run_routine(w, out);
    const auto all = high ? Set::first(n_) : Set{};
    for (std::size_t i = 0; i < rows_of(w); ++i) out[i] = all;
    return;
  }
  const auto* a = node.op == Op::complement ? opposite[node.a] : same[node.a];
  const auto* b = node.op == Op::subtract ? opposite[node.b] : same[node.b];
  if (node.final_product) a = low_[wire(node.a).a]; // X of (X \ FW) × FW
  operate(node, out, a, b);
}

template <std::size_t W>
bool Bounds<W>::within(NodeId inner, NodeId outer) const {
  const auto count = rows_of(inner);
  for (std::size_t i = 0; i < count; ++i)
    if (!high_[inner][i].subset_of(low_[outer][i])) return false;
  return true;
}

/// Another wire that has w's value whatever is decided.
template <std::size_t W>
NodeId Bounds<W>::simpler(NodeId w) const {
  const auto& node = wire(w);
  const auto apart = [&] {
    for (std::size_t i = 0; i < rows_of(w); ++i)
      if (high_[node.a][i].intersects(high_[node.b][i])) return false;
    return true;
  };
  const auto ends_within = [&](bool domain) {
    const auto& s = *low_[node.b];
    for (std::size_t i = 0; i < n_; ++i)
      if (domain ? !high_[node.a][i].empty() && !s.contains(i) : !high_[node.a][i].subset_of(s))
        return false;
    return true;
  };
  if (node.op == Op::unite && within(node.a, node.b)) return same_as_[node.b];
  if (node.op == Op::unite && within(node.b, node.a)) return same_as_[node.a];
  if (node.op == Op::intersect && within(node.a, node.b)) return same_as_[node.a];
  if (node.op == Op::intersect && within(node.b, node.a)) return same_as_[node.b];
  if (node.op == Op::subtract && apart()) return same_as_[node.a];
  if (node.op == Op::restrict_domain && ends_within(true)) return same_as_[node.a];
  if (node.op == Op::restrict_range && ends_within(false)) return same_as_[node.a];
  return w;
}

/// Fills the certain pairs of an order. False: there is no such order.
template <std::size_t W>
bool Bounds<W>::start_order(OrderState<W>& order, const Set& domain, const Set* demanded) {
  order.domain = domain;
  auto* closed = scratch_.data();
  rows::copy(closed, demanded, n_);
  rows::close(closed, n_);
  rows::clear(order.rows, n_);
  bool possible = true;
  domain.for_each([&](std::size_t a) {
    order.rows[a] = closed[a] & class_of(order, static_cast<EventId>(a));
    if (order.rows[a].contains(a)) possible = false;
  });
  order.ready = true;
  return possible;
}

template <std::size_t W>
bool Bounds<W>::bound_choice(NodeId w) {
  const auto index = wire(w).a;
  const auto& choice = plan().choices[index];
  auto& order = orders_[index];
  if (order.rows) { // named by a second node
    same_as_[w] = choice.node;
    low_[w] = low_[choice.node];
    high_[w] = high_[choice.node];
    return true;
  }
  order.by_class = choice.kind == cat::Choice::Kind::linearisations_by_class;
  low_[w] = order.rows = registers_.take(n_);
  high_[w] = registers_.take(n_);
  const bool late = choice.kind == cat::Choice::Kind::interpreted ||
                    low_[choice.set] != high_[choice.set] || !wire(choice.order).exact();
  if (late) {
    for (std::size_t i = 0; i < n_; ++i) high_[w][i] = Set::first(n_);
    return true;
  }
  if (!start_order(order, *low_[choice.set], low_[choice.order])) return false;
  order.domain.for_each([&](std::size_t a) {
    high_[w][a] = class_of(order, static_cast<EventId>(a));
    high_[w][a].erase(a);
    order.domain.for_each([&](std::size_t b) {
      if (order.rows[b].contains(a)) high_[w][a].erase(b);
    });
  });
  if (rows::equal(low_[w], high_[w], n_)) high_[w] = low_[w];
  return true;
}

template <std::size_t W>
std::vector<std::vector<graph::EventSet<W>>> Bounds<W>::alternatives(std::size_t index) const {
  const auto& interpreted = plan().interpreted[plan().choices[index].interpreted];
  std::vector<std::vector<Set>> out;
  for (const auto& relation : cat::interpret_choices(interpreted.routine, input_of(interpreted))) {
    out.emplace_back();
    for (const auto& row : relation) out.back().push_back(narrow<W>(row));
  }
  return out;
}

template <std::size_t W>
cat::RunInput Bounds<W>::input_of(const cat::Interpreted& interpreted) const {
  cat::RunInput input;
  input.watch = &skeleton_->program().terms.watch();
  input.limits = plan().limits;
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
void Bounds<W>::run_routine(NodeId w, Set* out) const {
  const auto& interpreted = plan().interpreted[wire(w).a];
  const auto result = cat::interpret(interpreted.routine, input_of(interpreted), wire(w).type);
  if (wire(w).type == graph::Type::set)
    *out = narrow<W>(result.set);
  else
    for (std::size_t i = 0; i < n_; ++i) out[i] = narrow<W>(result.relation[i]);
}

template class Bounds<1>;
template class Bounds<4>;

} // namespace thinair::executions
