// Walks the threads of a machine's program on symbolic values: from a program to its paths. A
// machine gives a Meaning:
//
//   struct Meaning {
//     using Instruction = …;
//     using Core = …; // SymbolicCore; WindowCore (window.h)
//     // registers and flags, of Symbols; copied for each mark of a loop
//     using State = …;
//     static State initial(const litmus::ThreadOf<Instruction>&, Core&);
//     // whether it goes to its target
//     static bool execute(const Instruction&, State&, Core&);
//     // at the end, by place in the table
//     static std::vector<Core::Word> registers(State&, Core&);
//     // what parts of the state an instruction reads and writes
//     static Slots reads(const Instruction&), writes(const Instruction&);
//     // an unconditional jump
//     static bool ends_run(const Instruction&);
//     // all registers, each the bit of its place in the table; what exclusives use
//     static constexpr Slots observed, monitor;
//     // whether these parts are the same
//     static bool agree(const State&, const State&, Slots);
//   };
#pragma once

#include "litmus/machine/program.h"
#include "litmus/text/error.h"
#include "machine/common/addresses.h"
#include "machine/common/symbolic.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace thinair::machine {

/// Parts of a thread's state, a bit each: registers, flags, the monitor of exclusives.
using Slots = std::uint64_t;

/// Where control goes in a thread, worked out once for all of its paths.
template <class Meaning>
class Flow {
 public:
  using Thread = litmus::ThreadOf<typename Meaning::Instruction>;

  /// `observed`: what the end looks at.
  explicit Flow(const Thread& thread, Slots observed = Meaning::observed)
      : targets_(thread.code.size()) {
    bool back = false;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (thread.code[i].target.empty()) continue;
      targets_[i] = litmus::position_of(thread, thread.code[i].target);
      back = back || targets_[i] <= i;
    }
    if (back) find_heads(thread, observed);
  }

  std::size_t target(std::size_t at) const { return targets_[at]; }
  /// Whether some jump goes back to there.
  bool is_head(std::size_t at) const { return !heads_.empty() && heads_[at] != 0; }
  /// What may be looked at from there on, before it is written.
  Slots live(std::size_t at) const { return live_[at]; }

 private:
  void find_heads(const Thread& thread, Slots observed) {
    const std::size_t size = thread.code.size();
    heads_.assign(size + 1, 0);
    live_.assign(size + 1, 0);
    live_[size] = observed;
    for (std::size_t i = 0; i < size; ++i)
      if (!thread.code[i].target.empty() && targets_[i] <= i) heads_[targets_[i]] = 1;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = size; i-- > 0;) {
        const auto& in = thread.code[i];
        Slots after = Meaning::ends_run(in) ? 0 : live_[i + 1];
        if (!in.target.empty()) after |= live_[targets_[i]];
        const Slots before = (after & ~Meaning::writes(in)) | Meaning::reads(in);
        changed = changed || before != live_[i];
        live_[i] = before;
      }
    }
  }

  std::vector<std::size_t> targets_; // by instruction
  std::vector<char> heads_;          // by instruction, where some jump goes back
  std::vector<Slots> live_;
};

/// One path of one thread.
template <class Meaning>
class Walk {
 public:
  using Thread = typename Flow<Meaning>::Thread;
  using Core = typename Meaning::Core;
  using State = typename Meaning::State;

  Walk(const Thread& thread, const Flow<Meaning>& flow, Core& core)
      : thread_(thread), flow_(flow), core_(core), out_(core.path()),
        state_(Meaning::initial(thread, core)) {}

  void run() {
    const std::size_t size = thread_.code.size();
    for (std::size_t at = 0; at < size;) {
      if (flow_.is_head(at)) look_back(at);
      if (out_.is_over()) return;
      out_.terms().watch().demand();
      const auto& in = thread_.code[at];
      const bool jumps = !in.target.empty();
      core_.begin_instruction(at, jumps && flow_.target(at) == at + 1);
      const bool taken = Meaning::execute(in, state_, core_);
      if (out_.is_over()) return;
      if (taken && jumps && flow_.target(at) <= at && ++rounds_[at] > out_.limits().loop_bound)
        return out_.cut();
      at = taken && jumps ? flow_.target(at) : at + 1;
    }
    for (const auto& value : Meaning::registers(state_, core_))
      out_.path().final_registers.push_back(value.term);
  }

 private:
  /// What was so when the path came by the beginning of a loop.
  struct Mark {
    State state;
    typename Core::Monitor monitor;
    std::size_t events = 0;
    std::uint32_t idle = 0;
  };

  /// A round that only reads (or stores in vain) and leaves everything as it was adds nothing: the
  /// path without it does all that this one does (docs/engine.md).
  void look_back(std::size_t at) {
    const auto found = marks_.find(at);
    std::uint32_t idle = 0;
    if (found != marks_.end() && out_.limits().close_awaits && was_idle(found->second, at)) {
      idle = found->second.idle + 1;
      if (idle > out_.limits().idle_rounds) return out_.drop_idle();
    }
    marks_.insert_or_assign(at, Mark{state_, core_.monitor(), out_.path().events.size(), idle});
  }

  bool was_idle(const Mark& mark, std::size_t at) const {
    const Slots live = flow_.live(at);
    const auto& now = core_.monitor();
    const bool same_monitor =
        now.open == mark.monitor.open &&
        (!now.open || (now.location == mark.monitor.location && now.read == mark.monitor.read));
    if ((live & Meaning::monitor) != 0 && !same_monitor) return false;
    if (!Meaning::agree(state_, mark.state, live)) return false;
    const auto& events = out_.path().events;
    return std::all_of(events.begin() + static_cast<std::ptrdiff_t>(mark.events), events.end(),
                       [](const auto& e) { return (e.kinds & graph::k_write) == 0; });
  }

  const Thread& thread_;
  const Flow<Meaning>& flow_;
  Core& core_;
  graph::PathBuilder& out_;
  State state_;
  std::map<std::size_t, Mark> marks_;           // by beginning of a loop
  std::map<std::size_t, std::uint32_t> rounds_; // by instruction that goes back
};

/// What the end of a thread looks at.
template <class Meaning>
Slots observed_of(std::size_t thread, const graph::PathLimits& limits) {
  if (!limits.asked) return Meaning::observed;
  Slots out = 0;
  for (const auto& reg : *limits.asked)
    if (reg.thread == thread) out |= Slots{1} << reg.index;
  return out & Meaning::observed;
}

template <class Meaning>
graph::ProgramPaths paths_of(const litmus::ProgramOf<typename Meaning::Instruction>& program,
                             graph::Architecture architecture, const graph::PathLimits& limits) {
  graph::ProgramPaths out;
  out.terms = graph::TermPool(limits.watch);
  out.architecture = architecture;
  for (const Cell& cell : program.locations) {
    out.initial.push_back(
        litmus::sign_extended(static_cast<std::uint64_t>(cell.initial), cell.type.width));
    out.location_names.push_back(cell.name);
    out.location_bits.push_back(litmus::bits_of(cell.type.width));
  }
  AccessWidths widths(program.locations);
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const auto& thread = program.threads[t];
    const Flow<Meaning> flow(thread, observed_of<Meaning>(t, limits));
    out.threads.push_back(graph::all_paths(out.terms, limits, [&](graph::PathBuilder& builder) {
      SymbolicCore core(program.locations, widths, out.sets, builder);
      Walk<Meaning>(thread, flow, core).run();
    }));
    const auto& paths = out.threads.back();
    out.cut = out.cut || paths.cut;
    out.idle = out.idle || paths.idle;
    out.may_stop = out.may_stop || paths.may_stop;
    out.strays = out.strays || !paths.strayed.empty();
  }
  drop_unfounded(out);
  return out;
}

} // namespace thinair::machine
