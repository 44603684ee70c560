// What is left of a model between its bounds, as a list of steps over registers: operations and
// checks, in the order in which they run.
#pragma once

#include "oracle/executions/bounds.h"

#include <cstdint>
#include <vector>

namespace thinair::executions {

enum class Check : std::uint8_t { none, acyclic, irreflexive, empty, demand, loop };

/// One operation, or one check, on registers.
template <std::size_t W>
struct Step {
  using Set = graph::EventSet<W>;
  cat::Op op = cat::Op::empty;
  Check check = Check::none;
  bool negated = false; // check: at the end only
  bool relation = true; // `out` has n rows, otherwise one
  bool final_product = false;
  bool once = false;           // loop: no step reads its variables
  std::uint32_t axiom = 0;     // check; loop: index into the loops' variables
  std::uint32_t choice = 0;    // demand
  std::uint32_t span = 0;      // loop: steps that it repeats, which follow
  std::uint32_t variables = 0; // loop: how many
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

template <std::size_t W>
struct LoopVariable {
  using Set = graph::EventSet<W>;
  cat::NodeId wire;
  Set* variable;
  const Set* body;
  Set* forbid_variable;
  Set* forbid_body;
  bool relation;
};

template <std::size_t W>
class Steps {
 public:
  using Set = graph::EventSet<W>;

  /// The steps that decide the axioms which the bounds leave open, and the orders; `want_shown`:
  /// also what the model shows. Lower bounds move to registers that change with decisions, as few
  /// as there can be. False: an axiom cannot hold.
  bool wire_up(Bounds<W>& bounds, bool want_shown);

  const std::vector<Step<W>>& all() const { return steps_; }
  /// Those outside of loops, and the loops.
  const std::vector<std::uint32_t>& outer() const { return outer_; }
  /// Of all loops; a step knows its stretch.
  const std::vector<LoopVariable<W>>& variables() const { return variables_; }
  const std::vector<std::uint32_t>& open_axioms() const { return open_axioms_; }
  /// Whether some step is not exact while things are undecided.
  bool inexact() const { return inexact_; }
  /// What must not be added to w; absent where nothing asks.
  Set* forbidden(cat::NodeId w) const { return w < forbidden_.size() ? forbidden_[w] : nullptr; }

  /// Stretches of the registers: what the backward pass clears, and what decisions change.
  struct Stretch {
    std::size_t first = 0, rows = 0;
  };
  const Stretch& cleared() const { return cleared_; }
  const Stretch& live() const { return live_; }

 private:
  using NodeId = cat::NodeId;
  const Wire& wire(NodeId w) const { return bounds_->wire(w); }
  bool decide_axioms();
  void need(NodeId w);
  void need_all(bool want_shown);
  void connect();
  void emit_all();
  void emit(NodeId w);
  void emit_checks(NodeId w);
  Step<W> check_of(NodeId w, Check check, bool closed);
  void emit_loop(const cat::Fixpoint& group);

  Bounds<W>* bounds_ = nullptr;
  std::vector<char> needed_;    // by wire
  std::vector<Set*> forbidden_; // by wire
  std::vector<Step<W>> steps_;
  std::vector<std::uint32_t> outer_;
  std::vector<LoopVariable<W>> variables_;
  std::vector<std::uint32_t> open_axioms_;
  bool inexact_ = false;
  Stretch cleared_, live_;
};

} // namespace thinair::executions
