// Registers and the liveness of flags.
#include "machine/x86/flow.h"

#include "litmus/text/error.h"

#include <algorithm>

namespace thinair::x86 {

void each_register(const Instruction& instruction, const std::function<void(Register)>& visit) {
  if (instruction.opcode == Opcode::cmpxchg) visit(Register::rax);
  for (const Operand& operand : instruction.operands) {
    if (const auto* reg = std::get_if<RegisterOperand>(&operand)) visit(reg->reg);
    const auto* memory = std::get_if<Memory>(&operand);
    if (!memory) continue;
    if (const auto* base = std::get_if<Register>(&memory->base)) visit(*base);
    if (memory->index) visit(memory->index->reg);
  }
}

bool replaces_all_flags(Opcode opcode) {
  switch (opcode) {
  case Opcode::add:
  case Opcode::sub:
  case Opcode::and_:
  case Opcode::or_:
  case Opcode::xor_:
  case Opcode::cmp:
  case Opcode::test:
  case Opcode::neg:
  case Opcode::xadd:
  case Opcode::cmpxchg: return true;
  case Opcode::mov:
  case Opcode::movzx:
  case Opcode::lea:
  case Opcode::inc: // keeps the carry flag, as dec
  case Opcode::dec:
  case Opcode::not_:
  case Opcode::shl: // keep all flags where the count is 0
  case Opcode::shr:
  case Opcode::sar:
  case Opcode::imul:
  case Opcode::xchg:
  case Opcode::jmp:
  case Opcode::jcc:
  case Opcode::setcc:
  case Opcode::cmovcc:
  case Opcode::mfence:
  case Opcode::lfence:
  case Opcode::sfence:
  case Opcode::nop: return false;
  }
  return false;
}

std::vector<bool> flags_live_after(const Thread& thread) {
  const std::size_t size = thread.code.size();
  std::vector<bool> before(size + 1, false), after(size, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = size; i-- > 0;) {
      const Instruction& in = thread.code[i];
      const bool falls = in.opcode != Opcode::jmp && before[i + 1];
      after[i] = falls || (!in.target.empty() && before[litmus::position_of(thread, in.target)]);
      const bool live = info(in.opcode).reads_flags || (after[i] && !replaces_all_flags(in.opcode));
      changed |= live != before[i];
      before[i] = live;
    }
  }
  return after;
}

} // namespace thinair::x86
