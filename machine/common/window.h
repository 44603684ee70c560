// The kit that a machine's meaning is written with, a third time (after symbolic.h and concrete.h):
// a thread whose accesses are performed one by one, not in the order of the program. What an
// instruction computes is known as soon as the accesses that it takes its operands from have been
// performed; all the others wait.
#pragma once

#include "machine/common/symbolic.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace thinair::machine {

/// A value that may not be known yet.
struct Partial {
  Value value = 0;
  bool known = true;
  bool chosen = false;    // by a condition that is not known yet, but predicted
  bool inherited = false; // the same of a value that the thread stored and loaded again
  TermId term{};          // while ways are listed: values of equal terms are equal
  bool is_certain() const { return known && !chosen && !inherited; }
  friend bool operator==(const Partial&, const Partial&) = default;
};

/// What a thread does that has to do with order, in the order of its program. An update is two
/// steps.
struct Step {
  enum class Kind : std::uint8_t { read, write, fence, branch };
  static constexpr std::uint32_t none = 0xffffffff;

  Kind kind = Kind::fence;
  Width width = Width::l;
  bool performed = false; // of reads and writes
  bool update = false;    // of a write: one instruction reads and writes
  graph::Tags tags = 0;
  std::uint32_t access = none;  // of reads and writes: which of the thread's it is
  std::uint32_t partner = none; // of the write of an update or a pair of exclusives: its read
  std::uint32_t instruction = 0;
  Partial address;
  Partial value;                      // of a write what it writes, of a branch its condition
  std::optional<LocationId> location; // once the address is known

  bool is_access() const { return kind == Kind::read || kind == Kind::write; }
  bool is_at(LocationId where) const { return location == where; }
};

/// What has become of one access.
struct Done {
  bool performed = false;
  bool stale = false; // a read: memory has since been given another value than the one it took
  Value value = 0;    // a read: that it took
  friend bool operator==(const Done&, const Done&) = default;
};

/// One way through a thread: how each of its decisions comes out. A thread goes on along a way
/// before it knows that the decisions come out so: that is how it speculates. Where one comes out
/// otherwise, the way is given up.
struct Way {
  std::vector<char> outcomes;
  std::size_t instructions = 0, accesses = 0;
  bool cut = false; // it goes on beyond the bound on loops
};

/// A thread on its way, as far as it is known.
struct Window {
  std::vector<Step> steps;
  std::vector<std::uint32_t> accesses; // their steps
  std::vector<Value> registers;        // at the end, by place in the machine's table; where asked
  bool refuted = false;                // some decision comes out otherwise
  void clear() {
    steps.clear();
    accesses.clear();
    registers.clear();
    refuted = false;
  }
};

/// The part of a cell that an access of that width reads; the cell's value with that part replaced.
Value part_of(Value cell, Width width);
Value replaced(Value cell, Width cell_width, Value part, Width width);

/// The youngest write before step `read` to its location among those whose addresses are known;
/// absent: there is none.
std::optional<std::uint32_t> youngest_write(const Window& window, std::uint32_t read);

class WindowCore {
 public:
  using Word = Partial;

  /// Lists a way: decisions are those of the builder, nothing is performed. All outlive it.
  WindowCore(std::span<const Cell> cells, AccessWidths& widths, graph::PathBuilder& builder,
             Way& listed, Window& out);
  /// Follows a way, `done` by access.
  WindowCore(std::span<const Cell> cells, AccessWidths& widths, const Way& way,
             std::span<const Done> done, Window& out);

  Word number(Value value);
  Word make(TermOp op, std::uint8_t bits, Word a, Word b = {});
  Word pick(Word condition, Word a, Word b);
  Word choose(Word condition, Word a, Word b);
  bool decide(Word condition) { return settle(condition); }
  Word picked_by(Word condition, Word value);
  bool branch(Word condition);

  Word load(Word address, const Access& access);
  void store(Word address, Word value, const Access& access);
  template <class Change>
  Word update(Word address, const Access& read, const Access& write, Change&& change) {
    const Word old = load(address, read);
    store_behind(last_read_, address, change(old), write).update = true;
    return old;
  }
  Word compare_and_swap(Word address, Word expected, Word wanted, const Access& read,
                        const Access& write);
  Word load_exclusive(Word address, const Access& access);
  Word store_exclusive(Word address, Word value, const Access& access);
  void fence(graph::Tags tags, litmus::Construct construct = litmus::Construct::fence_instruction);

  // For walks (walk.h)

  struct Monitor {
    bool open = false;
    LocationId location; // unused: whether it is that of the store is seen once both are known
    std::uint32_t read = 0;
  };
  const Monitor& monitor() const { return monitor_; }
  void begin_instruction(std::size_t at, bool target_is_next);
  graph::PathBuilder& path() { return *builder_; }

 private:
  bool settle(Word condition);
  bool outcome(bool known, bool actual);
  Step& add(Step::Kind kind, const Access& access, Word address);
  Step& store_behind(std::uint32_t read, Word address, Word value, const Access& access);
  bool inherits(std::uint32_t read) const;

  std::span<const Cell> cells_;
  AccessWidths& widths_;
  graph::PathBuilder* builder_ = nullptr; // null: follows
  Way* listed_ = nullptr;
  const Way* way_ = nullptr;
  std::span<const Done> done_;
  Window& out_;
  Monitor monitor_;
  std::size_t next_ = 0; // decision
  std::uint32_t last_read_ = 0, instruction_ = 0;
  bool target_is_next_ = false;
};

} // namespace thinair::machine
