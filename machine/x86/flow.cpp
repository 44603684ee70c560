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

namespace {

constexpr Slots slot(Register reg) { return Slots{1} << static_cast<unsigned>(reg); }

struct Uses {
  Slots reads = 0, overwrites = 0;
};

/// A part of a register is never all of it; a result of 32 bits is (SDM vol. 1, 3.4.1.1).
bool fills(const RegisterOperand& reg) { return reg.width == Width::l || reg.width == Width::q; }

bool reads_first(Opcode opcode) {
  return opcode != Opcode::mov && opcode != Opcode::movzx && opcode != Opcode::lea;
}

bool overwrites_first(Opcode opcode) {
  return opcode != Opcode::cmp && opcode != Opcode::test && opcode != Opcode::cmpxchg &&
         opcode != Opcode::cmovcc;
}

/// `xor r, r` and `sub r, r` give 0 whatever r held.
bool clears(const Instruction& in) {
  return (in.opcode == Opcode::xor_ || in.opcode == Opcode::sub) &&
         in.operands[0] == in.operands[1] &&
         std::holds_alternative<RegisterOperand>(in.operands[0]);
}

Uses uses_of(const Instruction& in) {
  Uses out;
  if (info(in.opcode).reads_flags) out.reads |= flags_slot;
  if (replaces_all_flags(in.opcode)) out.overwrites |= flags_slot;
  if (in.opcode == Opcode::cmpxchg) out.reads |= slot(Register::rax);
  for (std::size_t i = 0; i < in.operands.size(); ++i) {
    if (const auto* memory = std::get_if<Memory>(&in.operands[i])) {
      if (const auto* base = std::get_if<Register>(&memory->base)) out.reads |= slot(*base);
      if (memory->index) out.reads |= slot(memory->index->reg);
      continue;
    }
    const auto* reg = std::get_if<RegisterOperand>(&in.operands[i]);
    if (reg == nullptr) continue;
    const bool first = i == 0, second_too = in.opcode == Opcode::xchg || in.opcode == Opcode::xadd;
    if (!clears(in) && (!first || reads_first(in.opcode) || !fills(*reg)))
      out.reads |= slot(reg->reg);
    if (fills(*reg) && (first ? overwrites_first(in.opcode) : second_too))
      out.overwrites |= slot(reg->reg);
  }
  return out;
}

} // namespace

Flow::Flow(const Thread& thread, Slots observed)
    : targets_(thread.code.size()), heads_(thread.code.size() + 1), live_(thread.code.size() + 1) {
  const std::size_t size = thread.code.size();
  bool loops = false;
  for (std::size_t i = 0; i < size; ++i) {
    if (thread.code[i].target.empty()) continue;
    targets_[i] = litmus::position_of(thread, thread.code[i].target);
    if (targets_[i] > i) continue;
    heads_[targets_[i]] = true;
    loops = true;
  }
  if (!loops) return; // nobody asks
  live_[size] = observed;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = size; i-- > 0;) {
      const auto& in = thread.code[i];
      Slots after = in.opcode == Opcode::jmp ? 0 : live_[i + 1];
      if (!in.target.empty()) after |= live_[targets_[i]];
      const auto uses = uses_of(in);
      const Slots before = (after & ~uses.overwrites) | uses.reads;
      changed = changed || before != live_[i];
      live_[i] = before;
    }
  }
}

} // namespace thinair::x86
