// RISC-V programs as litmus tests know them: RV64 instructions over registers and named memory
// cells.
#pragma once

#include "litmus/test.h"
#include "machine/riscv/instructions.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::riscv {

using litmus::LocationId;
using litmus::Observable;
using litmus::Test;
using litmus::ThreadId;
using litmus::Type;

/// x0 to x31. x0 is always zero.
enum class Register : std::uint8_t { x0 = 0, x1 = 1 };
constexpr std::size_t register_count = 32;
constexpr std::size_t index(Register reg) { return static_cast<std::size_t>(reg); }
constexpr bool is_zero(Register reg) { return reg == Register::x0; }

/// "x10", as herd7 prints it.
std::string_view name(Register reg);
/// Of "x10" and of "a0", the name in the calling convention.
std::optional<Register> register_named(std::string_view name);
/// All names of registers, for suggestions.
const std::vector<std::string>& register_names();

/// What a fence has on one of its sides: reads and writes of memory, input and output of devices.
struct Accesses {
  bool reads = true, writes = true, input = false, output = false;
  friend bool operator==(const Accesses&, const Accesses&) = default;
};
/// "rw"; of none "0".
std::string to_string(Accesses accesses);
std::optional<Accesses> accesses_named(std::string_view letters);

/// One instruction. Registers that its shape does not have are x0.
struct Instruction {
  using Reg = Register;
  static std::optional<Register> register_named(std::string_view name) {
    return riscv::register_named(name);
  }

  Opcode opcode{};
  bool acquire = false, release = false; // `.aq`, `.rl`
  Register rd = Register::x0;            // where the result goes
  Register rs1 = Register::x0;           // the first operand; of accesses the address
  Register rs2 = Register::x0;           // the second; of stores and updates what is stored
  Value immediate = 0;                   // of loads and stores, what is added to the address
  Accesses before, after;                // of `fence`
  std::string target;                    // of branches
  std::vector<std::string> labels;       // that stand before it
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

using InitialRegister = litmus::InitialOf<Register>;
using Thread = litmus::ThreadOf<Instruction>;
using Program = litmus::ProgramOf<Instruction>;

/// The program of a RISC-V test.
inline const Program& program_of(const Test& test) { return test.code().of<Instruction>(); }

/// How questions and final states name a register: `0:x10`.
Observable observable(ThreadId thread, Register reg);

/// Calls `visit` with each register that the instruction names.
void each_register(const Instruction& instruction, const std::function<void(Register)>& visit);

/// What an instruction reads and writes, a bit each: registers by their numbers, and in the place
/// of x0, which is always zero, the reservation.
using Slots = std::uint64_t;
constexpr Slots reservation_slot = 1;
constexpr Slots slot(Register reg) { return is_zero(reg) ? 0 : Slots{1} << index(reg); }
Slots reads(const Instruction& in);
Slots writes(const Instruction& in);

/// Why herd7 does not read the program, or reads it wrongly; absent where it reads it right.
std::optional<std::string> beyond_herd(const Program& program);

} // namespace thinair::riscv
