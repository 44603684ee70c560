// Writes AT&T assembly.
#include "machine/x86/att.h"

#include "machine/x86/mnemonic.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::x86 {
namespace {

std::string shown(const Program& program, const Operand& operand) {
  if (const auto* number = std::get_if<Immediate>(&operand))
    return fmt::format("${}", number->value);
  if (const auto* reg = std::get_if<RegisterOperand>(&operand))
    return fmt::format("%{}", name(reg->reg, reg->width));
  const auto& memory = std::get<Memory>(operand);
  const auto& base = memory.base;
  if (const auto* reg = std::get_if<Register>(&base)) {
    const std::string index =
        memory.index
            ? fmt::format(",%{},{}", name(memory.index->reg, memory.index->width), memory.scale)
            : "";
    return fmt::format("{}(%{}{})",
                       memory.displacement != 0 ? std::to_string(memory.displacement) : "",
                       name(*reg, Width::q), index);
  }
  return fmt::format("{}(%rip)",
                     program.locations.at(std::get<litmus::LocationId>(base).value).name);
}

std::string mnemonic(const Instruction& in) {
  const std::string_view stem = info(in.opcode).mnemonic;
  if (in.opcode == Opcode::jcc || in.opcode == Opcode::setcc)
    return fmt::format("{}{}", stem, name(in.condition));
  if (in.opcode == Opcode::cmovcc)
    return fmt::format("{}{}{}", stem, name(in.condition), suffix(in.width));
  if (in.opcode == Opcode::movzx) { // a 32-bit source has no movz form: the write clears anyway
    const Width to = std::get<RegisterOperand>(in.operands.at(0)).width;
    return fmt::format("movz{}{}", suffix(in.width), suffix(to));
  }
  if (in.operands.empty()) return std::string(stem);
  return fmt::format("{}{}", stem, suffix(in.width));
}

} // namespace

std::string att_text(const Program& program, const Instruction& in, std::string_view label_prefix) {
  std::string text = fmt::format("{}{}", in.lock ? "lock " : "", mnemonic(in));
  if (!in.target.empty()) text += fmt::format(" {}{}", label_prefix, in.target);
  for (std::size_t i = in.operands.size(); i-- > 0;)
    text += fmt::format("{}{}", i + 1 == in.operands.size() ? " " : ", ",
                        shown(program, in.operands[i]));
  return text;
}

} // namespace thinair::x86
