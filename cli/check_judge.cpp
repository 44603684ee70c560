// Asks models the questions of a test, one membership query each, and compares.
#include "cli/check.h"
#include "cli/engine.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "oracle/explain/refusal.h"
#include "oracle/explain/stages.h"
#include "oracle/explain/vacuity.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace thinair::cli {
namespace {

using executions::Answer;
using litmus::Quantifier;
using litmus::Verdict;

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
    std::string why;
    const Answer found = question(why);
    finding.outcome = Outcome::unknown;
    if (found != Answer::unknown) finding.allowed = found == Answer::yes;
    if (found == Answer::unknown) finding.reason = why;
  } catch (const Unsupported& e) {
    finding.outcome = Outcome::unsupported;
    finding.reason = e.what();
  } catch (const InputError& e) { // a question that the model has no answer to: final memory
    finding.outcome = Outcome::unsupported;
    finding.reason = e.what();
  } catch (const LimitReached& e) {
    finding.outcome = Outcome::unknown;
    finding.reason = e.what();
  }
  finding.outcome = outcome_of(finding);
  finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Answer plain(causality::Answer a) {
  if (a == causality::Answer::unknown) return Answer::unknown;
  return a == causality::Answer::yes ? Answer::yes : Answer::no;
}

/// Asks one model about one test, which outlive it.
class Asker {
 public:
  Asker(const litmus::Test& test, const std::variant<LoadedModel, umm::Model>& model,
        const JudgeOptions& options, Watch& watch)
      : test_(test), model_(model), options_(options), watch_(watch) {
    engine_.limits = executions::watched_by(watch, options.causality.executions);
  }

  Answer operator()(const litmus::Proposition& p, std::string& why) {
    const auto found = ask(p, why);
    if (found == Answer::unknown && watch_.stopped()) why = watch_.reason();
    return found;
  }

  explain::Nothing why_nothing(const std::string& model) const {
    if (std::holds_alternative<umm::Model>(model_))
      return explain::why_nothing(test_, model, engine_.limits);
    return explain::why_nothing(test_, std::get<LoadedModel>(model_).plan(test_), engine_.limits);
  }

 private:
  Answer ask(const litmus::Proposition& p, std::string& why) {
    why = "a limit was reached (--max-candidates, --unroll)";
    if (const auto* table = std::get_if<umm::Model>(&model_))
      return umm::exists(test_, *table, p, engine_);
    const auto& plan = std::get<LoadedModel>(model_).plan(test_);
    const auto rules = options_.rules.value_or(plan.causality);
    if ((rules.empty() || rules == "none") && !options_.over_approximation)
      return executions::exists(test_, plan, p, engine_);
    causality::Options options = options_.causality;
    // JPR's fixpoint is the same under all rules that justify.
    options.rules = options_.over_approximation ? "jls04" : rules;
    options.executions.watch = &watch_;
    if (!oracle_) oracle_.emplace(test_, plan, options);
    const auto found =
        plain(options_.over_approximation ? oracle_->possible(p) : oracle_->allows(p));
    why = oracle_->reason();
    return found;
  }

  const litmus::Test& test_;
  const std::variant<LoadedModel, umm::Model>& model_;
  const JudgeOptions& options_;
  Watch& watch_;
  executions::Options engine_;
  std::optional<causality::Oracle> oracle_; // one for all questions
};

/// That nothing is allowed of what was asked is an answer only where something else is, or the
/// program never ends.
void look_for_anything(std::span<Finding> findings, const std::string& model, Asker& ask) {
  const auto allowed = [](const Finding& f) { return f.allowed.value_or(false); };
  const auto answered = [](const Finding& f) { return f.allowed.has_value(); };
  if (std::ranges::any_of(findings, allowed) || std::ranges::none_of(findings, answered)) return;
  Finding any;
  answer(any, [&](std::string& why) { return ask(explain::anything(), why); });
  if (any.allowed && !*any.allowed) {
    const auto nothing = ask.why_nothing(model);
    if (nothing.never_ends) return;
    any.allowed.reset();
    any.outcome = Outcome::vacuous;
    any.reason = "vacuous: " + nothing.reason;
  }
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

JudgeOptions options_of(const Arguments& arguments) {
  JudgeOptions options;
  options.rules = arguments.text("causality");
  options.causality = causality_options(arguments);
  options.over_approximation = arguments.text("oracle") == "jpr";
  options.load = load_options(arguments);
  return options;
}

} // namespace

Judge::Judge(const std::string& model, JudgeOptions options)
    : name_(model), model_(load(model, options.load)), options_(std::move(options)) {}

Judge::Judge(const std::string& model, const Arguments& arguments)
    : Judge(model, options_of(arguments)) {}

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
  Asker ask(test, model_, options_, watch);
  for (std::size_t i = 0; i < findings.size(); ++i)
    answer(findings[i], [&](std::string& why) { return ask(test.clauses[i].proposition, why); });
  look_for_anything(findings, name_, ask);
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
  causality::Options options = options_.causality;
  options.rules = options_.rules.value_or("");
  options.executions.watch = &watch;
  options.executions.candidates = std::min(options.executions.candidates, explained_candidates);
  std::vector<explain::Drawing> drawings;
  if (*finding.allowed) {
    causality::Oracle oracle(test, plan, options);
    if (oracle.rules().justified && oracle.allows(clause.proposition) == causality::Answer::yes) {
      const auto evidence = causality::describe(oracle);
      drawings = explain::draw(evidence);
      finding.why = as_text(evidence);
    } else if (auto drawing =
                   explain::example(test, plan, clause.proposition, options.executions)) {
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
