// Enumerates instructions from the table of forms.
#include "tests/lower/instructions.h"

#include "machine/x86/code/forms.h"

namespace thinair::lower::testing {

using namespace x86_code;

namespace {

using x86::Opcode;
using x86::Width;

constexpr Width widths[] = {Width::b, Width::w, Width::l, Width::q};

std::vector<x86::Operand> operands_of(Kinds kinds, x86::Register reg, Width width, bool shift) {
  std::vector<x86::Operand> result;
  if (kinds & in_register) result.push_back(x86::RegisterOperand{reg, width});
  if (kinds & in_register) result.push_back(x86::RegisterOperand{x86::Register::r9, width});
  if (kinds & in_memory) result.push_back(x86::Memory{litmus::LocationId(0)});
  if (kinds & in_cl) result.push_back(x86::RegisterOperand{x86::Register::rcx, Width::b});
  if (kinds & immediate && shift) {
    for (const int count : {0, 1, 7, static_cast<int>(width) * 8 - 1})
      result.push_back(x86::Immediate{count});
  } else if (kinds & immediate) {
    for (const int number : {0, 1, -1, 100, -128}) result.push_back(x86::Immediate{number});
    if (width >= Width::w) result.push_back(x86::Immediate{0x1234});
    if (width >= Width::l) result.push_back(x86::Immediate{-0x12345678});
  }
  return result;
}

bool is_shift(Opcode opcode) {
  return opcode == Opcode::shl || opcode == Opcode::shr || opcode == Opcode::sar;
}

bool has_condition(Opcode opcode) {
  return opcode == Opcode::jcc || opcode == Opcode::setcc || opcode == Opcode::cmovcc;
}

bool in_memory_operand(const x86::Operand& operand) {
  return std::holds_alternative<x86::Memory>(operand);
}

/// Adds it in all conditions, and locked where that is legal.
void add(std::vector<x86::Instruction>& out, x86::Instruction instruction) {
  const unsigned conditions = has_condition(instruction.opcode) ? 16 : 1;
  for (unsigned i = 0; i < conditions; ++i) {
    if (conditions > 1) instruction.condition = static_cast<x86::ConditionCode>(i);
    out.push_back(instruction);
  }
  const bool may_lock = x86::info(instruction.opcode).may_lock && !instruction.operands.empty() &&
                        in_memory_operand(instruction.operands[0]);
  if (!may_lock) return;
  instruction.lock = true;
  out.push_back(instruction);
}

void add_forms(std::vector<x86::Instruction>& out, const Form& row, Width width) {
  x86::Instruction in;
  in.opcode = row.opcode;
  in.width = width;
  for (const auto& first : operands_of(row.first, x86::Register::rbx, width, false)) {
    in.operands = {first};
    if (row.second == no_operand) {
      add(out, in);
      continue;
    }
    for (const auto& second :
         operands_of(row.second, x86::Register::rsi, width, is_shift(row.opcode))) {
      if (in_memory_operand(first) && in_memory_operand(second)) continue;
      // `xchg r, m` and `xchg m, r` are one instruction; so is `lea` of a register that is no
      // address
      if (row.opcode == Opcode::xchg && in_memory_operand(second)) continue;
      in.operands = {first, second};
      add(out, in);
    }
  }
}

void add_movzx(std::vector<x86::Instruction>& out) {
  x86::Instruction in;
  in.opcode = Opcode::movzx;
  for (const Width from : {Width::b, Width::w})
    for (const Width to : {Width::w, Width::l, Width::q}) {
      if (to <= from) continue;
      in.width = from;
      for (const auto& source :
           operands_of(in_register | in_memory, x86::Register::rsi, from, false)) {
        in.operands = {x86::RegisterOperand{x86::Register::rbx, to}, source};
        out.push_back(in);
      }
    }
}

} // namespace

std::vector<x86::Instruction> straight_instructions() {
  std::vector<x86::Instruction> out;
  for (const Form& row : forms()) {
    if (row.opcode == Opcode::movzx) {
      add_movzx(out);
    } else if (row.opcode == Opcode::lea) {
      continue; // an address differs from run to run: tested by hand
    } else if (row.first != no_operand) {
      for (const Width width : widths)
        if (width == Width::b ? row.byte_width : row.wide) add_forms(out, row, width);
    }
  }
  return out;
}

std::vector<x86::Instruction> all_instructions() {
  std::vector<x86::Instruction> out = straight_instructions();
  for (const Opcode opcode : {Opcode::mfence, Opcode::lfence, Opcode::sfence, Opcode::nop}) {
    x86::Instruction in;
    in.opcode = opcode;
    out.push_back(in);
  }
  x86::Instruction jump;
  jump.target = "end";
  for (const Opcode opcode : {Opcode::jmp, Opcode::jcc}) {
    jump.opcode = opcode;
    add(out, jump);
  }
  x86::Instruction address;
  address.opcode = Opcode::lea;
  address.width = Width::q;
  address.operands = {x86::RegisterOperand{x86::Register::rbx, Width::q},
                      x86::Memory{litmus::LocationId(0)}};
  out.push_back(address);
  return out;
}

x86::Program program_of(std::vector<x86::Instruction> code) {
  x86::Program program;
  x86::Location cell;
  cell.name = "x";
  program.locations.push_back(cell);
  x86::Thread thread;
  thread.name = "P0";
  thread.code = std::move(code);
  for (const auto& in : thread.code)
    if (in.target == "end") thread.end_labels = {"end"};
  program.threads.push_back(std::move(thread));
  return program;
}

} // namespace thinair::lower::testing
