// The sequential meaning of one AArch64 instruction on numbers: registers, flags, and its accesses
// to memory. It is what paths have (semantics.h), and is compared with a processor where there is
// one (tests/machine/aarch64_processor_test.cpp).
#pragma once

#include "machine/aarch64/program.h"
#include "machine/common/concrete.h"

#include <array>
#include <cstdint>

namespace thinair::aarch64 {

/// What one thread has to itself. Writes of W registers clear the upper half.
struct Registers {
  std::array<std::uint64_t, register_count> x{};
  std::uint8_t nzcv = 0; // N is 8, V is 1
  friend bool operator==(const Registers&, const Registers&) = default;
};

/// Runs one instruction and says whether it goes to `in.target`.
bool step(const Instruction& in, Registers& registers, machine::ConcreteCore& core);

} // namespace thinair::aarch64
