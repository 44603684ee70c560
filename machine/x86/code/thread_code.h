// The code of one x86 thread as it is written.
#pragma once

#include "lower/code_writer.h"
#include "machine/x86/program.h"

#include <array>
#include <string>
#include <vector>

namespace thinair::lower::x86_code {

/// The order in which registers are given to source registers; scratch is taken from the other end.
inline constexpr std::array<x86::Register, 15> allocatable{
    x86::Register::rax, x86::Register::rbx, x86::Register::rcx, x86::Register::rdx,
    x86::Register::rsi, x86::Register::rdi, x86::Register::r8,  x86::Register::r9,
    x86::Register::r10, x86::Register::r11, x86::Register::r12, x86::Register::r13,
    x86::Register::r14, x86::Register::r15, x86::Register::rbp};

x86::RegisterOperand full(x86::Register reg, x86::Width width = x86::Width::l);

class ThreadCode : public CodeWriter<x86::Instruction> {
 public:
  ThreadCode() : CodeWriter(allocatable) {}

  using CodeWriter::emit;
  void emit(x86::Opcode opcode, std::vector<x86::Operand> operands,
            x86::Width width = x86::Width::l);
  /// Nothing where they are equal.
  void move(const x86::Operand& to, const x86::Operand& from, x86::Width width = x86::Width::l);
  /// Fills the register with the sign, or with zeros, above its low `from` bytes; up to four bytes,
  /// or where `to` says so up to eight.
  void extend(x86::Register reg, litmus::Type from, x86::Width to = x86::Width::l);
  void jump(std::string label);
  void jump(x86::ConditionCode condition, std::string label);
  void set(x86::ConditionCode condition, x86::Register reg); // 0 or 1, the whole register
};

} // namespace thinair::lower::x86_code
