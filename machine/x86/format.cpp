// What x86 tells the printers.
#include "machine/x86/format.h"

#include "litmus/machine/print.h"
#include "machine/x86/assembly.h"
#include "machine/x86/att.h"
#include "machine/x86/flow.h"
#include "machine/x86/herd_export.h"

namespace thinair::x86 {
namespace {

std::string json_of(const Operand& operand, const Program& program) {
  json::Object object;
  if (const auto* immediate = std::get_if<Immediate>(&operand)) {
    object.integer("immediate", immediate->value);
  } else if (const auto* reg = std::get_if<RegisterOperand>(&operand)) {
    object.string("register", name(reg->reg, reg->width));
  } else {
    const auto& memory = std::get<Memory>(operand);
    const auto& base = memory.base;
    const auto* location = std::get_if<LocationId>(&base);
    object.string(location ? "memory" : "memory_at",
                  location ? name_in_code(program.locations.at(location->value))
                           : name(std::get<Register>(base), Width::q));
    if (memory.displacement != 0) object.integer("displacement", memory.displacement);
    if (memory.index)
      object.string("index", name(memory.index->reg, memory.index->width))
          .integer("scale", memory.scale);
  }
  return object.text();
}

void details(const Instruction& in, const Program& program, json::Object& object) {
  object.string("opcode", info(in.opcode).mnemonic)
      .boolean("lock", in.lock)
      .integer("bytes", static_cast<int>(in.width));
  if (info(in.opcode).reads_flags) object.string("condition", name(in.condition));
  if (!in.target.empty()) object.string("target", in.target);
  object.raw("operands", litmus::json_array(in.operands, [&](const Operand& each) {
               return json_of(each, program);
             }));
}

litmus::Spelling<Instruction> spelling(const Test& test) {
  const Syntax syntax = syntax_of(test);
  return {[syntax](const Instruction& in, const Program& program) {
            return print_instruction(in, program, syntax);
          },
          [syntax](ThreadId thread, Register reg) { return observable(thread, reg, syntax); },
          each_register, details};
}

std::string print(const Test& test) {
  return litmus::print_program(program_of(test), spelling(test));
}

std::vector<Observable> registers(const Test& test) {
  return litmus::named_registers(program_of(test), spelling(test));
}

std::optional<std::string> not_for_herd(const Test& test) {
  return beyond_herd(program_of(test), syntax_of(test));
}

std::string json(const Test& test) {
  return litmus::json_of(program_of(test), spelling(test), not_for_herd(test));
}

std::string assembly(const litmus::Code& code, std::size_t thread, std::size_t instruction,
                     std::string_view label_prefix) {
  const auto& program = code.of<Instruction>();
  return att_text(program, program.threads.at(thread).code.at(instruction), label_prefix);
}

} // namespace

constinit const litmus::Language att{.word = "X86_64",
                                     .machine = "x86",
                                     .read = read,
                                     .print = print,
                                     .registers = registers,
                                     .json = json,
                                     .assembly = assembly,
                                     .beyond_herd = not_for_herd,
                                     .for_herd = herd_export};
constinit const litmus::Language intel{.word = "X86",
                                       .machine = "x86",
                                       .read = read,
                                       .print = print,
                                       .registers = registers,
                                       .json = json,
                                       .assembly = assembly,
                                       .beyond_herd = not_for_herd,
                                       .for_herd = herd_export};

Syntax syntax_of(const Test& test) { return test.language == &intel ? Syntax::intel : Syntax::att; }

} // namespace thinair::x86
