// The table of machines.
#include "lower/machine.h"

#include <algorithm>
#include <array>

namespace thinair::lower {
namespace {

using Names = std::string_view;

constexpr auto x86_pins =
    std::to_array<Names>({"r8", "r9", "r10", "r11", "rsi", "rdi", "rcx", "rdx", "rax"});

// AAPCS64: arguments in x0 to x7, and what a function need not preserve (x18 is the platform's).
constexpr auto aarch64_pins =
    std::to_array<Names>({"w8", "w9", "w10", "w11", "w12", "w13", "w14", "w15", "w16", "w17", "w7",
                          "w6", "w5", "w4", "w3", "w2", "w1", "w0"});
constexpr auto aarch64_addresses =
    std::to_array<Names>({"X0", "X1", "X2", "X3", "X4", "X5", "X6", "X7"});

// RISC-V calling convention: arguments in a0 to a7 (x10 to x17), temporaries x5 to x7, x28 to x31.
constexpr auto riscv_pins =
    std::to_array<Names>({"x17", "x16", "x15", "x14", "x13", "x28", "x29", "x30", "x31", "x5", "x6",
                          "x7", "x12", "x11", "x10"});
constexpr auto riscv_addresses =
    std::to_array<Names>({"X10", "X11", "X12", "X13", "X14", "X15", "X16", "X17"});

constexpr auto table = std::to_array<MachineInfo>({
    {Machine::x86,
     "x86",
     "x86_64-unknown-linux-gnu",
     "",
     "X86_64",
     x86_pins,
     {},
     "hlt",
     "HLT",
     "jmp"},
    {Machine::aarch64, "aarch64", "aarch64-unknown-linux-gnu", "+lse", "AArch64", aarch64_pins,
     aarch64_addresses, "hlt #0", "HLT", "b"},
    {Machine::riscv, "riscv", "riscv64-unknown-linux-gnu", "+m,+a", "RISCV", riscv_pins,
     riscv_addresses, "ebreak", "EBREAK", "j"},
});

} // namespace

std::span<const MachineInfo> machines() { return table; }

const MachineInfo& info(Machine machine) { return table[static_cast<std::size_t>(machine)]; }

Machine machine_of(std::string_view target) {
  const auto prefix = target.substr(0, target.find(':'));
  const auto found = std::ranges::find(table, prefix, &MachineInfo::prefix);
  return found == table.end() ? Machine::x86 : found->machine;
}

} // namespace thinair::lower
