// What AArch64 tells the reader of tests and the printers.
#include "machine/aarch64/format.h"

#include "litmus/machine/print.h"
#include "litmus/machine/reader.h"
#include "litmus/text/ascii.h"
#include "machine/aarch64/assembly.h"

#include <array>

namespace thinair::aarch64 {
namespace {

constexpr std::array<std::string_view, 1> returns{"ret"};

void each_register(const Instruction& in, const std::function<void(Register)>& visit) {
  const auto one = [&](Register reg) {
    if (reg != Register::zero) visit(reg);
  };
  for (const Operand& operand : in.operands) {
    if (const auto* reg = std::get_if<RegisterOperand>(&operand)) one(reg->reg);
    if (const auto* memory = std::get_if<Memory>(&operand)) {
      one(memory->base);
      if (memory->index) one(memory->index->reg);
    }
  }
}

/// Registers in initial states and conditions go by their whole names: `0:X1`.
Register whole_register(Lexer& lexer, std::string_view text, text::Span span) {
  const auto found = register_named(text::lower_case(text));
  if (found && found->width == Width::q && found->reg != Register::zero) return found->reg;
  if (found && found->reg != Register::zero)
    lexer.fail(span, fmt::format("expected the name of a whole register, found `{}`", text),
               fmt::format("did you mean `{}`?", name(found->reg, Width::q)));
  lexer.fail(span, fmt::format("expected a register, found `{}`", text));
}

const litmus::Assembler<Instruction>& assembler() {
  static const litmus::Assembler<Instruction> all = [] {
    litmus::Assembler<Instruction> out;
    out.read_instruction = read_instruction;
    out.whole_register = whole_register;
    out.observable = observable;
    out.each_register = each_register;
    out.returns = returns;
    out.jump.info = instruction_named("b");
    out.pointer = Width::q;
    out.unplaced = Register::x30;
    out.places = register_count;
    return out;
  }();
  return all;
}

std::string json_of(const Operand& operand) {
  json::Object object;
  const auto add_register = [&](std::string_view key, const RegisterOperand& reg) {
    object.string(key, name(reg.reg, reg.width));
    if (reg.change == Change::lsl && reg.amount == 0) return;
    object.string("change", name(reg.change)).integer("amount", reg.amount);
  };
  if (const auto* immediate = std::get_if<Immediate>(&operand)) {
    object.integer("immediate", immediate->value);
    if (immediate->shift != 0) object.integer("shift", immediate->shift);
  } else if (const auto* reg = std::get_if<RegisterOperand>(&operand)) {
    add_register("register", *reg);
  } else if (const auto* memory = std::get_if<Memory>(&operand)) {
    object.string("memory_at", name(memory->base, Width::q));
    if (memory->displacement != 0) object.integer("displacement", memory->displacement);
    if (memory->index) add_register("index", *memory->index);
  } else if (const auto* condition = std::get_if<Condition>(&operand)) {
    object.string("condition", name(*condition));
  } else {
    object.string("barrier", name(std::get<Barrier>(operand)));
  }
  return object.text();
}

void details(const Instruction& in, const Program&, json::Object& object) {
  object.string("opcode", in.info->mnemonic).integer("bytes", static_cast<int>(access_width(in)));
  if (!in.target.empty()) object.string("target", in.target);
  object.raw("operands",
             litmus::json_array(in.operands, [](const Operand& o) { return json_of(o); }));
}

litmus::Spelling<Instruction> spelling() {
  return {[](const Instruction& in, const Program&) { return print_instruction(in); }, observable,
          each_register, details};
}

void read(Lexer& lexer, Test& test) { litmus::read_code(lexer, test, assembler()); }

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

constinit const litmus::Language language{.word = "AArch64",
                                          .machine = "aarch64",
                                          .read = read,
                                          .print = print,
                                          .registers = registers,
                                          .json = json,
                                          .assembly = assembly,
                                          .comment = "//",
                                          .beyond_herd = not_for_herd,
                                          .for_herd = herd_export};

} // namespace thinair::aarch64
