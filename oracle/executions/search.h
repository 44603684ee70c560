// The search over candidate executions of one combination of control paths.
//
// Decided one by one: the write of each read, the last write of each location, the order of each
// pair of a `with` choice. After every decision the model's circuit says what has become impossible
// (circuit.h), and substitution what has become known (substitution.h). Where only final states
// matter, what a state depends on is decided first; one witness is then enough for the rest, and a
// state seen before needs none.
#pragma once

#include "oracle/executions/behaviours.h"
#include "oracle/executions/circuit.h"
#include "oracle/executions/enumerate.h"
#include "oracle/executions/observe.h"
#include "oracle/executions/substitution.h"
#include "oracle/values/solver.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace thinair::executions {

/// Who asks.
class Goal {
 public:
  virtual ~Goal() = default;
  /// Whether an execution with this final state is of interest.
  virtual bool wants(std::span<const Value> state) = 0;
  /// Whether one may be whose final state agrees with `state` where it is `known`.
  virtual bool may_want(std::span<const Value> /*state*/, std::span<const char> /*known*/) const {
    return true;
  }
  /// All states of interest, if they are known beforehand.
  virtual const std::vector<litmus::Behaviour>* listed() const { return nullptr; }
  /// An allowed execution; true ends the search.
  virtual bool found(std::span<const Value> state, const Witness& witness) = 0;
};

/// What a search may spend, over all combinations of paths.
class Budget {
 public:
  Budget(std::uint64_t candidates, Watch& watch) : most_(candidates), watch_(watch) {}
  /// One candidate of so many events, partial ones included; false: a limit has been reached.
  bool spend(std::size_t events);
  /// Work on the way to one.
  bool go_on(std::size_t steps);
  std::uint64_t spent() const { return spent_; }
  const Reason& exhausted() const { return reason_; } // empty: there is some left

 private:
  std::uint64_t most_;
  Watch& watch_;
  std::uint64_t spent_ = 0;
  Reason reason_;
};

struct SearchSetup {
  std::vector<Observed> observed;
  std::vector<Predicate> required; // executions that do not satisfy them are not looked at
  bool every_execution = false;    // or one for each final state
  /// The model orders memory: locations that are observed have a last write (as in herd7, others
  /// have none: FW says nothing of them). With `every_final`, all have.
  bool decide_finals = false;
  bool every_final = false;
  bool want_shown = false;
  bool once_a_cycle = false;             // a cyclic execution is found once, not once a solution
  std::size_t values = 256;              // of one cyclic execution
  std::vector<std::uint32_t> twins = {}; // twins_of (symmetry.h), where only states are asked for
  Distinct distinct = {};                // which orders count as different
  Grant grant = {};                      // by combination of paths: Input::granted
};

/// What the search met besides executions.
struct Remarks {
  std::uint64_t value_cycles = 0;
  Reason open_values; // why the values of some cycle are not all listed
};

template <std::size_t W>
class Search final : private Witness {
 public:
  using Set = graph::EventSet<W>;

  Search(const Analysis& analysis, const SearchSetup& setup, Goal& goal, Budget& budget,
         values::Solver& solver, Remarks& remarks)
      : analysis_(analysis), setup_(setup), goal_(goal), budget_(budget), solver_(solver),
        remarks_(remarks), circuit_(analysis, setup.want_shown) {}

  /// False: the goal is reached, or the budget spent.
  bool explore(const Skeleton& skeleton);

 private:
  enum class Outcome : std::uint8_t { nothing, found, stop };
  struct Frame {
    std::size_t sets = 0, trail = 0, values = 0;
    Deps dirty = 0;
  };
  struct Decision {
    Frame frame; // before it
    std::size_t variable;
    EventId event;
  };

  // search_setup.cpp
  bool prepare();
  bool prepare_reads();
  void number_finals();
  void prepare_finals();
  void collect_asked();
  void find_relevant();
  void find_twins();
  void find_telling_pairs();

  // search.cpp
  bool interesting(bool& settled);
  Outcome descend(bool settled, const Decision* last);
  Outcome branch(bool settled);
  Outcome complete(bool settled);
  Outcome complete_cycle();
  void solve_cycle();
  values::Constraints constraints_of_cycle(std::vector<TermId>& interest);
  void list_values(values::Constraints& constraints, const std::vector<TermId>& interest);
  void look_up_values(values::Constraints& constraints, const std::vector<TermId>& interest);
  bool assign_values(std::size_t state);
  Outcome found();
  std::size_t choices_of(std::size_t variable) const;
  std::size_t pick(bool settled) const;
  bool assign(std::size_t variable, EventId event);
  bool repeats(std::size_t variable, EventId event) const;
  void touch(std::size_t variable, EventId event, int by);
  Frame save();
  void restore(const Frame& frame);
  void rewind(const Frame& frame);
  bool propagate();
  bool prune(bool& changed);
  bool narrow(std::size_t variable, const Set& forbidden, bool& changed);
  bool observe();
  bool excluded() const;

  // search_orders.cpp
  Outcome settle_orders();
  Outcome settle_late(std::size_t choice);
  Outcome guess_finals();
  Outcome guess_orders();
  Outcome try_orders();
  Outcome try_pair(std::size_t choice, EventId a, EventId b);
  bool absorb_demands(bool& changed);
  bool prune_orders(bool& changed);
  bool open_pair(std::size_t& choice, EventId& a, EventId& b, const Set* among = nullptr) const;
  Outcome settle_distinct();
  void extend(std::size_t choice);
  void remember();

  bool one_each() const { return !setup_.every_execution; }
  /// Orders: whether any will do.
  bool one_order() const { return one_each() || any_order_; }
  bool is_read(std::size_t variable) const { return variable < reads_; }
  bool decided(std::size_t variable) const { return chosen_[variable] != no_event; }

  // Witness
  const Skeleton& skeleton() const override { return *skeleton_; }
  EventId source(EventId read) const override { return chosen_[variable_of_read_[read]]; }
  EventId final_write(std::size_t cell) const override {
    const auto v = variable_of_cell_[cell];
    return v == no_event ? no_event : chosen_[v];
  }
  std::span<const Value> assignment() const override {
    return cycle_ ? std::span<const Value>(cycle_states_[cycle_at_].assignment)
                  : values_.assignment();
  }
  bool cyclic() const override { return cycle_; }
  graph::EventSet<4> shown(std::size_t index, EventId row) const override;
  void raised(std::vector<std::uint32_t>& out) const override { circuit_.raised(out); }

  const Analysis& analysis_;
  const SearchSetup& setup_;
  Goal& goal_;
  Budget& budget_;
  values::Solver& solver_;
  Remarks& remarks_;
  Circuit<W> circuit_;
  Substitution values_;
  const Skeleton* skeleton_ = nullptr;
  std::size_t n_ = 0;

  // Search variables: one a read, then one a cell whose last write is decided.
  std::size_t reads_ = 0, variables_ = 0;
  std::vector<std::uint32_t> variable_of_read_; // by event
  std::vector<std::uint32_t> variable_of_cell_; // by cell; no_event: not decided
  std::vector<Set> domains_;                    // by variable: events still possible
  std::vector<EventId> chosen_;                 // by variable
  std::vector<char> relevant_;                  // by variable: a final state may depend on it
  std::vector<std::uint32_t> trail_;            // variables, as they were assigned
  std::vector<Set> saved_;                      // frames, one after the other
  std::size_t saved_used_ = 0;
  std::vector<Set> sources_; // by write: the reads that may take it
  std::vector<TermId> asked_;
  std::vector<std::uint32_t> asked_of_; // by observable: index into asked_, or no_event

  std::vector<Value> state_; // by observable
  std::vector<char> known_;
  std::vector<std::vector<EventId>> ranks_; // by choice, event: its place in the last good order
  std::vector<EventId> good_finals_;        // by variable, less reads_
  /// Threads that may change places where their paths are the same: by thread, the first of them.
  /// Empty: none may. One is touched once a decision speaks of it.
  std::vector<std::uint32_t> twin_;
  std::vector<int> touched_; // by thread
  std::vector<Set> telling_; // by choice, event: pairs that setup_.distinct depend on
  bool any_order_ = false;   // they are decided
  bool cycle_ = false;
  bool cycle_solved_ = false;
  struct CycleState {
    std::vector<Value> shown;      // the final state
    std::vector<Value> values;     // the same as the terms have it: x86 shows it as declared
    std::vector<Value> assignment; // one that ends so; empty: nobody asked for it yet
  };
  std::vector<CycleState> cycle_states_;
  std::size_t cycle_at_ = 0; // the one that a visitor looks at
};

} // namespace thinair::executions
