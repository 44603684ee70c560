// Prints an x86 test in columns, and lists its registers.
#include "litmus/x86/format.h"

#include "litmus/x86/assembly.h"
#include "litmus/x86/flow.h"
#include "litmus/x86/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::litmus::x86 {
namespace {

std::string typed(Type type, const std::string& rest) {
  return type == Type{} ? rest : fmt::format("{} {}", name(type), rest);
}

/// `x=1;` or `int t[2]={1,2};`
std::string print_location(const Program& program, std::size_t at) {
  const Location& first = program.locations[at];
  if (first.length == 0) return typed(first.type, fmt::format("{}={};", first.name, first.initial));
  std::string values;
  for (std::size_t i = at; i < at + first.length; ++i)
    values += (i == at ? "" : ",") + std::to_string(program.locations[i].initial);
  return fmt::format("{} {}[{}]={{{}}};", name(first.type), name_in_code(first), first.length,
                     values);
}

std::string print_initial(const Program& program, Syntax syntax) {
  std::string out = "{\n";
  for (std::size_t i = 0; i < program.locations.size();
       i += std::max(program.locations[i].length, 1U))
    out += ' ' + print_location(program, i);
  if (!program.locations.empty()) out += '\n';
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    for (const InitialRegister& initial : program.threads[t].initial) {
      const auto* address = std::get_if<LocationId>(&initial.value);
      const std::string value =
          address ? std::string(name_in_code(program.locations.at(address->value)))
                  : std::to_string(std::get<Value>(initial.value));
      const std::string reg = to_string(observable(ThreadId(t), initial.reg, syntax));
      out += ' ' + typed(initial.type, fmt::format("{}={};", reg, value));
    }
    if (!program.threads[t].initial.empty()) out += '\n';
  }
  return out + "}\n";
}

std::string labelled(const std::vector<std::string>& labels, const std::string& rest) {
  std::string out;
  for (const std::string& label : labels) out += label + ": ";
  out += rest;
  if (rest.empty() && !out.empty()) out.pop_back();
  return out;
}

/// A thread's column: its name, its instructions, labels behind the last of them.
std::vector<std::string> column(const Thread& thread, const Program& program, Syntax syntax) {
  std::vector<std::string> cells{thread.name};
  for (const Instruction& in : thread.code)
    cells.push_back(labelled(in.labels, print_instruction(in, program, syntax)));
  if (!thread.end_labels.empty()) cells.push_back(labelled(thread.end_labels, ""));
  return cells;
}

std::string print_code(const Program& program, Syntax syntax) {
  std::vector<std::vector<std::string>> columns;
  std::vector<std::size_t> widths;
  std::size_t rows = 2; // herd wants one row of instructions at least
  for (const Thread& thread : program.threads) {
    columns.push_back(column(thread, program, syntax));
    rows = std::max(rows, columns.back().size());
    widths.push_back(std::ranges::max(columns.back(), {}, &std::string::size).size());
  }
  std::string out;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string cell = row < columns[c].size() ? columns[c][row] : "";
      out += fmt::format("{}{:<{}} ", c == 0 ? " " : "| ", cell, widths[c]);
    }
    out += ";\n";
  }
  return out;
}

std::string print(const Test& test) {
  const Syntax syntax = syntax_of(test.dialect);
  return print_initial(test.x86(), syntax) + print_code(test.x86(), syntax);
}

/// Registers that the thread names; the others are zero or as given.
std::array<bool, every_register> used(const Thread& thread) {
  std::array<bool, every_register> result{};
  const auto mark = [&](Register reg) { result.at(static_cast<std::size_t>(reg)) = true; };
  for (const InitialRegister& initial : thread.initial) mark(initial.reg);
  for (const Instruction& in : thread.code) each_register(in, mark);
  return result;
}

std::vector<Observable> registers(const Test& test) {
  std::vector<Observable> result;
  const Program& program = test.x86();
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const auto marked = used(program.threads[t]);
    for (std::size_t i = 0; i < every_register; ++i)
      if (marked[i])
        result.push_back(
            observable(ThreadId(t), static_cast<Register>(i), syntax_of(test.dialect)));
  }
  return result;
}

constexpr Format x86_format{read, print, registers, to_json};

} // namespace

Format format() { return x86_format; }

Syntax syntax_of(Dialect dialect) {
  return dialect == Dialect::x86_intel ? Syntax::intel : Syntax::att;
}

} // namespace thinair::litmus::x86
