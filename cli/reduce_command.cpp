// thinair reduce TEST…: the smallest program that a target still gets wrong.
#include "campaign/soundness_judge.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "gen/reduce.h"
#include "litmus/canonical.h"
#include "litmus/dialect.h"
#include "litmus/text/json.h"
#include "oracle/explain/refusal.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

namespace thinair::cli {
namespace {

constexpr auto options = std::to_array<Option>({
    {.name = "model",
     .letter = 'm',
     .takes = Takes::model,
     .value = "M",
     .help = "what is allowed: a name that 'thinair models' lists, or a .cat file",
     .required = true},
    {.name = "target",
     .letter = 't',
     .takes = Takes::any_target,
     .value = "T",
     .help = "what is tested: a name that 'thinair scheme list' prints, a scheme file, or model:M; "
             "x86:table2 unless said"},
    {.name = "max-tries",
     .takes = Takes::count,
     .value = "N",
     .help = "look at N smaller programs at most, at any one size; 100000 unless said"},
    {.name = "time",
     .takes = Takes::seconds,
     .value = "S",
     .help = "end after S seconds with the smallest program so far; never unless said"},
    timeout_option,
    max_steps_option,
    max_memory_option,
    causality_option,
    jobs_option,
    as_plain_option,
    include_option,
});

/// What is known of a test before and after.
struct Outcome {
  campaign::Judgement before;
  gen::Reduction reduction; // of what is unsound
  litmus::Test minimal;     // with the mismatch as its question
  std::string behaviour, reason;
};

gen::ReduceOptions reduce_options(const Arguments& arguments, const Deadline& end) {
  gen::ReduceOptions with;
  with.max_tries = arguments.count("max-tries", with.max_tries);
  with.stop = [end] { return end.passed(); };
  return with;
}

gen::Interest interest_of(campaign::Verdict verdict) {
  switch (verdict) {
  case campaign::Verdict::unsound: return gen::Interest::yes;
  case campaign::Verdict::sound: return gen::Interest::no;
  case campaign::Verdict::unsupported:
  case campaign::Verdict::vacuous:
  case campaign::Verdict::unknown: return gen::Interest::unknown;
  }
  return gen::Interest::unknown;
}

/// One that a test may have: it is read back.
std::string minimal_name(const std::string& name) {
  constexpr std::string_view suffix = "-minimal";
  return name.substr(0, litmus::Limits{}.name_length - suffix.size()) + std::string(suffix);
}

/// The program by the names that finds have, and what the target shows of it; where there is no
/// time left to ask once more, as it is.
runners::SoundnessResult shown_by(litmus::Program& minimal, campaign::SoundnessJudge& judge,
                                  runners::SoundnessResult last) {
  const auto renamed = litmus::canonical(minimal);
  try {
    auto shown = judge.look_in_time(renamed, 0);
    if (shown.verdict == runners::Soundness::unknown) return last; // no time is left
    THINAIR_CHECK(!shown.forbidden.empty(), "the reduced program is not wrong any more");
    minimal = renamed;
    return shown;
  } catch (const LimitReached&) {
    return last;
  }
}

/// `last`: what the target shows of the test.
void reduce_into(Outcome& outcome, const litmus::Test& test, campaign::SoundnessJudge& judge,
                 const gen::ReduceOptions& with, runners::SoundnessResult last) {
  outcome.reduction = gen::reduce(
      test.java(),
      [&](const litmus::Program& p) {
        runners::SoundnessResult shown;
        const auto verdict = judge.judge(p, 0, shown).verdict;
        if (verdict == campaign::Verdict::unsound) last = std::move(shown);
        return interest_of(verdict);
      },
      with);
  auto minimal = outcome.reduction.program;
  const auto shown = shown_by(minimal, judge, std::move(last));
  const auto& least = shown.forbidden.front();
  outcome.minimal = campaign::as_test(minimal, minimal_name(test.name));
  litmus::Clause clause;
  clause.proposition = explain::exactly(shown.observables, least);
  outcome.minimal.clauses.push_back(std::move(clause));
  outcome.behaviour = litmus::to_string(shown.observables, least);
  outcome.reason = judge.reason(minimal, shown.observables, least);
}

/// What was found, for people: the test itself is the result.
std::string remark_of(const litmus::Test& test, const Outcome& outcome, const std::string& model,
                      const std::string& target) {
  const std::string out =
      fmt::format("{}: {} for {} on {}", test.name, name(outcome.before.verdict), model, target);
  if (outcome.before.verdict == campaign::Verdict::sound) return out + ": nothing to reduce\n";
  if (outcome.before.verdict != campaign::Verdict::unsound)
    return fmt::format("{}: {}\n", out, outcome.before.reason);
  const auto& reduction = outcome.reduction;
  return out + fmt::format(
                   ": {} accesses after {} edits, {} programs tried{}\n{} is forbidden ({})\n",
                   litmus::count_accesses(outcome.minimal.java()), reduction.steps, reduction.tried,
                   reduction.complete ? "" : "; stopped early, it may not be minimal",
                   outcome.behaviour, outcome.reason);
}

std::string json_of(const litmus::Test& test, const std::string& file, const Outcome& outcome,
                    const std::string& model, const std::string& target) {
  const auto verdict = outcome.before.verdict;
  json::Object object;
  object.string("test", test.name).string("file", file);
  const bool decided = !is_undecided(verdict);
  object.string("status", decided ? "ok" : name(verdict));
  if (!decided) object.string("reason", outcome.before.reason);
  object.string("model", model).string("target", target);
  if (decided) object.string("verdict", name(verdict));
  if (verdict == campaign::Verdict::unsound)
    object.string("id", litmus::to_string(litmus::content_hash(outcome.minimal.java())))
        .string("behaviour", outcome.behaviour)
        .string("reason", outcome.reason)
        .integer("accesses", litmus::count_accesses(outcome.minimal.java()))
        .integer("edits", outcome.reduction.steps)
        .integer("tried", outcome.reduction.tried)
        .boolean("complete", outcome.reduction.complete)
        .string("program", litmus::print(outcome.minimal));
  return object.text() + "\n";
}

Exit exit_of(campaign::Verdict verdict) {
  switch (verdict) {
  case campaign::Verdict::sound: return Exit::clean;
  case campaign::Verdict::unsound: return Exit::finding;
  case campaign::Verdict::unsupported:
  case campaign::Verdict::vacuous:
  case campaign::Verdict::unknown: return Exit::undecided;
  }
  return Exit::bug;
}

Exit reduce(const Arguments& arguments, Console& console) {
  const std::string model = *arguments.text("model");
  const std::string target = arguments.text("target", "x86:table2");
  const auto load = load_options(arguments);
  campaign::SoundnessJudge judge(cat::load_model(model, cat::Architecture::java, load), {target},
                                 arguments.text("causality", ""), load);
  const double seconds = arguments.seconds("time", 0);
  const auto end = !arguments.has("time") ? Deadline()
                   : seconds > 0          ? Deadline::in(seconds)
                                          : Deadline(Deadline::Clock::now());
  if (seconds > 0) judge.set_deadline(end); // with none, the test itself is judged all the same
  judge.set_limits(limits_of(arguments));
  const auto with = reduce_options(arguments, end);
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    const auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    require_java(test, "to reduce: only Java's are lowered and judged");
    Outcome outcome;
    runners::SoundnessResult shown;
    outcome.before = judge.judge(test.java(), 0, shown);
    if (outcome.before.verdict == campaign::Verdict::unsound)
      reduce_into(outcome, test, judge, with, std::move(shown));
    Done done{.exit = exit_of(outcome.before.verdict)};
    if (arguments.json()) {
      done.out = json_of(test, file, outcome, model, target);
    } else {
      if (outcome.before.verdict == campaign::Verdict::unsound)
        done.out = litmus::print(outcome.minimal);
      done.err = remark_of(test, outcome, model, target);
    }
    return done;
  });
}

} // namespace

extern constinit const Command reduce_command = {
    .name = "reduce",
    .summary = "make a program that a target gets wrong as small as can be",
    .usage = "TEST…",
    .description =
        "Takes away threads, statements, branches, locations, strength and constants, as long as "
        "the target still does something that the model forbids. The result is 1-minimal: no "
        "single edit of any pass leaves a mismatch. The test's own clauses play no role; the "
        "smallest program asks for the mismatch.\n"
        "That program is all that is written to standard output: 'thinair reduce T.litmus -m M > "
        "min.litmus'. What is said of it goes to standard error.\n"
        "Exit code 1: there is a mismatch, and this is the program; 0: the test is sound.",
    .example = "thinair reduce corpus/jmt/JMT-Fig5.litmus --model jam21 --target x86:table2",
    .operands = Operands::inputs,
    .options = options,
    .run = reduce,
};

} // namespace thinair::cli
