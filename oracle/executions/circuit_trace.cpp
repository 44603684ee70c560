// Which pairs of the orders decide a node's value: a walk from the node down to the choices.
#include "oracle/executions/circuit.h"

namespace thinair::executions {

namespace rows = graph::rows;
using cat::NodeId;
using cat::Op;

template <std::size_t W>
void Circuit<W>::trace_shown(std::span<const std::size_t> shown, std::vector<Set>& pairs) {
  pairs.assign(orders_.size() * n_, {});
  traced_.assign(analysis_.plan.nodes.size(), 0);
  const std::vector<Set> all(n_, Set::first(n_));
  for (const auto index : shown) trace(analysis_.plan.shows[index].node, all.data(), pairs);
}

/// Where all of an operand counts: that of every operand of w.
template <std::size_t W>
void Circuit<W>::trace_operands(NodeId w, std::vector<Set>& pairs) {
  if (traced_[w]) return;
  traced_[w] = 1;
  const std::vector<Set> all(n_, Set::first(n_));
  const auto whole = [&](NodeId operand) { trace(operand, all.data(), pairs); };
  const auto& node = wire(w);
  const auto& plan = analysis_.plan;
  switch (node.op) {
  case Op::variable:
    for (const auto body : plan.fixpoints[node.a].bodies) whole(body);
    return;
  case Op::interpreted:
    for (const auto operand : plan.interpreted[node.a].operands) whole(operand);
    return;
  case Op::unite:
  case Op::intersect:
  case Op::subtract:
  case Op::compose:
  case Op::product:
  case Op::restrict_domain:
  case Op::restrict_range: whole(node.b); [[fallthrough]];
  case Op::complement:
  case Op::inverse:
  case Op::plus:
  case Op::star:
  case Op::optional_:
  case Op::identity_on:
  case Op::domain:
  case Op::range: return whole(node.a);
  case Op::input:
  case Op::empty:
  case Op::choice: return;
  }
}

/// Adds to `pairs` those that the pairs `counts` of w's value depend on. Precise where a choice
/// goes through constants; elsewhere all pairs of an operand count.
template <std::size_t W>
void Circuit<W>::trace(NodeId w, const Set* counts, std::vector<Set>& pairs) {
  w = same_as_[w];
  if (low_[w] == high_[w]) return;
  const auto& node = wire(w);
  if (node.op == Op::choice) {
    auto* out = pairs.data() + node.a * n_;
    return rows::unite(out, out, counts, n_);
  }
  if (node.op == Op::unite) {
    trace(node.a, counts, pairs);
    return trace(node.b, counts, pairs);
  }
  const bool binary = node.op == Op::intersect || node.op == Op::subtract ||
                      node.op == Op::restrict_domain || node.op == Op::restrict_range;
  if (!binary || node.type != graph::Type::relation) return trace_operands(w, pairs);
  auto varying = same_as_[node.a], constant = same_as_[node.b];
  if (node.op == Op::intersect && low_[varying] == high_[varying]) std::swap(varying, constant);
  if (low_[constant] != high_[constant]) return trace_operands(w, pairs);
  const auto* by = low_[constant];
  std::vector<Set> counts_below(counts, counts + n_);
  for (std::size_t i = 0; i < n_; ++i) {
    auto& row = counts_below[i];
    if (node.op == Op::intersect) row &= by[i];
    if (node.op == Op::subtract) row -= by[i];
    if (node.op == Op::restrict_domain && !by->contains(i)) row = {};
    if (node.op == Op::restrict_range) row &= *by;
  }
  trace(varying, counts_below.data(), pairs);
}

template class Circuit<1>;
template class Circuit<4>;

} // namespace thinair::executions
