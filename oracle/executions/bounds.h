// Intervals: what each node of a model is at least and at most, once the control paths are known.
//
// `low` is its value with nothing decided, `high` with every read taking every write at once and
// every order both ways. Where the two agree the node is a constant.
#pragma once

#include "oracle/cat/interpret.h"
#include "oracle/executions/analysis.h"
#include "oracle/executions/registers.h"
#include "oracle/executions/skeleton.h"

#include <cstdint>
#include <vector>

namespace thinair::executions {

/// An order that a `with` choice must find: a strict partial order so far.
template <std::size_t W>
struct OrderState {
  using Set = graph::EventSet<W>;
  Set domain; // what is ordered
  bool by_class = false;
  Set* rows = nullptr;           // the pairs that are certain; transitively closed
  Set* forbidden = nullptr;      // by the last backward pass
  const Set* demanded = nullptr; // what the model's order says, closed; absent: nothing new
  bool ready = false;            // domain and demands are known (late ones wait for rf and FW)
};

template <std::size_t W>
class Bounds {
 public:
  using Set = graph::EventSet<W>;

  explicit Bounds(const Analysis& analysis) : analysis_(analysis) {}

  /// `sources[w]`: the reads that may take write w; `finals`: the writes that may be last. False:
  /// some order cannot be.
  bool load(const Skeleton& skeleton, const Set* sources, const Set& finals);

  const cat::Plan& plan() const { return analysis_.plan; }
  const Analysis& analysis() const { return analysis_; }
  const Wire& wire(cat::NodeId w) const { return analysis_.wires[w]; }
  std::size_t size() const { return n_; }
  std::size_t rows_of(cat::NodeId w) const {
    return wire(w).type == graph::Type::relation ? n_ : 1;
  }

  Set* low(cat::NodeId w) const { return low_[w]; }
  const Set* high(cat::NodeId w) const { return high_[w]; }
  bool varies(cat::NodeId w) const { return low_[w] != high_[w]; }
  /// A wire that always has the same value; w where there is no simpler one.
  cat::NodeId same_as(cat::NodeId w) const { return same_as_[w]; }

  /// From here on w's lower bound is kept in a register that changes with decisions.
  void keep_in(cat::NodeId w, Set* at);

  /// What is decided.
  Set* rf() const { return rf_; }
  Set* final_writes() const { return final_; }
  std::vector<OrderState<W>>& orders() { return orders_; }
  const std::vector<OrderState<W>>& orders() const { return orders_; }
  /// The wires of rf and FW; absent where the model names them nowhere.
  static constexpr cat::NodeId no_wire = 0xffffffff;
  cat::NodeId rf_wire() const { return rf_wire_; }
  cat::NodeId final_wire() const { return final_wire_; }

  /// e's class in a choice: all of `domain`, or those of its location.
  Set class_of(const OrderState<W>& order, EventId e) const {
    return order.by_class ? order.domain & same_location_[e] : order.domain;
  }
  /// Fills the certain pairs of an order. False: there is no such order.
  bool start_order(OrderState<W>& order, const Set& domain, const Set* demanded);

  /// What an interpreted node is, and which relations an interpreted choice lists, where its
  /// operands are as their lower bounds.
  void run_routine(cat::NodeId w, Set* out) const;
  std::vector<std::vector<Set>> alternatives(std::size_t choice) const;

  Registers<W>& registers() { return registers_; }
  const Registers<W>& registers() const { return registers_; }

 private:
  void reset(const Skeleton& skeleton, const Set* sources, const Set& finals);
  bool bound(cat::NodeId w);
  void bound_shared(cat::NodeId w, cat::NodeId& first, const Set* at_most);
  bool bound_choice(cat::NodeId w);
  void bound_group(const cat::Fixpoint& group);
  void iterate(const cat::Fixpoint& group, bool high);
  void compute(cat::NodeId w, Set* out, bool high);
  void operate(const Wire& node, Set* out, const Set* a, const Set* b) const;
  void settle(cat::NodeId w);
  cat::NodeId simpler(cat::NodeId w) const;
  bool within(cat::NodeId inner, cat::NodeId outer) const;
  cat::RunInput input_of(const cat::Interpreted& interpreted) const;

  const Analysis& analysis_;
  const Skeleton* skeleton_ = nullptr;
  std::size_t n_ = 0;
  Registers<W> registers_;
  std::vector<Set*> low_, high_;     // by wire; the same where constant
  std::vector<cat::NodeId> same_as_; // by wire
  std::vector<Set> same_location_;   // by event
  const Set* sources_ = nullptr;
  Set* rf_ = nullptr;
  Set* final_ = nullptr;
  Set* high_final_ = nullptr;
  cat::NodeId rf_wire_ = no_wire, final_wire_ = no_wire;
  std::vector<OrderState<W>> orders_;
  std::vector<Set> scratch_;
};

} // namespace thinair::executions
