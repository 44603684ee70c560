// Noise becomes nops, places become symbols and slots, and lift.h does the rest.
#include "litmus/text/ascii.h"
#include "litmus/text/error.h"
#include "lower/jit/inside.h"
#include "lower/jit/references.h"
#include "machine/x86/code/decode.h"
#include "machine/x86/code/jit.h"
#include "machine/x86/code/jit_vectors.h"
#include "machine/x86/code/lift.h"
#include "machine/x86/code/names.h"
#include "machine/x86/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace thinair::lower::jit::x86_code {
namespace {

using OperandKind = MachineOperand::Kind;

constexpr std::int64_t first_result = std::int64_t{1} << 20; // beyond every frame

std::int64_t slot_of(const Cell& cell) {
  return cell.kind == Cell::Kind::result ? first_result + 8 * cell.number : cell.number;
}

/// The five operands of a memory access, by what its shape says of them.
void point_at(MachineInstruction& in, const Cell& cell, const std::vector<std::string>& symbols) {
  auto& ops = in.operands;
  std::size_t at = 0;
  while (!(ops.at(at).kind != OperandKind::number && ops.at(at + 1).kind == OperandKind::number &&
           ops.at(at + 2).kind != OperandKind::number &&
           ops.at(at + 3).kind == OperandKind::number))
    ++at;
  ops[at] = ops[at + 2] = {};
  ops[at + 1].number = 1;
  ops[at + 3].number = 0;
  if (cell.kind == Cell::Kind::field) {
    in.symbol = symbols.at(static_cast<std::size_t>(cell.number));
  } else {
    ops[at] = {OperandKind::reg, "RSP", 0};
    ops[at + 3].number = slot_of(cell);
  }
}

/// In the place of a load: `lea A_1, %rbx` and, as fields are not where objects begin, `lea
/// -12(%rbx), %rbx`.
std::vector<MachineInstruction> making(const Step& step, const Layout& layout,
                                       const std::vector<std::string>& symbols) {
  const ObjectPlace& place = layout.objects.at(step.made);
  MachineInstruction first = step.instruction;
  first.opcode = "LEA64r";
  first.symbol = symbols.at(first_cell(place).value);
  first.operands = {{OperandKind::reg, step.shape.to, 0}, {OperandKind::reg, "RIP", 0},
                    {OperandKind::number, "", 1},         {},
                    {OperandKind::number, "", 0},         {}};
  MachineInstruction second = first;
  ++second.address; // where nothing jumps to
  second.symbol.clear();
  second.operands[1].reg = step.shape.to;
  second.operands[4].number = -place.first;
  return {std::move(first), std::move(second)};
}

/// `movl $3, 12(%rbx)`, as wide as the field, for each of several words.
std::vector<MachineInstruction> word_stores(const Step& step) {
  std::vector<MachineInstruction> out;
  const Place& at = *step.shape.place;
  for (const Word& word : step.words) {
    const bool fits = word.constant && *word.constant == static_cast<std::int32_t>(*word.constant);
    if (!fits || !at.index.empty()) unsupported(step.instruction);
    MachineInstruction in = step.instruction;
    if (!out.empty()) ++in.address; // where nothing jumps to
    in.opcode = word.bytes == 8 ? "MOV64mi32" : fmt::format("MOV{}mi", 8 * word.bytes);
    in.operands = {{OperandKind::reg, at.base, 0},
                   {OperandKind::number, "", 1},
                   {},
                   {OperandKind::number, "", at.displacement + word.further},
                   {},
                   {OperandKind::number, "", *word.constant}};
    out.push_back(std::move(in));
  }
  return out;
}

std::vector<MachineInstruction> rewritten(const Step& step, const Layout& layout,
                                          const std::vector<std::string>& symbols) {
  if (step.stays == Step::Stays::as_new) return making(step, layout, symbols);
  if (step.stays == Step::Stays::as_words) return word_stores(step);

  MachineInstruction in = step.instruction;
  if (step.stays == Step::Stays::no) {
    in.opcode = "NOOP";
    in.operands.clear();
  } else if (step.stays == Step::Stays::as_jump) {
    in.opcode = "JMP_4";
  } else if (step.cell) {
    point_at(in, *step.cell, symbols);
  }
  return {std::move(in)};
}

litmus::Observable observable_at(const x86::Operand& home, litmus::ThreadId thread,
                                 const x86::Program& program) {
  if (const auto* reg = std::get_if<x86::RegisterOperand>(&home))
    return x86::observable(thread, reg->reg, x86::Syntax::att);
  const auto cell = std::get<litmus::LocationId>(std::get<x86::Memory>(home).base);
  return {std::nullopt, program.locations.at(cell.value).name};
}

void restore(const litmus::Thread& thread, litmus::ThreadId id,
             const lower::x86_code::SlotHomes& homes, x86::Program& program, Lowered& out) {
  for (std::size_t r = 0; r < thread.registers.size(); ++r) {
    const auto home = homes.find(slot_of({Cell::Kind::result, static_cast<std::int64_t>(r)}));
    if (home == homes.end()) no_result(thread, r);
    const auto* reg = std::get_if<x86::RegisterOperand>(&home->second);
    if (reg != nullptr && reg->width == x86::Width::q) // is read whole
      program.threads.back().initial.push_back({reg->reg, litmus::Value{0}, {x86::Width::q, true}});
    out.restoration.rows.push_back(
        {{id, thread.registers[r].name}, observable_at(home->second, id, program)});
  }
}

} // namespace

Lowered lifted(const Compilation& compilation, Walked threads) {
  const litmus::Program& source = compilation.source;
  Lowered out;
  out.language = &x86::att;
  out.source = source;
  x86::Program program{cells_of(compilation, lower::x86_code::is_cell_name), {}};
  std::vector<std::string> names;
  std::map<std::string, litmus::LocationId> symbols;
  for (const auto& cell : program.locations) {
    symbols[cell.name] = litmus::LocationId(static_cast<std::uint32_t>(names.size()));
    names.push_back(cell.name);
  }
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    MachineFunction function{source.threads[t].name, {}};
    const Layout layout = layout_of(compilation, t);
    for (const Step& step : threads[t])
      std::ranges::move(rewritten(step, layout, names), std::back_inserter(function.code));
    leave_vectors(function);
    lower::x86_code::SlotHomes homes;
    program.threads.push_back(lower::x86_code::lift(function, {}, symbols, t, program, &homes));
    restore(source.threads[t], litmus::ThreadId(t), homes, program, out);
    if (const auto trap = homes.find(slot_of(trap_cell(compilation.layout))); trap != homes.end())
      out.restoration.traps.push_back(observable_at(trap->second, litmus::ThreadId(t), program));
  }
  out.program = std::move(program);
  return out;
}

} // namespace thinair::lower::jit::x86_code
