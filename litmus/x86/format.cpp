// Prints an x86 test in columns, and lists its registers.
#include "litmus/x86/format.h"

#include "litmus/x86/assembly.h"
#include "litmus/x86/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::litmus::x86 {
namespace {

std::string typed(Type type, const std::string& rest) {
  return type == Type{} ? rest : fmt::format("{} {}", name(type), rest);
}

std::string print_initial(const Program& program, Syntax syntax) {
  std::string out = "{\n";
  for (const Location& location : program.locations)
    out += ' ' + typed(location.type, fmt::format("{}={};", location.name, location.initial));
  if (!program.locations.empty()) out += '\n';
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    for (const InitialRegister& initial : program.threads[t].initial) {
      const auto* address = std::get_if<LocationId>(&initial.value);
      const std::string value = address ? program.locations.at(address->value).name
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
std::array<bool, register_count> used(const Thread& thread) {
  std::array<bool, register_count> result{};
  const auto mark = [&](Register reg) { result.at(static_cast<std::size_t>(reg)) = true; };
  for (const InitialRegister& initial : thread.initial) mark(initial.reg);
  for (const Instruction& in : thread.code) {
    if (in.opcode == Opcode::cmpxchg) mark(Register::rax);
    for (const Operand& operand : in.operands) {
      if (const auto* reg = std::get_if<RegisterOperand>(&operand)) mark(reg->reg);
      if (const auto* memory = std::get_if<Memory>(&operand))
        if (const auto* base = std::get_if<Register>(&memory->base)) mark(*base);
    }
  }
  return result;
}

std::vector<Observable> registers(const Test& test) {
  std::vector<Observable> result;
  const Program& program = test.x86();
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const auto marked = used(program.threads[t]);
    for (std::size_t i = 0; i < register_count; ++i)
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
