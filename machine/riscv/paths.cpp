// Control paths of RISC-V programs, and the sets of events that models name.
#include "machine/common/walk.h"
#include "machine/riscv/front_end.h"
#include "machine/riscv/meaning.h"

#include <array>
#include <optional>
#include <variant>

namespace thinair::riscv {

graph::Tags fence_tag(Accesses before, Accesses after) {
  const auto place = [](Accesses side) -> std::optional<unsigned> {
    if (side.reads) return side.writes ? 2U : 0U;
    return side.writes ? std::optional(1U) : std::nullopt;
  };
  const auto first = place(before), second = place(after);
  if (!first || !second) return 0;
  return graph::Tags{t_first_fence} << (3 * *first + *second);
}

namespace {

using machine::SymbolicCore;

struct Meaning {
  using Instruction = riscv::Instruction;
  using Core = SymbolicCore;
  using State = riscv::State<SymbolicCore>;

  static constexpr Slots monitor = reservation_slot;
  static constexpr Slots observed = 0xFFFFFFFE;

  static Slots reads(const Instruction& in) { return riscv::reads(in); }
  static Slots writes(const Instruction& in) { return riscv::writes(in); }

  static bool ends_run(const Instruction& in) { return info(in.opcode).shape == Shape::jump; }

  static bool agree(const State& a, const State& b, Slots slots) {
    for (std::size_t i = 1; i < register_count; ++i)
      if ((slots >> i & 1) != 0 && a.registers[i] != b.registers[i]) return false;
    return true;
  }

  static State initial(const Thread& thread, SymbolicCore& core) {
    State out;
    out.registers.fill(core.number(0));
    for (const auto& entry : thread.initial) {
      const auto* location = std::get_if<LocationId>(&entry.value);
      const Value value = location ? static_cast<Value>(litmus::address_of(*location))
                                   : std::get<Value>(entry.value);
      if (is_zero(entry.reg) && value != 0) throw Unsupported("an initial value of x0");
      out.registers[index(entry.reg)] = core.number(value);
    }
    return out;
  }

  static bool execute(const Instruction& in, State& state, SymbolicCore& core) {
    return riscv::execute(in, state, core);
  }

  static std::vector<machine::Symbol> registers(const State& state, SymbolicCore&) {
    return {state.registers.begin(), state.registers.end()};
  }
};

using graph::NamedSet;
using litmus::Construct;

constexpr graph::Tags fence_of(unsigned before, unsigned after) {
  return graph::Tags{t_first_fence} << (3 * before + after);
}

constexpr auto fence = Construct::fence_instruction;
constexpr auto sets = std::to_array<NamedSet>({
    {"Acq", t_acquire, false, Construct::ordered_instruction, "aq"},
    {"Rel", t_release, false, Construct::ordered_instruction, "rl"},
    {"AcqRel", t_acquire_release, false, Construct::ordered_instruction, "aqrl"},
    {"X", t_exclusive, false, Construct::atomic_instruction, "exclusive"},
    {"AMO", t_amo, false, Construct::atomic_instruction, "amo"},
    {"Fence.r.r", fence_of(0, 0), true, fence, "fence r,r"},
    {"Fence.r.w", fence_of(0, 1), true, fence, "fence r,w"},
    {"Fence.r.rw", fence_of(0, 2), true, fence, "fence r,rw"},
    {"Fence.w.r", fence_of(1, 0), true, fence, "fence w,r"},
    {"Fence.w.w", fence_of(1, 1), true, fence, "fence w,w"},
    {"Fence.w.rw", fence_of(1, 2), true, fence, "fence w,rw"},
    {"Fence.rw.r", fence_of(2, 0), true, fence, "fence rw,r"},
    {"Fence.rw.w", fence_of(2, 1), true, fence, "fence rw,w"},
    {"Fence.rw.rw", fence_of(2, 2), true, fence, "fence rw,rw"},
    {"Fence.tso", t_fence_tso, true, fence, "fence.tso"},
    {"Fence.i", t_fence_instructions, true, Construct::plain, "fence.i"},
});

graph::ProgramPaths paths(const Test& test, const graph::PathLimits& limits) {
  return machine::paths_of<Meaning>(program_of(test), architecture, limits);
}

} // namespace

constinit const graph::FrontEnd front_end{"RISC-V", "riscv", sets, paths};

} // namespace thinair::riscv
