// The machines that programs are lowered to: one row each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace thinair::lower {

/// Each has a language of its own, which its code is a test of.
enum class Machine : std::uint8_t { x86, aarch64, riscv };

struct MachineInfo {
  Machine machine;
  std::string_view prefix;                     // of targets: "aarch64" of aarch64:llvm-O2
  std::string_view triple;                     // LLVM's
  std::string_view features;                   // LLVM's, beside the triple's
  std::string_view herd;                       // the first word of herd7's tests
  std::span<const std::string_view> pins;      // see ir.h: as inline assembly names them
  std::span<const std::string_view> addresses; // where the first pointer arguments are passed
  std::string_view end_of_thread;              // an instruction that no body contains: ir.h
  std::string_view end_opcode;                 // LLVM's name of it
  std::string_view jump;                       // the mnemonic of an unconditional one
};

std::span<const MachineInfo> machines();
const MachineInfo& info(Machine machine);

/// "aarch64:cxx" is aarch64's; x86 for a name without a machine in front.
Machine machine_of(std::string_view target);

} // namespace thinair::lower
