// What the machines' shapes share.
#include "lower/jit/shape.h"

#include "litmus/text/ascii.h"
#include "litmus/text/error.h"
#include "lower/decode.h"

#include <fmt/format.h>

namespace thinair::lower::jit {
namespace {

/// "W8", "X8" and "x8" are X8; the frame pointer and the link register have numbers, too.
std::string whole_aarch64(std::string_view name) {
  if (name == "FP") return "X29";
  if (name == "LR") return "X30";
  if (name == "SP" || name == "WSP") return "SP";
  if (name.size() < 2 || (name[0] != 'W' && name[0] != 'X') || name == "WZR" || name == "XZR")
    return "";
  return fmt::format("X{}", name.substr(1));
}

std::string whole_riscv(std::string_view name) {
  return name.size() < 2 || name[0] != 'X' || name == "X0" ? "" : std::string(name);
}

} // namespace

Shape shape_of(const MachineInstruction& instruction, Machine machine) {
  switch (machine) {
  case Machine::x86: return x86_shape(instruction);
  case Machine::aarch64: return aarch64_shape(instruction);
  case Machine::riscv: return riscv_shape(instruction);
  }
  bug(__FILE__, __LINE__, "code of no machine");
}

std::string whole_register(Machine machine, std::string_view name) {
  if (machine == Machine::aarch64) return whole_aarch64(name);
  if (machine == Machine::riscv) return whole_riscv(name);
  const auto found = machine_register(name);
  return found ? text::upper_case(x86::name(found->reg, x86::Width::q)) : "";
}

/// Java's first arguments are C's from the second on ("c_rarg1"), so that native methods can be
/// called with the registers as they are.
std::string listed_register(Machine machine, std::string_view name) {
  const std::string_view word = name.substr(0, name.find(':'));
  if (machine == Machine::x86) return whole_register(machine, text::upper_case(word));
  constexpr std::string_view argument = "c_rarg";
  if (!word.starts_with(argument) || word.size() != argument.size() + 1) return "";
  const int number = word.back() - '0';
  return fmt::format("X{}", machine == Machine::riscv ? 10 + number : number);
}

/// HotSpot's own registers: r15_thread and r12_heapbase, which is 0 where compiled code takes it
/// for a zero; rthread is x28 on AArch64 and x23 on RISC-V.
Fixed fixed_registers(Machine machine) {
  switch (machine) {
  case Machine::x86: return {"RSP", "R15", "R12"};
  case Machine::aarch64: return {"SP", "X28", ""};
  case Machine::riscv: return {"X2", "X23", ""};
  }
  bug(__FILE__, __LINE__, "code of no machine");
}

} // namespace thinair::lower::jit
