// Writes a scheme in its file format.
#include "litmus/text/error.h"
#include "lower/scheme.h"

#include <fmt/format.h>

#include <array>

namespace thinair::lower {
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
  return std::get<Place>(operand) == Place::location ? "[x]" : "[stack]";
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
  std::string text;
  for (const auto& in : rule.code) {
    for (const auto& label : in.labels) text += fmt::format("{}:\n", label);
    text += fmt::format("  {}\n", print(in));
  }
  for (const auto& label : rule.end_labels) text += fmt::format("{}:\n", label);
  return text;
}

std::string print(const Peephole& peephole) {
  std::string across;
  for (std::size_t i = 0; i < operation_count; ++i)
    if (peephole.across[i])
      across += fmt::format("{}{}", across.empty() ? " across " : ", ", name(operation_at(i)));
  return fmt::format("drop {{ {} }} before {{ {} }}{}\n", peephole.drop,
                     fmt::join(peephole.before, "; "), across);
}

std::string print(const Scheme& scheme) {
  std::string text = fmt::format("scheme {}", scheme.name);
  if (!scheme.title.empty()) text += fmt::format(" \"{}\"", scheme.title);
  text += "\n";
  std::array<bool, operation_count> printed{};
  for (std::size_t i = 0; i < operation_count; ++i) {
    if (printed[i]) continue;
    const std::string body = print(scheme.rules[i]);
    std::string names;
    for (std::size_t j = i; j < operation_count; ++j) {
      if (printed[j] || print(scheme.rules[j]) != body) continue;
      printed[j] = true;
      names += fmt::format("{}{}", names.empty() ? "" : ",\n", name(operation_at(j)));
    }
    text += fmt::format("\n{} {{\n{}}}\n", names, body);
  }
  for (const Peephole& peephole : scheme.peepholes) text += "\n" + print(peephole);
  return text;
}

} // namespace thinair::lower
