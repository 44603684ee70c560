// Writes instructions one after the other.
#include "machine/x86/code/thread_code.h"

#include <utility>

namespace thinair::lower::x86_code {

x86::RegisterOperand full(x86::Register reg, x86::Width width) { return {reg, width}; }

void ThreadCode::emit(x86::Opcode opcode, std::vector<x86::Operand> operands, x86::Width width) {
  x86::Instruction instruction;
  instruction.opcode = opcode;
  instruction.width = width;
  instruction.operands = std::move(operands);
  emit(std::move(instruction));
}

void ThreadCode::move(const x86::Operand& to, const x86::Operand& from) {
  if (to != from) emit(x86::Opcode::mov, {to, from});
}

void ThreadCode::jump(std::string label) {
  x86::Instruction instruction;
  instruction.opcode = x86::Opcode::jmp;
  instruction.target = std::move(label);
  emit(std::move(instruction));
}

void ThreadCode::jump(x86::ConditionCode condition, std::string label) {
  x86::Instruction instruction;
  instruction.opcode = x86::Opcode::jcc;
  instruction.condition = condition;
  instruction.target = std::move(label);
  emit(std::move(instruction));
}

void ThreadCode::set(x86::ConditionCode condition, x86::Register reg) {
  x86::Instruction instruction;
  instruction.opcode = x86::Opcode::setcc;
  instruction.condition = condition;
  instruction.width = x86::Width::b;
  instruction.operands = {full(reg, x86::Width::b)};
  emit(std::move(instruction));
  emit(x86::Opcode::movzx, {full(reg), full(reg, x86::Width::b)}, x86::Width::b);
}

} // namespace thinair::lower::x86_code
