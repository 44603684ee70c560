// Prints one instruction, so that herd7 reads it wherever herd7 has the instruction.
#include "machine/riscv/assembly.h"

#include <fmt/format.h>

namespace thinair::riscv {

std::string mnemonic_of(const Instruction& in) {
  return fmt::format("{}{}{}{}", info(in.opcode).mnemonic, in.acquire || in.release ? "." : "",
                     in.acquire ? "aq" : "", in.release ? "rl" : "");
}

std::string print_instruction(const Instruction& in) {
  const auto rd = name(in.rd), rs1 = name(in.rs1), rs2 = name(in.rs2);
  const std::string word = mnemonic_of(in);
  switch (info(in.opcode).shape) {
  case Shape::registers: return fmt::format("{} {},{},{}", word, rd, rs1, rs2);
  case Shape::immediate:
  case Shape::shift: return fmt::format("{} {},{},{}", word, rd, rs1, in.immediate);
  case Shape::unary: return fmt::format("{} {},{}", word, rd, rs1);
  case Shape::upper:
  case Shape::constant: return fmt::format("{} {},{}", word, rd, in.immediate);
  case Shape::load: return fmt::format("{} {},{}({})", word, rd, in.immediate, rs1);
  case Shape::store: return fmt::format("{} {},{}({})", word, rs2, in.immediate, rs1);
  case Shape::reserve: return fmt::format("{} {},({})", word, rd, rs1);
  case Shape::condition:
  case Shape::update: return fmt::format("{} {},{},({})", word, rd, rs2, rs1);
  case Shape::branch: return fmt::format("{} {},{},{}", word, rs1, rs2, in.target);
  case Shape::jump: return fmt::format("{} {}", word, in.target);
  case Shape::fence:
    return fmt::format("{} {},{}", word, to_string(in.before), to_string(in.after));
  case Shape::plain: return word;
  }
  return word;
}

} // namespace thinair::riscv
