// Precise where a choice goes through constants; elsewhere all pairs of an operand count.
#include "oracle/executions/order_trace.h"

#include <utility>

namespace thinair::executions {
namespace {

namespace rows = graph::rows;
using cat::NodeId;
using cat::Op;

template <std::size_t W>
class OrderTrace {
 public:
  using Set = graph::EventSet<W>;
  OrderTrace(const Bounds<W>& bounds, std::vector<Set>& pairs)
      : bounds_(bounds), n_(bounds.size()), all_(n_, Set::first(n_)),
        traced_(bounds.plan().nodes.size()), pairs_(pairs) {}

  void whole(NodeId w) { trace(w, all_.data()); }

 private:
  /// Where all of an operand counts: that of every operand of w.
  void trace_operands(NodeId w) {
    if (traced_[w]) return;
    traced_[w] = 1;
    const auto& node = bounds_.wire(w);
    const auto& plan = bounds_.plan();
    if (node.op == Op::variable)
      for (const auto body : plan.fixpoints[node.a].bodies) whole(body);
    if (node.op == Op::interpreted)
      for (const auto operand : plan.interpreted[node.a].operands) whole(operand);
    const auto operands = cat::operand_count(node.op);
    if (operands > 1) whole(node.b);
    if (operands > 0) whole(node.a);
  }

  /// Adds those that the pairs `counts` of w's value depend on.
  void trace(NodeId w, const Set* counts) {
    w = bounds_.same_as(w);
    if (!bounds_.varies(w)) return;
    const auto& node = bounds_.wire(w);
    if (node.op == Op::choice) {
      auto* out = pairs_.data() + node.a * n_;
      return rows::unite(out, out, counts, n_);
    }
    if (node.op == Op::unite) {
      trace(node.a, counts);
      return trace(node.b, counts);
    }
    const bool binary = node.op == Op::intersect || node.op == Op::subtract ||
                        node.op == Op::restrict_domain || node.op == Op::restrict_range;
    if (!binary || node.type != graph::Type::relation) return trace_operands(w);
    auto varying = bounds_.same_as(node.a), constant = bounds_.same_as(node.b);
    if (node.op == Op::intersect && !bounds_.varies(varying)) std::swap(varying, constant);
    if (bounds_.varies(constant)) return trace_operands(w);
    const auto* by = bounds_.low(constant);
    std::vector<Set> counts_below(counts, counts + n_);
    for (std::size_t i = 0; i < n_; ++i) {
      auto& row = counts_below[i];
      if (node.op == Op::intersect) row &= by[i];
      if (node.op == Op::subtract) row -= by[i];
      if (node.op == Op::restrict_domain && !by->contains(i)) row = {};
      if (node.op == Op::restrict_range) row &= *by;
    }
    trace(varying, counts_below.data());
  }

  const Bounds<W>& bounds_;
  const std::size_t n_;
  const std::vector<Set> all_;
  std::vector<char> traced_; // by wire
  std::vector<Set>& pairs_;
};

} // namespace

template <std::size_t W>
void deciding_pairs(const Bounds<W>& bounds, std::span<const std::size_t> shown,
                    std::vector<graph::EventSet<W>>& pairs) {
  pairs.assign(bounds.orders().size() * bounds.size(), {});
  OrderTrace<W> trace(bounds, pairs);
  for (const auto index : shown) trace.whole(bounds.plan().shows[index].node);
}

template void deciding_pairs(const Bounds<1>&, std::span<const std::size_t>,
                             std::vector<graph::EventSet<1>>&);
template void deciding_pairs(const Bounds<4>&, std::span<const std::size_t>,
                             std::vector<graph::EventSet<4>>&);

} // namespace thinair::executions
