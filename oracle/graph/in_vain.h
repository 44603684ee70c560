// What a thread may wait for and never get: monitors that nobody leaves, threads that do not end.
#pragma once

#include "litmus/program.h"
#include "oracle/graph/path.h"

#include <vector>

namespace thinair::graph {

/// Learnt from the paths of all threads, which depend on it in turn: where waiting is in vain a
/// thread may stop, and hold monitors that others wait for. So paths are built again until nothing
/// new is learnt; of programs whose threads all end that is at once.
class InVain {
 public:
  explicit InVain(const litmus::Program& program)
      : monitors_(program.monitors.size(), 0), threads_(program.threads.size(), 0) {}

  bool for_monitor(std::size_t monitor) const { return monitors_.at(monitor) != 0; }
  bool for_thread(std::size_t thread) const { return threads_.at(thread) != 0; }

  /// Whether these paths say more than what was known when they were built.
  bool learn(const ProgramPaths& program);

 private:
  bool learn_monitors(const Path& path, Watch& watch);
  bool surely_runs(const ProgramPaths& program, std::size_t thread) const;

  std::vector<char> monitors_; // may be held for ever, or until a deadlock
  std::vector<char> threads_;  // may not end
};

} // namespace thinair::graph
