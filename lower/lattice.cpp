// The lattices of the machines, and steps in them.
#include "lower/lattice.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
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

/// A rule of these lines.
std::string rule_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += (is_label(line) ? "" : "  ") + line + "\n";
  return text;
}

/// "`dmb ish`"; where a rule has several, "the second `dmb ish`".
std::string named(const std::vector<std::string>& lines, std::size_t at) {
  constexpr auto numbers = std::to_array<std::string_view>(
      {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"});
  const auto line = fmt::format("`{}`", lines[at]);
  if (std::ranges::count(lines, lines[at]) == 1) return line;
  const auto before =
      std::count(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(at), lines[at]);
  const auto number = static_cast<std::size_t>(before);
  return number < numbers.size() ? fmt::format("the {} {}", numbers[number], line)
                                 : fmt::format("{} in line {}", line, at + 1);
}

/// The rule with another instruction in a line, or none.
Step step_at(Operation operation, std::vector<std::string> lines, std::size_t at,
             const std::string& to) {
  Step step{operation, "", ""};
  if (to.empty()) {
    step.what = fmt::format("without {}", named(lines, at));
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  } else {
    step.what = fmt::format("{} becomes `{}`", named(lines, at), to);
    lines[at] = to;
  }
  step.rule = rule_of(lines);
  return step;
}

} // namespace

SchemeText after(SchemeText scheme, const Step& step) {
  scheme.set_code(step.operation, step.rule);
  return scheme;
}

std::vector<Step> weakenings(Machine machine, const SchemeText& scheme, Operation operation) {
  std::vector<Step> steps;
  const auto lines = lines_of(scheme.code(operation));
  for (std::size_t at = 0; at < lines.size(); ++at)
    for (const Edge& edge : lattice_of(machine).edges)
      if (!is_label(lines[at]))
        if (const auto rest = rest_of(lines[at], edge.stronger))
          steps.push_back(step_at(operation, lines, at, filled(edge.weaker, *rest)));
  return steps;
}

std::vector<Step> weakenings(Machine machine, const SchemeText& scheme) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < operation_count; ++i)
    std::ranges::move(weakenings(machine, scheme, operation_at(i)), std::back_inserter(steps));
  return steps;
}

namespace {

/// Fences at either end of a rule where there is none yet: one that is there is made stronger.
void add_fences(const Lattice& lattice, Operation operation, const std::vector<std::string>& lines,
                std::vector<Step>& steps) {
  const auto is_fence = [&](const std::string& line) {
    return std::ranges::any_of(lattice.edges, [&](const Edge& edge) {
      return line == edge.stronger && !edge.stronger.ends_with('*');
    });
  };
  for (const auto fence : lattice.fences) {
    const std::string rule = rule_of(lines), line = rule_of({std::string(fence)});
    if (lines.empty() || !is_fence(lines.front()))
      steps.push_back({operation, line + rule, fmt::format("`{}` in front", fence)});
    if (!lines.empty() && !is_fence(lines.back()))
      steps.push_back({operation, rule + line, fmt::format("`{}` behind", fence)});
  }
}

} // namespace

std::vector<Step> strengthenings(Machine machine, const SchemeText& scheme,
                                 const std::vector<Operation>& operations) {
  const Lattice& lattice = lattice_of(machine);
  std::vector<Step> steps;
  for (const Operation operation : operations) {
    const auto lines = lines_of(scheme.code(operation));
    for (std::size_t at = 0; at < lines.size(); ++at)
      for (const Edge& edge : lattice.edges)
        if (!is_label(lines[at]) && !edge.weaker.empty())
          if (const auto rest = rest_of(lines[at], edge.weaker))
            steps.push_back(step_at(operation, lines, at, filled(edge.stronger, *rest)));
    add_fences(lattice, operation, lines, steps);
  }
  return steps;
}

namespace {

/// Whether edges lead from one line down to the other; to none, where that is empty.
bool leads_down(const Lattice& lattice, const std::string& from, const std::string& to) {
  if (from == to) return true;
  return std::ranges::any_of(lattice.edges, [&](const Edge& edge) {
    const auto rest = is_label(from) ? std::nullopt : rest_of(from, edge.stronger);
    return rest && leads_down(lattice, filled(edge.weaker, *rest), to);
  });
}

} // namespace

bool stands_below(Machine machine, const std::string& weaker, const std::string& stronger) {
  if (weaker == stronger) return true;
  const Lattice& lattice = lattice_of(machine);
  const auto below = lines_of(weaker), above = lines_of(stronger);
  // fits[i]: the lines above that were looked at can become the first i of those below
  std::vector<bool> fits(below.size() + 1, false);
  fits[0] = true;
  for (const auto& line : above) {
    const bool may_go = leads_down(lattice, line, "");
    for (std::size_t i = below.size() + 1; i-- > 0;)
      fits[i] =
          (fits[i] && may_go) || (i > 0 && fits[i - 1] && leads_down(lattice, line, below[i - 1]));
  }
  return fits.back();
}

std::string way_down(Machine machine, const std::string& stronger, const std::string& weaker) {
  const Lattice& lattice = lattice_of(machine);
  const auto above = lines_of(stronger), below = lines_of(weaker);
  // fits[i][j]: the lines above from i on can become those below from j on
  std::vector<std::vector<bool>> fits(above.size() + 1, std::vector<bool>(below.size() + 1, false));
  fits.back().back() = true;
  for (std::size_t i = above.size(); i-- > 0;)
    for (std::size_t j = 0; j <= below.size(); ++j)
      fits[i][j] =
          (fits[i + 1][j] && leads_down(lattice, above[i], "")) ||
          (j < below.size() && fits[i + 1][j + 1] && leads_down(lattice, above[i], below[j]));
  std::vector<std::string> changes;
  for (std::size_t i = 0, j = 0; i < above.size() && fits[0][0]; ++i) {
    const bool stays =
        j < below.size() && fits[i + 1][j + 1] && leads_down(lattice, above[i], below[j]);
    if (!stays)
      changes.push_back(fmt::format("without {}", named(above, i)));
    else if (above[i] != below[j])
      changes.push_back(fmt::format("{} becomes `{}`", named(above, i), below[j]));
    j += stays ? 1 : 0;
  }
  return fmt::format("{}", fmt::join(changes, "; "));
}

std::string weakest(Machine machine, const std::string& rule) {
  std::vector<std::string> lines;
  for (std::string line : lines_of(rule)) {
    const auto& edges = lattice_of(machine).edges;
    for (std::size_t i = 0; i < edges.size() && !is_label(line); ++i)
      if (const auto rest = rest_of(line, edges[i].stronger)) {
        line = filled(edges[i].weaker, *rest);
        i = std::size_t(-1); // and from there on
      }
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return rule_of(lines);
}

std::string strongest(Machine machine, const std::string& rule) {
  const Lattice& lattice = lattice_of(machine);
  auto lines = lines_of(rule);
  for (auto& line : lines)
    for (std::size_t i = 0; i < lattice.edges.size() && !is_label(line); ++i) {
      const Edge& edge = lattice.edges[i];
      if (edge.weaker.empty()) continue;
      const auto rest = rest_of(line, edge.weaker);
      if (!rest) continue;
      line = filled(edge.stronger, *rest);
      i = std::size_t(-1); // and from there on
    }
  const auto fence = rule_of({std::string(lattice.fences.back())});
  return fence + rule_of(lines) + fence;
}

Costs::Costs(Machine machine) : source_("an order, no measurement: what orders more costs more") {
  for (const Price& price : lattice_of(machine).prices)
    rows_.push_back({std::string(price.instruction), price.cost});
}

Costs Costs::measured(Machine machine) {
  Costs costs(machine);
  const Measured* measured = lattice_of(machine).measured;
  if (measured == nullptr) return costs;
  costs.rows_.clear();
  for (const Price& price : measured->prices)
    costs.rows_.push_back({std::string(price.instruction), price.cost});
  costs.source_ = fmt::format("{}, {}", measured->unit, measured->source);
  return costs;
}

Costs::Costs(Machine machine, const text::Source& source) : Costs(machine) {
  std::vector<Row> given;
  const std::string_view whole = source.text;
  for (std::size_t begin = 0, end = 0; begin < whole.size(); begin = end + 1) {
    end = std::min(whole.find('\n', begin), whole.size());
    const text::Span span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    const auto line = whole.substr(begin, end - begin);
    auto text = line.substr(0, line.find('#'));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto last = text.find_last_not_of(" \t\r");
    const auto blank = text.find_last_of(" \t", last);
    Row row;
    const auto number = text.substr(blank == std::string_view::npos ? 0 : blank + 1,
                                    last - (blank == std::string_view::npos ? 0 : blank));
    const auto [rest, error] =
        std::from_chars(number.data(), number.data() + number.size(), row.cost);
    if (blank == std::string_view::npos || error != std::errc() ||
        rest != number.data() + number.size())
      throw InputError::at(source, span, "expected an instruction and what it costs",
                           "for example: dmb ish 20");
    row.pattern = text.substr(0, text.find_last_not_of(" \t", blank) + 1);
    given.push_back(std::move(row));
  }
  rows_.insert(rows_.begin(), given.begin(), given.end());
  source_ = "as " + source.name + " has it, and an order where it says nothing";
}

std::uint64_t Costs::of(std::string_view instruction) const {
  for (const Row& row : rows_)
    if (rest_of(instruction, row.pattern)) return row.cost;
  return 1;
}

std::uint64_t Costs::of_rule(const std::string& rule) const {
  std::uint64_t sum = 0;
  for (const auto& line : lines_of(rule))
    if (!is_label(line)) sum += of(line);
  return sum;
}

std::uint64_t Costs::of(const SchemeText& scheme) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < operation_count; ++i) sum += of_rule(scheme.code(operation_at(i)));
  return sum;
}

} // namespace thinair::lower
