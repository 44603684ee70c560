// A model wired up for one combination of control paths: what is certain on a partial execution,
// and what may not be added to it.
//
// Nodes get an interval once the paths are known (bounds.h): an axiom that holds at the upper bound
// holds always; one that fails at the lower bound rules the paths out. What is left becomes a short
// list of steps over registers (steps.h), which run in two directions: forward (forward_pass.h),
// for what follows from the decisions, and backward (backward_pass.h), for what must not be added.
#pragma once

#include "oracle/executions/backward_pass.h"
#include "oracle/executions/bounds.h"
#include "oracle/executions/forward_pass.h"
#include "oracle/executions/order_trace.h"
#include "oracle/executions/steps.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace thinair::executions {

template <std::size_t W>
class Circuit {
 public:
  using Set = graph::EventSet<W>;

  /// `want_shown`: also compute what the model shows.
  Circuit(const Analysis& analysis, bool want_shown)
      : want_shown_(want_shown), bounds_(analysis), forward_(bounds_, steps_),
        backward_(bounds_, steps_) {}
  Circuit(const Circuit&) = delete;
  Circuit& operator=(const Circuit&) = delete;

  /// `sources[w]`: the reads that may take write w; `finals`: the writes that may be last. False:
  /// no execution has these paths.
  bool load(const Skeleton& skeleton, const Set* sources, const Set& finals);

  /// What is decided; the owner changes it and says so by `touch`.
  Set* rf() { return bounds_.rf(); }
  Set& final_writes() { return *bounds_.final_writes(); }
  std::vector<OrderState<W>>& orders() { return bounds_.orders(); }
  const std::vector<OrderState<W>>& orders() const { return bounds_.orders(); }
  void touch(Deps changed) { dirty_ |= changed; }

  /// All of it that decisions change, rf and orders included: `rows()` sets.
  std::size_t rows() const { return steps_.live().rows; }
  Deps save(Set* to) const {
    std::copy_n(bounds_.registers().at(steps_.live().first), rows(), to);
    return dirty_;
  }
  void restore(const Set* from, Deps dirty) {
    std::copy_n(from, rows(), bounds_.registers().at(steps_.live().first));
    dirty_ = dirty;
  }

  /// Lower bounds, brought up to date. False: an axiom fails, whatever is added.
  bool forward();
  /// After `forward`: fills what must not be added.
  void backward() { backward_.run(); }
  const Set* forbidden_rf() const { return forbidden(bounds_.rf_wire()); }
  const Set* final_forbidden() const { return forbidden(bounds_.final_wire()); } // absent: none

  /// Everything is decided: every axiom, as it is.
  bool holds() { return forward() && forward_.holds(); }
  /// After `holds`: flags raised (by index of axiom).
  void raised(std::vector<std::uint32_t>& out) const;

  /// A late choice whose set and order depend on nothing but `decided`. False: there is no order.
  bool settle_order(std::size_t choice, Deps decided);
  /// The same for a choice among relations that the model lists.
  std::vector<std::vector<Set>> alternatives(std::size_t choice, Deps decided);

  /// After `holds`: the value of a shown node; a set is one row.
  const Set* shown(std::size_t index) const { return value(bounds_.plan().shows[index].node); }
  /// After `load`: as deciding_pairs (order_trace.h).
  void trace_shown(std::span<const std::size_t> shown, std::vector<Set>& pairs) const {
    deciding_pairs(bounds_, shown, pairs);
  }

  std::size_t size() const { return bounds_.size(); }
  /// e's class in a choice: all of `domain`, or those of its location.
  Set class_of(const OrderState<W>& order, EventId e) const { return bounds_.class_of(order, e); }

 private:
  const Set* value(cat::NodeId w) const { return bounds_.low(bounds_.same_as(w)); }
  const Set* forbidden(cat::NodeId w) const {
    return w == Bounds<W>::no_wire ? nullptr : steps_.forbidden(w);
  }
  void run_decided(Deps decided);

  bool want_shown_;
  Bounds<W> bounds_;
  Steps<W> steps_;
  ForwardPass<W> forward_;
  BackwardPass<W> backward_;
  Deps dirty_ = 0;
};

} // namespace thinair::executions
