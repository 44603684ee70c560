// What herd7 7.58 lacks of RISC-V, or computes wrongly, written otherwise (docs/lowering.md lists
// it).
#include "machine/common/herd_export.h"

#include "litmus/text/error.h"
#include "machine/riscv/format.h"
#include "machine/riscv/program.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace thinair::riscv {
namespace {

Instruction made(std::string_view mnemonic, Register rd, Register rs1, Register rs2) {
  Instruction out;
  out.opcode = opcode_named(mnemonic).value();
  out.rd = rd;
  out.rs1 = rs1;
  out.rs2 = rs2;
  return out;
}

Instruction made(std::string_view mnemonic, Register rd, Register rs1, Value immediate) {
  Instruction out = made(mnemonic, rd, rs1, Register::x0);
  out.immediate = immediate;
  return out;
}

using Asked = std::vector<Observable>;

/// Registers that nothing in the thread names, nor a question in any.
std::vector<Register> spare_registers(const Thread& thread, const Asked& asked, std::size_t count) {
  std::set<Register> used{Register::x0};
  for (const Observable& observable : asked)
    if (observable.thread)
      if (const auto reg = register_named(observable.name)) used.insert(*reg);
  for (const auto& initial : thread.initial) used.insert(initial.reg);
  for (const Instruction& in : thread.code)
    each_register(in, [&](Register reg) { used.insert(reg); });
  std::vector<Register> spare;
  for (std::size_t i = register_count; i-- > 1 && spare.size() < count;)
    if (const auto reg = static_cast<Register>(i); !used.contains(reg)) spare.push_back(reg);
  if (spare.size() < count) throw Unsupported("a thread without spare registers in herd7");
  return spare;
}

/// `to` becomes 1 if `from` is not 0, else 0: -from | from is negative unless from is 0.
std::vector<Instruction> not_zero(Register to, Register from, const Thread& thread,
                                  const Asked& asked) {
  const Register scratch = to == from ? spare_registers(thread, asked, 1).front() : to;
  return {made("sub", scratch, Register::x0, from), made("or", scratch, scratch, from),
          made("slt", to, scratch, Register::x0)};
}

/// With both operands' signs turned over, the signed comparison is the unsigned one of what they
/// were. herd7 has the signed one only.
std::vector<Instruction> by_signs(Instruction in, std::string_view signed_one, const Thread& thread,
                                  const Asked& asked) {
  const auto scratch = spare_registers(thread, asked, 2);
  std::vector<Instruction> out{made("addi", scratch[0], Register::x0, 1),
                               made("slli", scratch[0], scratch[0], 63),
                               made("xor", scratch[1], in.rs1, scratch[0])};
  const bool immediate = info(in.opcode).shape == Shape::immediate;
  out.push_back(immediate ? made("xori", scratch[0], scratch[0], in.immediate)
                          : made("xor", scratch[0], scratch[0], in.rs2));
  in.opcode = opcode_named(signed_one).value();
  in.immediate = 0;
  in.rs1 = scratch[1];
  in.rs2 = scratch[0];
  in.labels.clear();
  out.push_back(std::move(in));
  return out;
}

std::vector<Instruction> written(const Instruction& in, const Thread& thread, const Asked& asked) {
  const std::string_view word = info(in.opcode).mnemonic;
  if (word == "sltu" && in.rs1 == Register::x0) return not_zero(in.rd, in.rs2, thread, asked);
  if (word == "sltiu" && in.immediate == 1) {
    auto out = not_zero(in.rd, in.rs1, thread, asked);
    out.push_back(made("xori", in.rd, in.rd, 1));
    return out;
  }
  if (word == "bltu") return by_signs(in, "blt", thread, asked);
  if (word == "bgeu") return by_signs(in, "bge", thread, asked);
  if (word == "sltu" || word == "sltiu") return by_signs(in, "slt", thread, asked);
  return {in};
}

} // namespace

litmus::HerdExport herd_export(const Test& test, bool all_registers) {
  const Asked asked = litmus::observables(test, all_registers);
  auto out = machine::herd_export<Instruction>(
      test, all_registers,
      [&](const Instruction& in, const Thread& thread) { return written(in, thread, asked); });
  // herd7's `lw` extends no sign; of 64-bit cells it takes the value as it is.
  for (auto& cell : std::get<litmus::Code>(out.test.program).of<Instruction>().locations)
    if (cell.type == Type{} && cell.length == 0) cell.type.width = Width::q;
  if (const auto why = beyond_herd(program_of(out.test))) throw Unsupported(*why + " in herd7");
  return out;
}

} // namespace thinair::riscv
