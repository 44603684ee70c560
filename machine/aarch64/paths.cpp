// Control paths of AArch64 programs, and the sets of their events.
#include "machine/aarch64/front_end.h"
#include "machine/aarch64/semantics.h"
#include "machine/common/walk.h"

#include <array>
#include <vector>

namespace thinair::aarch64 {
namespace {

using machine::SymbolicCore;

struct Meaning {
  using Instruction = aarch64::Instruction;
  using State = aarch64::State<SymbolicCore>;
  static constexpr machine::Slots observed = register_slots, monitor = monitor_slot;

  static State initial(const Thread& thread, SymbolicCore& core) {
    State out(core);
    for (const auto& initial : thread.initial) {
      const auto* location = std::get_if<LocationId>(&initial.value);
      const Value value = location ? static_cast<Value>(litmus::address_of(*location))
                                   : std::get<Value>(initial.value);
      if (initial.reg != Register::zero)
        out.registers[index(initial.reg)] = {core.number(value), Width::q};
    }
    return out;
  }

  static bool execute(const Instruction& in, State& state, SymbolicCore& core) {
    return aarch64::execute(in, state, core);
  }

  static std::vector<graph::TermId> registers(State& state, SymbolicCore& core) {
    static const Instruction nop = [] {
      Instruction in;
      in.info = instruction_named("nop");
      return in;
    }();
    Execution<SymbolicCore> reader(nop, state, core);
    std::vector<graph::TermId> out;
    out.reserve(register_count + 1);
    for (std::size_t i = 0; i <= register_count; ++i)
      out.push_back(reader.read(static_cast<Register>(i), Width::q).term);
    return out;
  }

  static machine::Slots reads(const Instruction& in) { return aarch64::reads(in); }
  static machine::Slots writes(const Instruction& in) { return aarch64::writes(in); }
  static bool ends_run(const Instruction& in) { return in.info->does == Does::jump; }

  static bool agree(const State& a, const State& b, machine::Slots slots) {
    if ((slots & flags_slot) != 0 && !(a.flags == b.flags)) return false;
    for (std::size_t i = 0; i < register_count; ++i)
      if ((slots & slot(static_cast<Register>(i))) != 0 && !(a.registers[i] == b.registers[i]))
        return false;
    return true;
  }
};

using litmus::Construct;

template <std::size_t... I>
constexpr auto with_barriers(std::index_sequence<I...>) {
  constexpr std::array<std::string_view, 2 * barrier_count> names{
      "DMB.SY", "DMB.ISH",   "DMB.OSH",   "DMB.LD",  "DMB.ISHLD", "DMB.OSHLD",
      "DMB.ST", "DMB.ISHST", "DMB.OSHST", "DMB.NSH", "DMB.NSHLD", "DMB.NSHST",
      "DSB.SY", "DSB.ISH",   "DSB.OSH",   "DSB.LD",  "DSB.ISHLD", "DSB.OSHLD",
      "DSB.ST", "DSB.ISHST", "DSB.OSHST", "DSB.NSH", "DSB.NSHLD", "DSB.NSHST"};
  return std::to_array<graph::NamedSet>({
      {"A", t_acquire, false, Construct::ordered_instruction, "acquire"},
      {"Q", t_acquire_pc, false, Construct::ordered_instruction, "acquirePC"},
      {"L", t_release, false, Construct::ordered_instruction, "release"},
      {"X", t_exclusive, false, Construct::atomic_instruction, "exclusive"},
      {"NoRet", t_no_return, false, Construct::plain, "not returned"},
      {"ISB", t_isb, true, Construct::fence_instruction, "ISB"},
      {names[I], t_dmb << I, true, Construct::fence_instruction, names[I]}...,
  });
}

constexpr auto sets = with_barriers(std::make_index_sequence<2 * barrier_count>());

graph::ProgramPaths paths(const Test& test, const graph::PathLimits& limits) {
  return paths_of(program_of(test), limits);
}

} // namespace

graph::ProgramPaths paths_of(const Program& program, const graph::PathLimits& limits) {
  return machine::paths_of<Meaning>(program, architecture, limits);
}

constinit const graph::FrontEnd front_end{"AArch64", "aarch64", sets, paths};

} // namespace thinair::aarch64
