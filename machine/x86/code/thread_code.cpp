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

void ThreadCode::move(const x86::Operand& to, const x86::Operand& from, x86::Width width) {
  if (to != from) emit(x86::Opcode::mov, {to, from}, width);
}

/// A sign is spread by two shifts; four bytes that are written clear the upper ones.
void ThreadCode::extend(x86::Register reg, litmus::Type from, x86::Width to) {
  if (from.width >= to) return;
  if (!from.is_signed && from.width < x86::Width::l) {
    emit(x86::Opcode::movzx, {full(reg), full(reg, from.width)}, from.width);
    return;
  }
  const x86::Immediate count{bits_of(to) - bits_of(from.width)};
  emit(x86::Opcode::shl, {full(reg, to), count}, to);
  emit(x86::Opcode::sar, {full(reg, to), count}, to);
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
