// What walks of AArch64 threads need (machine/common/walk.h), over a core.
#pragma once

#include "machine/aarch64/semantics.h"
#include "machine/common/walk.h"

#include <vector>

namespace thinair::aarch64 {

template <class Given>
struct Meaning {
  using Instruction = aarch64::Instruction;
  using Core = Given;
  using State = aarch64::State<Core>;
  static constexpr machine::Slots observed = register_slots, monitor = monitor_slot;

  static State initial(const Thread& thread, Core& core) {
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

  static bool execute(const Instruction& in, State& state, Core& core) {
    return aarch64::execute(in, state, core);
  }

  static std::vector<typename Core::Word> registers(State& state, Core& core) {
    static const Instruction nop = [] {
      Instruction in;
      in.info = instruction_named("nop");
      return in;
    }();
    Execution<Core> reader(nop, state, core);
    std::vector<typename Core::Word> out;
    out.reserve(register_count + 1);
    for (std::size_t i = 0; i <= register_count; ++i)
      out.push_back(reader.read(static_cast<Register>(i), Width::q));
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

} // namespace thinair::aarch64
