// thinair reduce TEST…: the smallest program that a target still gets wrong.
#include "campaign/target.h"
#include "cli/campaign_options.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/limits.h"
#include "cli/question.h"
#include "gen/reduce.h"
#include "litmus/canonical.h"
#include "litmus/language.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

namespace thinair::cli {
namespace {

constexpr auto options_of_reduce = std::to_array<Option>({
    judging_model_option,
    target_option,
    baseline_option,
    code_engine_option,
    confirm_option,
    herd7_option,
    {.name = "max-tries",
     .takes = Takes::count,
     .value = "N",
     .help = "look at N smaller programs at most, at any one size (default: 100000)"},
    {.name = "time",
     .takes = Takes::seconds,
     .value = "S",
     .help = "end after S seconds with the smallest program so far (default: never)"},
    modes_option,
    no_mixed_option,
    timeout_option,
    max_steps_option,
    max_memory_option,
    causality_option,
    identity_option,
    jobs_option,
    as_plain_option,
    include_option,
});

/// The modes that a reduction stays within; all where none are asked for.
std::optional<gen::Space> language_of(const Arguments& arguments) {
  if (!arguments.has("modes") && !arguments.has("no-mixed")) return std::nullopt;
  gen::Space language;
  gen::add_modes(language, arguments.text("modes", "all,rmw,fences"));
  language.mixed = !arguments.has("no-mixed");
  return language;
}

/// What is known of a test before and after.
struct Outcome {
  campaign::Judgement before;
  gen::Reduction reduction; // of what is unsound
  litmus::Test minimal;     // with the mismatch as its question
  litmus::State behaviour;
  campaign::Why why;
};

gen::ReduceOptions reduce_options(const Arguments& arguments, const Deadline& end) {
  gen::ReduceOptions with;
  with.max_tries = arguments.count("max-tries", with.max_tries);
  with.stop = [end] { return end.passed(); };
  return with;
}

/// One that a test may have: it is read back.
std::string minimal_name(const std::string& name) {
  constexpr std::string_view suffix = "-minimal";
  return name.substr(0, litmus::Limits{}.name_length - suffix.size()) + std::string(suffix);
}

/// What the target shows of the program by the names that finds have; where there is no time left
/// to ask once more, `last`, of the program as it is.
campaign::Finding shown_by(litmus::Program& minimal, campaign::Target& target,
                           campaign::Finding last) {
  auto renamed = litmus::canonical(minimal);
  const auto shown = target.judge(renamed);
  if (shown.verdict == campaign::Verdict::unknown) return last;
  THINAIR_CHECK(!shown.findings.empty(), "the reduced program is not wrong any more");
  minimal = std::move(renamed);
  return shown.findings.front();
}

void reduce_into(Outcome& outcome, const litmus::Test& test, campaign::Target& target,
                 const std::optional<gen::Space>& language, const gen::ReduceOptions& with) {
  auto last = outcome.before.findings.front();
  bool is_begin = true; // known to show it
  outcome.reduction = gen::reduce(
      test.java(),
      [&](const litmus::Program& p) {
        if (std::exchange(is_begin, false)) return gen::Interest::yes;
        if (language && !gen::within_modes(*language, p)) return gen::Interest::no;
        const auto judgement = target.judge(p);
        if (judgement.verdict == campaign::Verdict::unsound) {
          last = judgement.findings.front();
          target.reducing(p);
        }
        return campaign::interest_of(judgement.verdict);
      },
      with);
  auto minimal = outcome.reduction.program;
  const auto shown = shown_by(minimal, target, std::move(last));
  outcome.minimal = campaign::as_test(minimal, minimal_name(test.name));
  outcome.behaviour = shown.behaviour;
  litmus::Clause clause;
  clause.proposition = litmus::exactly(outcome.behaviour);
  outcome.minimal.clauses.push_back(std::move(clause));
  outcome.why = target.why(minimal, false);
}

/// What was found, for people: the test itself is the result.
std::string remark_of(const litmus::Test& test, const Outcome& outcome, const std::string& model,
                      const std::string& target) {
  const std::string out =
      fmt::format("{}: {} for {} on {}", test.name, name(outcome.before.verdict), model, target);
  if (outcome.before.verdict == campaign::Verdict::sound) return out + ": nothing to reduce\n";
  if (outcome.before.verdict != campaign::Verdict::unsound)
    return fmt::format("{}: {}\n", out, shown(outcome.before.reason));
  const auto& reduction = outcome.reduction;
  return out + fmt::format(
                   ": {} accesses after {} edits, {} programs tried{}\n{} is forbidden ({}){}\n",
                   litmus::count_accesses(outcome.minimal.java()), reduction.steps, reduction.tried,
                   reduction.complete ? "" : "; stopped early, it may not be minimal",
                   litmus::to_string(outcome.behaviour), as_text(outcome.why.reason),
                   campaign::in_a_row(outcome.why.seen));
}

std::string json_of(const litmus::Test& test, const std::string& file, const Outcome& outcome,
                    const std::string& model, const campaign::Target& judged) {
  const std::string& target = judged.name();
  const auto verdict = outcome.before.verdict;
  json::Object object;
  object.string("test", test.name).string("file", file);
  const bool decided = !is_undecided(verdict);
  object.string("status", decided ? "ok" : name(verdict));
  if (!decided) object.string("reason", shown(outcome.before.reason));
  object.string("model", model).string("target", target);
  if (decided) object.string("verdict", name(verdict));
  if (!outcome.why.seen.empty()) object.string("seen", outcome.why.seen);
  if (verdict == campaign::Verdict::unsound)
    object.string("id", litmus::to_string(litmus::content_hash(outcome.minimal.java())))
        .string("behaviour", litmus::to_string(outcome.behaviour))
        .string("reason", as_text(outcome.why.reason))
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

/// What was not seen is not sound.
campaign::Judgement judged(campaign::Target& target, const litmus::Program& program) {
  auto judgement = target.judge(program);
  if (judgement.verdict == campaign::Verdict::sound && !target.doubt().empty())
    return {campaign::Verdict::unknown, target.doubt(), {}};
  return judgement;
}

Exit reduce(const Arguments& arguments, Console& console) {
  const std::string model = judging_model(arguments);
  const std::string name = arguments.text("target", "x86:table2");
  const auto load = load_options(arguments);
  const auto plan = cat::load_model(model, cat::Architecture::java, load);
  campaign::Against against{.model = plan, .model_name = model, .load = load};
  against.confirm = arguments.has("confirm");
  against.with.oracle = oracle_options(arguments);
  against.baseline = arguments.text("baseline", "");
  against.engine = arguments.text("engine", "");
  against.herd7.program = arguments.text("herd7", "");
  against.herd7.seconds = arguments.seconds("timeout", against.herd7.seconds);
  const auto target = campaign::make_target(name, against);
  target->ready();
  const double seconds = arguments.seconds("time", 0);
  const auto end = !arguments.has("time") ? Deadline()
                   : seconds > 0          ? Deadline::in(seconds)
                                          : Deadline(Deadline::Clock::now());
  if (seconds > 0) target->set_deadline(end); // with none, the test itself is judged all the same
  const auto with = reduce_options(arguments, end);
  const auto language = language_of(arguments);
  const Exit exit =
      for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
        const auto test = litmus::parse(read_input(file));
        progress.test = test.name;
        require_java(test, "to reduce: only Java's are lowered and judged");
        Outcome outcome;
        outcome.before = judged(*target, test.java());
        if (outcome.before.verdict == campaign::Verdict::unsound)
          reduce_into(outcome, test, *target, language, with);
        Done done{.exit = exit_of(outcome.before.verdict)};
        if (arguments.json()) {
          done.out = json_of(test, file, outcome, model, *target);
        } else {
          if (outcome.before.verdict == campaign::Verdict::unsound)
            done.out = litmus::print(outcome.minimal);
          done.err = remark_of(test, outcome, model, name);
        }
        return done;
      });
  if (const auto fault = target->baseline_fault()) // once: of all tests
    console.err.write(campaign::as_text(*fault, against.baseline, against.model_name));
  return exit;
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
    .options = options_of_reduce,
    .run = reduce,
};

} // namespace thinair::cli
