// What RISC-V tells the reader of tests and the printers.
#include "machine/riscv/format.h"

#include "litmus/machine/print.h"
#include "litmus/machine/reader.h"
#include "litmus/text/ascii.h"
#include "machine/riscv/assembly.h"

#include <fmt/format.h>

#include <array>

namespace thinair::riscv {
namespace {

constexpr std::array<std::string_view, 1> returns{"ret"};

Register whole_register(Lexer& lexer, std::string_view name, text::Span span) {
  const std::string text = text::lower_case(name);
  if (const auto found = register_named(text)) return *found;
  lexer.fail(span, fmt::format("expected a register, found `{}`", name),
             Lexer::suggest(text, register_names()));
}

litmus::Assembler<Instruction> assembler() {
  litmus::Assembler<Instruction> out;
  out.read_instruction = read_instruction;
  out.whole_register = whole_register;
  out.observable = observable;
  out.each_register = each_register;
  out.returns = returns;
  out.jump.opcode = *opcode_named("j");
  out.unplaced = Register::x0;
  out.reserved = 0x1F; // herd7 takes x5 to x31
  out.places = register_count;
  return out;
}

void read(Lexer& lexer, Test& test) { litmus::read_code(lexer, test, assembler()); }

void details(const Instruction& in, const Program&, json::Object& object) {
  const InstructionInfo& row = info(in.opcode);
  object.string("opcode", row.mnemonic)
      .boolean("acquire", in.acquire)
      .boolean("release", in.release)
      .integer("bytes", static_cast<int>(row.width));
  if (has_result(row.shape)) object.string("rd", name(in.rd));
  std::size_t read = 0;
  each_register(in, [&](Register) { ++read; });
  read -= has_result(row.shape) ? 1 : 0;
  if (read > 0) object.string("rs1", name(in.rs1));
  if (read > 1) object.string("rs2", name(in.rs2));
  const bool numbered = row.shape == Shape::immediate || row.shape == Shape::shift ||
                        row.shape == Shape::upper || row.shape == Shape::constant ||
                        row.shape == Shape::load || row.shape == Shape::store;
  if (numbered) object.integer("immediate", in.immediate);
  if (row.shape == Shape::fence)
    object.string("before", to_string(in.before)).string("after", to_string(in.after));
  if (!in.target.empty()) object.string("target", in.target);
}

litmus::Spelling<Instruction> spelling() {
  return {[](const Instruction& in, const Program&) { return print_instruction(in); }, observable,
          each_register, details};
}

std::string print(const Test& test) { return litmus::print_program(program_of(test), spelling()); }

std::vector<Observable> registers(const Test& test) {
  return litmus::named_registers(program_of(test), spelling());
}

std::optional<std::string> not_for_herd(const Test& test) { return beyond_herd(program_of(test)); }

std::string json(const Test& test) {
  return litmus::json_of(program_of(test), spelling(), not_for_herd(test));
}

std::string assembly(const litmus::Code& code, std::size_t thread, std::size_t instruction,
                     std::string_view label_prefix) {
  Instruction in = code.of<Instruction>().threads.at(thread).code.at(instruction);
  if (!in.target.empty()) in.target.insert(0, label_prefix);
  return print_instruction(in);
}

} // namespace

constinit const litmus::Language language{.word = "RISCV",
                                          .machine = "riscv",
                                          .read = read,
                                          .print = print,
                                          .registers = registers,
                                          .json = json,
                                          .assembly = assembly,
                                          .comment = "#",
                                          .beyond_herd = not_for_herd,
                                          .for_herd = herd_export};

} // namespace thinair::riscv
