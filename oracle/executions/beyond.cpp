// The least part of an execution that leads to the end of a cut path: that path, and of each other
// thread what comes before a volatile write that something there sees.
#include "oracle/executions/beyond.h"

#include "litmus/text/error.h"
#include "oracle/executions/driver.h"
#include "oracle/executions/parts.h"

#include <algorithm>
#include <utility>

namespace thinair::executions {
namespace {

using graph::Path;
using graph::PathEvent;
using graph::ProgramPaths;
using graph::ThreadPaths;

constexpr std::uint64_t most_candidates = 200'000;
constexpr std::size_t most_combinations = 20'000;

class AnyGoal final : public Goal {
 public:
  bool wants(std::span<const Value>) override { return true; }
  bool found(std::span<const Value>, const Witness&) override { return reached = true; }
  bool reached = false;
};

bool accesses_in_order(const ProgramPaths& program, const PathEvent& event) {
  return (event.kinds & graph::k_volatile) != 0 && program.volatile_writes[event.location.value];
}

/// A path whose reads that no order binds to earlier writes see anything.
Path loosened(const ProgramPaths& program, Path path) {
  for (auto& event : path.events)
    if ((event.kinds & graph::k_read) != 0 && !accesses_in_order(program, event))
      event.kinds |= graph::k_open;
  path.must_divide.clear();
  path.final_registers.clear();
  return path;
}

/// Its first `length` events, with what its constraints say of them.
Path beginning(const graph::TermPool& terms, const Path& path, std::size_t length) {
  Path out;
  out.runs = path.runs;
  out.events.assign(path.events.begin(), path.events.begin() + static_cast<std::ptrdiff_t>(length));
  const auto among = [&](graph::Variable v) {
    return std::ranges::any_of(out.events, [&](const PathEvent& e) {
      return (e.kinds & graph::k_read) != 0 && e.read == v;
    });
  };
  for (const auto condition : path.constraints)
    if (std::ranges::all_of(terms.variables_of(condition), among))
      out.constraints.push_back(condition);
  for (const auto& branch : path.branches)
    if (branch.position <= length) out.branches.push_back(branch);
  return out;
}

bool same(const PathEvent& a, const PathEvent& b) {
  const bool writes = (a.kinds & graph::k_write) != 0, reads = (a.kinds & graph::k_read) != 0;
  return a.kinds == b.kinds && a.location == b.location && a.object == b.object &&
         a.instruction == b.instruction && a.partner == b.partner &&
         (!writes || a.written == b.written) && (!reads || a.read == b.read);
}

bool same(const Path& a, const Path& b) {
  return a.constraints == b.constraints &&
         std::ranges::equal(a.events, b.events,
                            [](const auto& x, const auto& y) { return same(x, y); });
}

/// What a thread may have done when others see a write of its own, or nothing of it.
ThreadPaths beginnings(const ProgramPaths& program, const ThreadPaths& thread) {
  ThreadPaths out;
  out.paths.emplace_back();
  for (const auto* paths : {&thread.paths, &thread.cut_off})
    for (const auto& path : *paths)
      for (std::size_t i = 0; i < path.events.size(); ++i) {
        program.terms.watch().demand(1 + i + out.paths.size());
        const auto& event = path.events[i];
        if ((event.kinds & graph::k_write) == 0 || !accesses_in_order(program, event)) continue;
        auto part = loosened(program, beginning(program.terms, path, i + 1));
        if (std::ranges::none_of(out.paths, [&](const Path& p) { return same(p, part); }))
          out.paths.push_back(std::move(part));
      }
  return out;
}

/// Whether the end of a cut path of the thread may be reached.
bool goes_beyond(ProgramPaths& parts, std::size_t thread, std::vector<Path> cut_off,
                 const cat::Plan& plan, Limits& limits) {
  std::swap(parts.threads[thread].paths, cut_off);
  std::size_t combinations = 1;
  for (const auto& t : parts.threads)
    combinations = std::min(most_combinations, combinations * t.paths.size());
  AnyGoal goal;
  Driver driver(parts, plan, {}, goal, limits);
  if (combinations < most_combinations) driver.run();
  std::swap(parts.threads[thread].paths, cut_off);
  limits.candidates -= std::min(limits.candidates, driver.budget().spent());
  return combinations == most_combinations || goal.reached || limits.candidates == 0 ||
         !driver.budget().exhausted().empty() || !driver.remarks().open_values.empty();
}

graph::Kinds kinds_of(const ProgramPaths& program) {
  graph::Kinds all = 0;
  for (const auto& thread : program.threads)
    for (const auto* paths : {&thread.paths, &thread.cut_off})
      for (const auto& path : *paths)
        for (const auto& event : path.events) all |= event.kinds;
  return all;
}

} // namespace

bool goes_beyond(const ProgramPaths& program, const cat::Plan& plan, const Limits& limits) {
  if (program.architecture != graph::Architecture::java) return true;
  if (!holds_of_parts(plan, kinds_of(program)) || !orders_volatile(plan)) return true;
  Limits left = limits;
  left.candidates = std::min(limits.candidates, most_candidates);
  try {
    ProgramPaths parts = program;
    parts.lifetimes = false; // a part need not have the start of a thread
    for (auto& thread : parts.threads) thread = beginnings(program, thread);
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      if (!program.threads[t].cut) continue;
      std::vector<Path> cut_off;
      for (const auto& path : program.threads[t].cut_off)
        cut_off.push_back(loosened(program, path));
      if (cut_off.empty() || goes_beyond(parts, t, std::move(cut_off), plan, left)) return true;
    }
  } catch (const LimitReached&) {
    return true;
  }
  return false;
}

Reason goes_astray(const ProgramPaths& program, const cat::Plan& plan, const Limits& limits) {
  ProgramPaths all = program;
  for (auto& thread : all.threads)
    thread.paths.insert(thread.paths.end(), thread.strayed.begin(), thread.strayed.end());
  for (auto& thread : all.threads) {
    if (thread.strayed.empty()) continue;
    auto paths = std::exchange(thread.paths, thread.strayed);
    AnyGoal goal;
    Driver driver(all, plan, {}, goal, limits);
    driver.run();
    thread.paths = std::move(paths);
    if (goal.reached) throw Unsupported(std::string(thread.strayed.front().strays));
    if (!driver.budget().exhausted().empty()) return driver.budget().exhausted();
  }
  return {};
}

} // namespace thinair::executions
