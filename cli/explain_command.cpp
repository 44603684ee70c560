// thinair explain TEST…: why a model allows an outcome, or why it does not.
#include "cli/asked_model.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/limits.h"
#include "cli/question.h"
#include "litmus/text/json.h"
#include "oracle/explain/account.h"
#include "oracle/explain/prevention.h"
#include "oracle/explain/program_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace thinair::cli {
namespace {

constexpr auto explain_formats = std::to_array<std::string_view>({"text", "json", "svg"});

constexpr auto explain_options = with_all_limits(std::to_array<Option>({
    asked_model_option,
    {.name = "outcome",
     .letter = 'o',
     .takes = Takes::text,
     .value = "STATE",
     .help = "what is to be explained: \"0:r1=0; 1:r2=1\", or a proposition as in tests "
             "(default: the first question of the test)"},
    causality_option,
    identity_option,
    {.name = "format",
     .letter = 'f',
     .takes = Takes::word,
     .value = "F",
     .help = "how to show it (default: text)",
     .words = explain_formats},
    {.name = "core",
     .help = "of what is forbidden, also a minimal core: the statements, the parts of the "
             "outcome, the axioms and rules that forbid it whatever the rest does"},
    jobs_option,
    as_plain_option,
    include_option,
}));

/// The test with the outcome as its only question.
litmus::Test asking(litmus::Test test, const std::string& outcome) {
  litmus::Clause clause;
  clause.proposition = outcome_of(test, outcome);
  test.clauses = {std::move(clause)};
  return test;
}

std::string json_of(const explain::Drawing& drawing) {
  std::vector<std::string> nodes, edges;
  for (const auto& node : drawing.nodes)
    nodes.push_back(json::Object()
                        .string("name", node.name)
                        .string("label", node.label)
                        .integer("thread", node.thread)
                        .boolean("marked", node.mark != explain::Drawing::Mark::none)
                        .text());
  for (const auto& edge : drawing.edges)
    edges.push_back(json::Object()
                        .string("from", drawing.nodes[edge.from].name)
                        .string("to", drawing.nodes[edge.to].name)
                        .string("relation", edge.relation)
                        .boolean("reason", edge.role != explain::Drawing::Role::fact)
                        .text());
  return json::Object().raw("events", json::array(nodes)).raw("edges", json::array(edges)).text();
}

std::string json_of(const explain::Obstacle& obstacle) {
  std::vector<std::string> committed, failures;
  for (const auto& event : obstacle.target.events)
    if (event.committed && event.thread >= 0) committed.push_back(json::quote(event.name));
  for (const auto& failure : obstacle.failures) {
    std::vector<std::string> rules;
    for (const auto rule : failure.rules) rules.push_back(json::quote(causality::info(rule).name));
    failures.push_back(
        json::Object().raw("rules", json::array(rules)).string("because", failure.words).text());
  }
  json::Object object;
  object.raw("committed", json::array(committed));
  if (!obstacle.action.empty()) object.string("stuck", obstacle.action);
  object.raw("failures", json::array(failures));
  if (!obstacle.origin.empty()) object.string("origin", obstacle.origin);
  if (obstacle.change)
    object.string("change", obstacle.change->words)
        .string("changed", litmus::print(obstacle.change->test));
  return object.text();
}

std::string json_of(const explain::Refusal& refusal) {
  json::Object object;
  object.string("why", as_text(refusal));
  std::vector<std::string> decisive, broken;
  for (const auto& name : refusal.decisive) decisive.push_back(json::quote(name));
  for (const auto& axiom : refusal.broken) broken.push_back(json::quote(axiom.axiom));
  object.raw("decisive", json::array(decisive)).raw("fails", json::array(broken));
  if (refusal.obstacle) object.raw("obstacle", json_of(*refusal.obstacle));
  if (refusal.drawing) object.raw("execution", json_of(*refusal.drawing));
  return object.text();
}

std::string json_of(const explain::Prevention& prevention) {
  std::vector<std::string> ways;
  for (const auto& way : prevention.ways) {
    std::vector<std::string> changes;
    for (const auto& change : way.changes) changes.push_back(json::quote(change));
    ways.push_back(json::Object()
                       .raw("changes", json::array(changes))
                       .string("changed", litmus::print(way.test))
                       .text());
  }
  return json::array(ways);
}

std::string json_of(const explain::Account& account) {
  if (account.evidence) return as_json(*account.evidence);
  if (account.example) return json::Object().raw("execution", json_of(*account.example)).text();
  if (account.refusal) return json_of(*account.refusal);
  return json::Object().string("why", shown(account.answer.because)).text();
}

/// All that is said of a test's question.
struct Explained {
  const litmus::Test& test;
  std::string model;
  explain::Account account;
  std::optional<explain::Prevention> prevention; // of what is allowed
  std::string core;                              // of what is forbidden, where it was asked for

  Reason unknown() const {
    return prevention && !prevention->unknown.empty()
               ? "what would forbid it: " + prevention->unknown
               : account.answer.because;
  }
  bool decided() const {
    const auto kind = account.answer.kind;
    return (kind == oracle::Answer::allowed || kind == oracle::Answer::forbidden) &&
           (!prevention || prevention->unknown.empty());
  }
  std::string question() const { return litmus::to_string(test.clauses[0].proposition); }
};

Explained explained(const litmus::Test& test, const AskedModel& model, const Arguments& arguments) {
  const auto with = oracle_options(arguments);
  const auto& plan = model.plan(test);
  const auto& asked = test.clauses[0].proposition;
  Explained out{test, model.name(test), explain::account_of(test, plan, asked, with), {}, {}};
  if (out.account.answer == oracle::Answer::allowed && test.is_java())
    out.prevention = explain::prevention_of(test, plan, asked, with);
  if (arguments.has("core") && out.account.answer == oracle::Answer::forbidden)
    out.core = explain::as_text(explain::program_core_of(test, plan, asked, with), test, asked);
  return out;
}

std::string json_of(const Explained& found, const std::string& file) {
  const auto verdict = name(found.account.answer.kind);
  const bool is_answer = found.account.answer == oracle::Answer::allowed ||
                         found.account.answer == oracle::Answer::forbidden;
  const bool prevented = found.prevention && found.prevention->unknown.empty();
  return json::Object()
             .string("test", found.test.name)
             .string("file", file)
             .string("status", found.decided() ? "ok"
                               : is_answer     ? "unknown"
                                               : verdict)
             .string("model", found.model)
             .string("outcome", found.question())
             .string("verdict", verdict)
             .raw("explanation", json_of(found.account))
             .raw("prevention", prevented ? json_of(*found.prevention) : "null")
             .raw("core", found.core.empty() ? "null" : json::quote(found.core))
             .text() +
         "\n";
}

std::string text_of(const Explained& found) {
  const auto unknown = shown(found.unknown());
  return fmt::format(
      "{}: {} is {} under {}\n{}{}{}{}", found.test.name, found.question(),
      name(found.account.answer.kind), found.model, unknown.empty() ? "" : unknown + "\n",
      found.prevention ? as_text(*found.prevention) : "", as_text(found.account), found.core);
}

Exit explain_tests(const Arguments& arguments, Console& console) {
  const AskedModel model(arguments);
  const std::string format = arguments.json() ? "json" : arguments.text("format", "text");
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    if (const auto outcome = arguments.text("outcome")) test = asking(std::move(test), *outcome);
    if (test.clauses.empty())
      throw InputError(fmt::format("{}: error: the test asks nothing\n  hint: --outcome STATE says "
                                   "what is to be explained",
                                   file));
    const auto found = explained(test, model, arguments);
    const auto drawings = explain::drawings(found.account);
    Done done;
    if (!found.decided()) done.exit = Exit::undecided;
    if (format == "json")
      done.out = json_of(found, file);
    else if (format == "svg" && !drawings.empty())
      done.out = explain::as_svg(drawings);
    else
      (format == "svg" ? done.err : done.out) = text_of(found);
    return done;
  });
}

} // namespace

extern constinit const Command explain_command = {
    .name = "explain",
    .summary = "say why an outcome is allowed or forbidden",
    .usage = "TEST…",
    .description =
        "For an outcome that causality rules allow: the sequence of executions that justifies it, "
        "with what each commits. For one that a model without such rules allows: an execution. For "
        "either: which stronger accesses, or which fences, would forbid it, as few and as weak as "
        "can be. For "
        "one that is forbidden: the axioms that fail, with the steps of the cycle and what each "
        "follows from. Where the rules of causality forbid it: how far commitments get, which "
        "action "
        "cannot be committed next and by which rule, which value comes out of thin air, and a "
        "smallest change of the program that would allow it.\n"
        "SVG draws these executions, with what is committed or what is on the cycle marked.",
    .example = "thinair explain corpus/ctc/CTC1.litmus --model jls04",
    .operands = Operands::inputs,
    .options = explain_options,
    .run = explain_tests,
};

} // namespace thinair::cli
