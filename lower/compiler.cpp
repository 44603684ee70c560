// Compiles programs with LLVM, and reads the code back.
#include "lower/compiler.h"

#include "litmus/text/error.h"
#include "lower/ir.h"
#include "lower/lift.h"
#include "lower/listing.h"
#include "lower/naming.h"
#include "machine/x86/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace thinair::lower {
namespace {

using Functions = std::map<std::string, MachineFunction>;

Functions by_name(std::vector<MachineFunction> decoded) {
  Functions out;
  for (auto& function : decoded) out.emplace(function.name, std::move(function));
  return out;
}

/// The cells of a program's code, and the globals of its IR that they were.
struct Memory {
  std::vector<litmus::Cell> cells;
  std::map<std::string, litmus::LocationId> symbols;
};

Memory memory_of(const litmus::Program& source, const ProgramIr& ir, Legal legal, Lowered& out) {
  Memory memory;
  const auto add = [&](const std::string& symbol, std::int32_t initial) {
    memory.symbols[symbol] =
        add_cell(memory.cells, symbol.substr(ir.prefix.size()), initial, legal);
  };
  for (const auto& location : source.locations) add(ir.prefix + location.name, location.initial);
  for (const auto& cell : ir.cells) add(cell, 0);
  for (const auto& cut : ir.cuts) {
    add(cut, 0);
    out.restoration.cuts.push_back({std::nullopt, memory.cells.back().name});
  }
  return memory;
}

Found found(const Pin& pin, litmus::ThreadId thread, Machine machine, const Memory& memory) {
  if (pin.constant) return *pin.constant;
  if (pin.pin)
    return litmus::Observable{thread, register_in_tests(machine, info(machine).pins[*pin.pin])};
  return litmus::Observable{std::nullopt, memory.cells[memory.symbols.at(pin.cell).value].name};
}

void restore(const litmus::Program& source, const ProgramIr& ir, Machine machine,
             const Memory& memory, Lowered& out) {
  auto& rows = out.restoration.rows;
  for (std::uint32_t t = 0; t < source.threads.size(); ++t)
    for (const Pin& pin : ir.pins[t])
      rows.push_back({{litmus::ThreadId(t), source.threads[t].registers[pin.reg.value].name},
                      found(pin, litmus::ThreadId(t), machine, memory)});
  for (std::size_t i = 0; i < source.locations.size(); ++i)
    rows.push_back({{std::nullopt, source.locations[i].name},
                    litmus::Observable{std::nullopt, memory.cells[i].name}});
  std::ranges::sort(rows, {}, &Restoration::Row::source);
}

std::string function_name(const ProgramIr& ir, std::size_t thread) {
  return fmt::format("{}P{}", ir.prefix, thread);
}

/// Addresses are in the code: decoded operand by operand.
Lowered lifted(const litmus::Program& source, const ProgramIr& ir, const Functions& functions) {
  Lowered out{{}, &x86::att, {}, source, {}};
  Memory memory = memory_of(source, ir, is_cell_name, out);
  x86::Program program{memory.cells, {}};
  const LiftOptions options{"HLT", false};
  for (std::size_t i = 0; i < source.threads.size(); ++i)
    program.threads.push_back(
        lift(functions.at(function_name(ir, i)), options, memory.symbols, i, program));
  restore(source, ir, Machine::x86, memory, out);
  out.program = std::move(program);
  return out;
}

/// Addresses are arguments: LLVM's text of the code is read as the machine's language.
Lowered read_back(const litmus::Program& source, const ProgramIr& ir, const Functions& functions,
                  const std::map<std::string, std::vector<std::string>>& arguments,
                  Machine machine) {
  Lowered out{{}, &language_of(machine), {}, source, {}};
  const Memory memory = memory_of(source, ir, is_safe_name, out);
  Listing listing{machine, memory.cells, {}};
  for (std::size_t t = 0; t < source.threads.size(); ++t) {
    const std::string name = function_name(ir, t);
    std::vector<litmus::LocationId> cells;
    for (const auto& global : arguments.at(name)) cells.push_back(memory.symbols.at(global));
    listing.threads.push_back(listed(functions.at(name), machine, cells));
  }
  restore(source, ir, machine, memory, out);
  out.program = read(listing);
  return out;
}

} // namespace

Backend::WithArguments Compiler::compile(const std::string& ir) {
  const bool has_arguments = !info(machine_).addresses.empty();
  if (tools_) {
    const std::string optimized = tools_->optimize(ir);
    if (!has_arguments) return {tools_->generate(optimized), {}};
    auto made = Backend::with_arguments(optimized);
    return {tools_->generate(made.ir), std::move(made.arguments)};
  }
  return has_arguments ? backend_.compile_with_arguments(ir)
                       : Backend::WithArguments{backend_.compile(ir), {}};
}

Lowered Compiler::lowered(const litmus::Program& program, const ProgramIr& ir,
                          const std::map<std::string, MachineFunction>& functions,
                          const std::map<std::string, std::vector<std::string>>& arguments) const {
  return info(machine_).addresses.empty() ? lifted(program, ir, functions)
                                          : read_back(program, ir, functions, arguments, machine_);
}

std::vector<std::variant<Lowered, NotLowered>>
Compiler::lower(std::span<const litmus::Program> programs) {
  std::vector<std::variant<ProgramIr, NotLowered>> irs;
  std::string module;
  for (const auto& program : programs) {
    try {
      irs.emplace_back(to_ir(program, irs.size(), machine_));
      module += std::get<ProgramIr>(irs.back()).text;
    } catch (const Unsupported& unsupported) {
      irs.emplace_back(NotLowered{unsupported.what()});
    }
  }
  const auto compiled = compile(module);
  const Functions functions = by_name(backend_.disassemble(compiled.object));
  std::vector<std::variant<Lowered, NotLowered>> result;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (const auto* refused = std::get_if<NotLowered>(&irs[i])) {
      result.emplace_back(*refused);
      continue;
    }
    const auto& ir = std::get<ProgramIr>(irs[i]);
    try {
      result.emplace_back(lowered(programs[i], ir, functions, compiled.arguments));
    } catch (const Unsupported& unsupported) {
      result.emplace_back(NotLowered{unsupported.what()});
    }
  }
  return result;
}

Lowered Compiler::lower(const litmus::Program& program) {
  const ProgramIr ir = to_ir(program, 0, machine_);
  const auto compiled = compile(ir.text);
  const Functions functions = by_name(backend_.disassemble(compiled.object));
  return lowered(program, ir, functions, compiled.arguments);
}

std::string Compiler::ir(const litmus::Program& program, bool optimized) {
  const std::string text = to_ir(program, 0, machine_).text;
  if (!optimized) return text;
  return tools_ ? tools_->optimize(text) : backend_.optimize(text);
}

std::string Compiler::object(const litmus::Program& program) {
  return compile(to_ir(program, 0, machine_).text).object;
}

} // namespace thinair::lower
