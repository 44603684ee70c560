// Values by forward substitution: as reads get their writes, what becomes known, and whether it
// contradicts the path.
#pragma once

#include "oracle/executions/skeleton.h"
#include "oracle/graph/term.h"

#include <cstdint>
#include <span>
#include <vector>

namespace thinair::executions {

using graph::TermId;
using graph::Value;
using graph::Variable;

/// Assignments are undone in reverse order. Nothing is allocated after `load`.
class Substitution {
 public:
  /// False where a constraint fails whatever is read. `asked` are terms whose values the user wants
  /// to follow.
  bool load(const Skeleton& skeleton, std::span<const TermId> asked);

  /// `read` returns what `write` wrote. False: a constraint fails (undo all the same).
  bool read_from(EventId read, EventId write);

  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark);

  bool known(EventId write) const { return watches_[write_watch_[write]].missing == 0; }
  Value written(EventId write) const { return watches_[write_watch_[write]].value; }
  bool known_read(EventId read) const { return known_[variable_of(read)] != 0; }
  Value read_value(EventId read) const { return values_[variable_of(read)]; }

  bool asked_known(std::size_t i) const { return watches_[asked_watch_ + i].missing == 0; }
  Value asked(std::size_t i) const { return watches_[asked_watch_ + i].value; }

  /// Reads whose value is not known.
  std::size_t unknown() const { return unknown_; }

  /// Whether `read` could return `value`, as far as constraints on it alone tell.
  bool may_return(EventId read, Value value);

  /// By variable.
  std::span<const Value> assignment() const { return values_; }

 private:
  /// A term that gets its value with its last variable; what then happens.
  struct Watch {
    enum class Kind : std::uint8_t { constraint, division, write, asked } kind = Kind::constraint;
    TermId term;
    EventId write = no_event;
    std::uint32_t variables = 0;
    std::uint32_t missing = 0;
    Value value = 0;
  };
  struct Assigned {
    EventId read;
    bool value_too; // or only the source
  };

  std::uint32_t variable_of(EventId read) const { return skeleton_->events()[read].read.value; }
  void add_watch(Watch::Kind kind, TermId term, EventId write = no_event);
  void index_watches();
  bool settle(Watch& watch);
  bool assign(EventId read, Value value);

  const Skeleton* skeleton_ = nullptr;
  std::vector<Value> values_;   // by variable
  std::vector<char> known_;     // by variable
  std::vector<EventId> source_; // by event
  std::vector<Watch> watches_;
  std::vector<std::uint32_t> write_watch_; // by event
  std::size_t asked_watch_ = 0;
  std::vector<std::uint32_t> first_,
      users_; // watches of a variable: users_[first_[v]..first_[v+1])
  std::vector<Assigned> trail_;
  std::vector<EventId> pending_;
  std::size_t unknown_ = 0;
};

} // namespace thinair::executions
