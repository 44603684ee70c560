// The kit that a machine's meaning is written with, on symbolic values: what a thread computes, and
// the events that it makes. Its twin on numbers is concrete.h.
//
// A machine writes the meaning of an instruction once, as a template over its core:
//
//   template <class Core>
//   bool execute(const Instruction& in, State<Core>& state, Core& core) {
//     …
//     const auto sum = core.make(TermOp::add, 64, state.read(in.first), state.read(in.second));
//     const auto old = core.load(state.read(in.base), {Width::l, t_acquire});
//     …
//     return core.branch(is_zero); // whether it goes to in.target
//   }
//
// and gets concrete steps with ConcreteCore, paths with SymbolicCore and walk.h. All values are
// sign-extended from the width that they have, as those of terms are.
#pragma once

#include "litmus/machine/cells.h"
#include "oracle/graph/decisions.h"
#include "oracle/graph/path.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace thinair::machine {

using graph::SetId;
using graph::TermId;
using graph::TermOp;
using litmus::Cell;
using litmus::LocationId;
using litmus::Value;
using litmus::Width;

/// A value while a thread is walked: its term, and the reads that it comes from by what the
/// instructions say, not by what the term still shows (`eor w1,w0,w0` is 0 and comes from what w0
/// comes from).
struct Symbol {
  TermId term;
  SetId from = graph::no_variables;
  /// Reads that chose it (the condition of a conditional select), and those that its operands were
  /// chosen by.
  SetId picked = graph::no_variables;
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

/// One access to memory, or a fence: what its event is.
struct Access {
  Width width = Width::l;
  graph::Tags tags = 0;
  litmus::Construct construct = litmus::Construct::plain;
};

/// How wide the accesses of a program to its cells are. Those to one cell have one width, which may
/// be less than its own: then they have its low part, and the rest stays as it was (memory is
/// little-endian).
class AccessWidths {
 public:
  explicit AccessWidths(std::span<const Cell> cells) : cells_(cells), widths_(cells.size()) {}
  /// Throws Unsupported where the access is wider than its cell, or another has another width.
  void note(LocationId location, Width width);

 private:
  std::span<const Cell> cells_;
  std::vector<std::optional<Width>> widths_; // by cell; absent: nothing accesses it so far
};

class SymbolicCore {
 public:
  using Word = Symbol;

  /// All outlive it. `sets` are those of the paths that `out` is one of; `widths` those of the
  /// program.
  SymbolicCore(std::span<const Cell> cells, AccessWidths& widths, graph::VariableSets& sets,
               graph::PathBuilder& out);

  // Values

  Word number(Value value) { return {terms_.constant(value)}; }
  /// The result comes from all operands. Not for `select`, whose first operand picks: `pick`.
  Word make(TermOp op, std::uint8_t bits, Word a, Word b = {});
  /// `a` where `condition` is not zero, else `b`: the value comes from that one, and the condition
  /// picked it. Forks the path where the two come from different reads.
  Word pick(Word condition, Word a, Word b);
  /// `a` where `condition` is not zero, else `b`: an operator like others, whose result comes from
  /// all three.
  Word choose(Word condition, Word a, Word b);
  /// Whether `condition` is not zero; forks the path. What comes of it is for the caller to say
  /// with `picked_by`.
  bool decide(Word condition) { return out_.decide(condition.term, false); }
  /// `value`, picked by what `condition` comes from.
  Word picked_by(Word condition, Word value);

  // Control

  /// Whether `condition` is not zero, with a control dependency of all that follows. (Where the
  /// branch goes to the next instruction either way, the path does not fork.)
  bool branch(Word condition);

  // Memory. Addresses have 64 bits; values that are written fit the width, and so do those that
  // come back.

  Word load(Word address, const Access& access);
  void store(Word address, Word value, const Access& access);
  /// One update: a read and a write of one instruction. `change` makes the new value of the old
  /// one.
  template <class Change>
  Word update(Word address, const Access& read, const Access& write, Change&& change) {
    const Word old = load(address, read);
    store_behind(last_read_, change(old), write, address);
    return old;
  }
  /// The same as one event that reads and writes.
  template <class Change>
  Word update_as_one(Word address, const Access& access, Change&& change) {
    const Word old = load(address, access);
    write_too(change(old), access);
    return old;
  }
  /// An update where what is read equals `expected`, else a read: a path each. The value comes from
  /// `wanted`, and the comparison, of what is read, too, picks whether it is written.
  Word compare_and_swap(Word address, Word expected, Word wanted, const Access& read,
                        const Access& write);
  /// The same as one event. The value comes from `expected`, too; where nothing is written, the
  /// event is `failed`.
  Word compare_and_swap_as_one(Word address, Word expected, Word wanted, const Access& access,
                               const Access& failed);
  /// A load that opens the thread's monitor.
  Word load_exclusive(Word address, const Access& access);
  /// 0 where it stores, and 1 where not: a path each where the monitor is open for that location,
  /// else the latter. The monitor is closed then.
  Word store_exclusive(Word address, Word value, const Access& access);
  /// The same on a machine whose programs may depend on that a store was done: where it is, the 0
  /// comes from it.
  Word store_exclusive_told(Word address, Word value, const Access& access);
  void fence(graph::Tags tags, litmus::Construct construct = litmus::Construct::fence_instruction);

  // For walks (walk.h)

  struct Monitor {
    bool open = false;
    LocationId location;
    std::uint32_t read = 0; // place of the load in the path
  };
  const Monitor& monitor() const { return monitor_; }
  void begin_instruction(std::size_t place, bool target_is_next) {
    ++instruction_;
    place_ = static_cast<std::uint32_t>(place);
    target_is_next_ = target_is_next;
  }
  graph::PathBuilder& path() { return out_; }

 private:
  SetId unite(SetId a, SetId b) { return sets_.unite(a, b); }
  LocationId location_of(Word address, Width width);
  TermId whole_cell(LocationId location, TermId value, Width width);
  graph::PathEvent event(graph::Kinds kinds, const Access& access, Word address) const;
  Word add_read(LocationId location, const Access& access, Word address);
  std::uint32_t add_write(LocationId location, Word value, const Access& access, Word address);
  void store_behind(std::uint32_t read, Word value, const Access& access, Word address);
  void write_too(Word value, const Access& access);

  std::span<const Cell> cells_;
  AccessWidths& widths_;
  graph::VariableSets& sets_;
  graph::PathBuilder& out_;
  graph::TermPool& terms_;
  Monitor monitor_;
  std::uint32_t last_read_ = 0;   // place in the path
  std::uint32_t instruction_ = 0; // names the events of one
  std::uint32_t place_ = 0;       // of it, in the code
  bool target_is_next_ = false;
};

} // namespace thinair::machine
