// Asks models the questions of a test, one membership query each, and compares.
#include "cli/check.h"
#include "cli/engine.h"
#include "cli/limits.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "oracle/explain/examples.h"
#include "oracle/explain/refusal.h"
#include "oracle/explain/stages.h"
#include "oracle/unfit_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace thinair::cli {
namespace {

using litmus::Quantifier;
using litmus::Verdict;
using oracle::Answer;

constexpr std::string_view table_prefix = "umm:";
constexpr std::uint64_t explained_candidates = 1'000'000; // a page is no place to wait for

std::variant<LoadedModel, umm::Model> load(const std::string& name,
                                           const cat::LoadOptions& options) {
  if (!name.starts_with(table_prefix)) return LoadedModel(name, options);
  auto table = umm::find_model(name.substr(table_prefix.size()));
  if (table) {
    table->meaning.model = name;
    table->meaning.as_plain = options.as_plain;
    return *std::move(table);
  }
  std::string names;
  for (const auto& file : umm::shipped_models())
    names += fmt::format(" {}{}", table_prefix, file.file.substr(0, file.file.rfind('.')));
  throw InputError(fmt::format("thinair check: error: no transition table is called '{}'\n"
                               "  hint: there are{}",
                               text::printable_word(name), names));
}

/// What is expected of a clause: by its quantifier, or by the verdict under one key.
std::optional<Verdict> expectation(const litmus::Clause& clause, const std::string& against) {
  if (against != "official") {
    for (const auto& verdict : clause.verdicts)
      if (verdict.model == against) return verdict.verdict;
    return std::nullopt;
  }
  switch (clause.quantifier) {
  case Quantifier::required: return Verdict::allowed;
  case Quantifier::forbidden: return Verdict::forbidden;
  case Quantifier::contested: return Verdict::contested;
  case Quantifier::exists:
  case Quantifier::not_exists:
  case Quantifier::forall: return std::nullopt;
  }
  return std::nullopt;
}

Outcome outcome_of(const Finding& finding) {
  if (!finding.allowed) return finding.outcome;
  if (!finding.expected) return Outcome::unstated;
  if (*finding.expected == Verdict::contested) return Outcome::contested;
  return *finding.allowed == (*finding.expected == Verdict::allowed) ? Outcome::pass
                                                                     : Outcome::fail;
}

/// Runs `question` into a finding, with what keeps it from an answer.
template <class Question>
void answer(Finding& finding, Question&& question) {
  const auto start = std::chrono::steady_clock::now();
  try {
    const Answer found = question();
    finding.outcome = found == Answer::vacuous ? Outcome::vacuous : Outcome::unknown;
    if (found == Answer::allowed || found == Answer::forbidden)
      finding.allowed = found == Answer::allowed;
    else
      finding.reason = (found == Answer::vacuous ? "vacuous: " : "") + shown(found.because);
  } catch (const Unsupported& e) {
    finding.outcome = Outcome::unsupported;
    finding.reason = "unsupported: " + shown(e.reason());
  } catch (const oracle::UnfitModel&) {
    throw;
  } catch (const InputError& e) { // a question that the model has no answer to: final memory
    finding.outcome = Outcome::unsupported;
    finding.reason = e.what();
  } catch (const LimitReached& e) {
    finding.outcome = Outcome::unknown;
    finding.reason = "unknown: " + shown(e.reason());
  }
  finding.outcome = outcome_of(finding);
  finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Asks one model about one test, which outlive it; all questions of one oracle.
class Asker {
 public:
  Asker(const litmus::Test& test, const std::variant<LoadedModel, umm::Model>& model,
        oracle::Options options, Watch& watch)
      : test_(test), model_(model), options_(std::move(options)), watch_(watch) {
    options_.limits.watch = &watch;
  }

  Answer operator()(const litmus::Proposition& p) { return in_time(asked().allows(p)); }
  Answer anything() { return in_time(asked().allows_anything()); }

 private:
  Answer in_time(Answer found) const {
    if (found == Answer::unknown && watch_.stopped()) found.because = watch_.reason();
    return found;
  }

  oracle::Oracle& asked() {
    if (oracle_) return *oracle_;
    if (const auto* table = std::get_if<umm::Model>(&model_))
      return oracle_.emplace(test_, *table, options_);
    return oracle_.emplace(test_, std::get<LoadedModel>(model_).plan(test_), options_);
  }

  const litmus::Test& test_;
  const std::variant<LoadedModel, umm::Model>& model_;
  oracle::Options options_;
  Watch& watch_;
  std::optional<oracle::Oracle> oracle_;
};

/// That nothing is allowed of what was asked is an answer only where something else is, or the
/// program never ends.
void look_for_anything(std::span<Finding> findings, Asker& ask) {
  const auto allowed = [](const Finding& f) { return f.allowed.value_or(false); };
  const auto answered = [](const Finding& f) { return f.allowed.has_value(); };
  if (std::ranges::any_of(findings, allowed) || std::ranges::none_of(findings, answered)) return;
  Finding any;
  answer(any, [&] { return ask.anything(); });
  if (any.allowed) return;
  for (auto& finding : findings) {
    if (!finding.allowed) continue;
    finding.allowed.reset();
    finding.outcome = any.outcome;
    finding.reason = any.reason;
  }
}

std::string program_of(litmus::Test test) {
  test.title.clear();
  test.metadata.clear();
  test.clauses.clear();
  return litmus::print(test);
}

std::string about_of(const litmus::Test& test) {
  std::string out = test.title;
  for (const auto& [key, value] : test.metadata)
    out += fmt::format("{}{}: {}", out.empty() ? "" : "\n", key, value);
  return out;
}

} // namespace

Judge::Judge(const std::string& model, JudgeOptions options)
    : name_(model), model_(load(model, options.load)), options_(std::move(options)) {}

Judge::Judge(const std::string& model, const Arguments& arguments)
    : Judge(model, {oracle_options(arguments), load_options(arguments)}) {}

std::vector<Finding> Judge::judge(const litmus::Test& test, const std::string& file,
                                  const std::string& against, Watch& watch) const {
  std::vector<Finding> findings;
  const auto program = program_of(test), about = about_of(test);
  for (const auto& clause : test.clauses) {
    Finding finding;
    finding.file = file;
    finding.source = std::filesystem::path(file).parent_path().filename().string();
    finding.test = test.name;
    finding.label = clause.label.empty() ? litmus::to_string(clause.proposition) : clause.label;
    finding.model = name_;
    finding.program = program;
    finding.about = about;
    finding.expected = expectation(clause, against);
    finding.reason = clause.because;
    findings.push_back(std::move(finding));
  }
  Asker ask(test, model_, options_.asked, watch);
  for (std::size_t i = 0; i < findings.size(); ++i)
    answer(findings[i], [&] { return ask(test.clauses[i].proposition); });
  look_for_anything(findings, ask);
  return findings;
}

void Judge::explain(const litmus::Test& test, std::span<Finding> findings, Watch& watch) const {
  if (std::holds_alternative<umm::Model>(model_)) return; // a machine: no executions to draw
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!findings[i].allowed) continue;
    try {
      explain(test, test.clauses[i], findings[i], watch);
    } catch (const Unsupported& e) {
      findings[i].why = e.what();
    } catch (const LimitReached& e) {
      findings[i].why = e.what();
    } catch (const InputError& e) { // a condition that the axioms alone have no answer to
      findings[i].why = e.what();
    }
  }
}

void Judge::explain(const litmus::Test& test, const litmus::Clause& clause, Finding& finding,
                    Watch& watch) const {
  const auto& plan = std::get<LoadedModel>(model_).plan(test);
  oracle::Options options = options_.asked;
  options.over_approximate = false; // of which there is no execution to draw
  options.limits.watch = &watch;
  options.limits.candidates = std::min(options.limits.candidates, explained_candidates);
  std::vector<explain::Drawing> drawings;
  if (*finding.allowed) {
    oracle::Oracle asked(test, plan, options);
    if (asked.rules().justified && asked.allows(clause.proposition) == Answer::allowed) {
      const auto evidence = explain::describe(test, asked);
      drawings = explain::draw(evidence);
      finding.why = as_text(evidence);
    } else if (auto drawing = explain::example(test, plan, clause.proposition, options.limits)) {
      drawings = {*std::move(drawing)};
    }
  } else {
    const auto refusal = explain::why_not(test, plan, clause.proposition, options);
    if (refusal.drawing) drawings = {*refusal.drawing};
    finding.why = as_text(refusal);
  }
  if (!drawings.empty()) finding.picture = explain::as_svg(drawings, explain::Svg::part);
}

} // namespace thinair::cli
