// Explores the x86-TSO machine depth first, moving a persistent set of processes at each state.
#include "machine/x86/code/store_buffers.h"

#include "litmus/condition.h"
#include "litmus/text/error.h"
#include "machine/x86/code/configuration.h"
#include "runners/final_states.h"
#include "runners/state_set.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>
#include <utility>

namespace thinair::runners {
namespace {

/// Processes of a state: for each thread its processor and its store buffer, a bit each.
struct Processes {
  std::uint64_t cpus = 0, buffers = 0;
  int size() const { return std::popcount(cpus) + std::popcount(buffers); }
};

/// Chooses at each state processes whose moves suffice to reach every final state: none of the
/// others can, before one of these has moved, do what these would notice (stubborn sets: Valmari,
/// "Stubborn sets for reduced state space generation", 1990).
class Chooser {
 public:
  explicit Chooser(const Machine& machine) : machine_(machine), views_(machine.threads()) {}

  /// The fewest enabled processes found to suffice; none at a final state. Absent where none can be
  /// reached.
  std::optional<Processes> choose(const Configuration& c) {
    look(c);
    Processes best;
    for (const View& view : views_)
      if (view.next.kind == NextStep::Kind::fault) return std::nullopt;
    for (std::size_t t = 0; t < views_.size(); ++t) {
      for (const bool buffer : {true, false}) {
        const std::uint64_t seed = std::uint64_t{1} << t;
        if (buffer ? !views_[t].flushing : !views_[t].steps()) continue;
        const Processes found = enabled_closure(buffer ? Processes{0, seed} : Processes{seed, 0});
        if (best.size() == 0 || found.size() < best.size()) best = found;
        if (best.size() == 1) return best;
      }
    }
    return best;
  }

 private:
  struct View {
    NextStep next;
    LocationMask flushing = 0; // the oldest buffered store's cell
    LocationMask cpu_reads = 0, cpu_locked = 0, buffer_writes = 0; // now or later

    bool steps() const { // the processor can move
      using Kind = NextStep::Kind;
      return next.kind == Kind::local || next.kind == Kind::load ||
             (next.kind == Kind::locked && flushing == 0);
    }
  };

  void look(const Configuration& c) {
    for (std::size_t t = 0; t < views_.size(); ++t) {
      View& view = views_[t];
      const Ahead& ahead = machine_.ahead(c, t);
      const auto& buffer = c.threads[t].buffer;
      view.next = machine_.next_step(c, t);
      view.flushing = buffer.empty() ? 0 : bit(buffer.front().location);
      view.cpu_reads = ahead.reads;
      view.cpu_locked = ahead.locked;
      view.buffer_writes = ahead.stores;
      for (const BufferedStore& store : buffer) view.buffer_writes |= bit(store.location);
    }
  }

  /// Processes of other threads that may come to write (`and_reads`: or to read) the cell.
  Processes rivals(std::size_t thread, LocationMask cell, bool and_reads) const {
    Processes found;
    for (std::size_t s = 0; s < views_.size(); ++s) {
      if (s == thread) continue;
      const LocationMask cpu = views_[s].cpu_locked | (and_reads ? views_[s].cpu_reads : 0);
      if ((cpu & cell) != 0) found.cpus |= std::uint64_t{1} << s;
      if ((views_[s].buffer_writes & cell) != 0) found.buffers |= std::uint64_t{1} << s;
    }
    return found;
  }

  /// What must join a set that holds thread t's processor: who could disturb its next step, or who
  /// must move before it can.
  Processes needed_by_cpu(std::size_t t) const {
    const View& view = views_[t];
    switch (view.next.kind) {
    case NextStep::Kind::ended:
    case NextStep::Kind::fault:
    case NextStep::Kind::local: return {};
    case NextStep::Kind::load: return rivals(t, view.next.location, false);
    case NextStep::Kind::locked:
      if (view.flushing == 0) return rivals(t, view.next.location, true);
      return {0, std::uint64_t{1} << t};
    case NextStep::Kind::fence: return {0, std::uint64_t{1} << t};
    }
    return {};
  }

  Processes needed_by_buffer(std::size_t t) const {
    if (views_[t].flushing == 0) return {std::uint64_t{1} << t, 0};
    return rivals(t, views_[t].flushing, true);
  }

  Processes enabled_closure(Processes set) const {
    Processes done;
    while (set.cpus != done.cpus || set.buffers != done.buffers) {
      const Processes fresh{set.cpus & ~done.cpus, set.buffers & ~done.buffers};
      done = set;
      for (std::uint64_t rest = fresh.cpus; rest != 0; rest &= rest - 1)
        join(set, needed_by_cpu(static_cast<std::size_t>(std::countr_zero(rest))));
      for (std::uint64_t rest = fresh.buffers; rest != 0; rest &= rest - 1)
        join(set, needed_by_buffer(static_cast<std::size_t>(std::countr_zero(rest))));
    }
    for (std::size_t t = 0; t < views_.size(); ++t) {
      if (!views_[t].steps()) set.cpus &= ~(std::uint64_t{1} << t);
      if (views_[t].flushing == 0) set.buffers &= ~(std::uint64_t{1} << t);
    }
    return set;
  }

  static void join(Processes& into, const Processes& more) {
    into.cpus |= more.cpus;
    into.buffers |= more.buffers;
  }

  const Machine& machine_;
  std::vector<View> views_;
};

class Exploration {
 public:
  Exploration(const litmus::Test& test, const MachineOptions& options)
      : states_(test, options), machine_(x86::program_of(test), states_.asked()),
        chooser_(machine_) {}

  oracle::Result run() {
    explore();
    return states_.finish(seen_.size());
  }

  std::optional<std::vector<MachineMove>> path_to(const litmus::Proposition& goal) {
    goal_ = &goal;
    explore();
    if (!reached_) return std::nullopt;
    std::vector<MachineMove> moves;
    for (std::uint64_t at = handle_; at != origins_.at(at).from; at = origins_.at(at).from)
      moves.push_back(origins_.at(at).move);
    std::ranges::reverse(moves);
    return moves;
  }

 private:
  void explore() {
    handle_ = visit(machine_.start(), {});
    if (goal_) origins_[handle_].from = handle_; // the start comes from itself
    while (!stack_.empty() && !reached_ && !states_.limit_reached(seen_, bytes_.size())) {
      handle_ = stack_.back();
      stack_.pop_back();
      machine_.unpack(seen_[handle_], here_);
      expand();
    }
  }

  std::uint64_t visit(const Configuration& c, MachineMove move) {
    machine_.pack(c, bytes_);
    const auto inserted = seen_.insert(bytes_);
    if (inserted.is_new) stack_.push_back(inserted.handle);
    if (inserted.is_new && goal_) origins_[inserted.handle] = {handle_, move};
    return inserted.handle;
  }

  void expand() {
    const auto chosen = chooser_.choose(here_);
    if (!chosen) return;
    const Processes moving = *chosen;
    if (moving.size() == 0) {
      record();
      return;
    }
    for (std::uint64_t rest = moving.cpus; rest != 0; rest &= rest - 1) {
      there_ = here_;
      const auto thread = static_cast<std::size_t>(std::countr_zero(rest));
      machine_.step(there_, thread);
      visit(there_, {thread, false});
    }
    for (std::uint64_t rest = moving.buffers; rest != 0; rest &= rest - 1) {
      there_ = here_;
      const auto thread = static_cast<std::size_t>(std::countr_zero(rest));
      machine_.flush(there_, thread);
      visit(there_, {thread, true});
    }
  }

  void record() {
    const litmus::Behaviour behaviour = machine_.observe(here_);
    if (states_.record(behaviour) && goal_ != nullptr)
      reached_ = litmus::holds(*goal_, states_.asked(), behaviour);
  }

  FinalStates states_;
  Machine machine_;
  Chooser chooser_;
  StateSet seen_;
  std::vector<std::uint64_t> stack_; // handles of states not yet expanded
  std::vector<std::uint8_t> bytes_;
  Configuration here_, there_;

  /// Of a search for one state: how each state was first reached.
  struct Origin {
    std::uint64_t from = 0;
    MachineMove move;
  };
  const litmus::Proposition* goal_ = nullptr;
  bool reached_ = false;
  std::uint64_t handle_ = 0; // of `here_`
  std::unordered_map<std::uint64_t, Origin> origins_;
};

} // namespace

oracle::Result x86_machine(const litmus::Test& test, const MachineOptions& options) {
  THINAIR_CHECK(!test.is_java(), "a Java test on the x86 machine");
  return Exploration(test, options).run();
}

std::optional<std::vector<MachineMove>>
x86_path(const litmus::Test& test, const litmus::Proposition& goal, const MachineOptions& options) {
  THINAIR_CHECK(!test.is_java(), "a Java test on the x86 machine");
  return Exploration(test, options).path_to(goal);
}

} // namespace thinair::runners
