// Prints one instruction as herd7 and its generators write it.
#include "machine/aarch64/assembly.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::aarch64 {
namespace {

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

std::string text_of(const RegisterOperand& reg) {
  std::string out = name(reg.reg, reg.width);
  if (reg.change == Change::lsl && reg.amount == 0) return out;
  out += "," + upper(name(reg.change));
  if (reg.amount != 0 || !extends(reg.change)) out += fmt::format(" #{}", reg.amount);
  return out;
}

std::string text_of(const Immediate& immediate) {
  std::string out = fmt::format("#{}", immediate.value);
  if (immediate.shift != 0) out += fmt::format(",LSL #{}", immediate.shift);
  return out;
}

std::string text_of(const Memory& memory) {
  std::string out = "[" + name(memory.base, Width::q);
  if (memory.index) out += "," + text_of(*memory.index);
  if (memory.displacement != 0) out += fmt::format(",#{}", memory.displacement);
  return out + "]";
}

std::string text_of(Condition condition) { return upper(name(condition)); }
std::string text_of(Barrier barrier) { return upper(name(barrier)); }

} // namespace

std::string print_instruction(const Instruction& in) {
  std::string out = upper(in.info->mnemonic);
  std::vector<std::string> operands;
  for (const Operand& operand : in.operands)
    operands.push_back(std::visit([](const auto& each) { return text_of(each); }, operand));
  if (in.info->does == Does::jump_if) {
    out += operands.front();
    operands.erase(operands.begin());
  }
  if (!in.target.empty()) operands.push_back(in.target);
  return operands.empty() ? out : fmt::format("{} {}", out, fmt::join(operands, ","));
}

} // namespace thinair::aarch64
