// Walks all runs of a deterministic procedure that asks for choices, by running it again and again.
#pragma once

#include "oracle/graph/path.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace thinair::graph {

/// One run: choices made before are repeated, new ones start at 0.
class Decisions {
 public:
  /// A number below `count`.
  std::uint32_t choose(std::uint32_t count) {
    if (at_ == made_.size()) made_.push_back({0, count});
    return made_[at_++].taken;
  }

  /// Back to the start, for the next run in lexicographic order; false when there is none.
  bool next() {
    at_ = 0;
    while (!made_.empty() && made_.back().taken + 1 == made_.back().count) made_.pop_back();
    if (made_.empty()) return false;
    ++made_.back().taken;
    return true;
  }

 private:
  struct Made {
    std::uint32_t taken, count;
  };
  std::vector<Made> made_;
  std::size_t at_ = 0;
};

/// A path while it is walked, with what both front ends do to it.
class PathBuilder {
 public:
  PathBuilder(TermPool& terms, Decisions& decisions, const PathLimits& limits,
              std::uint32_t first_variable)
      : terms_(terms), decisions_(decisions), limits_(limits), next_variable_(first_variable) {}

  TermPool& terms() { return terms_; }
  const PathLimits& limits() const { return limits_; }
  Path& path() { return path_; }
  Decisions& decisions() { return decisions_; }

  /// The variable of the path's next read.
  Variable next_read() { return Variable{next_variable_++}; }

  void add(const PathEvent& event);

  /// Whether the path goes where `condition` is non-zero: a constraint of it either way, unless the
  /// answer is the same for all values.
  bool decide(TermId condition, bool is_branch);

  void require(TermId condition, bool is_branch);

  /// On this path the variable has this value.
  void know(Variable variable, Value value);
  /// The value of a constant, or of a variable that is known.
  std::optional<Value> known(TermId term) const;

  void cut() { cut_ = may_stop_ = true; }
  bool is_cut() const { return cut_; }

  /// No execution takes this path, or another path does as well.
  void drop() { dropped_ = true; }
  /// Another path does as well, without an idle round.
  void drop_idle() { dropped_ = idle_ = may_stop_ = true; }
  bool is_idle() const { return idle_; }

  /// The thread goes on with what is not done here; `what` outlives the path.
  void stray(std::string_view what) {
    dropped_ = true;
    path_.strays = what;
  }

  /// The thread may get no further than this. True: on this path it does not.
  bool stops_here();
  /// The same of what comes next: the caller adds it and then ends the path early.
  bool will_stop();
  /// It gets no further.
  void end_early();
  /// Whether paths that end here, or pass by, show that the thread may get no further.
  bool may_stop() const { return may_stop_; }
  /// Whether the path is what a thread has done that gets no further.
  bool stops() const { return stopped_ || cut_ || idle_; }
  bool is_over() const { return cut_ || dropped_ || stopped_; }

 private:
  std::optional<bool> settled(TermId condition, TermId negation) const;

  TermPool& terms_;
  Decisions& decisions_;
  const PathLimits& limits_;
  std::uint32_t next_variable_;
  Path path_;
  std::vector<Value> values_; // by Variable, of those that are known
  std::vector<char> known_;
  bool cut_ = false, dropped_ = false, idle_ = false, stopped_ = false, may_stop_ = false;
};

/// Runs `walk(PathBuilder&)` for every combination of decisions; keeps the paths that are neither
/// cut nor dropped, and those that stop where they are asked for.
template <class Walk>
ThreadPaths all_paths(TermPool& terms, const PathLimits& limits, Walk&& walk);

[[noreturn]] void too_many_paths();
std::size_t bytes_of(const Path& path); // of memory

template <class Walk>
ThreadPaths all_paths(TermPool& terms, const PathLimits& limits, Walk&& walk) {
  ThreadPaths out;
  Decisions decisions;
  const auto first_variable = terms.variable_count();
  std::size_t cut = 0;
  do {
    PathBuilder builder(terms, decisions, limits, first_variable);
    walk(builder);
    out.idle = out.idle || builder.is_idle();
    out.may_stop = out.may_stop || builder.may_stop();
    if (builder.is_cut()) {
      out.cut = true;
      if (++cut <= limits.cut_paths) out.cut_off.push_back(builder.path());
      if (cut <= limits.cut_paths) terms.watch().demand_memory(bytes_of(builder.path()));
    }
    if (!builder.path().strays.empty()) {
      terms.watch().demand_memory(bytes_of(builder.path()));
      out.strayed.push_back(builder.path());
      if (out.paths.size() + out.strayed.size() > limits.paths_per_thread) too_many_paths();
    }
    builder.path().stops = builder.stops();
    if (builder.is_over() && !(limits.stopped && builder.stops())) continue;
    if (out.paths.size() + out.strayed.size() >= limits.paths_per_thread) too_many_paths();
    terms.watch().demand_memory(bytes_of(builder.path()));
    out.paths.push_back(std::move(builder.path()));
  } while (decisions.next());
  if (cut > limits.cut_paths) out.cut_off.clear();
  return out;
}

} // namespace thinair::graph
