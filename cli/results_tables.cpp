// The published tables, each mark next to ours, with every deviation and its reason below.
#include "cli/results.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::cli::results {
namespace {

using published::Cell;
using published::Column;
using published::Row;
using published::Table;

bool observes(Mark mark) {
  return mark == Mark::always || mark == Mark::sometimes || mark == Mark::never;
}

std::size_t clause_in(const Table& table, const Row& row, const Program& program) {
  if (const auto clause = clause_of(program.test, row.label)) return *clause;
  throw InputError::at(table.source, row.span,
                       fmt::format("{} has no outcome \"{}\"", row.test, row.label));
}

std::string text_of(const Cell& cell) {
  if (!cell.expected) return std::string(word(cell.found));
  return fmt::format("{}/{}", word(*cell.expected), word(cell.found));
}

/// Where a name has something that Markdown would take for its own.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_') out += '\\';
    out += c;
  }
  return out;
}

std::string program_of(const Row& row) {
  if (row.test.empty()) return "not found";
  return escaped(row.label.empty() ? row.test : fmt::format("{} “{}”", row.test, row.label));
}

/// One published table as text.
class TableText {
 public:
  TableText(const Corpus& corpus, const Answers& answers, Reasons& reasons, const Table& table)
      : corpus_(corpus), answers_(answers), reasons_(reasons), table_(table) {}

  std::string run() {
    std::string out = fmt::format("\n### {}\n\n", table_.title);
    for (const auto& note : table_.notes) out += note + "\n\n";
    out += header();
    for (const auto& row : table_.rows) out += line(row);
    for (const auto& tally : table_.tallies) out += line(tally);
    if (table_.rows.empty()) return out;
    return out + (deviations_.empty() ? "\nNo deviation.\n" : "\nDeviations:\n\n" + list());
  }

 private:
  std::string header() const {
    std::string out = table_.rows.empty() ? "| group |" : "| test | program |";
    std::string rule = table_.rows.empty() ? "|---|" : "|---|---|";
    for (const auto& column : table_.columns) {
      out += fmt::format(" {} |", column.heading);
      rule += "---|";
      for (const auto& engine : column.engines) {
        out += fmt::format(" thinair `{}` |", engine);
        rule += "---|";
      }
    }
    return out + "\n" + rule + "\n";
  }

  std::string line(const Row& row) {
    std::string out = fmt::format("| {} | {} |", escaped(row.name), program_of(row));
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      out += fmt::format(" {} |", text_of(row.cells[i]));
      for (const auto& engine : table_.columns[i].engines)
        out += fmt::format(" {} |", ours(row, table_.columns[i], row.cells[i], engine));
    }
    return out + "\n";
  }

  std::string ours(const Row& row, const Column& column, const Cell& cell,
                   const std::string& engine) {
    if (row.test.empty() || cell.found == Mark::none) return {};
    const auto& program = corpus_.program(table_, row);
    const auto clause = clause_in(table_, row, program);
    const auto& answer = answers_.of(engine, row.test, clause);
    const bool in_words = observes(cell.found) || cell.found == Mark::timeout;
    const Mark mark = in_words ? answer.observation() : answer.mark();
    const bool differs = is_verdict(cell.found) && is_verdict(mark) && mark != cell.found;
    if (!differs) return std::string(word(mark));
    deviations_[reasons_.of(program, clause, engine)].push_back(
        fmt::format("{} ({}): {} {}, `{}` {}", escaped(row.name), escaped(row.test), column.heading,
                    word(cell.found), engine, word(mark)));
    return fmt::format("**{}**", word(mark));
  }

  std::string list() const {
    std::string out;
    for (const auto& [reason, entries] : deviations_) {
      out += fmt::format("- {}\n", reason);
      for (const auto& entry : entries) out += fmt::format("  - {}\n", entry);
    }
    return out;
  }

  std::string line(const published::Tally& tally) const {
    std::string out = fmt::format("| {} |", escaped(tally.group));
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      out += fmt::format(" {} |", tally.counts[i] == "-" ? "" : tally.counts[i]);
      for (const auto& engine : table_.columns[i].engines)
        out += fmt::format(" {} |", tally.counts[i] == "-"
                                        ? ""
                                        : counted(tally.group, table_.columns[i].name, engine));
    }
    return out + "\n";
  }

  bool in_group(const Row& row, const std::string& group) const {
    if (group != "total") return row.group == group;
    return std::ranges::find(table_.tallies, row.group, &published::Tally::group) !=
           table_.tallies.end();
  }

  /// Pass, fail, unsupported among the rows of a group in all tables of the publication.
  std::string counted(const std::string& group, const std::string& column,
                      const std::string& engine) const {
    std::size_t pass = 0, fail = 0, undecided = 0, missing = 0;
    for (const auto& table : corpus_.tables) {
      if (table.publication != table_.publication) continue;
      const auto expected = std::ranges::find(table.columns, "expected", &Column::name);
      const auto found = std::ranges::find(table.columns, column, &Column::name);
      if (expected == table.columns.end() || found == table.columns.end()) continue;
      for (const auto& row : table.rows) {
        const auto& cell = row.cells[static_cast<std::size_t>(found - table.columns.begin())];
        if (!in_group(row, group) || cell.found == Mark::none) continue;
        if (row.test.empty()) {
          ++missing;
          continue;
        }
        const auto clause = clause_in(table, row, corpus_.program(table, row));
        const auto ours = answers_.of(engine, row.test, clause).mark();
        const auto wanted =
            row.cells[static_cast<std::size_t>(expected - table.columns.begin())].found;
        ++(!is_verdict(ours) ? undecided : ours == wanted ? pass : fail);
      }
    }
    return fmt::format("{}/{}/{}{}", pass, fail, undecided,
                       missing == 0 ? "" : fmt::format(", {} not found", missing));
  }

  const Corpus& corpus_;
  const Answers& answers_;
  Reasons& reasons_;
  const Table& table_;
  std::map<std::string, std::vector<std::string>> deviations_; // by reason
};

} // namespace

std::string tables_section(const Corpus& corpus, const Answers& answers, Reasons& reasons) {
  std::string out, publication;
  for (const auto& table : corpus.tables) {
    if (table.publication != publication) {
      out += fmt::format("\n## {}\n", table.publication);
      if (!table.about.empty()) out += fmt::format("\n{}\n", table.about);
    }
    publication = table.publication;
    out += TableText(corpus, answers, reasons, table).run();
  }
  return out;
}

void want_all(const Corpus& corpus, Answers& answers) {
  for (const auto& table : corpus.tables)
    for (const auto& row : table.rows)
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto mark = row.cells[i].found;
        if (row.test.empty() || mark == Mark::none) continue;
        const auto& program = corpus.program(table, row);
        for (const auto& engine : table.columns[i].engines)
          answers.want(engine, program.test.name, observes(mark) || mark == Mark::timeout);
      }
  for (const auto& [name, program] : corpus.programs) {
    for (const auto engine : official_engines) answers.want(engine, name, false);
    for (const auto& clause : program.test.clauses)
      for (const auto& verdict : clause.verdicts) {
        const auto key = std::ranges::find(keys(), verdict.model, &KeyInfo::key);
        if (key == keys().end()) continue;
        for (const auto engine : key->engines) answers.want(engine, name, false);
      }
  }
}

} // namespace thinair::cli::results
