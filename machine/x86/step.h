// The sequential meaning of one x86 instruction: registers, flags, and its accesses to memory
// (Intel SDM vol. 2). Compared with the processor itself in tests/lower/processor_test.cpp.
#pragma once

#include "machine/x86/program.h"

#include <array>
#include <cstdint>
#include <optional>

namespace thinair::x86 {

/// The status flags that conditions can see (AF is not among them).
struct Flags {
  bool carry = false, parity = false, zero = false, sign = false, overflow = false;
  friend bool operator==(const Flags&, const Flags&) = default;
};

/// What one thread has to itself. Registers are whole: an `l` write clears the upper half, `b` and
/// `w` writes keep the rest (SDM vol. 1, 3.4.1.1).
struct State {
  std::array<std::uint64_t, every_register> registers{};
  Flags flags;
  friend bool operator==(const State&, const State&) = default;
};

/// Memory as one instruction sees it: at most one load, then at most one store, of the same cell
/// and width. Values are zero-extended.
class MemoryPort {
 public:
  virtual ~MemoryPort() = default;
  virtual std::uint64_t load(LocationId location, Width width) = 0;
  virtual void store(LocationId location, Width width, std::uint64_t value) = 0;
  /// The program whose locations these are; null where it has no arrays and is of no interest.
  virtual const Program* program() const { return nullptr; }
};

/// The cell an instruction accesses, if it accesses memory (`lea` does not). Throws Unsupported for
/// a register that holds no address.
std::optional<LocationId> accessed(const Instruction& instruction, const State& state,
                                   const Program* program);

/// Whether it accesses an address where nothing lies (machine/common/addresses.h), as null's.
bool faults(const Instruction& instruction, const State& state);

/// Whether its load and store are one atomic step: `lock`, and `xchg` with memory (SDM vol.
/// 3, 9.1.2).
bool is_atomic(const Instruction& instruction);

/// Runs one instruction and says whether it jumps to `instruction.target`. Flags that the
/// processor leaves undefined come out as `undefined_flags` says nothing about: some fixed value.
bool step(const Instruction& instruction, State& state, MemoryPort& memory);

/// The flags whose value after `instruction`, run in `before`, the manual does not define.
Flags undefined_flags(const Instruction& instruction, const State& before);

bool holds(ConditionCode condition, const Flags& flags);

} // namespace thinair::x86
