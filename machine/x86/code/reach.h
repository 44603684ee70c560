// What an x86 thread may still do from each of its instructions on: accesses, registers, flags.
#pragma once

#include "machine/x86/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace thinair::runners {

/// A set of locations as bits; locations 64 apart share one, so it may hold too much, never too
/// little.
using LocationMask = std::uint64_t;
constexpr LocationMask bit(litmus::LocationId location) {
  return LocationMask{1} << (location.value % 64);
}

/// At one instruction (or at the end): what lies ahead, itself included.
struct Ahead {
  LocationMask reads = 0;        // from memory or the thread's own store buffer
  LocationMask locked = 0;       // read and written at once
  LocationMask stores = 0;       // that will pass through the store buffer
  std::uint32_t live = 0;        // registers that may still be read or are asked for: a bit each
  bool flags_live = false;       // flags may still be read
  std::uint32_t jump_target = 0; // of a jump: the instruction it leads to
  friend bool operator==(const Ahead&, const Ahead&) = default;
};

/// One entry an instruction and one for the end, for each thread.
std::vector<std::vector<Ahead>> look_ahead(const x86::Program& program,
                                           const std::vector<litmus::Observable>& asked);

/// How one instruction uses the cell that its memory operand names.
struct Use {
  bool reads = false, writes = false, atomic = false;
};
std::optional<Use> memory_use(const x86::Instruction& instruction);

} // namespace thinair::runners
