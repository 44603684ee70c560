// A least fixpoint over monitors and threads.
#include "oracle/graph/in_vain.h"

#include <algorithm>
#include <utility>

namespace thinair::graph {
namespace {

bool raise(char& flag) { return std::exchange(flag, char{1}) == 0; }

bool starts(const Path& path, std::size_t thread) {
  return std::ranges::any_of(path.events, [thread](const PathEvent& e) {
    return (e.kinds & k_start) != 0 && e.object == thread;
  });
}

} // namespace

/// A monitor that is entered and not left, or entered while another one is held: two threads that
/// do so in different orders wait for each other.
bool InVain::learn_monitors(const Path& path, Watch& watch) {
  bool more = false;
  for (std::size_t i = 0; i < path.events.size(); ++i) {
    watch.demand();
    const auto& lock = path.events[i];
    if ((lock.kinds & k_lock) == 0) continue;
    watch.demand(i / 16);
    if (lock.partner == PathEvent::no_partner) more = raise(monitors_[lock.object]) || more;
    for (std::size_t before = 0; before < i; ++before) {
      const auto& outer = path.events[before];
      const bool held = (outer.kinds & k_lock) != 0 && outer.partner > i;
      if (held && outer.object != lock.object) more = raise(monitors_[lock.object]) || more;
    }
  }
  return more;
}

/// Some thread that runs and goes on starts it on all of its paths.
bool InVain::surely_runs(const ProgramPaths& program, std::size_t thread) const {
  if (!program.threads[thread].started_by_others) return true;
  for (std::size_t s = 0; s < program.threads.size(); ++s) {
    const auto& starter = program.threads[s];
    if (threads_[s] != 0 || starter.may_stop) continue;
    if (std::ranges::all_of(starter.paths,
                            [&](const Path& path) { return !path.runs || starts(path, thread); }))
      return true;
  }
  return false;
}

bool InVain::learn(const ProgramPaths& program) {
  bool more = false;
  for (const auto& thread : program.threads)
    for (const auto& path : thread.paths)
      more = learn_monitors(path, program.terms.watch()) || more;
  if (!program.lifetimes) return more;
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    if (program.threads[t].may_stop || !surely_runs(program, t)) more = raise(threads_[t]) || more;
  return more;
}

} // namespace thinair::graph
