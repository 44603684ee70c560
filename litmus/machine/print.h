// Prints a machine's test in columns, lists its registers, and dumps it as JSON: what all assembly
// languages of herd have in common. A language gives a Spelling; the rest is here.
#pragma once

#include "litmus/machine/code.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace thinair::litmus {

/// A machine's language to the printers.
template <class Instruction>
struct Spelling {
  using Register = typename Instruction::Reg;
  /// As the reader takes it, without labels.
  std::function<std::string(const Instruction&, const ProgramOf<Instruction>&)> instruction;
  /// How questions and initial states name a register.
  std::function<Observable(ThreadId, Register)> observable;
  /// Calls the visitor with each register that the instruction has to do with.
  std::function<void(const Instruction&, const std::function<void(Register)>&)> each_register;
  /// What is known of an instruction beside its text, added to its object.
  std::function<void(const Instruction&, const ProgramOf<Instruction>&, json::Object&)> details;
};

inline std::string typed(Type type, const std::string& rest) {
  return type == Type{} ? rest : fmt::format("{} {}", name(type), rest);
}

/// `x=1;`, `int t[2]={1,2};` or `struct {int8_t; int} s={1,2};`
template <class Instruction>
std::string print_location(const ProgramOf<Instruction>& program, std::size_t at) {
  const Cell& first = program.locations[at];
  const std::string what = declared(program.locations, at);
  if (first.length == 0) return fmt::format("{}={};", what, first.initial);
  std::string values;
  for (std::size_t i = at; i < at + first.length; ++i)
    values += (i == at ? "" : ",") + std::to_string(program.locations[i].initial);
  return fmt::format("{}={{{}}};", what, values);
}

template <class Instruction>
std::string print_initial(const ProgramOf<Instruction>& program,
                          const Spelling<Instruction>& spelling) {
  std::string out = "{\n";
  for (std::size_t i = 0; i < program.locations.size();
       i += std::max(program.locations[i].length, 1U))
    out += ' ' + print_location(program, i);
  if (!program.locations.empty()) out += '\n';
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    for (const auto& initial : program.threads[t].initial) {
      const auto* address = std::get_if<LocationId>(&initial.value);
      const std::string value =
          address ? std::string(name_in_code(program.locations.at(address->value)))
                  : std::to_string(std::get<Value>(initial.value));
      const std::string reg = to_string(spelling.observable(ThreadId(t), initial.reg));
      out += ' ' + typed(initial.type, fmt::format("{}={};", reg, value));
    }
    if (!program.threads[t].initial.empty()) out += '\n';
  }
  return out + "}\n";
}

inline std::string labelled(const std::vector<std::string>& labels, const std::string& rest) {
  std::string out;
  for (const std::string& label : labels) out += label + ": ";
  out += rest;
  if (rest.empty() && !out.empty()) out.pop_back();
  return out;
}

/// A thread's column: its name, its instructions, labels behind the last of them.
template <class Instruction>
std::vector<std::string> column(const ThreadOf<Instruction>& thread,
                                const ProgramOf<Instruction>& program,
                                const Spelling<Instruction>& spelling) {
  std::vector<std::string> cells{thread.name};
  for (const auto& in : thread.code)
    cells.push_back(labelled(in.labels, spelling.instruction(in, program)));
  if (!thread.end_labels.empty()) cells.push_back(labelled(thread.end_labels, ""));
  return cells;
}

template <class Instruction>
std::string print_code(const ProgramOf<Instruction>& program,
                       const Spelling<Instruction>& spelling) {
  std::vector<std::vector<std::string>> columns;
  std::vector<std::size_t> widths;
  std::size_t rows = 2; // herd wants one row of instructions at least
  for (const auto& thread : program.threads) {
    columns.push_back(column(thread, program, spelling));
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

/// From the `{` of the initial state to the end of the program, with a newline behind.
template <class Instruction>
std::string print_program(const ProgramOf<Instruction>& program,
                          const Spelling<Instruction>& spelling) {
  return print_initial(program, spelling) + print_code(program, spelling);
}

/// Registers that the threads name; the others are zero or as given.
template <class Instruction>
std::vector<Observable> named_registers(const ProgramOf<Instruction>& program,
                                        const Spelling<Instruction>& spelling) {
  std::vector<Observable> result;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    std::set<typename Instruction::Reg> marked;
    for (const auto& initial : program.threads[t].initial) marked.insert(initial.reg);
    for (const auto& in : program.threads[t].code)
      spelling.each_register(in, [&](typename Instruction::Reg reg) { marked.insert(reg); });
    for (const auto reg : marked) result.push_back(spelling.observable(ThreadId(t), reg));
  }
  return result;
}

template <class Things, class Dump>
std::string json_array(const Things& things, Dump dump) {
  std::vector<std::string> elements;
  for (const auto& thing : things) elements.push_back(dump(thing));
  return json::array(elements);
}

inline std::string json_of(const Cell& cell) {
  json::Object object;
  object.string("name", cell.name).string("type", name(cell.type)).integer("initial", cell.initial);
  if (cell.length > 0) object.integer("array", cell.length).integer("index", cell.index);
  return object.text();
}

/// The program as a JSON object: names, not ids. `beyond_herd`: why herd7 does not read it.
template <class Instruction>
std::string json_of(const ProgramOf<Instruction>& program, const Spelling<Instruction>& spelling,
                    const std::optional<std::string>& beyond_herd) {
  const auto initial = [&](const InitialOf<typename Instruction::Reg>& entry) {
    json::Object object;
    object.string("register", spelling.observable(ThreadId(), entry.reg).name)
        .string("type", name(entry.type));
    if (const auto* address = std::get_if<LocationId>(&entry.value))
      object.string("address_of", name_in_code(program.locations.at(address->value)));
    else
      object.integer("value", std::get<Value>(entry.value));
    return object.text();
  };
  const auto instruction = [&](const Instruction& in) {
    json::Object object;
    object.string("text", spelling.instruction(in, program));
    spelling.details(in, program, object);
    object.raw("labels", json_array(in.labels, json::quote));
    return object.text();
  };
  const auto thread = [&](const ThreadOf<Instruction>& each) {
    json::Object object;
    object.string("name", each.name)
        .raw("initial", json_array(each.initial, initial))
        .raw("code", json_array(each.code, instruction))
        .raw("end_labels", json_array(each.end_labels, json::quote));
    return object.text();
  };
  json::Object object;
  object.raw("locations", json_array(program.locations, [](const Cell& c) { return json_of(c); }))
      .raw("threads", json_array(program.threads, thread))
      .raw("beyond_herd", beyond_herd ? json::quote(*beyond_herd) : "null");
  return object.text();
}

} // namespace thinair::litmus
