// Backward fixpoints over a thread's control flow.
#include "machine/x86/code/reach.h"

#include "machine/x86/flow.h"
#include "machine/x86/step.h"

#include <algorithm>

namespace thinair::runners {
namespace {

using namespace x86;
using litmus::LocationId;
using litmus::Observable;

std::uint32_t bit(Register reg) { return 1U << static_cast<unsigned>(reg); }

const Memory* memory_operand(const Instruction& in) {
  for (const Operand& operand : in.operands)
    if (const auto* memory = std::get_if<Memory>(&operand)) return memory;
  return nullptr;
}

/// Locations whose address some register may hold: given at the start, or taken by `lea`.
LocationMask address_taken(const Program& program) {
  LocationMask taken = 0;
  for (const Thread& thread : program.threads) {
    const auto take = [&](LocationId location) { // with the array that it begins
      const std::uint32_t length = program.locations.at(location.value).length;
      for (std::uint32_t i = 0; i < std::max(length, 1U); ++i)
        taken |= runners::bit(LocationId(location.value + i));
    };
    for (const InitialRegister& initial : thread.initial)
      if (const auto* location = std::get_if<LocationId>(&initial.value)) take(*location);
    for (const Instruction& in : thread.code)
      if (const Memory* memory = memory_operand(in); memory && in.opcode == Opcode::lea)
        if (const auto* location = std::get_if<LocationId>(&memory->base)) take(*location);
  }
  return taken;
}

/// Opcodes that write their first operand without reading it.
bool only_writes_first(Opcode opcode) {
  return opcode == Opcode::mov || opcode == Opcode::movzx || opcode == Opcode::lea;
}

/// The register that the instruction replaces whole without reading it, if any.
std::uint32_t replaced(const Instruction& in) {
  if (!only_writes_first(in.opcode)) return 0;
  const auto* reg = std::get_if<RegisterOperand>(&in.operands.at(0));
  return reg && reg->width >= Width::l ? bit(reg->reg) : 0;
}

std::uint32_t read_registers(const Instruction& in) {
  std::uint32_t mask = in.opcode == Opcode::cmpxchg ? bit(Register::rax) : 0;
  for (std::size_t i = 0; i < in.operands.size(); ++i) {
    if (const auto* reg = std::get_if<RegisterOperand>(&in.operands[i]))
      if (i > 0 || replaced(in) == 0) mask |= bit(reg->reg);
    if (const auto* memory = std::get_if<Memory>(&in.operands[i])) {
      if (const auto* base = std::get_if<Register>(&memory->base)) mask |= bit(*base);
      if (memory->index) mask |= bit(memory->index->reg);
    }
  }
  return mask;
}

class ThreadAnalysis {
 public:
  ThreadAnalysis(const Thread& thread, LocationMask taken, std::uint32_t asked)
      : thread_(thread), taken_(taken), result_(thread.code.size() + 1) {
    result_.back().live = asked;
    for (std::size_t i = 0; i < thread.code.size(); ++i)
      if (!thread.code[i].target.empty())
        result_[i].jump_target =
            static_cast<std::uint32_t>(position_of(thread, thread.code[i].target));
  }

  std::vector<Ahead> run() {
    while (sweep()) {
    }
    return std::move(result_);
  }

 private:
  bool sweep() {
    bool changed = false;
    for (std::size_t i = thread_.code.size(); i-- > 0;) {
      const Ahead found = joined(i);
      changed |= found != result_[i];
      result_[i] = found;
    }
    return changed;
  }

  /// What lies ahead at `i`, from what lies ahead of it as far as that is known.
  Ahead joined(std::size_t i) const {
    const Instruction& in = thread_.code[i];
    Ahead ahead;
    ahead.jump_target = result_[i].jump_target;
    if (in.opcode != Opcode::jmp) join(ahead, result_[i + 1]);
    if (!in.target.empty()) join(ahead, result_[ahead.jump_target]);
    ahead.live = (ahead.live & ~replaced(in)) | read_registers(in);
    ahead.flags_live =
        (ahead.flags_live && !replaces_all_flags(in.opcode)) || info(in.opcode).reads_flags;
    if (const auto use = memory_use(in)) {
      const auto* location = std::get_if<LocationId>(&memory_operand(in)->base);
      const LocationMask mask = location ? runners::bit(*location) : taken_;
      if (use->atomic) ahead.locked |= mask;
      if (use->reads && !use->atomic) ahead.reads |= mask;
      if (use->writes && !use->atomic) ahead.stores |= mask;
    }
    return ahead;
  }

  static void join(Ahead& into, const Ahead& from) {
    into.reads |= from.reads;
    into.locked |= from.locked;
    into.stores |= from.stores;
    into.live |= from.live;
    into.flags_live |= from.flags_live;
  }

  const Thread& thread_;
  LocationMask taken_;
  std::vector<Ahead> result_;
};

} // namespace

std::optional<Use> memory_use(const Instruction& in) {
  if (!memory_operand(in) || in.opcode == Opcode::lea || in.opcode == Opcode::nop)
    return std::nullopt;
  const bool first = std::holds_alternative<Memory>(in.operands.at(0));
  Use use;
  use.atomic = is_atomic(in);
  use.reads = !first || !(only_writes_first(in.opcode) || in.opcode == Opcode::setcc);
  use.writes = use.atomic || (first && in.opcode != Opcode::cmp && in.opcode != Opcode::test);
  return use;
}

std::vector<std::vector<Ahead>> look_ahead(const Program& program,
                                           const std::vector<Observable>& asked) {
  const LocationMask taken = address_taken(program);
  std::vector<std::vector<Ahead>> result;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    std::uint32_t registers = 0;
    for (const Observable& observable : asked)
      if (observable.thread == litmus::ThreadId(t))
        if (const auto reg = register_of(observable)) registers |= bit(*reg);
    result.push_back(ThreadAnalysis(program.threads[t], taken, registers).run());
  }
  return result;
}

} // namespace thinair::runners
