// A machine with one memory and no buffers.
#include "tests/causality/sequential.h"

#include <tuple>

namespace thinair::causality {
namespace {

class Machine {
 public:
  Machine(const ProgramPaths& paths, const std::vector<RegisterPlace>& observed,
          std::vector<std::uint32_t> chosen, SequentialRuns& out)
      : paths_(paths), observed_(observed), chosen_(std::move(chosen)), out_(out),
        next_(chosen_.size(), 0), memory_(paths.initial), values_(paths.terms.variable_count()),
        monitors_(paths.monitor_names.size()), started_(chosen_.size(), 0),
        ended_(chosen_.size(), 0) {}

  void run() {
    bool done = true;
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      if (next_[t] == path(t).events.size()) continue;
      done = false;
      if (enabled(t, path(t).events[next_[t]])) step(t);
    }
    if (done) finish();
  }

 private:
  const graph::Path& path(std::size_t t) const { return paths_.threads[t].paths[chosen_[t]]; }

  struct Monitor {
    std::size_t owner = 0;
    int depth = 0;
  };

  bool enabled(std::size_t t, const graph::PathEvent& event) const {
    if ((event.kinds & graph::k_begin) != 0) return started_[t] != 0;
    if ((event.kinds & graph::k_join) != 0) return ended_[event.object] != 0;
    if ((event.kinds & graph::k_lock) == 0) return true;
    return monitors_[event.object].depth == 0 || monitors_[event.object].owner == t;
  }

  void synchronize(std::size_t t, const graph::PathEvent& event) {
    if ((event.kinds & graph::k_start) != 0) started_[event.object] = 1;
    if ((event.kinds & graph::k_end) != 0) ended_[t] = 1;
    if ((event.kinds & graph::k_lock) != 0)
      monitors_[event.object] = {t, monitors_[event.object].depth + 1};
    if ((event.kinds & graph::k_unlock) != 0) --monitors_[event.object].depth;
  }

  void step(std::size_t t) {
    const auto& event = path(t).events[next_[t]];
    if (!accesses(event)) return step_aside(t, event);
    const auto memory = memory_;
    ++next_[t];
    history_.push_back({t, &event});
    auto& cell = memory_[event.location.value];
    if ((event.kinds & graph::k_read) != 0) values_[event.read.value] = cell;
    if ((event.kinds & graph::k_write) != 0)
      cell = paths_.terms.evaluate(event.written, values_).value_or(0);
    run();
    history_.pop_back();
    --next_[t];
    memory_ = memory;
  }

  void step_aside(std::size_t t, const graph::PathEvent& event) {
    const auto before = std::tuple(monitors_, started_, ended_);
    ++next_[t];
    history_.push_back({t, &event});
    synchronize(t, event);
    run();
    history_.pop_back();
    --next_[t];
    std::tie(monitors_, started_, ended_) = before;
  }

  static bool accesses(const graph::PathEvent& event) {
    return (event.kinds & (graph::k_read | graph::k_write)) != 0;
  }

  void finish() {
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      for (const auto id : path(t).constraints)
        if (paths_.terms.evaluate(id, values_).value_or(0) == 0) return;
      for (const auto id : path(t).must_divide)
        if (!paths_.terms.evaluate(id, values_)) return;
    }
    Behaviour behaviour;
    for (const auto& [thread, reg, memory] : observed_)
      behaviour.push_back(*paths_.terms.evaluate(path(thread).final_registers[reg], values_));
    out_.behaviours.insert(behaviour);
    for (std::size_t i = 1; i < history_.size(); ++i)
      out_.race = out_.race || conflict(history_[i - 1], history_[i]);
  }

  struct Done {
    std::size_t thread;
    const graph::PathEvent* event;
  };

  static bool conflict(const Done& a, const Done& b) {
    const auto both = a.event->kinds | b.event->kinds;
    return accesses(*a.event) && accesses(*b.event) && a.thread != b.thread &&
           a.event->location == b.event->location && (both & graph::k_write) != 0 &&
           (a.event->kinds & b.event->kinds & graph::k_volatile) == 0;
  }

  const ProgramPaths& paths_;
  const std::vector<RegisterPlace>& observed_;
  std::vector<std::uint32_t> chosen_;
  SequentialRuns& out_;
  std::vector<std::size_t> next_;
  std::vector<Value> memory_;
  std::vector<Value> values_;
  std::vector<Done> history_;
  std::vector<Monitor> monitors_;
  std::vector<char> started_, ended_; // by thread
};

} // namespace

SequentialRuns sequential_runs(const ProgramPaths& paths,
                               const std::vector<RegisterPlace>& observed) {
  SequentialRuns out;
  for (const auto& thread : paths.threads)
    if (thread.paths.empty()) return out; // it never ends
  std::vector<std::uint32_t> chosen(paths.threads.size(), 0);
  for (;;) {
    if (graph::compatible(paths, chosen)) Machine(paths, observed, chosen, out).run();
    std::size_t t = 0;
    while (t < chosen.size() && ++chosen[t] == paths.threads[t].paths.size()) chosen[t++] = 0;
    if (t == chosen.size()) return out;
  }
}

} // namespace thinair::causality
