// The lattices of the machines, and steps in them.
#include "lower/lattice.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace thinair::lower {
namespace {

const Lattice& lattice_of(Machine machine) {
  if (machine->lattice == nullptr)
    throw Unsupported(fmt::format("which of {}'s instructions order more than which, and what they "
                                  "cost",
                                  machine->prefix));
  return *machine->lattice;
}

/// What the `*` of a pattern stands for; nothing where the instruction is another.
std::optional<std::string_view> rest_of(std::string_view instruction, std::string_view pattern) {
  if (!pattern.ends_with('*'))
    return instruction == pattern ? std::optional(std::string_view()) : std::nullopt;
  const auto stem = pattern.substr(0, pattern.size() - 1);
  if (!instruction.starts_with(stem)) return std::nullopt;
  return instruction.substr(stem.size());
}

std::string filled(std::string_view pattern, std::string_view rest) {
  if (!pattern.ends_with('*')) return std::string(pattern);
  return std::string(pattern.substr(0, pattern.size() - 1)) + std::string(rest);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1);
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

bool is_label(std::string_view line) { return line.ends_with(':'); }

std::string_view instruction_in(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

/// The rule with another instruction in a line, or none.
Step step_at(std::size_t operation, std::vector<std::string> lines, std::size_t at,
             const std::string& to) {
  const std::string from(instruction_in(lines[at]));
  Step step{operation, "", ""};
  if (to.empty()) {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
    step.what = fmt::format("without `{}`", from);
  } else {
    lines[at] = "  " + to;
    step.what = fmt::format("`{}` becomes `{}`", from, to);
  }
  step.rule = joined(lines);
  return step;
}

} // namespace

std::vector<Step> weakenings(Machine machine, const RuleTexts& rules) {
  std::vector<Step> steps;
  for (std::size_t operation = 0; operation < rules.size(); ++operation) {
    const auto lines = lines_of(rules[operation]);
    for (std::size_t at = 0; at < lines.size(); ++at)
      for (const Edge& edge : lattice_of(machine).edges)
        if (!is_label(lines[at]))
          if (const auto rest = rest_of(instruction_in(lines[at]), edge.stronger))
            steps.push_back(step_at(operation, lines, at, filled(edge.weaker, *rest)));
  }
  return steps;
}

namespace {

/// Fences at either end of a rule where there is none yet: one that is there is made stronger.
void add_fences(const Lattice& lattice, std::size_t operation,
                const std::vector<std::string>& lines, std::vector<Step>& steps) {
  const auto is_fence = [&](const std::string& line) {
    return std::ranges::any_of(lattice.edges, [&](const Edge& edge) {
      return instruction_in(line) == edge.stronger && !edge.stronger.ends_with('*');
    });
  };
  for (const auto fence : lattice.fences) {
    const std::string line = fmt::format("  {}", fence);
    if (lines.empty() || !is_fence(lines.front()))
      steps.push_back(
          {operation, line + "\n" + joined(lines), fmt::format("`{}` in front", fence)});
    if (!lines.empty() && !is_fence(lines.back()))
      steps.push_back({operation, joined(lines) + line + "\n", fmt::format("`{}` behind", fence)});
  }
}

} // namespace

std::vector<Step> strengthenings(Machine machine, const RuleTexts& rules,
                                 const std::vector<std::size_t>& operations) {
  const Lattice& lattice = lattice_of(machine);
  std::vector<Step> steps;
  for (const std::size_t operation : operations) {
    const auto lines = lines_of(rules[operation]);
    for (std::size_t at = 0; at < lines.size(); ++at)
      for (const Edge& edge : lattice.edges)
        if (!is_label(lines[at]) && !edge.weaker.empty())
          if (const auto rest = rest_of(instruction_in(lines[at]), edge.weaker))
            steps.push_back(step_at(operation, lines, at, filled(edge.stronger, *rest)));
    add_fences(lattice, operation, lines, steps);
  }
  return steps;
}

Costs::Costs(Machine machine) {
  for (const Price& price : lattice_of(machine).prices)
    rows_.push_back({std::string(price.instruction), price.cost});
}

Costs::Costs(Machine machine, const text::Source& source) : Costs(machine) {
  std::vector<Row> given;
  std::uint32_t begin = 0;
  for (const auto& line : lines_of(source.text + "\n")) {
    const text::Span span{begin, begin + static_cast<std::uint32_t>(line.size())};
    begin += static_cast<std::uint32_t>(line.size()) + 1;
    const auto text = instruction_in(std::string_view(line).substr(0, line.find('#')));
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto last = text.find_last_not_of(" \t\r");
    const auto blank = text.find_last_of(" \t", last);
    Row row;
    const auto number = text.substr(blank == std::string_view::npos ? 0 : blank + 1,
                                    last - (blank == std::string_view::npos ? 0 : blank));
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), row.cost);
    if (blank == std::string_view::npos || error != std::errc() ||
        end != number.data() + number.size())
      throw InputError::at(source, span, "expected an instruction and what it costs",
                           "for example: dmb ish 20");
    row.pattern = text.substr(0, text.find_last_not_of(" \t", blank) + 1);
    given.push_back(std::move(row));
  }
  rows_.insert(rows_.begin(), given.begin(), given.end());
}

std::uint64_t Costs::of(std::string_view instruction) const {
  for (const Row& row : rows_)
    if (rest_of(instruction, row.pattern)) return row.cost;
  return 1;
}

std::uint64_t Costs::of(const RuleTexts& rules) const {
  std::uint64_t sum = 0;
  for (const auto& rule : rules)
    for (const auto& line : lines_of(rule))
      if (!is_label(line)) sum += of(instruction_in(line));
  return sum;
}

} // namespace thinair::lower
