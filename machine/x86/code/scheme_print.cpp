// Writes rules as scheme files have them.
#include "machine/x86/code/rules.h"

#include <fmt/format.h>

namespace thinair::lower::x86_code {
namespace {

std::string_view suffix(x86::Width width) {
  switch (width) {
  case x86::Width::b: return ".b";
  case x86::Width::w: return ".w";
  case x86::Width::l: return "";
  case x86::Width::q: return ".q";
  }
  return "";
}

std::string shown(const TemplateOperand& operand) {
  if (const auto* number = std::get_if<x86::Immediate>(&operand))
    return fmt::format("{}", number->value);
  if (const auto* role = std::get_if<RoleOperand>(&operand))
    return fmt::format("{}{}", name(role->role), suffix(role->width));
  if (const auto* reg = std::get_if<x86::RegisterOperand>(&operand))
    return std::string(x86::name(reg->reg, reg->width));
  return fmt::format("[{}]", places[static_cast<std::size_t>(std::get<Place>(operand))].name);
}

bool has_condition(x86::Opcode opcode) {
  return opcode == x86::Opcode::jcc || opcode == x86::Opcode::setcc ||
         opcode == x86::Opcode::cmovcc;
}

} // namespace

std::string print(const TemplateInstruction& in) {
  std::string text = fmt::format("{}{}", in.lock ? "lock " : "", x86::info(in.opcode).mnemonic);
  if (has_condition(in.opcode)) text += x86::name(in.condition);
  if (!in.target.empty()) text += fmt::format(" {}", in.target);
  for (std::size_t i = 0; i < in.operands.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? " " : ", ", shown(in.operands[i]));
  return text;
}

std::string print(const Rule& rule) {
  return rule.is_unsupported ? fmt::format("  {}\n", no_code) : printed_rule(rule);
}

} // namespace thinair::lower::x86_code
