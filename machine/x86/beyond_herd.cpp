// What herd7's two x86 front ends do not read, or read with another meaning, by experiment
// with 7.58.
#include "litmus/text/ascii.h"
#include "machine/x86/program.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace thinair::x86 {
namespace {

using O = Opcode;

template <std::size_t N>
bool in(const std::array<O, N>& set, O opcode) {
  return std::ranges::find(set, opcode) != set.end();
}

constexpr std::array att_reads{O::mov, O::add,    O::and_,   O::or_,    O::xor_,    O::cmp,
                               O::inc, O::dec,    O::shl,    O::xchg,   O::cmpxchg, O::jmp,
                               O::jcc, O::mfence, O::lfence, O::sfence, O::nop};
constexpr std::array intel_reads{O::mov,  O::add, O::or_, O::xor_,   O::cmp,    O::inc,   O::dec,
                                 O::xchg, O::jmp, O::jcc, O::mfence, O::lfence, O::sfence};
constexpr std::array att_locks{O::xchg, O::cmpxchg, O::add, O::xor_, O::inc, O::dec};
constexpr std::array intel_locks{O::xchg, O::add, O::xor_, O::inc, O::dec};

/// herd7 keeps no carry, sign or overflow flag, and takes `jlt` on equality.
bool jump_is_right(ConditionCode condition, Syntax syntax) {
  using C = ConditionCode;
  if (condition == C::e || condition == C::ne) return true;
  return syntax == Syntax::att && (condition == C::le || condition == C::ge || condition == C::g);
}

std::string spelled(const Instruction& instruction) {
  std::string text(info(instruction.opcode).mnemonic);
  if (info(instruction.opcode).reads_flags) text += name(instruction.condition);
  return (instruction.lock ? "lock " : "") + text;
}

bool has_short_register(const Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const Operand& operand) {
    const auto* reg = std::get_if<RegisterOperand>(&operand);
    return reg && reg->width != Width::l;
  });
}

bool has_computed_address(const Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const Operand& operand) {
    const auto* memory = std::get_if<Memory>(&operand);
    return memory && (memory->displacement != 0 || memory->index);
  });
}

std::optional<std::string> complaint(const Instruction& in_, Syntax syntax) {
  const bool att = syntax == Syntax::att;
  if (!(att ? in(att_reads, in_.opcode) : in(intel_reads, in_.opcode))) return spelled(in_);
  if (in_.lock && !(att ? in(att_locks, in_.opcode) : in(intel_locks, in_.opcode)))
    return spelled(in_);
  if (in_.opcode == O::jcc && !jump_is_right(in_.condition, syntax)) return spelled(in_);
  if (!att && has_computed_address(in_)) return spelled(in_) + " at a computed address";
  if (!att && (in_.width != Width::l || has_short_register(in_)))
    return spelled(in_) + " of other than 32 bits";
  return std::nullopt;
}

bool is_herd_mnemonic(std::string_view word) {
  if (word == "lock" || (word.starts_with('j') && condition_named(word.substr(1)))) return true;
  return std::ranges::any_of(att_reads, [&](O opcode) {
    const std::string_view mnemonic = info(opcode).mnemonic;
    if (!word.starts_with(mnemonic)) return false;
    const std::string_view rest = word.substr(mnemonic.size());
    return rest.empty() || rest == "b" || rest == "w" || rest == "l" || rest == "q";
  });
}

/// herd7 lexes a register's name, in any case, and a mnemonic before it thinks of a location.
bool herd_reads_location(std::string_view name) {
  const std::string lower = text::lower_case(name);
  return std::isalpha(static_cast<unsigned char>(name.front())) && !register_named(lower) &&
         !is_herd_mnemonic(lower);
}

} // namespace

std::optional<std::string> beyond_herd(const Program& program, Syntax syntax) {
  if (litmus::has_struct(program.locations)) return "a struct";
  for (const Location& location : program.locations)
    if (!herd_reads_location(name_in_code(location)))
      return "a location named " + std::string(name_in_code(location));
  for (const Thread& thread : program.threads)
    for (const Instruction& instruction : thread.code)
      if (auto found = complaint(instruction, syntax)) return found;
  return std::nullopt;
}

} // namespace thinair::x86
