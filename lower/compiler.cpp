// Compiles programs with LLVM, and reads the code back.
#include "lower/compiler.h"

#include "litmus/text/error.h"
#include "lower/ir.h"
#include "lower/ir_types.h"
#include "lower/listing.h"
#include "lower/naming.h"
#include "lower/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace thinair::lower {
namespace {

constexpr std::size_t most_functions = 256; // of a module: more save nothing, and hold up others

using Irs = std::vector<ThreadIr>; // of a program's threads

/// The cells of a program's code, and by thread those that its IR's globals are.
struct Memory {
  std::vector<litmus::Cell> cells;
  std::vector<std::vector<litmus::LocationId>> globals;
  std::vector<std::vector<litmus::LocationId>> own; // by thread: its own cells
  std::vector<litmus::LocationId> cuts;
};

/// Of a cell of a thread, which its IR names as it does shared globals.
litmus::Type type_of_cell(const ThreadIr& ir, std::size_t global) {
  const auto number = std::ranges::find(ir.globals, global) - ir.globals.begin();
  return type_in(global_names(ir.body, ir.globals.size()).at(static_cast<std::size_t>(number)));
}

/// The source's locations, then its RuntimeWords, then the cells of its threads, then what cut off
/// paths set.
Memory memory_of(const litmus::Program& source, const Irs& irs, Legal legal) {
  Memory memory;
  memory.cells = cells_of(source, legal);
  RuntimeWords(source).add_to(memory.cells, source, legal);
  const std::size_t shared = memory.cells.size();
  for (const auto& ir : irs) memory.own.emplace_back(ir.cells.size(), litmus::LocationId(0));
  for (const bool cut : {false, true})
    for (std::size_t t = 0; t < irs.size(); ++t)
      for (std::size_t i = 0; i < irs[t].cells.size(); ++i) {
        if (irs[t].cells[i].cut != cut) continue;
        memory.own[t][i] = add_cell(memory.cells, irs[t].cells[i].name, 0, legal,
                                    type_of_cell(irs[t], shared + i));
        if (cut) memory.cuts.push_back(memory.own[t][i]);
      }
  for (std::size_t t = 0; t < irs.size(); ++t) {
    auto& globals = memory.globals.emplace_back();
    for (const std::size_t global : irs[t].globals)
      globals.push_back(global < shared ? litmus::LocationId(static_cast<std::uint32_t>(global))
                                        : memory.own[t][global - shared]);
  }
  return memory;
}

litmus::Observable final_value(const Memory& memory, litmus::LocationId cell) {
  return {std::nullopt, memory.cells[cell.value].name};
}

Found found(const Pin& pin, litmus::ThreadId thread, Machine machine, const Memory& memory) {
  if (pin.constant) return *pin.constant;
  if (pin.pin)
    return litmus::Observable{thread, machine->register_in_tests(machine->pins[*pin.pin])};
  return final_value(memory, memory.own[thread.value][*pin.cell]);
}

Restoration restoration_of(const litmus::Program& source, const Irs& irs, Machine machine,
                           const Memory& memory) {
  Restoration out;
  for (std::uint32_t t = 0; t < source.threads.size(); ++t)
    for (const Pin& pin : irs[t].pins)
      out.rows.push_back({{litmus::ThreadId(t), source.threads[t].registers[pin.reg.value].name},
                          found(pin, litmus::ThreadId(t), machine, memory),
                          source.threads[t].registers[pin.reg.value].type.kind});
  for (std::uint32_t i = 0; i < source.locations.size(); ++i) {
    const litmus::Observable location{std::nullopt, source.locations[i].name};
    out.rows.push_back(
        {location, final_value(memory, litmus::LocationId(i)), source.locations[i].type.kind});
  }
  std::ranges::sort(out.rows, {}, &Restoration::Row::source);
  for (const auto cut : memory.cuts) out.cuts.push_back(final_value(memory, cut));
  return out;
}

std::string global_name(std::size_t number, std::span<const litmus::Cell> cells,
                        litmus::LocationId cell) {
  const litmus::Cell& first = cells[cell.value];
  if (first.length == 0) return fmt::format("g{}{}", number, ir_suffix(first.type));
  std::vector<litmus::Type> types;
  for (const auto& each : cells.subspan(cell.value, first.length)) types.push_back(each.type);
  return fmt::format("g{}{}", number, ir_suffix(types));
}

/// Addresses are in the code: decoded operand by operand.
litmus::Code lifted(const Memory& memory, const std::vector<ThreadCode>& codes, Machine machine) {
  std::vector<SymbolicFunction> functions;
  for (std::size_t t = 0; t < codes.size(); ++t) {
    auto& function = functions.emplace_back(SymbolicFunction{&codes[t].function, {}});
    for (std::size_t i = 0; i < memory.globals[t].size(); ++i) {
      const auto cell = memory.globals[t][i];
      function.symbols[global_name(i, memory.cells, cell)] = cell;
    }
  }
  return machine->lift(functions, memory.cells);
}

/// Addresses are arguments: LLVM's text of the code is read as the machine's language.
litmus::Code read_back(const litmus::Program& source, const Irs& irs, const Memory& memory,
                       const std::vector<ThreadCode>& codes, Machine machine) {
  Listing listing{machine, memory.cells, {}};
  for (std::size_t t = 0; t < codes.size(); ++t) {
    std::vector<litmus::LocationId> cells;
    for (const auto global : codes[t].arguments) cells.push_back(memory.globals[t][global]);
    auto& thread = listing.threads.emplace_back(listed(codes[t].function, machine, cells));
    for (const Pin& pin : irs[t].pins) {
      const auto type = source.threads[t].registers[pin.reg.value].type;
      if (!pin.pin || register_type(type).width != litmus::Width::q) continue;
      const auto reg = machine->register_in_tests(machine->pins[*pin.pin]);
      if (std::ranges::find(thread.longs, reg) == thread.longs.end()) thread.longs.push_back(reg);
    }
  }
  return read(listing);
}

/// Throws Unsupported.
Lowered lowered(const litmus::Program& source, const Irs& irs, const std::vector<ThreadCode>& codes,
                Machine machine) {
  const Memory memory = memory_of(source, irs, machine->is_cell_name);
  Lowered out;
  out.language = &language_of(machine);
  out.source = source;
  out.program = machine->lift != nullptr ? lifted(memory, codes, machine)
                                         : read_back(source, irs, memory, codes, machine);
  out.restoration = restoration_of(source, irs, machine, memory);
  out.restoration.objects = RuntimeWords(source).addresses();
  return out;
}

Irs irs_of(const litmus::Program& program, Machine machine) {
  Irs out;
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    out.push_back(to_ir(program, t, machine));
  return out;
}

/// Of one program, as people read it.
std::string module_of(const litmus::Program& program, Machine machine) {
  const Irs irs = irs_of(program, machine);
  const Memory memory = memory_of(program, irs, machine->is_cell_name);
  std::vector<IrFunction> functions;
  for (std::size_t t = 0; t < irs.size(); ++t) {
    IrFunction& function = functions.emplace_back(IrFunction{fmt::format("P{}", t), {}, {}});
    function.body = &irs[t].body;
    for (const auto cell : memory.globals[t])
      function.globals.emplace_back(litmus::name_in_code(memory.cells[cell.value]));
  }
  return module_of(functions);
}

} // namespace

Backend::WithArguments Compiler::compile_module(const std::string& ir) {
  const bool has_arguments = machine_->lift == nullptr;
  if (tools_) {
    const std::string optimized = tools_->optimize(ir);
    if (!has_arguments) return {tools_->generate(optimized), {}};
    auto made = Backend::with_arguments(optimized);
    return {tools_->generate(made.ir), std::move(made.arguments)};
  }
  return has_arguments ? backend_.compile_with_arguments(ir)
                       : Backend::WithArguments{backend_.compile(ir), {}};
}

/// All in one module. Throws Unsupported.
std::vector<ThreadCode> Compiler::compile(std::span<const Body> bodies) {
  std::vector<IrFunction> functions;
  for (const auto& body : bodies) {
    auto& function =
        functions.emplace_back(IrFunction{fmt::format("f{}", functions.size()), &body.text, {}});
    function.globals = global_names(body.text, body.globals);
  }
  const auto made = compile_module(module_of(functions));
  std::map<std::string, MachineFunction> decoded;
  for (auto& function : backend_.disassemble(made.object))
    decoded.emplace(function.name, std::move(function));
  std::vector<ThreadCode> out;
  for (const auto& function : functions) {
    ThreadCode& code = out.emplace_back(ThreadCode{std::move(decoded.at(function.name)), {}});
    const auto named = made.arguments.find(function.name);
    if (named == made.arguments.end()) continue;
    for (const auto& global : named->second)
      code.arguments.push_back(static_cast<std::size_t>(
          std::ranges::find(function.globals, global) - function.globals.begin()));
  }
  return out;
}

/// What cannot be compiled is found by halving: its reason is that of a module of its own.
void Compiler::compile(std::span<const Body> bodies, Compiled& out) {
  try {
    auto codes = compile(bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      memory_->keep(bodies[i].text, codes[i]);
      out.emplace(bodies[i].text, std::move(codes[i]));
    }
  } catch (const Unsupported& unsupported) {
    if (bodies.size() == 1) {
      out.emplace(bodies.front().text, unsupported);
      return;
    }
    compile(bodies.first(bodies.size() / 2), out);
    compile(bodies.subspan(bodies.size() / 2), out);
  }
}

auto Compiler::compiled(const std::set<Body>& bodies) -> Compiled {
  Compiled out;
  std::vector<Body> missing;
  for (const auto& body : bodies) {
    if (auto code = memory_->find(body.text))
      out.emplace(body.text, *std::move(code));
    else
      missing.push_back(body);
  }
  for (std::size_t from = 0; from < missing.size(); from += most_functions)
    compile(std::span(missing).subspan(from, std::min(most_functions, missing.size() - from)), out);
  return out;
}

auto Compiler::attempts(std::span<const litmus::Program> programs) -> std::vector<Attempt> {
  std::vector<std::variant<Irs, Unsupported>> irs;
  std::set<Body> bodies;
  for (const auto& program : programs) {
    try {
      for (const auto& ir : std::get<Irs>(irs.emplace_back(irs_of(program, machine_))))
        bodies.insert({ir.body, ir.globals.size()});
    } catch (const Unsupported& unsupported) {
      irs.emplace_back(unsupported);
    }
  }
  const Compiled codes = compiled(bodies);
  std::vector<Attempt> out;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    try {
      if (const auto* refused = std::get_if<Unsupported>(&irs[i])) throw *refused;
      std::vector<ThreadCode> threads;
      for (const auto& ir : std::get<Irs>(irs[i])) {
        const auto& code = codes.at(ir.body);
        if (const auto* refused = std::get_if<Unsupported>(&code)) throw *refused;
        threads.push_back(std::get<ThreadCode>(code));
      }
      out.emplace_back(lowered(programs[i], std::get<Irs>(irs[i]), threads, machine_));
    } catch (const Unsupported& unsupported) {
      out.emplace_back(unsupported);
    }
  }
  return out;
}

void Compiler::prepare(std::span<const litmus::Program> programs) {
  std::set<Body> bodies;
  for (const auto& program : programs) {
    try {
      for (const auto& ir : irs_of(program, machine_)) bodies.insert({ir.body, ir.globals.size()});
    } catch (const Unsupported&) { // said when it is lowered
    }
  }
  compiled(bodies);
}

std::vector<std::variant<Lowered, NotLowered>>
Compiler::lower(std::span<const litmus::Program> programs) {
  std::vector<std::variant<Lowered, NotLowered>> out;
  for (auto& attempt : attempts(programs)) {
    if (const auto* refused = std::get_if<Unsupported>(&attempt))
      out.emplace_back(NotLowered{refused->what()});
    else
      out.emplace_back(std::move(std::get<Lowered>(attempt)));
  }
  return out;
}

Lowered Compiler::lower(const litmus::Program& program) {
  auto attempt = std::move(attempts({&program, 1}).front());
  if (const auto* refused = std::get_if<Unsupported>(&attempt)) throw *refused;
  return std::move(std::get<Lowered>(attempt));
}

std::string Compiler::ir(const litmus::Program& program, bool optimized) {
  const std::string text = module_of(program, machine_);
  if (!optimized) return text;
  return tools_ ? tools_->optimize(text) : backend_.optimize(text);
}

std::string Compiler::object(const litmus::Program& program) {
  return compile_module(module_of(program, machine_)).object;
}

} // namespace thinair::lower
