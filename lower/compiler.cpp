// Compiles batches of programs and lifts each of them.
#include "lower/compiler.h"

#include "litmus/text/error.h"
#include "lower/ir.h"
#include "lower/lift.h"
#include "lower/naming.h"

#include <algorithm>
#include <map>

namespace thinair::lower {
namespace {

using Functions = std::map<std::string, const MachineFunction*>;

Restoration::Row restored(const litmus::Thread& thread, litmus::ThreadId id, const Pin& pin,
                          const std::map<std::string, litmus::LocationId>& symbols,
                          const x86::Program& program) {
  Restoration::Row row;
  row.source = {id, thread.registers[pin.reg.value].name};
  if (pin.constant)
    row.found = *pin.constant;
  else if (pin.pin)
    row.found = litmus::Observable{id, std::string(info(Machine::x86).pins[*pin.pin])};
  else
    row.found =
        litmus::Observable{std::nullopt, program.locations[symbols.at(pin.cell).value].name};
  return row;
}

Lowered lift_program(const litmus::Program& source, const ProgramIr& ir,
                     const Functions& functions) {
  Lowered out;
  out.program = with_locations(source);
  out.source = source;
  std::map<std::string, litmus::LocationId> symbols;
  for (std::uint32_t i = 0; i < source.locations.size(); ++i)
    symbols[ir.prefix + source.locations[i].name] = litmus::LocationId(i);
  for (const auto& cell : ir.cells)
    symbols[cell] = add_cell(out.program, cell.substr(ir.prefix.size()), 0);
  for (const auto& cut : ir.cuts) {
    symbols[cut] = add_cell(out.program, cut.substr(ir.prefix.size()), 0);
    out.restoration.cuts.push_back({std::nullopt, out.program.locations.back().name});
  }
  const LiftOptions options{"HLT", false};
  for (std::size_t i = 0; i < source.threads.size(); ++i) {
    const auto& function = *functions.at(ir.prefix + "P" + std::to_string(i));
    out.program.threads.push_back(lift(function, options, symbols, i, out.program));
    const litmus::ThreadId id(static_cast<std::uint32_t>(i));
    for (const Pin& pin : ir.pins[i])
      out.restoration.rows.push_back(restored(source.threads[i], id, pin, symbols, out.program));
  }
  for (std::size_t i = 0; i < source.locations.size(); ++i) {
    Restoration::Row& row = out.restoration.rows.emplace_back();
    row.source.name = source.locations[i].name;
    row.found = litmus::Observable{std::nullopt, out.program.locations[i].name};
  }
  std::ranges::sort(out.restoration.rows, {}, &Restoration::Row::source);
  return out;
}

} // namespace

std::vector<std::variant<Lowered, NotLowered>>
Compiler::lower(std::span<const litmus::Program> programs) {
  std::vector<std::variant<ProgramIr, NotLowered>> irs;
  std::string module;
  for (const auto& program : programs) {
    try {
      irs.emplace_back(to_ir(program, irs.size()));
      module += std::get<ProgramIr>(irs.back()).text;
    } catch (const Unsupported& unsupported) {
      irs.emplace_back(NotLowered{unsupported.what()});
    }
  }
  const auto lifted = backend_.disassemble(compile(module));
  Functions functions;
  for (const auto& function : lifted) functions[function.name] = &function;
  std::vector<std::variant<Lowered, NotLowered>> result;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (const auto* refused = std::get_if<NotLowered>(&irs[i])) {
      result.emplace_back(*refused);
      continue;
    }
    try {
      result.emplace_back(lift_program(programs[i], std::get<ProgramIr>(irs[i]), functions));
    } catch (const Unsupported& unsupported) {
      result.emplace_back(NotLowered{unsupported.what()});
    }
  }
  return result;
}

Lowered Compiler::lower(const litmus::Program& program) {
  const ProgramIr ir = to_ir(program, 0);
  const auto lifted = backend_.disassemble(compile(ir.text));
  Functions functions;
  for (const auto& function : lifted) functions[function.name] = &function;
  return lift_program(program, ir, functions);
}

std::string Compiler::ir(const litmus::Program& program, bool optimized) {
  const std::string text = to_ir(program, 0).text;
  if (!optimized) return text;
  return tools_ ? tools_->optimize(text) : backend_.optimize(text);
}

} // namespace thinair::lower
