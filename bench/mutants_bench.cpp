// How fast each mutant of a scheme is caught, and how small it is reduced: bench_mutants
// [--markdown]
// [--seed S] [--only NAME].
#include "litmus/test.h"
#include "oracle/cat/model.h"
#include "tests/mutants/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <vector>

namespace {

using namespace thinair;

constexpr double limit_s = 60;

struct Row {
  const mutants::Mutant* mutant;
  std::optional<mutants::Catch> caught;

  std::size_t accesses() const { return litmus::count_accesses(caught->program); }
  bool good() const { return caught && accesses() <= mutant->textbook; }
};

struct Wanted {
  bool markdown = false;
  std::uint64_t seed = 1;
  std::string_view only;
};

Wanted read(int count, char** words) {
  Wanted wanted;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const std::string_view value = i + 1 < count ? words[i + 1] : "";
    if (word == "--markdown") wanted.markdown = true;
    if (word == "--seed") std::from_chars(value.data(), value.data() + value.size(), wanted.seed);
    if (word == "--only") wanted.only = value;
  }
  return wanted;
}

void print(const Row& row, bool markdown) {
  const auto& m = *row.mutant;
  const auto* layout = markdown ? "| `{}` | {} | {} | {} | {} | {} | {} ({}) |\n"
                                : "{:28} {:55} {:>9} {:>9} {:>9} {:>3} {:>3} {}\n";
  if (!row.caught) {
    fmt::print(fmt::runtime(layout), m.name, m.mistake, "-", "missed", "-", "-", m.textbook,
               m.textbook_as);
    return;
  }
  fmt::print(fmt::runtime(layout), m.name, m.mistake, row.caught->programs,
             fmt::format("{:.3f} s", row.caught->seconds),
             fmt::format("{:.3f} s", row.caught->reduce_seconds), row.accesses(), m.textbook,
             m.textbook_as);
}

void heading(bool markdown) {
  if (markdown) {
    fmt::print(
        "# Mutants\n\nCompilers with one mistake each, hunted with random programs "
        "([fuzzing.md](fuzzing.md)). Those\nwhose name begins with a machine's are of its scheme "
        "`cxx`, or `table2`, against `java`; the others are of `x86:table2`\nagainst `jam21`. "
        "Written by `scripts/results`; seconds are of processor time.\n\n");
    fmt::print("| mutant | mistake | programs | found after | reduced in | accesses | textbook |\n"
               "|---|---|--:|--:|--:|--:|---|\n");
  } else {
    fmt::print("{:28} {:55} {:>9} {:>9} {:>9} {:>3} {:>3}\n", "mutant", "mistake", "programs",
               "found", "reduced", "now", "textbook");
  }
}

void summary(const std::vector<Row>& rows) {
  std::vector<double> times;
  for (const auto& row : rows)
    if (row.caught) times.push_back(row.caught->seconds);
  std::ranges::sort(times);
  const auto good = std::ranges::count_if(rows, &Row::good);
  fmt::print(
      "\n{} mutants: {} caught within {:.0f} s of processor "
      "time, median {:.3f} s, slowest {:.3f} s;\n{} reduced to at most the textbook's size.\n",
      rows.size(), times.size(), limit_s, times.empty() ? 0 : times[times.size() / 2],
      times.empty() ? 0 : times.back(), good);
}

} // namespace

int main(int count, char** words) {
  const auto wanted = read(count, words);
  std::map<std::string_view, cat::Plan> models;
  std::vector<Row> rows;
  heading(wanted.markdown);
  for (const auto& mutant : mutants::mutants()) {
    if (!wanted.only.empty() && wanted.only != mutant.name) continue;
    if (!models.contains(mutant.model))
      models.emplace(mutant.model, cat::load_model(mutant.model, cat::Architecture::java));
    rows.push_back({&mutant, mutants::hunt(mutant, models.at(mutant.model), wanted.seed, limit_s)});
    print(rows.back(), wanted.markdown);
    if (!wanted.only.empty() && rows.back().caught)
      fmt::print("{}", litmus::print([&] {
                   litmus::Test test;
                   test.name = std::string(mutant.name);
                   test.program = rows.back().caught->program;
                   return test;
                 }()));
    std::fflush(stdout);
  }
  summary(rows);
  return std::ranges::all_of(rows, &Row::good) ? 0 : 1;
}
