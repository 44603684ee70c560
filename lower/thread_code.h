// The code of one thread as it is written: instructions, labels, scratch registers.
#pragma once

#include "machine/x86/program.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::lower {

/// The order in which registers are given to source registers; scratch is taken from the other end.
inline constexpr std::array<x86::Register, 15> allocatable{
    x86::Register::rax, x86::Register::rbx, x86::Register::rcx, x86::Register::rdx,
    x86::Register::rsi, x86::Register::rdi, x86::Register::r8,  x86::Register::r9,
    x86::Register::r10, x86::Register::r11, x86::Register::r12, x86::Register::r13,
    x86::Register::r14, x86::Register::r15, x86::Register::rbp};

x86::RegisterOperand full(x86::Register reg, x86::Width width = x86::Width::l);

class ThreadCode {
 public:
  void emit(x86::Opcode opcode, std::vector<x86::Operand> operands,
            x86::Width width = x86::Width::l);
  void emit(x86::Instruction instruction);
  void move(const x86::Operand& to, const x86::Operand& from); // nothing where they are equal
  void jump(std::string label);
  void jump(x86::ConditionCode condition, std::string label);
  void set(x86::ConditionCode condition, x86::Register reg); // 0 or 1, the whole register

  std::string new_label();
  void place(std::string label); // before the next instruction, or at the end

  /// Registers that hold nothing. Where there is none, `starved` becomes true, and the code made
  /// from then on is to be thrown away.
  void add_scratch(x86::Register reg) { free_[static_cast<std::size_t>(reg)] = true; }
  x86::Register take();
  void release(x86::Register reg) { free_[static_cast<std::size_t>(reg)] = true; }
  bool starved() const { return starved_; }

  void at_statement(std::uint32_t number) { statement_ = number; }
  x86::Thread finish(std::string name, std::vector<x86::InitialRegister> initial);
  std::vector<std::uint32_t> take_origins() { return std::move(origins_); }

 private:
  std::vector<x86::Instruction> code_;
  std::vector<std::uint32_t> origins_;
  std::vector<std::string> pending_;
  std::array<bool, x86::register_count> free_{};
  std::uint32_t labels_ = 0, statement_ = 0;
  bool starved_ = false;
};

} // namespace thinair::lower
