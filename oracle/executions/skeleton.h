// A candidate execution before anything is decided but its control paths: events in a row, and the
// base sets and relations that models start from.
#pragma once

#include "oracle/graph/path.h"
#include "oracle/graph/relation.h"
#include "oracle/graph/vocabulary.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace thinair::executions {

using graph::Kinds;
using litmus::LocationId;
using EventId = std::uint32_t;
constexpr EventId no_event = 0xffffffff;
constexpr std::uint32_t no_thread = 0xffffffff;

/// Initial writes come first, one a location that some path touches; then thread by thread, in
/// program order.
struct Event {
  Kinds kinds = 0;
  std::uint32_t thread = no_thread; // no_thread: an initial write
  std::uint32_t index = 0;          // in its thread's path
  LocationId location;              // of reads and writes
  graph::Variable read;
  graph::TermId written;
  std::uint32_t instruction = 0;
  std::uint32_t source = 0; // byte offset in the test
  std::uint32_t object = 0; // of locks and unlocks the MonitorId, of start and join the ThreadId
  std::uint32_t partner = graph::PathEvent::no_partner; // PathEvent::partner, by index

  bool reads() const { return (kinds & graph::k_read) != 0; }
  bool writes() const { return (kinds & graph::k_write) != 0; }
  /// Whether values may come from it: what it read, or whether it was done.
  bool gives() const { return (kinds & (graph::k_read | graph::k_status)) != 0; }
  bool accesses() const { return reads() || writes(); }
  bool enters_or_leaves() const { return (kinds & (graph::k_lock | graph::k_unlock)) != 0; }
  /// The same location, or the same monitor.
  bool meets(const Event& other) const {
    if (accesses()) return other.accesses() && location == other.location;
    return enters_or_leaves() && other.enters_or_leaves() && object == other.object;
  }
};

/// A location that the chosen paths touch, with the writes a read of it may return.
struct Cell {
  LocationId location;
  std::vector<EventId> writes; // the initial one first
};

class Skeleton {
 public:
  /// `chosen[t]` is the path of thread t. Reuses the memory of the combination before.
  void assign(graph::ProgramPaths& program, std::span<const std::uint32_t> chosen);
  /// What Input::granted is; `assign` leaves nothing of it.
  void grant(std::vector<std::pair<EventId, EventId>> pairs) { granted_ = std::move(pairs); }

  graph::ProgramPaths& program() const { return *program_; }
  const graph::Path& path(std::size_t thread) const { return *paths_[thread]; }
  std::size_t threads() const { return paths_.size(); }

  std::span<const Event> events() const { return events_; }
  std::size_t size() const { return events_.size(); }
  /// Events that read, and whose writes are to be found.
  std::span<const EventId> reads() const { return reads_; }
  std::span<const std::pair<EventId, EventId>> granted() const { return granted_; }
  std::span<const Cell> cells() const { return {cells_.data(), cell_count_}; }
  /// Index into cells(), or no_event where nothing touches it.
  std::uint32_t cell_of(LocationId location) const { return cell_of_[location.value]; }
  std::span<const EventId> writes_of(LocationId location) const {
    return cells_[cell_of(location)].writes;
  }
  /// The events of a thread are those from begin_of(thread) up to begin_of(thread + 1).
  EventId begin_of(std::size_t thread) const { return begins_[thread]; }
  /// The event whose read, or status, has the variable; no_event where there is none here.
  EventId giver_of(graph::Variable variable) const {
    return variable.value < givers_.size() ? givers_[variable.value] : no_event;
  }

 private:
  void add_cell(LocationId location);

  graph::ProgramPaths* program_ = nullptr;
  std::vector<const graph::Path*> paths_;
  std::vector<Event> events_;
  std::vector<EventId> begins_; // by thread, and behind the last one
  std::vector<EventId> givers_; // by variable
  std::vector<EventId> reads_;
  std::vector<Cell> cells_;
  std::size_t cell_count_ = 0;
  std::vector<std::uint32_t> cell_of_;
  std::vector<std::pair<EventId, EventId>> granted_;
};

/// The value of a set or relation that is known with the paths; sets are one row. Not for rf and
/// FW.
template <std::size_t W>
void base(const Skeleton& skeleton, graph::Input input, graph::EventSet<W>* out);

} // namespace thinair::executions
