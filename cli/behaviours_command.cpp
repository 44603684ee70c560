// thinair behaviours TEST…: the final states that a model allows.
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/limits.h"
#include "cli/verdict.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <array>

namespace thinair::cli {
namespace {

using oracle::Result;

constexpr auto behaviours_options = with_all_limits(std::to_array<Option>({
    asked_model_option,
    {.name = "engine",
     .letter = 'e',
     .takes = Takes::word,
     .value = "E",
     .help = "who works it out (default: builtin)",
     .words = engine_names},
    causality_option,
    identity_option,
    oracle_option,
    {.name = "herd7",
     .takes = Takes::file,
     .value = "PATH",
     .help = "the herd7 to run; otherwise the one on PATH or what scripts/get-herd7 installed"},
    {.name = "all-registers",
     .letter = 'a',
     .help = "show every register, not only those asked for"},
    {.name = "count",
     .help = "count every allowed execution, as herd does; otherwise stop at the "
             "first of each state"},
    jobs_option,
    as_plain_option,
    include_option,
}));

constexpr std::uint64_t steps_a_state = 8;

struct Report {
  const litmus::Test& test;
  const std::string& file;
  std::string model;
  std::string_view engine;
  const Engine::Answer& answer;
  const Result& result = answer.result;
};

std::string counted(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string clause_line(const litmus::Clause& clause, const Engine::Answer& answer) {
  const Result& result = answer.result;
  const Tally counts = tally(clause, result);
  const std::uint64_t satisfied = negated(clause.quantifier) ? counts.negative : counts.positive;
  return fmt::format("{}: {}; {}, in {} of {}\n", text_of(clause),
                     word(decide(clause, result, answer.vacuous())),
                     observation(clause.quantifier, counts), satisfied,
                     counted(result.behaviours.size(), "behaviour"));
}

std::string text_of(const Report& report) {
  const Result& result = report.result;
  const std::string& rules = report.answer.causality;
  std::string out = fmt::format("{} ({}, {}{}{})\n", report.test.name, report.model, report.engine,
                                rules.empty() ? "" : ", causality ", rules);
  for (const auto& behaviour : result.behaviours)
    out += litmus::to_string(report.test, result.observables, behaviour) + "\n";
  out += counted(result.behaviours.size(), "behaviour");
  if (report.answer.counted) out += ", " + counted(result.executions, "execution");
  out += "\n";
  for (const auto& flag : result.flags) out += "flag " + flag + "\n";
  for (const auto& clause : report.test.clauses) out += clause_line(clause, report.answer);
  if (result.status == Result::Status::unknown) out += "unknown: " + shown(result.reason) + "\n";
  if (const auto& nothing = report.answer.nothing)
    out += (report.answer.vacuous() ? "vacuous: " : "") + shown(nothing->because) + "\n";
  return out + "\n";
}

std::string json_of(const litmus::Clause& clause, const Report& report, bool first) {
  const Result& result = report.result;
  const Tally counts = report.answer.counted && first ? Tally{result.positive, result.negative}
                                                      : tally(clause, result);
  const Decision decision = decide(clause, result, report.answer.vacuous());
  json::Object object;
  object.string("kind", word(clause.quantifier));
  if (!clause.label.empty()) object.string("label", clause.label);
  object.string("text", litmus::to_string(clause.proposition));
  if (decision == Decision::undecided || decision == Decision::vacuous) {
    object.null("holds");
  } else {
    object.boolean("holds", decision == Decision::holds);
  }
  return object.integer("positive", counts.positive)
      .integer("negative", counts.negative)
      .string("observation", observation(clause.quantifier, counts))
      .text();
}

std::string json_of(const Report& report) {
  const Result& result = report.result;
  const bool ok = result.status == Result::Status::ok;
  const bool vacuous = report.answer.vacuous();
  std::vector<std::string> behaviours, clauses;
  for (const auto& behaviour : result.behaviours)
    behaviours.push_back(
        json::quote(litmus::to_string(report.test, result.observables, behaviour)));
  for (const auto& clause : report.test.clauses)
    clauses.push_back(json_of(clause, report, clauses.empty()));
  json::Object object;
  object.string("test", report.test.name).string("file", report.file);
  object.string("model", report.model).string("engine", report.engine);
  const std::string& rules = report.answer.causality;
  object.string("causality", rules.empty() ? "none" : rules);
  object.string("status", vacuous ? "vacuous" : ok ? "ok" : "unknown");
  object.string("reason",
                shown(report.answer.nothing ? report.answer.nothing->because : result.reason));
  object.raw("behaviours", json::array(behaviours));
  object.raw("condition", clauses.empty() ? "null" : clauses.front());
  if (clauses.size() > 1) object.raw("clauses", json::array(clauses));
  if (report.answer.counted) {
    object.integer("executions", result.executions);
  } else {
    object.null("executions");
  }
  return object.real("seconds", report.answer.seconds).text() + "\n";
}

Exit show_behaviours(const Arguments& arguments, Console& console) {
  Engine engine(arguments);
  const auto files = expand(arguments.operands());
  engine.prepare(files);
  return for_each(files, arguments, console, [&](const std::string& file, Progress& progress) {
    const auto test = showing_something(litmus::parse(read_input(file)));
    progress.test = test.name;
    Watch watch = engine.start();
    const auto answer = engine.run(test, file, watch);
    if (answer.result.status == Result::Status::ok && engine.name() != "herd7")
      watch.demand(answer.result.behaviours.size() * steps_a_state); // to write them, too
    const Report report{test, file, engine.model(test), engine.name(), answer};
    return Done{.exit = exit_of(test, answer.result, answer.vacuous()),
                .out = arguments.json() ? json_of(report) : text_of(report)};
  });
}

} // namespace

extern constinit const Command behaviours_command = {
    .name = "behaviours",
    .summary = "print the final states that a model allows",
    .usage = "TEST…",
    .description =
        "Prints the final states that a model allows a test to end in, one a line: registers by "
        "thread and name, then locations by name; those that the test's clauses and its locations "
        "line name, as herd does; all registers where these name nothing. Then what follows for "
        "each clause of the test.\n"
        "A folder stands for the .litmus files in it, @LIST for the tests a file lists, - for "
        "standard input. A test that fails does not stop the others; the exit code is that of the "
        "worst.",
    .example = "thinair behaviours corpus/jmt --model jam21",
    .operands = Operands::inputs,
    .options = behaviours_options,
    .run = show_behaviours,
};

} // namespace thinair::cli
