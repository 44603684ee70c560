// Writes instructions one after the other.
#include "lower/thread_code.h"

#include <fmt/format.h>

#include <ranges>
#include <utility>

namespace thinair::lower {

x86::RegisterOperand full(x86::Register reg, x86::Width width) { return {reg, width}; }

void ThreadCode::emit(x86::Instruction instruction) {
  instruction.labels.insert(instruction.labels.begin(), pending_.begin(), pending_.end());
  pending_.clear();
  code_.push_back(std::move(instruction));
  origins_.push_back(statement_);
}

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

std::string ThreadCode::new_label() { return fmt::format("L{}", labels_++); }

void ThreadCode::place(std::string label) { pending_.push_back(std::move(label)); }

x86::Register ThreadCode::take() {
  for (const x86::Register reg : allocatable | std::views::reverse)
    if (std::exchange(free_[static_cast<std::size_t>(reg)], false)) return reg;
  starved_ = true;
  return x86::Register::rbp;
}

x86::Thread ThreadCode::finish(std::string name, std::vector<x86::InitialRegister> initial) {
  x86::Thread thread;
  thread.name = std::move(name);
  thread.initial = std::move(initial);
  thread.code = std::move(code_);
  thread.end_labels = std::move(pending_);
  return thread;
}

} // namespace thinair::lower
