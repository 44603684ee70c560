// Writes AT&T assembly.
#include "lower/assembly.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {
namespace {

using x86::Opcode;
using x86::Width;

char suffix(Width width) {
  switch (width) {
  case Width::b: return 'b';
  case Width::w: return 'w';
  case Width::l: return 'l';
  case Width::q: return 'q';
  }
  return 'l';
}

std::string shown(const x86::Program& program, const x86::Operand& operand) {
  if (const auto* number = std::get_if<x86::Immediate>(&operand))
    return fmt::format("${}", number->value);
  if (const auto* reg = std::get_if<x86::RegisterOperand>(&operand))
    return fmt::format("%{}", x86::name(reg->reg, reg->width));
  const auto& base = std::get<x86::Memory>(operand).base;
  if (const auto* reg = std::get_if<x86::Register>(&base))
    return fmt::format("(%{})", x86::name(*reg, Width::q));
  return fmt::format("{}(%rip)",
                     program.locations.at(std::get<litmus::LocationId>(base).value).name);
}

std::string mnemonic(const x86::Instruction& in) {
  const std::string_view stem = x86::info(in.opcode).mnemonic;
  if (in.opcode == Opcode::jcc || in.opcode == Opcode::setcc)
    return fmt::format("{}{}", stem, name(in.condition));
  if (in.opcode == Opcode::cmovcc)
    return fmt::format("{}{}{}", stem, name(in.condition), suffix(in.width));
  if (in.opcode == Opcode::movzx) { // a 32-bit source has no movz form: the write clears anyway
    const Width to = std::get<x86::RegisterOperand>(in.operands.at(0)).width;
    return fmt::format("movz{}{}", suffix(in.width), suffix(to));
  }
  if (in.operands.empty()) return std::string(stem);
  return fmt::format("{}{}", stem, suffix(in.width));
}

} // namespace

std::string att(const x86::Program& program, const x86::Instruction& in,
                std::string_view label_prefix) {
  std::string text = fmt::format("{}{}", in.lock ? "lock " : "", mnemonic(in));
  if (!in.target.empty()) text += fmt::format(" {}{}", label_prefix, in.target);
  for (std::size_t i = in.operands.size(); i-- > 0;)
    text += fmt::format("{}{}", i + 1 == in.operands.size() ? " " : ", ",
                        shown(program, in.operands[i]));
  return text;
}

std::string assembly(const x86::Program& program, const Comment& comment) {
  std::string text = "\t.text\n";
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    const std::string label_prefix = fmt::format(".L{}_", i);
    text += fmt::format("\t.globl P{0}\n\t.type P{0}, @function\nP{0}:\n", i);
    for (std::size_t k = 0; k < program.threads[i].code.size(); ++k) {
      const x86::Instruction& in = program.threads[i].code[k];
      if (const std::string said = comment ? comment(i, k) : ""; !said.empty())
        text += fmt::format("\t# {}\n", said);
      for (const auto& label : in.labels) text += fmt::format("{}{}:\n", label_prefix, label);
      text += fmt::format("\t{}\n", att(program, in, label_prefix));
    }
    for (const auto& label : program.threads[i].end_labels)
      text += fmt::format("{}{}:\n", label_prefix, label);
    text += fmt::format("\tret\n\t.size P{0}, .-P{0}\n", i);
  }
  for (const auto& cell : program.locations) text += fmt::format("\t.comm {},8,8\n", cell.name);
  return text;
}

} // namespace thinair::lower
