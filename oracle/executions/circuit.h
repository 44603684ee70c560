// A model wired up for one combination of control paths: what is certain on a partial execution,
// and what may not be added to it.
//
// Nodes get an interval once the paths are known: `low` with nothing decided, `high` with every
// read taking every write at once, every order both ways. Where the two agree the node is a
// constant; an axiom that holds at `high` holds always; one that fails at `low` rules the paths
// out. What is left becomes a short list of steps over registers:
//
//   forward   registers hold lower bounds under what is decided so far. A violated axiom stays
//             violated (complements are taken of `high`, so this needs no monotone model).
//   backward  registers hold what must not be added: an axiom forbids the pairs that would complete
//             a violation, and each operator passes that on to its operands (as reverse-mode
//             differentiation passes on gradients), down to rf, FW and the orders. One pass so
//             forbids every single decision that fails at once.
#pragma once

#include "oracle/cat/interpret.h"
#include "oracle/executions/analysis.h"
#include "oracle/executions/skeleton.h"

#include <algorithm>
#include <cstdint>
#include <span>
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
class Circuit {
 public:
  using Set = graph::EventSet<W>;

  /// `want_shown`: also compute what the model shows.
  Circuit(const Analysis& analysis, bool want_shown)
      : analysis_(analysis), want_shown_(want_shown) {}

  /// `sources[w]`: the reads that may take write w; `finals`: the writes that may be last. False:
  /// no execution has these paths.
  bool load(const Skeleton& skeleton, const Set* sources, const Set& finals);

  /// What is decided; the owner changes it and says so by `touch`.
  Set* rf() { return rf_; }
  Set& final_writes() { return *final_; }
  std::vector<OrderState<W>>& orders() { return orders_; }
  void touch(Deps changed) { dirty_ |= changed; }

  /// All of it that decisions change, rf and orders included: `rows()` sets.
  std::size_t rows() const { return live_rows_; }
  Deps save(Set* to) const {
    std::copy_n(memory_.data() + live_first_, live_rows_, to);
    return dirty_;
  }
  void restore(const Set* from, Deps dirty) {
    std::copy_n(from, live_rows_, memory_.data() + live_first_);
    dirty_ = dirty;
  }

  /// Lower bounds, brought up to date. False: an axiom fails, whatever is added.
  bool forward();
  /// After `forward`: fills what must not be added.
  void backward();
  const Set* forbidden_rf() const { return rf_forbidden_; }
  const Set* final_forbidden() const { return final_forbidden_; } // absent: none

  /// Everything is decided: every axiom, as it is.
  bool holds();
  /// After `holds`: flags raised (by index of axiom).
  void raised(std::vector<std::uint32_t>& out) const;

  /// A late choice whose set and order depend on nothing but `decided`. False: there is no order.
  bool settle_order(std::size_t choice, Deps decided);
  /// The same for a choice among relations that the model lists.
  std::vector<std::vector<Set>> alternatives(std::size_t choice, Deps decided);

  /// After `holds`: the value of a shown node; a set is one row.
  const Set* shown(std::size_t index) const;
  /// After `load`: the pairs of each order (n rows a choice) that decide the values of the shown
  /// nodes. With these and everything else but orders decided, so are the nodes.
  void trace_shown(std::span<const std::size_t> shown, std::vector<Set>& pairs);

  std::size_t size() const { return n_; }
  /// e's class in a choice: all of `domain`, or those of its location.
  Set class_of(const OrderState<W>& order, EventId e) const {
    return order.by_class ? order.domain & same_location_[e] : order.domain;
  }

 private:
  enum class Check : std::uint8_t { none, acyclic, irreflexive, empty, demand, loop };

  /// One operation, or one check, on registers.
  struct Step {
    cat::Op op = cat::Op::empty;
    Check check = Check::none;
    bool negated = false; // check: at the end only
    bool relation = true; // `out` has n rows, otherwise one
    bool final_product = false;
    bool once = false;           // loop: no step reads its variables
    std::uint32_t axiom = 0;     // check; loop: index into loops_
    std::uint32_t choice = 0;    // demand
    std::uint32_t span = 0;      // loop: steps that it repeats, which follow
    std::uint32_t variables = 0; // loop: how many of loops_
    Deps deps = 0;
    cat::NodeId wire = 0;
    Set* out = nullptr;
    const Set* a = nullptr;
    const Set* b = nullptr;
    const Set* a_high = nullptr;
    const Set* b_high = nullptr;        // b at most: what a subtraction takes off while undecided
    cat::NodeId from_a = 0, from_b = 0; // the wires of a and b
    Set* forbid_out = nullptr;          // absent: constant
    Set* forbid_a = nullptr;
    Set* forbid_b = nullptr;
  };
  struct LoopVariable {
    cat::NodeId wire;
    Set* variable;
    const Set* body;
    Set* forbid_variable;
    Set* forbid_body;
    bool relation;
  };

  const Wire& wire(cat::NodeId w) const { return analysis_.wires[w]; }
  std::size_t rows_of(cat::NodeId w) const {
    return wire(w).type == graph::Type::relation ? n_ : 1;
  }
  Set* take(std::size_t rows);
  Set* duplicate(const Set* from, std::size_t rows);

  // circuit_bounds.cpp
  void reset(const Skeleton& skeleton, const Set* sources, const Set& finals);
  bool bound_all();
  bool bound(cat::NodeId w);
  bool bound_shared(cat::NodeId w, cat::NodeId& first, const Set* at_most);
  bool bound_choice(cat::NodeId w);
  void bound_group(const cat::Fixpoint& group);
  void iterate(const cat::Fixpoint& group, bool high);
  void compute(cat::NodeId w, Set* out, bool high);
  void settle(cat::NodeId w);
  cat::NodeId simpler(cat::NodeId w) const;
  bool within(cat::NodeId inner, cat::NodeId outer) const;
  bool start_order(OrderState<W>& order, const Set& domain, const Set* demanded);

  // circuit_wiring.cpp
  bool decide_axioms();
  void need(cat::NodeId w);
  void emit_all();
  void emit(cat::NodeId w);
  void emit_checks(cat::NodeId w);
  void emit_loop(const cat::Fixpoint& group);
  void connect();

  // circuit_forward.cpp
  bool run(bool exact);
  bool advance(const Step& step, bool exact);
  bool check(const Step& step);
  bool due(const Step& step) const { return changed_[step.from_a] || changed_[step.from_b]; }
  void mark_changes();
  void operate(const Step& step, Set* out, const Set* a, const Set* b);
  void run_loop(std::size_t at, bool exact);
  void run_decided(Deps decided);
  void run_routine(cat::NodeId w, Set* out);
  cat::RunInput input_of(const cat::Interpreted& interpreted) const;

  // circuit_backward.cpp
  bool forbid(const Step& step);
  void pass_on(const Step& step);
  void forbid_relation(const Step& step);
  void forbid_set(const Step& step);
  void seed(const Step& step);
  void forbid_loop(std::size_t at);
  void through_closure(const Set* closed, const Set* forbidden, const Step& step, Set* out);

  // circuit_trace.cpp
  void trace(cat::NodeId w, const Set* counts, std::vector<Set>& pairs);
  void trace_operands(cat::NodeId w, std::vector<Set>& pairs);

  static constexpr cat::NodeId no_wire = 0xffffffff;

  const Analysis& analysis_;
  bool want_shown_;
  const Skeleton* skeleton_ = nullptr;
  std::size_t n_ = 0;
  std::vector<Set> memory_;
  std::size_t used_ = 0;
  std::vector<Set*> low_, high_;     // by wire; the same where constant
  std::vector<Set*> forbidden_;      // by wire; absent where nothing asks
  std::vector<cat::NodeId> same_as_; // by wire: one that always has the same value
  std::vector<char> needed_;         // by wire
  std::vector<Set> same_location_;   // by event
  const Set* sources_ = nullptr;
  Set* rf_ = nullptr;
  Set* rf_forbidden_ = nullptr;
  Set* final_ = nullptr;
  Set* final_forbidden_ = nullptr;
  Set* high_final_ = nullptr;
  // stretches of memory_
  std::size_t forbidden_first_ = 0, passing_first_ = 0, live_first_ = 0, live_rows_ = 0;
  std::vector<char> changed_; // by wire, in the pass under way
  std::vector<OrderState<W>> orders_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> outer_; // steps outside of loops, and the loops
  std::vector<LoopVariable> loops_;  // of all loops; a step knows its stretch
  std::vector<std::uint32_t> live_axioms_;
  std::vector<Set> scratch_;
  std::vector<char> traced_; // by wire
  cat::NodeId rf_wire_ = no_wire, final_wire_ = no_wire;
  Deps dirty_ = 0;
  bool inexact_ = false; // some step is not exact
};

} // namespace thinair::executions
