// Runs one thread of machine code by what each of its instructions does.
#pragma once

#include "litmus/text/error.h"
#include "lower/machine.h"
#include "machine/common/concrete.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace thinair::lower {

inline void store_in(std::uint64_t& cell, litmus::Width width, std::uint64_t value) {
  cell = (cell & ~litmus::truncated(~std::uint64_t{0}, width)) | litmus::truncated(value, width);
}

/// Memory of machines whose code computes addresses.
class Addressed : public machine::MemoryPort {
 public:
  Addressed(std::span<const litmus::Cell> cells, std::vector<std::uint64_t>& memory)
      : cells_(cells), memory_(memory) {}
  litmus::Value load(std::uint64_t address, litmus::Width width) override {
    return litmus::sign_extended(at(address), width);
  }
  void store(std::uint64_t address, litmus::Width width, litmus::Value value) override {
    store_in(at(address), width, static_cast<std::uint64_t>(value));
  }

 private:
  std::uint64_t& at(std::uint64_t address) {
    const auto location = litmus::location_at(address, cells_);
    if (!location)
      throw Unsupported("code that accesses what is no location"); // the word around one
    return memory_.at(location->value);
  }
  std::span<const litmus::Cell> cells_;
  std::vector<std::uint64_t>& memory_;
};

inline constexpr std::size_t most_steps_alone = 100'000;

/// As MachineInfo::run_alone. `Processor` has registers, which are given their initial values, and
/// a step, which says whether it jumps.
template <class Processor>
TargetOutcome run_alone(const litmus::Code& program, litmus::ThreadId thread,
                        std::vector<std::uint64_t> memory) {
  using Instruction = typename Processor::Instruction;
  const auto& code = program.of<Instruction>().threads.at(thread.value);
  Processor machine(program.cells(), memory);
  for (const auto& initial : code.initial) {
    const auto* location = std::get_if<litmus::LocationId>(&initial.value);
    machine.set(initial.reg,
                location ? litmus::address_of(*location)
                         : static_cast<std::uint64_t>(std::get<litmus::Value>(initial.value)));
  }
  std::size_t steps = 0;
  for (std::size_t at = 0; at < code.code.size();) {
    if (++steps > most_steps_alone)
      throw LimitReached(Limit::none, "100000 steps of a thread alone");
    const Instruction& in = code.code[at];
    at = machine.step(in) ? program.place_of(thread.value, in.target) : at + 1;
  }
  return {machine.registers(), std::move(memory)};
}

} // namespace thinair::lower
