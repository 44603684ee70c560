// Monitors, the lifetimes of threads and objects as words of memory that code works on
// (docs/lowering.md).
#pragma once

#include "litmus/machine/cells.h"
#include "litmus/program.h"
#include "lower/naming.h"
#include "lower/operation.h"

#include <optional>
#include <span>
#include <vector>

namespace thinair::lower {

/// The words of a program's monitors, threads and objects. They stand behind the source's
/// locations, which have the ids that they have in the source. A monitor's word is 1 where somebody
/// holds it; a thread's are 1 once it has been started and once it has ended. An object is an
/// array or a struct, a cell for each field or element (a word at least), and has its place before
/// the program runs; where arrays of one type have several lengths (bounds.h), a word with the
/// length comes first; a reference is the address of the first, in 32 bits, as HotSpot has them in
/// heaps below 4 GB.
class RuntimeWords {
 public:
  explicit RuntimeWords(const litmus::Program& source);

  litmus::LocationId of(const litmus::MonitorStatement& node) const {
    return monitors_[node.monitor.value].value();
  }
  litmus::LocationId of(const litmus::ThreadStatement& node) const {
    const bool start = node.kind == litmus::ThreadStatement::Kind::start;
    return (start ? started_ : ended_)[node.thread.value].value();
  }
  /// The first field of an object.
  litmus::LocationId of(litmus::ObjectId object) const { return objects_[object.value]; }
  /// What the thread waits for before it does anything, if some statement starts it.
  std::optional<litmus::LocationId> started(std::size_t thread) const { return started_[thread]; }
  /// What it tells those who wait for its end, if there are such.
  std::optional<litmus::LocationId> ended(std::size_t thread) const { return ended_[thread]; }

  /// How many there are.
  std::size_t size() const { return size_; }
  /// Addresses of all objects, by ObjectId.
  std::vector<litmus::Value> addresses() const;
  /// Appends them to the source's locations.
  void add_to(std::vector<litmus::Cell>& cells, const litmus::Program& source, Legal legal) const;

 private:
  using Words = std::vector<std::optional<litmus::LocationId>>;
  Words monitors_, started_, ended_;        // of those that some statement names
  std::vector<litmus::LocationId> objects_; // by ObjectId
  std::size_t size_ = 0;
};

/// Appends an array or a struct of such cells, called as the object is.
void add_object(std::vector<litmus::Cell>& cells, const litmus::Program& source,
                litmus::ObjectId object, std::span<const litmus::Type> types, Legal legal);

/// Of the class of an array: the field that stands for its length, where there is one (bounds.h).
inline constexpr std::uint32_t length_field = 1;
constexpr bool has_length(const litmus::Class& arrays) {
  return arrays.is_array && arrays.fields.size() > length_field;
}

/// The types of an object's cells, in their order.
std::vector<litmus::Type> cells_of(const litmus::Program& source, litmus::ObjectId object);

/// How far a field lies behind its object's address, or an element with a constant index, or the
/// first element where the index is none.
std::int32_t offset_of(const litmus::Program& source, const litmus::Thread& thread,
                       const litmus::Access& access);
/// The address of an element whose index is in a register, as an int: the array's, what lies in
/// front of the elements, and the index times the width of one. Absent: the offset is known
/// (`offset_of`).
std::optional<litmus::Expression> indexed_address(const litmus::Program& source,
                                                  const litmus::Thread& thread,
                                                  const litmus::Access& access);
/// Whether its constructor ends with a freeze (JLS 17.5.1).
bool freezes(const litmus::Program& program, litmus::ObjectId object);

/// `lock` or `unlock`, `start` or `join`.
inline RuntimeAction action_of(const litmus::MonitorStatement& node) {
  return node.enter ? RuntimeAction::lock : RuntimeAction::unlock;
}
inline RuntimeAction action_of(const litmus::ThreadStatement& node) {
  return node.kind == litmus::ThreadStatement::Kind::start ? RuntimeAction::start
                                                           : RuntimeAction::join;
}

/// Without the locks of a thread that holds the monitor already, and what belongs to them: nobody
/// else notices them (JLS 17.1; whatever they synchronize with, the outermost does). Throws
/// Unsupported where words cannot say what the program does: a monitor that is held or not as a
/// branch decides, one that is left and not held, a thread that is started on some paths only, or
/// twice.
void settle_runtime(litmus::Program& program);

} // namespace thinair::lower
