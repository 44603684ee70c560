// Rounds of a loop that do nothing but look: which of them add nothing to what a program can do.
#pragma once

#include "litmus/program.h"
#include "oracle/graph/path.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace thinair::graph {

/// By RegisterId: whether every way through a round assigns the register before it reads it, so
/// that its value before does not matter. Rounds begin with the condition, or with the body.
std::vector<char> assigned_first(const litmus::Loop& loop, bool condition_first,
                                 std::size_t registers);

/// Watches one run of a loop, as the events of its path and the values of registers pass by.
///
/// A round is idle if it only reads and leaves all registers that are looked at again as they were.
/// Where the round after it reads the same locations in the same modes, with nothing weaker before
/// what synchronizes, the execution without the idle round is one too, ends in the same final state
/// and is ordered in the same way: a thread that waits may as well look once, when what it waits
/// for has come. Such runs are `redundant`.
class RoundWatch {
 public:
  /// `dead[r]`: register r does not matter where rounds begin.
  explicit RoundWatch(std::vector<char> dead) : dead_(std::move(dead)) {}

  /// A round begins here, and the one before ends.
  void begin(const Path& path, const std::vector<TermId>& registers) {
    std::swap(before_, last_);
    last_.events = path.events.size();
    last_.registers = registers;
    ++rounds_;
  }

  /// Whether the round before the one that has just begun was idle.
  bool idle(const Path& path) const;

  /// Whether the round before this one was idle, and this one repeats it already.
  bool redundant(const Path& path) const;

 private:
  struct Mark {
    std::size_t events = 0;
    std::vector<TermId> registers;
  };

  std::vector<char> dead_;
  Mark before_, last_; // the last two beginnings of rounds
  std::uint64_t rounds_ = 0;
};

} // namespace thinair::graph
