// Prints one instruction, so that herd7 reads it wherever herd7 has the instruction.
#include "litmus/text/error.h"
#include "machine/x86/assembly.h"
#include "machine/x86/mnemonic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace thinair::x86 {
namespace {

using O = Opcode;

class Printer {
 public:
  Printer(const Program& program, Syntax syntax) : program_(program), syntax_(syntax) {}

  std::string operator()(const Instruction& in) const {
    std::string out = in.lock ? "lock " : "";
    out += syntax_ == Syntax::att ? att_mnemonic(in) : intel_mnemonic(in);
    if (!in.target.empty()) return out + " " + in.target;
    std::vector<std::string> operands;
    for (std::size_t i = 0; i < in.operands.size(); ++i) operands.push_back(operand(in, i));
    if (syntax_ == Syntax::att && in.opcode != O::cmpxchg) // herd7 names its destination first
      std::ranges::reverse(operands);
    return operands.empty() ? out : fmt::format("{} {}", out, fmt::join(operands, ","));
  }

 private:
  Width implied(const Instruction& in) const {
    return implied_width(in.opcode, in.operands, [this](LocationId location) {
      return program_.locations.at(location.value).type.width;
    });
  }

  std::string att_mnemonic(const Instruction& in) const {
    std::string out(info(in.opcode).mnemonic);
    if (in.opcode == O::jcc) return out.append(jump_suffix(in.condition, syntax_));
    if (info(in.opcode).reads_flags) return out.append(name(in.condition));
    if (in.opcode == O::movzx) {
      const Width into = std::get<RegisterOperand>(in.operands.at(0)).width;
      return fmt::format("movz{}{}", suffix(in.width), suffix(into));
    }
    const bool bare = in.opcode == O::and_ || in.opcode == O::shl; // all that herd7 reads of these
    if (info(in.opcode).operands > 0 && !(bare && implied(in) == in.width)) out += suffix(in.width);
    return out;
  }

  std::string intel_mnemonic(const Instruction& in) const {
    std::string out(info(in.opcode).mnemonic);
    if (in.opcode == O::jcc)
      out += jump_suffix(in.condition, syntax_);
    else if (info(in.opcode).reads_flags)
      out += name(in.condition);
    return out;
  }

  std::string cell(const Memory& memory) const {
    const std::string_view open = syntax_ == Syntax::att ? "(" : "[";
    const std::string_view close = syntax_ == Syntax::att ? ")" : "]";
    if (const auto* location = std::get_if<LocationId>(&memory.base))
      return fmt::format("{}{}{}", open, name_in_code(program_.locations.at(location->value)),
                         close);
    std::string inside =
        spelled(std::get<Register>(memory.base), syntax_ == Syntax::att ? Width::q : Width::l);
    if (memory.index)
      inside += fmt::format(",{},{}", spelled(memory.index->reg, memory.index->width),
                            static_cast<int>(memory.scale));
    const bool plain = memory.displacement == 0 && !memory.index; // herd7 wants a number here
    return fmt::format("{}{}{}{}", plain ? "" : std::to_string(memory.displacement), open, inside,
                       close);
  }

  std::string spelled(Register reg, Width width) const {
    std::string out(name(reg, width));
    if (syntax_ == Syntax::att) return "%" + out;
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::toupper(c); });
    return out;
  }

  std::string operand(const Instruction& in, std::size_t index) const {
    const Operand& o = in.operands[index];
    const bool att = syntax_ == Syntax::att;
    if (const auto* immediate = std::get_if<Immediate>(&o))
      return fmt::format("{}{}", att ? "$" : "", immediate->value);
    if (const auto* reg = std::get_if<RegisterOperand>(&o)) return spelled(reg->reg, reg->width);
    const bool says_width = !att && in.opcode != O::lea && implied(in) != in.width;
    return fmt::format("{}{}", says_width ? pointer(in.width) : "", cell(std::get<Memory>(o)));
  }

  static std::string_view pointer(Width width) {
    switch (width) {
    case Width::b: return "byte ptr ";
    case Width::w: return "word ptr ";
    case Width::l: return "dword ptr ";
    case Width::q: return "qword ptr ";
    }
    return {};
  }

  const Program& program_;
  Syntax syntax_;
};

} // namespace

std::string_view jump_suffix(ConditionCode condition, Syntax syntax) {
  return condition == ConditionCode::g && syntax == Syntax::att ? "gt" : name(condition);
}

std::string print_instruction(const Instruction& instruction, const Program& program,
                              Syntax syntax) {
  return Printer(program, syntax)(instruction);
}

} // namespace thinair::x86
