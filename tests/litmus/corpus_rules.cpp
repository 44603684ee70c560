// The rules of docs/corpus.md that look at one file.
#include "tests/litmus/corpus_rules.h"

#include "litmus/questions.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace thinair::litmus::corpus {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(text)};
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
}

/// The cells of a table row "| a | b |"; empty if the line is none.
std::vector<std::string> cells(std::string_view line) {
  if (!line.starts_with("|")) return {};
  std::vector<std::string> result = split(line.substr(1), '|');
  std::ranges::transform(result, result.begin(), trimmed);
  return result;
}

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789") == std::string::npos;
}

/// The word of a cell "`word`"; empty if it is something else.
std::string quoted_word(const std::string& cell) {
  if (cell.size() < 3 || cell.front() != '`' || cell.back() != '`') return {};
  return cell.substr(1, cell.size() - 2);
}

/// Features that a file has to declare: those of its program and, if declared, liveness.
std::string needs_of(const Program& program, bool liveness) {
  const Features has = features(program);
  std::string needs;
  const auto add = [&](bool present, std::string_view word) {
    if (present) needs += (needs.empty() ? "" : " ") + std::string(word);
  };
  add(has.arrays, "arrays");
  add(has.external_actions, "external-actions");
  add(has.final_fields, "final-fields");
  add(liveness, "liveness");
  add(has.loops, "loops");
  add(has.monitors, "monitors");
  add(has.objects, "objects");
  add(has.thread_lifetime, "thread-lifetime");
  return needs;
}

/// Collects problems of one file, each with its line.
class Report {
 public:
  explicit Report(const Entry& entry) : entry_(entry) {}

  /// At the first line that starts with `word`; at the first of all if there is none.
  void at_line(std::string_view word, std::string_view what) {
    const std::size_t found = entry_.source.text.find(fmt::format("\n{}", word));
    add(found == std::string::npos ? 0 : found + 1, what);
  }
  /// Where `words` first stand, which they must.
  void at(std::string_view words, std::string_view what) {
    const std::size_t found = entry_.source.text.find(words);
    THINAIR_CHECK(found != std::string::npos, "what was read stands in the file");
    add(found, what);
  }
  std::vector<std::string> take() { return std::move(problems_); }

 private:
  void add(std::size_t offset, std::string_view what) {
    const auto place = text::position_of(entry_.source, static_cast<std::uint32_t>(offset));
    problems_.push_back(fmt::format("{}:{}: {}", entry_.source.name, place.line, what));
  }

  const Entry& entry_;
  std::vector<std::string> problems_;
};

void check_metadata(const Entry& entry, const Rules& rules, Report& report) {
  const Test& test = entry.test;
  for (const auto& [key, value] : test.metadata) {
    if (!rules.metadata.contains(key))
      report.at_line(key, fmt::format("metadata `{}` is not in docs/corpus.md", key));
    if (value.empty()) report.at_line(key, fmt::format("metadata `{}` is empty", key));
  }
  if (!test.metadata_value("Source")) report.at_line("Source", "there is no `Source`");
  const bool contested = std::ranges::any_of(
      test.clauses, [](const Clause& c) { return c.quantifier == Quantifier::contested; });
  const bool explained = test.metadata_value("Contested").has_value();
  if (contested && !explained)
    report.at_line("contested", "an outcome is contested and no `Contested` says why");
  if (explained && !contested) report.at_line("Contested", "`Contested`, but no outcome is");
  const std::string declared{test.metadata_value("Needs").value_or("")};
  const std::string needed = needs_of(test.java(), declared.find("liveness") != std::string::npos);
  if (declared != needed)
    report.at_line("Needs",
                   fmt::format("`Needs` is `{}`, the program needs `{}`", declared, needed));
}

void check_clause(const Clause& clause, const Rules& rules, Report& report) {
  const auto complain = [&](std::string_view what) {
    if (clause.label.empty())
      report.at_line(name(clause.quantifier), what);
    else
      report.at("\"" + clause.label + "\"", what);
  };
  if (clause.quantifier < Quantifier::required)
    complain("an outcome must be `required`, `forbidden` or `contested`");
  if (clause.label.empty()) complain("an outcome has no label");
  if (clause.because.empty()) complain("an outcome has no `because`");
  if (clause.because.ends_with(".")) report.at(clause.because, "a reason ends without a full stop");
  if (clause.confidence.empty()) complain("an outcome has no `confidence`");
  for (const ModelVerdict& verdict : clause.verdicts)
    if (!rules.models.contains(verdict.model))
      report.at(verdict.model + "=",
                fmt::format("model `{}` is not in docs/corpus.md", verdict.model));
}

} // namespace

Rules read_rules(std::string_view document) {
  Rules rules;
  bool models = false;
  for (const std::string& line : split(document, '\n')) {
    if (line.starts_with("## ")) models = line == "## Verdicts";
    const std::vector<std::string> row = cells(line);
    if (row.size() >= 7 && std::all_of(row.end() - 5, row.end(), is_number)) {
      const auto number = [&](std::size_t back) { return std::stoi(row[row.size() - back]); };
      rules.counts[row[0]] = {number(5), number(4), number(3), number(2), number(1)};
    } else if (row.size() >= 2 && !quoted_word(row[0]).empty()) {
      (models ? rules.models : rules.metadata).insert(quoted_word(row[0]));
    }
  }
  return rules;
}

Entry read_entry(std::string path, std::string text) {
  text::Source source{std::move(path), std::move(text)};
  Test test = parse(source);
  return {std::move(source), std::move(test)};
}

std::vector<Entry> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::recursive_directory_iterator it(folder), end; it != end; ++it) {
    // thinair results reads the tables, and scripts/results the schemes of the questions
    if (it->path() == folder / "tables" || it->path() == folder / "barriers")
      it.disable_recursion_pending();
    if (it->is_regular_file()) paths.push_back(it->path());
  }
  std::ranges::sort(paths);
  std::vector<Entry> entries;
  for (const auto& path : paths)
    entries.push_back(read_entry(path.lexically_relative(folder).generic_string(),
                                 read_file(path.string()).text));
  return entries;
}

std::map<std::string, Counts> count(const std::vector<Entry>& entries) {
  std::map<std::string, Counts> result;
  for (const Entry& entry : entries) {
    const std::string directory = entry.source.name.substr(0, entry.source.name.find('/'));
    for (Counts* counts : {&result[directory], &result["**all**"]}) {
      ++counts->programs;
      for (const Clause& clause : entry.test.clauses) {
        ++counts->outcomes;
        counts->required += clause.quantifier == Quantifier::required;
        counts->forbidden += clause.quantifier == Quantifier::forbidden;
        counts->contested += clause.quantifier == Quantifier::contested;
      }
    }
  }
  return result;
}

std::vector<std::string> problems(const Entry& entry, const Rules& rules) {
  Report report(entry);
  const std::filesystem::path path = entry.source.name;
  if (path.extension() != ".litmus" || path.stem() != entry.test.name)
    report.at_line("Java", fmt::format("the file is not called `{}.litmus`", entry.test.name));
  if (entry.test.title.empty()) report.at_line("Java", "there is no title");
  if (entry.test.clauses.empty()) report.at_line("Java", "nothing is asked");
  if (!entry.test.is_java()) {
    report.at_line("Java", "the program is not in Java");
    return report.take();
  }
  check_metadata(entry, rules, report);
  for (const Clause& clause : entry.test.clauses) check_clause(clause, rules, report);
  if (print(entry.test) != entry.source.text)
    report.at_line("Java", "the file is not laid out as `thinair fmt` does it");
  return report.take();
}

std::vector<std::string> repeated_names(const std::vector<Entry>& entries) {
  std::map<std::string, int> seen;
  std::vector<std::string> repeated;
  for (const Entry& entry : entries)
    if (++seen[entry.test.name] == 2) repeated.push_back(entry.test.name);
  return repeated;
}

} // namespace thinair::litmus::corpus
