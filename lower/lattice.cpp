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

/// What stands directly below an instruction; `*` stands for its operands. Below a fence may be
/// nothing.
struct Edge {
  std::string_view stronger, weaker;
};

struct Price {
  std::string_view instruction; // with `*` for any operands
  std::uint64_t cost;
};

struct Lattice {
  std::span<const Edge> edges;
  std::span<const std::string_view> fences; // that a rule may begin or end with
  std::span<const Price> prices;
};

// Intel SDM, volume 3, 10.2.5: a fence and a locked instruction drain the store buffer. What a
// locked instruction does to memory itself is no ordering, and stays.
constexpr auto x86_edges = std::to_array<Edge>({
    {"mfence", ""},
    {"lock add [stack], 0", ""},
});
constexpr auto x86_fences = std::to_array<std::string_view>({"mfence"});
constexpr auto x86_prices =
    std::to_array<Price>({{"mfence", 8}, {"lock add [stack], 0", 7}, {"lock *", 6}});

// Arm ARM, B2.3: barriers, load-acquire (RCsc and RCpc) and store-release; LSE atomics with an
// acquire or release bit.
constexpr auto aarch64_edges = std::to_array<Edge>({
    {"dmb ish", "dmb ishld"},  {"dmb ish", "dmb ishst"},  {"dmb ishld", ""},
    {"dmb ishst", ""},         {"ldar *", "ldapr *"},     {"ldapr *", "ldr *"},
    {"stlr *", "str *"},       {"ldaxr *", "ldxr *"},     {"stlxr *", "stxr *"},
    {"casal *", "casa *"},     {"casal *", "casl *"},     {"casa *", "cas *"},
    {"casl *", "cas *"},       {"swpal *", "swpa *"},     {"swpal *", "swpl *"},
    {"swpa *", "swp *"},       {"swpl *", "swp *"},       {"ldaddal *", "ldadda *"},
    {"ldaddal *", "ldaddl *"}, {"ldadda *", "ldadd *"},   {"ldaddl *", "ldadd *"},
    {"ldsetal *", "ldseta *"}, {"ldsetal *", "ldsetl *"}, {"ldseta *", "ldset *"},
    {"ldsetl *", "ldset *"},   {"ldclral *", "ldclra *"}, {"ldclral *", "ldclrl *"},
    {"ldclra *", "ldclr *"},   {"ldclrl *", "ldclr *"},   {"ldeoral *", "ldeora *"},
    {"ldeoral *", "ldeorl *"}, {"ldeora *", "ldeor *"},   {"ldeorl *", "ldeor *"},
});
constexpr auto aarch64_fences =
    std::to_array<std::string_view>({"dmb ishld", "dmb ishst", "dmb ish"});
constexpr auto aarch64_prices = std::to_array<Price>({
    {"dmb ish", 8},   {"dmb ishld", 4}, {"dmb ishst", 4}, {"ldar *", 3},    {"ldapr *", 2},
    {"stlr *", 3},    {"ldaxr *", 3},   {"stlxr *", 3},   {"casal *", 5},   {"casa *", 4},
    {"casl *", 4},    {"cas *", 3},     {"swpal *", 5},   {"swpa *", 4},    {"swpl *", 4},
    {"swp *", 3},     {"ldaddal *", 5}, {"ldadda *", 4},  {"ldaddl *", 4},  {"ldadd *", 3},
    {"ldsetal *", 5}, {"ldseta *", 4},  {"ldsetl *", 4},  {"ldset *", 3},   {"ldclral *", 5},
    {"ldclra *", 4},  {"ldclrl *", 4},  {"ldclr *", 3},   {"ldeoral *", 5}, {"ldeora *", 4},
    {"ldeorl *", 4},  {"ldeor *", 3},
});

// RISC-V Unprivileged ISA: FENCE (2.7), the aq and rl bits of A (chapter "A").
constexpr auto riscv_edges = std::to_array<Edge>({
    {"fence rw, rw", "fence r, rw"},
    {"fence rw, rw", "fence w, rw"},
    {"fence rw, rw", "fence rw, r"},
    {"fence rw, rw", "fence rw, w"},
    {"fence r, rw", "fence r, r"},
    {"fence r, rw", "fence r, w"},
    {"fence w, rw", "fence w, r"},
    {"fence w, rw", "fence w, w"},
    {"fence rw, r", "fence r, r"},
    {"fence rw, r", "fence w, r"},
    {"fence rw, w", "fence r, w"},
    {"fence rw, w", "fence w, w"},
    {"fence r, r", ""},
    {"fence r, w", ""},
    {"fence w, r", ""},
    {"fence w, w", ""},
    {"lr.w.aqrl *", "lr.w.aq *"},
    {"lr.w.aq *", "lr.w *"},
    {"sc.w.rl *", "sc.w *"},
    {"amoswap.w.aqrl *", "amoswap.w.aq *"},
    {"amoswap.w.aqrl *", "amoswap.w.rl *"},
    {"amoswap.w.aq *", "amoswap.w *"},
    {"amoswap.w.rl *", "amoswap.w *"},
    {"amoadd.w.aqrl *", "amoadd.w.aq *"},
    {"amoadd.w.aqrl *", "amoadd.w.rl *"},
    {"amoadd.w.aq *", "amoadd.w *"},
    {"amoadd.w.rl *", "amoadd.w *"},
    {"amoor.w.aqrl *", "amoor.w.aq *"},
    {"amoor.w.aqrl *", "amoor.w.rl *"},
    {"amoor.w.aq *", "amoor.w *"},
    {"amoor.w.rl *", "amoor.w *"},
    {"amoand.w.aqrl *", "amoand.w.aq *"},
    {"amoand.w.aqrl *", "amoand.w.rl *"},
    {"amoand.w.aq *", "amoand.w *"},
    {"amoand.w.rl *", "amoand.w *"},
    {"amoxor.w.aqrl *", "amoxor.w.aq *"},
    {"amoxor.w.aqrl *", "amoxor.w.rl *"},
    {"amoxor.w.aq *", "amoxor.w *"},
    {"amoxor.w.rl *", "amoxor.w *"},
});
constexpr auto riscv_fences =
    std::to_array<std::string_view>({"fence r, rw", "fence rw, w", "fence w, r", "fence rw, rw"});
constexpr auto riscv_prices = std::to_array<Price>({
    {"fence rw, rw", 8},   {"fence w, rw", 7},     {"fence rw, r", 7},      {"fence w, r", 6},
    {"fence r, rw", 4},    {"fence rw, w", 4},     {"fence r, r", 3},       {"fence r, w", 3},
    {"fence w, w", 3},     {"lr.w.aqrl *", 4},     {"lr.w.aq *", 3},        {"lr.w *", 2},
    {"sc.w.rl *", 3},      {"sc.w *", 2},          {"amoswap.w.aqrl *", 5}, {"amoswap.w.aq *", 4},
    {"amoswap.w.rl *", 4}, {"amoadd.w.aqrl *", 5}, {"amoadd.w.aq *", 4},    {"amoadd.w.rl *", 4},
    {"amoor.w.aqrl *", 5}, {"amoor.w.aq *", 4},    {"amoor.w.rl *", 4},     {"amoand.w.aqrl *", 5},
    {"amoand.w.aq *", 4},  {"amoand.w.rl *", 4},   {"amoxor.w.aqrl *", 5},  {"amoxor.w.aq *", 4},
    {"amoxor.w.rl *", 4},
});

const Lattice& lattice_of(Machine machine) {
  static constexpr Lattice x86{x86_edges, x86_fences, x86_prices};
  static constexpr Lattice aarch64{aarch64_edges, aarch64_fences, aarch64_prices};
  static constexpr Lattice riscv{riscv_edges, riscv_fences, riscv_prices};
  switch (machine) {
  case Machine::x86: return x86;
  case Machine::aarch64: return aarch64;
  case Machine::riscv: return riscv;
  }
  bug(__FILE__, __LINE__, "a machine without a lattice");
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
