// Compiles a program with LLVM and reads the code back as a listing.
#include "lower/listing_target.h"

#include "litmus/text/error.h"
#include "lower/prepare.h"
#include "lower/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace thinair::lower {
namespace {

/// Names that herd7 or an assembler may take for a register or an instruction: a letter or two and
/// digits, and words that begin as one.
bool may_be_misread(std::string_view name) {
  const std::size_t digits = name.find_first_of("0123456789");
  const bool numbered =
      digits != std::string_view::npos && digits <= 2 &&
      std::ranges::all_of(name.substr(digits), [](unsigned char c) { return std::isdigit(c); });
  return numbered || (name.size() > 1 && name.size() <= 5) ||
         !std::isalpha(static_cast<unsigned char>(name[0]));
}

litmus::LocationId add_cell(Listing& program, std::string_view wanted, std::int32_t initial) {
  std::string name(wanted);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
  if (may_be_misread(name)) name = "v_" + name;
  while (std::ranges::find(program.cells, name, &Listing::Cell::name) != program.cells.end())
    name += '_';
  program.cells.push_back({std::move(name), initial});
  return litmus::LocationId(static_cast<std::uint32_t>(program.cells.size() - 1));
}

/// Cells by the names of the globals that they were in IR.
using Symbols = std::map<std::string, litmus::LocationId>;

Symbols add_cells(const litmus::Program& source, const ProgramIr& ir, LoweredListing& out) {
  Symbols symbols;
  for (const auto& location : source.locations)
    symbols[ir.prefix + location.name] = add_cell(out.program, location.name, location.initial);
  for (const auto& cell : ir.cells)
    symbols[cell] = add_cell(out.program, cell.substr(ir.prefix.size()), 0);
  for (const auto& cut : ir.cuts) {
    symbols[cut] = add_cell(out.program, cut.substr(ir.prefix.size()), 0);
    out.restoration.cuts.push_back({std::nullopt, out.program.cells.back().name});
  }
  return symbols;
}

Found found(const Pin& pin, litmus::ThreadId thread, const LoweredListing& out,
            const Symbols& symbols) {
  if (pin.constant) return *pin.constant;
  const Machine machine = out.program.machine;
  if (pin.pin)
    return litmus::Observable{thread, herd_register(machine, info(machine).pins[*pin.pin])};
  return litmus::Observable{std::nullopt, out.program.cells[symbols.at(pin.cell).value].name};
}

void restore(const litmus::Program& source, const ProgramIr& ir, const Symbols& symbols,
             LoweredListing& out) {
  for (std::uint32_t t = 0; t < source.threads.size(); ++t)
    for (const Pin& pin : ir.pins[t])
      out.restoration.rows.push_back(
          {{litmus::ThreadId(t), source.threads[t].registers[pin.reg.value].name},
           found(pin, litmus::ThreadId(t), out, symbols)});
  for (std::size_t i = 0; i < source.locations.size(); ++i) {
    Restoration::Row& row = out.restoration.rows.emplace_back();
    row.source.name = source.locations[i].name;
    row.found = litmus::Observable{std::nullopt, out.program.cells[i].name};
  }
  std::ranges::sort(out.restoration.rows, {}, &Restoration::Row::source);
}

} // namespace

ListingTarget ListingTarget::of_scheme(TextScheme scheme) {
  const Machine machine = scheme.machine;
  std::string name = scheme.name;
  return {std::move(name), machine, Level::O0, Level::O2,
          std::make_unique<TextScheme>(std::move(scheme))};
}

ListingTarget ListingTarget::named(std::string_view name) {
  if (is_scheme_file(name)) {
    const auto source = litmus::read_file(std::string(name));
    return of_scheme(parse_text_scheme(source, machine_of(scheme_head(source).name)));
  }
  const Machine machine = machine_of(name);
  if (const auto shipped = shipped_file(name))
    return of_scheme(
        parse_text_scheme({std::string(shipped->file), std::string(shipped->text)}, machine));
  for (const Level level : {Level::O1, Level::O2, Level::O3})
    if (name == fmt::format("{}:llvm-{}", info(machine).prefix, lower::name(level)))
      return {std::string(name), machine, level, level, nullptr};
  no_such_target(name);
}

ProgramIr ListingTarget::to_ir(const litmus::Program& flat) const {
  if (!scheme_) return lower::to_ir(flat, 0, machine_);
  const InlineRules rules = inline_rules(*scheme_);
  return lower::to_ir(flat, 0, machine_, &rules);
}

LoweredListing ListingTarget::lower(const litmus::Program& program, std::uint32_t loop_bound) {
  LoweredListing out;
  out.program.machine = machine_;
  out.source = prepared(program, loop_bound);
  const ProgramIr ir = to_ir(out.source);
  const Symbols symbols = add_cells(out.source, ir, out);
  const auto compiled = backend_.compile_with_arguments(ir.text);
  std::map<std::string, const MachineFunction*> functions;
  const auto decoded = backend_.disassemble(compiled.object);
  for (const auto& function : decoded) functions[function.name] = &function;
  for (std::size_t t = 0; t < out.source.threads.size(); ++t) {
    const std::string name = fmt::format("{}P{}", ir.prefix, t);
    std::vector<litmus::LocationId> arguments;
    for (const auto& global : compiled.arguments.at(name)) arguments.push_back(symbols.at(global));
    out.program.threads.push_back(listed(*functions.at(name), machine_, arguments, t));
  }
  restore(out.source, ir, symbols, out);
  out.restoration = of_source(std::move(out.restoration), program);
  return out;
}

std::string ListingTarget::ir(const LoweredListing& lowered) {
  return backend_.optimize(to_ir(lowered.source).text);
}

std::string ListingTarget::object(const LoweredListing& lowered) {
  return backend_.compile_with_arguments(to_ir(lowered.source).text).object;
}

} // namespace thinair::lower
