// Where control goes in an x86 thread, and whose flags and registers are read.
#pragma once

#include "machine/x86/program.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace thinair::x86 {

/// Calls `visit` with each register that the instruction names, and rax for `cmpxchg`.
void each_register(const Instruction& instruction, const std::function<void(Register)>& visit);

/// Whether all flags after the instruction are its own. (`inc` and `dec` keep the carry flag, and a
/// shift by 0 keeps all.)
bool replaces_all_flags(Opcode opcode);

/// For each instruction, whether the flags that it leaves may still be read.
std::vector<bool> flags_live_after(const Thread& thread);

/// Registers, a bit each by their index, and the flags.
using Slots = std::uint32_t;
inline constexpr Slots flags_slot = Slots{1} << 31;

/// Where jumps go, where loops begin, and what may be looked at from an instruction on.
class Flow {
 public:
  /// `observed`: the registers that the end looks at.
  explicit Flow(const Thread& thread, Slots observed = ~flags_slot);

  /// Of an instruction with a target.
  std::size_t target(std::size_t at) const { return targets_[at]; }
  bool is_head(std::size_t at) const { return heads_[at]; }
  /// What may be read from there on before it is overwritten whole; at the end, what is observed.
  Slots live(std::size_t at) const { return live_[at]; }

 private:
  std::vector<std::size_t> targets_; // by instruction
  std::vector<bool> heads_;          // by instruction, where some jump goes back
  std::vector<Slots> live_;
};

} // namespace thinair::x86
