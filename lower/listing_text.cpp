// Writes listings: for herd7, for people, as assembly.
#include "litmus/java/format.h"
#include "litmus/labels.h"
#include "lower/listing.h"
#include "lower/source_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {
namespace {

/// A thread's column of a herd7 test.
std::vector<std::string> cells_of(const ListingThread& thread) {
  std::vector<std::string> column{thread.name};
  for (const auto& line : thread.code) {
    for (const auto& label : line.labels) column.push_back(label + ":");
    column.push_back(to_string(line));
  }
  for (const auto& label : thread.end_labels) column.push_back(label + ":");
  return column;
}

std::string table(const Listing& program) {
  std::vector<std::vector<std::string>> columns;
  std::size_t rows = 0;
  for (const auto& thread : program.threads) {
    columns.push_back(cells_of(thread));
    rows = std::max(rows, columns.back().size());
  }
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::size_t width = 0;
      for (const auto& cell : columns[i]) width = std::max(width, cell.size());
      const std::string cell = row < columns[i].size() ? columns[i][row] : "";
      text += fmt::format("{} {:{}}", i == 0 ? "" : " |", cell, width);
    }
    text += " ;\n";
  }
  return text;
}

std::string name_in_list(const litmus::Observable& observable) {
  return observable.thread ? to_string(observable) : observable.name;
}

} // namespace

std::string herd_body(Listing program, const std::vector<litmus::Observable>& shown,
                      const std::optional<litmus::Proposition>& filter,
                      const litmus::Proposition& question) {
  litmus::separate_labels(program.threads);
  // herd7's `lw` extends no sign; of 64-bit cells it takes the value as it is.
  const std::string_view type = program.machine == Machine::riscv ? "int64_t" : "int";
  std::string text = "{\n";
  for (const auto& cell : program.cells)
    text += fmt::format(" {} {}={};\n", type, cell.name, cell.initial);
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    for (const auto& [reg, cell] : program.threads[t].addresses)
      text += fmt::format(" {}:{}={};\n", t, reg, program.cells[cell.value].name);
  text += "}\n" + table(program);
  if (!shown.empty()) {
    text += "locations [";
    for (const auto& observable : shown) text += fmt::format("{};", name_in_list(observable));
    text += "]\n";
  }
  if (filter) text += fmt::format("filter ({})\n", litmus::to_string(*filter));
  return text + fmt::format("exists ({})\n", litmus::to_string(question));
}

std::string side_by_side(const LoweredListing& lowered) {
  std::string text;
  for (std::size_t t = 0; t < lowered.source.threads.size(); ++t) {
    auto code = cells_of(lowered.program.threads[t]);
    code.erase(code.begin());
    text += beside(lowered.source.threads[t].name, statement_texts(lowered.source, t), code);
  }
  return text;
}

std::string assembly_text(const LoweredListing& lowered) {
  const std::string_view comment = lowered.program.machine == Machine::riscv ? "#" : "//";
  std::string text;
  for (std::size_t t = 0; t < lowered.program.threads.size(); ++t) {
    const ListingThread& thread = lowered.program.threads[t];
    text += fmt::format("\t.globl\t{0}\n\t.type\t{0}, %function\n{0}:\n", thread.name);
    for (const auto& [reg, cell] : thread.addresses)
      text += fmt::format("\t{} {} = &{}\n", comment, reg, lowered.program.cells[cell.value].name);
    const std::string prefix = fmt::format(".L{}", t);
    for (const auto& line : thread.code) {
      for (const auto& label : line.labels) text += fmt::format("{}{}:\n", prefix, label);
      text += fmt::format("\t{}\n", to_string(line, prefix));
    }
    for (const auto& label : thread.end_labels) text += fmt::format("{}{}:\n", prefix, label);
    text += fmt::format("\tret\n\t.size\t{0}, .-{0}\n", thread.name);
  }
  return text;
}

} // namespace thinair::lower
