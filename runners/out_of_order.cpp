// Explores the machine depth first: from each state the moves of a set that suffices.
#include "runners/out_of_order.h"

#include "litmus/text/error.h"
#include "machine/common/addresses.h"
#include "machine/table.h"
#include "runners/final_states.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace thinair::runners {
namespace {

using litmus::LocationId;
using litmus::Value;
using machine::Done;
using machine::OutOfOrder;
using machine::Step;
using machine::Way;
using machine::Window;

struct Move {
  std::size_t thread = 0;
  std::uint32_t step = 0;
  friend bool operator==(const Move&, const Move&) = default;
};

/// A state: what has been performed, and what the threads know by that.
struct Frame {
  std::vector<std::vector<Done>> done; // by thread and access
  std::vector<Value> memory;           // by location
  std::vector<Window> windows;         // by thread
  std::vector<Move> moves;             // that are tried from here
};

/// Whether no write between the two is at that location.
bool none_between(const Window& window, std::uint32_t from, std::uint32_t to,
                  std::optional<LocationId> location) {
  return std::none_of(window.steps.begin() + from + 1, window.steps.begin() + to,
                      [&](const Step& step) {
                        return step.kind == Step::Kind::write && step.location == location;
                      });
}

/// The value that the read took is in memory, or was.
bool came_from_memory(const Window& window, std::uint32_t read) {
  const auto write = machine::youngest_write(window, read);
  return !write || window.steps[*write].performed;
}

/// One access is performed: the state behind it.
class Performing {
 public:
  Performing(OutOfOrder& machine, const std::vector<const Way*>& ways)
      : machine_(machine), rules_(machine.memory()), ways_(ways) {}

  /// False: there is no such state.
  bool perform(const Frame& from, Move move, Frame& to) {
    to.done = from.done;
    to.memory = from.memory;
    to.windows = from.windows;
    const Window& before = from.windows[move.thread];
    const Step& step = before.steps[move.step];
    if (!(step.kind == Step::Kind::read ? read(to, before, move) : write(to, step, move)))
      return false;
    Window& after = to.windows[move.thread];
    machine_.look(move.thread, *ways_[move.thread], to.done[move.thread], after, false);
    return !after.refuted && (!rules_.late_addresses || nothing_missed(before, after));
  }

 private:
  /// From the youngest write of the thread that nobody else sees yet, else from memory. Reads
  /// behind it that took an older value would have been done again.
  bool read(Frame& to, const Window& window, Move move) const {
    const Step& step = window.steps[move.step];
    auto& done = to.done[move.thread];
    const auto source = machine::youngest_write(window, move.step);
    const bool forwarded = source && !window.steps[*source].performed && rules_.own_writes;
    const Value cell = to.memory[step.location->value];
    done[step.access] = {.performed = true,
                         .value = machine::part_of(
                             forwarded ? window.steps[*source].value.value : cell, step.width)};
    if (!rules_.read_order) return true;
    for (auto i = move.step + 1; i < window.steps.size(); ++i) {
      const Step& later = window.steps[i];
      if (!later.is_access() || later.location != step.location) continue;
      if (later.kind == Step::Kind::write) break;
      if (done[later.access].stale) return false;
    }
    return true;
  }

  bool write(Frame& to, const Step& step, Move move) const {
    const LocationId location = *step.location;
    to.done[move.thread][step.access].performed = true;
    Value& cell = to.memory[location.value];
    cell = machine::replaced(cell, machine_.cells()[location.value].type.width, step.value.value,
                             step.width);
    for (std::size_t t = 0; t < to.windows.size(); ++t)
      if (t != move.thread && !overtake(to, t, location)) return false;
    return true;
  }

  /// Another thread has written the location. False: it came between the two of an update.
  bool overtake(Frame& to, std::size_t thread, LocationId location) const {
    const Window& window = to.windows[thread];
    for (std::uint32_t i = 0; i < window.steps.size(); ++i) {
      const Step& step = window.steps[i];
      if (step.kind == Step::Kind::read && step.performed && step.is_at(location) &&
          came_from_memory(window, i))
        to.done[thread][step.access].stale = true;
      if (step.kind != Step::Kind::write || step.performed || step.partner == Step::none) continue;
      const Step& partner = window.steps[step.partner];
      if (rules_.monitor && partner.performed && partner.is_at(location) &&
          came_from_memory(window, step.partner))
        return false;
    }
    return true;
  }

  /// A write whose address is known now must not be one that a performed read should have seen.
  static bool nothing_missed(const Window& before, const Window& after) {
    for (std::uint32_t i = 0; i < after.steps.size(); ++i) {
      const Step& write = after.steps[i];
      if (write.kind != Step::Kind::write || !write.location || before.steps[i].location) continue;
      for (std::uint32_t j = i + 1; j < after.steps.size(); ++j) {
        const Step& read = after.steps[j];
        if (read.kind == Step::Kind::read && read.performed && read.location == write.location &&
            none_between(after, i, j, write.location))
          return false;
      }
    }
    return true;
  }

  OutOfOrder& machine_;
  OutOfOrder::Memory rules_;
  const std::vector<const Way*>& ways_;
};

/// Chooses at each state moves that suffice to reach every final state: no other move can, before
/// one of these, do what these would notice (persistent sets: Godefroid, "Partial-Order Methods for
/// the Verification of Concurrent Systems", 1996). Two accesses of one thread that may be performed
/// both give the same in either order, but for a read that passes a write whose address is not
/// known. Whether a thread may perform an access depends on that thread alone.
class Choice {
 public:
  explicit Choice(Moves which) : all_(which == Moves::all) {}

  /// False: some thread never comes to its end from here.
  bool choose(const OutOfOrder& machine, const Frame& frame, std::vector<Move>& moves) {
    moves.clear();
    frame_ = &frame;
    ready_.resize(frame.windows.size());
    for (std::size_t t = 0; t < ready_.size(); ++t) {
      ready_[t].clear();
      machine.ready(frame.windows[t], ready_[t]);
      if (ready_[t].empty() && !ended(frame.windows[t])) return false;
    }
    for (std::size_t t = 0; t < ready_.size(); ++t)
      for (const std::uint32_t step : ready_[t]) {
        if (all_) {
          moves.push_back({t, step});
          continue;
        }
        close({t, step});
        if (moves.empty() || set_.size() < moves.size()) moves = set_;
        if (moves.size() == 1) return true;
      }
    return true;
  }

  static bool ended(const Window& window) {
    return std::ranges::all_of(window.accesses,
                               [&](std::uint32_t i) { return window.steps[i].performed; });
  }

 private:
  void close(Move seed) {
    set_.assign(1, seed);
    for (std::size_t i = 0; i < set_.size(); ++i) {
      const Move move = set_[i];
      if (passes_unknown(move)) add_all(move.thread);
      for (std::size_t t = 0; t < ready_.size(); ++t)
        if (t != move.thread) add_rivals(frame_->windows[move.thread].steps[move.step], t);
    }
  }

  bool passes_unknown(Move move) const {
    const auto& steps = frame_->windows[move.thread].steps;
    return steps[move.step].kind == Step::Kind::read &&
           std::any_of(steps.begin(), steps.begin() + move.step, [](const Step& step) {
             return step.kind == Step::Kind::write && !step.location;
           });
  }

  /// What the thread may do, now or later, that `step` would notice or be noticed by.
  void add_rivals(const Step& step, std::size_t thread) {
    const Window& window = frame_->windows[thread];
    for (const std::uint32_t i : window.accesses) {
      const Step& rival = window.steps[i];
      if (rival.performed || (rival.location && rival.location != step.location)) continue;
      if (step.kind == Step::Kind::read && rival.kind == Step::Kind::read) continue;
      if (std::ranges::find(ready_[thread], i) == ready_[thread].end()) return add_all(thread);
      add({thread, i});
    }
  }

  void add_all(std::size_t thread) {
    for (const std::uint32_t step : ready_[thread]) add({thread, step});
  }
  void add(Move move) {
    if (std::ranges::find(set_, move) == set_.end()) set_.push_back(move);
  }

  bool all_;
  const Frame* frame_ = nullptr;
  std::vector<std::vector<std::uint32_t>> ready_; // by thread
  std::vector<Move> set_;
};

void put(std::vector<std::uint8_t>& into, Value value) {
  auto bits = static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63);
  for (; bits >= 0x80; bits >>= 7) into.push_back(static_cast<std::uint8_t>(bits | 0x80));
  into.push_back(static_cast<std::uint8_t>(bits));
}

class Exploration {
 public:
  Exploration(const litmus::Test& test, OutOfOrder& machine, const MachineOptions& options,
              Moves moves)
      : test_(test), machine_(machine), states_(test, options), chosen_(machine.threads()),
        performing_(machine, chosen_), choice_(moves) {}

  oracle::Result run() {
    try {
      each_way(0);
    } catch (const LimitReached& limit) {
      states_.stop(limit.reason());
    }
    return states_.finish(visited_ + seen_.size());
  }

 private:
  /// Every combination of the threads' ways.
  void each_way(std::size_t thread) {
    if (thread == machine_.threads()) return start();
    for (const Way& way : machine_.ways(thread)) {
      chosen_[thread] = &way;
      each_way(thread + 1);
      if (over_) return;
    }
  }

  void start() {
    visited_ += seen_.size();
    seen_ = {};
    Frame& first = frame(0);
    first.memory.clear();
    for (const auto& cell : machine_.cells())
      first.memory.push_back(
          litmus::sign_extended(static_cast<std::uint64_t>(cell.initial), cell.type.width));
    first.done.resize(machine_.threads());
    first.windows.resize(machine_.threads());
    for (std::size_t t = 0; t < machine_.threads(); ++t) {
      first.done[t].assign(chosen_[t]->accesses, {});
      machine_.look(t, *chosen_[t], first.done[t], first.windows[t], false);
      if (first.windows[t].refuted) return;
    }
    explore(0);
  }

  Frame& frame(std::size_t depth) {
    while (frames_.size() <= depth) frames_.emplace_back();
    return frames_[depth];
  }

  /// No deeper than there are accesses.
  void explore(std::size_t depth) {
    Frame& here = frame(depth);
    if (!choice_.choose(machine_, here, here.moves)) return demand_locations(here);
    if (here.moves.empty()) return record(here);
    for (const Move move : here.moves) {
      Frame& next = frame(depth + 1);
      if (!performing_.perform(here, move, next)) continue;
      if (states_.limit_reached(seen_, bytes_.size(), visited_)) over_ = true;
      if (over_) return;
      pack(next);
      if (seen_.insert(bytes_).is_new) explore(depth + 1);
      if (over_) return;
    }
  }

  void record(const Frame& here) {
    for (const Way* way : chosen_)
      if (way->cut) return states_.stop(Reason::reached(Limit::loop_bound));
    std::vector<Window> ends(machine_.threads());
    for (std::size_t t = 0; t < ends.size(); ++t)
      machine_.look(t, *chosen_[t], here.done[t], ends[t], true);
    litmus::Behaviour behaviour;
    for (const auto& observable : states_.asked())
      behaviour.push_back(
          litmus::as_declared(value_of(here, ends, observable), test_.code().type_of(observable)));
    states_.record(std::move(behaviour));
  }

  Value value_of(const Frame& here, const std::vector<Window>& ends,
                 const litmus::Observable& observable) const {
    if (const auto reg = test_.code().register_of(observable))
      return ends.at(observable.thread->value).registers.at(*reg);
    const auto cells = machine_.cells();
    const auto found = std::ranges::find(cells, observable.name, &litmus::Cell::name);
    THINAIR_CHECK(found != cells.end(), "a location that the program lacks");
    return here.memory[static_cast<std::size_t>(found - cells.begin())];
  }

  /// A thread that gets no further for an address that it has for sure is beyond us.
  static void demand_locations(const Frame& here) {
    for (const Window& window : here.windows)
      for (const Step& step : window.steps) {
        if (step.kind == Step::Kind::branch && !step.value.is_certain()) break;
        if (step.is_access() && !step.location && step.address.is_certain() &&
            !machine::faults(static_cast<std::uint64_t>(step.address.value)))
          throw Unsupported("an access through a register that holds no location's address");
      }
  }

  /// Whether some read before it may still take a value that is newer than its own.
  static bool may_be_passed(const Window& window, std::uint32_t read) {
    return std::any_of(window.steps.begin(), window.steps.begin() + read, [&](const Step& step) {
      return step.kind == Step::Kind::read && !step.performed &&
             (!step.location || step.location == window.steps[read].location);
    });
  }

  /// Equal bytes mean that no difference between two states will ever be seen.
  void pack(const Frame& state) {
    bytes_.clear();
    for (std::size_t t = 0; t < state.windows.size(); ++t)
      for (const std::uint32_t i : state.windows[t].accesses) {
        const Step& step = state.windows[t].steps[i];
        const Done& done = state.done[t][step.access];
        const bool stale = done.stale && may_be_passed(state.windows[t], i);
        bytes_.push_back(static_cast<std::uint8_t>((done.performed ? 1 : 0) + (stale ? 2 : 0)));
        if (done.performed && step.kind == Step::Kind::read) put(bytes_, done.value);
      }
    for (const Value value : state.memory) put(bytes_, value);
  }

  const litmus::Test& test_;
  OutOfOrder& machine_;
  FinalStates states_;
  std::vector<const Way*> chosen_; // by thread
  Performing performing_;
  Choice choice_;
  StateSet seen_;             // of these ways
  std::uint64_t visited_ = 0; // of the others
  std::deque<Frame> frames_;  // by depth
  std::vector<std::uint8_t> bytes_;
  bool over_ = false;
};

} // namespace

oracle::Result out_of_order_states(const litmus::Test& test, OutOfOrder& machine,
                                   const MachineOptions& options, Moves moves) {
  return Exploration(test, machine, options, moves).run();
}

oracle::Result out_of_order_states(const litmus::Test& test, const MachineOptions& options) {
  const auto* row = machine::machine_named(test.language->machine);
  if (row == nullptr || row->out_of_order == nullptr)
    throw Unsupported(std::string(test.language->word) + " programs on an operational machine");
  graph::PathLimits limits;
  limits.watch = options.watch;
  limits.loop_bound = options.loop_bound;
  const auto machine = row->out_of_order(test, limits);
  return out_of_order_states(test, *machine, options);
}

} // namespace thinair::runners
