// Asks the models what the tables and the corpus state, each question once, on several threads.
#include "cli/results.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

namespace thinair::cli::results {
namespace {

using causality::Identity;
namespace fs = std::filesystem;

constexpr auto engine_table = std::to_array<EngineInfo>({
    {"sc", "sc", ""},
    {"coherence", "coherence", ""},
    {"pram", "pram", ""},
    {"causal", "causal", ""},
    {"pc", "pc", ""},
    {"tso", "tso", ""},
    {"jam19", "jam19", ""},
    {"jam21", "jam21", ""},
    {"jls04", "jls04", "jls04"},
    {"jls04-free", "jls04", "jls04", Identity::free},
    {"revised", "jls04", "revised"},
    {"revised-free", "jls04", "revised", Identity::free},
    {"jpr", "jls04", "jls04", Identity::index, true},
    {"umm:sc", "umm:sc", ""},
    {"umm:coherence", "umm:coherence", ""},
    {"umm:pram", "umm:pram", ""},
    {"umm:jmm-mp", "umm:jmm-mp", ""},
});

const auto key_table = std::to_array<KeyInfo>({
    {"jls04", {"jls04"}},
    {"jls04-free", {"jls04-free"}},
    {"revised", {"revised"}},
    {"revised-free", {"revised-free"}},
    {"memsat", {"jls04-free"}},
    {"memsat-revised", {"revised-free"}},
    {"jam19", {"jam19"}},
    {"jam21", {"jam21"}},
    {"sc", {"sc", "umm:sc"}},
    {"coherence", {"coherence", "umm:coherence"}},
    {"pram", {"pram", "umm:pram"}},
    {"causal", {"causal"}},
    {"pc", {"pc"}},
    {"jmm-mp", {"umm:jmm-mp"}},
    {"x86-tso", {"tso"}},
    {"jmt", {}}, // an expectation of the tables above, not a model
    {"rc11", {}},
    {"armv8", {}},
    {"crf", {}},
});

std::vector<std::string> files_in(const fs::path& folder, std::string_view extension) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; ++it) {
    if (it->path().filename() == "barriers") it.disable_recursion_pending(); // a page of its own
    if (it->path().extension() == extension) files.push_back(it->path().string());
  }
  std::ranges::sort(files);
  if (files.empty())
    throw InputError(
        fmt::format("{}: error: no {} file in this folder", folder.string(), extension));
  return files;
}

Mark undecided(const Finding& finding) {
  if (finding.outcome == Outcome::vacuous) return Mark::vacuous;
  return finding.outcome == Outcome::unsupported ? Mark::unsupported : Mark::unknown;
}

litmus::Clause negation(const litmus::Clause& clause) {
  litmus::Clause negated = clause;
  negated.proposition = {};
  negated.proposition.kind = litmus::Proposition::Kind::negation;
  negated.proposition.parts = {clause.proposition};
  return negated;
}

const EngineInfo& engine_called(std::string_view name) {
  const auto found = std::ranges::find(engine_table, name, &EngineInfo::name);
  THINAIR_CHECK(found != engine_table.end(), "an engine that is none");
  return *found;
}

Judge judge_for(const EngineInfo& engine) {
  JudgeOptions options;
  options.asked.rules = engine.rules;
  options.asked.identity = engine.identity;
  options.asked.over_approximate = engine.over_approximation;
  return {std::string(engine.model), std::move(options)};
}

/// Throws where a table names an engine that is none.
void check_engines(const published::Table& table) {
  std::vector<std::string_view> names;
  for (const auto& engine : engine_table) names.push_back(engine.name);
  for (const auto& column : table.columns)
    for (const auto& engine : column.engines) {
      if (std::ranges::find(names, engine) != names.end()) continue;
      const auto near = nearest(engine, names);
      throw InputError::at(table.source, column.span, fmt::format("`{}` is no engine", engine),
                           near ? fmt::format("did you mean `{}`?", *near) : "");
    }
}

} // namespace

std::span<const EngineInfo> engines() { return engine_table; }
std::span<const KeyInfo> keys() { return key_table; }

Corpus read_corpus(const std::string& folder) {
  Corpus corpus;
  for (const auto& file : files_in(folder, ".litmus")) {
    auto test = litmus::parse(litmus::read_file(file));
    const auto name = test.name;
    corpus.programs.emplace(
        name, Program{std::move(test), file, fs::path(file).parent_path().filename().string()});
  }
  const auto tables = fs::path(folder) / "tables";
  for (const auto& file : files_in(tables, ".table"))
    std::ranges::move(published::read_tables(litmus::read_file(file)),
                      std::back_inserter(corpus.tables));
  for (const auto& table : corpus.tables) check_engines(table);
  corpus.explanations =
      published::read_explanations(litmus::read_file((tables / "explanations").string()));
  return corpus;
}

const Program& Corpus::program(const published::Table& table, const published::Row& row) const {
  const auto found = programs.find(row.test);
  if (found == programs.end())
    throw InputError::at(table.source, row.span,
                         fmt::format("the corpus has no test `{}`", row.test));
  return found->second;
}

std::optional<std::size_t> clause_of(const litmus::Test& test, const std::string& label) {
  if (label.empty() && test.clauses.size() == 1) return 0;
  const auto found = std::ranges::find(test.clauses, label, &litmus::Clause::label);
  if (found == test.clauses.end()) return std::nullopt;
  return static_cast<std::size_t>(found - test.clauses.begin());
}

Mark Answer::mark() const {
  if (!holds.allowed) return undecided(holds);
  return *holds.allowed ? Mark::allowed : Mark::forbidden;
}

Mark Answer::observation() const {
  if (!holds.allowed) return undecided(holds);
  if (!*holds.allowed) return Mark::never;
  if (!fails || !fails->allowed) return fails ? undecided(*fails) : Mark::unknown;
  return *fails->allowed ? Mark::sometimes : Mark::always;
}

void Answers::want(std::string_view engine, const std::string& test, bool both) {
  if (!judges_.contains(engine)) judges_.emplace(engine, judge_for(engine_called(engine)));
  auto& negated = wanted_[{std::string(engine), test}];
  negated = negated || both;
}

std::vector<Answer> Answers::answers(const Question& question, bool both) const {
  const auto& program = corpus_.programs.at(question.second);
  litmus::Test test = program.test;
  const auto count = test.clauses.size();
  if (both)
    for (std::size_t i = 0; i < count; ++i) test.clauses.push_back(negation(test.clauses[i]));
  auto findings = judges_.at(question.first).judge(test, program.file, "official");
  std::vector<Answer> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back({.holds = std::move(findings[i])});
    if (both) all.back().fails = std::move(findings[count + i]);
  }
  return all;
}

void Answers::ask(std::size_t jobs) {
  std::vector<std::pair<Question, bool>> work(wanted_.begin(), wanted_.end());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto run = [&] {
    for (std::size_t i = next++; i < work.size(); i = next++) {
      try {
        auto found = answers(work[i].first, work[i].second);
        const std::scoped_lock lock(mutex);
        answers_[work[i].first] = std::move(found);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        error = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::max<std::size_t>(jobs, 1); ++i) threads.emplace_back(run);
  }
  if (error) std::rethrow_exception(error);
}

const Answer& Answers::of(std::string_view engine, const std::string& test,
                          std::size_t clause) const {
  return answers_.at({std::string(engine), test}).at(clause);
}

bool Answers::any_vacuous() const {
  return std::ranges::any_of(answers_, [](const auto& entry) {
    return std::ranges::any_of(entry.second,
                               [](const Answer& answer) { return answer.mark() == Mark::vacuous; });
  });
}

std::string Reasons::of(const Program& program, std::size_t clause, std::string_view engine) {
  const auto& label = program.test.clauses.at(clause).label;
  published::Deviation deviation{program.test.name, label, std::string(engine)};
  if (!all_.entries.contains(deviation) && program.test.clauses.size() == 1)
    deviation.label.clear();
  const auto found = all_.entries.find(deviation);
  if (found == all_.entries.end()) {
    unexplained_.push_back(fmt::format("{} \"{}\" {} differs from what a source states, and "
                                       "nothing explains it",
                                       program.test.name, label, engine));
    return "**not explained**";
  }
  used_.insert(deviation);
  return all_.reasons[found->second.reason];
}

std::vector<std::string> Reasons::complaints() const {
  auto all = unexplained_;
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  for (const auto& [deviation, explanation] : all_.entries)
    if (!used_.contains(deviation))
      all.emplace_back(InputError::at(all_.source, explanation.span,
                                      "this explains a deviation that there is not (any more)")
                           .what());
  return all;
}

} // namespace thinair::cli::results
