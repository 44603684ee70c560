// thinair explain TEST…: why a model allows an outcome, or why it does not.
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "litmus/text/json.h"
#include "oracle/explain/refusal.h"
#include "oracle/explain/stages.h"
#include "oracle/explain/vacuity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli {
namespace {

constexpr auto formats = std::to_array<std::string_view>({"text", "json", "svg"});

constexpr Option required_model() {
  Option option = model_option;
  option.required = true;
  return option;
}

constexpr auto options = with_all_limits(std::to_array<Option>({
    required_model(),
    {.name = "outcome",
     .letter = 'o',
     .takes = Takes::text,
     .value = "STATE",
     .help = "what is to be explained: \"0:r1=0; 1:r2=1\", or a proposition as in tests; the first "
             "question of the test unless said"},
    causality_option,
    identity_option,
    {.name = "format",
     .letter = 'f',
     .takes = Takes::word,
     .value = "F",
     .help = "text unless said",
     .words = formats},
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

/// What is known of an outcome, in the forms that are asked for.
struct Explained {
  std::string verdict; // "allowed", "forbidden", "unknown", "vacuous"
  std::string text, json;
  std::vector<explain::Drawing> drawings;
};

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

Explained refused(const explain::Refusal& refusal) {
  using Kind = explain::Refusal::Kind;
  Explained out;
  out.verdict = refusal.kind == Kind::unknown ? "unknown" : "forbidden";
  out.text = as_text(refusal);
  json::Object object;
  object.string("why", out.text);
  std::vector<std::string> decisive, broken;
  for (const auto& name : refusal.decisive) decisive.push_back(json::quote(name));
  for (const auto& axiom : refusal.broken) broken.push_back(json::quote(axiom.axiom));
  object.raw("decisive", json::array(decisive)).raw("fails", json::array(broken));
  if (refusal.drawing) {
    object.raw("execution", json_of(*refusal.drawing));
    out.drawings = {*refusal.drawing};
    out.text += as_text(*refusal.drawing);
  }
  out.json = object.text();
  return out;
}

Explained allowed(const litmus::Test& test, const cat::Plan& plan, const causality::Oracle& oracle,
                  const executions::Limits& limits) {
  Explained out;
  out.verdict = "allowed";
  if (oracle.rules().justified) {
    const auto evidence = causality::describe(oracle);
    out.text = as_text(evidence);
    out.json = as_json(evidence);
    out.drawings = explain::draw(evidence);
    return out;
  }
  const auto drawing = explain::example(test, plan, test.clauses[0].proposition, limits);
  if (!drawing) throw LimitReached("executions", "--max-candidates, --timeout");
  out.text = as_text(*drawing);
  out.json = json::Object().raw("execution", json_of(*drawing)).text();
  out.drawings = {*drawing};
  return out;
}

/// Nothing is allowed: why that is so, and what keeps an execution from being allowed, if there is
/// one.
Explained vacuous(const litmus::Test& test, const cat::Plan& plan, const causality::Options& with,
                  const std::string& reason) {
  const auto why = reason + "\n";
  const auto refusal = explain::why_not(test, plan, explain::anything(), with);
  if (refusal.kind == explain::Refusal::Kind::no_candidate)
    return {"vacuous", why, json::Object().string("why", why).text(), {}};
  auto out = refused(refusal);
  out.verdict = "vacuous";
  out.text = why + out.text;
  return out;
}

Explained unknown(const std::string& reason) {
  return {"unknown", reason + "\n", json::Object().string("why", reason).text(), {}};
}

Explained explained(const litmus::Test& test, const cat::Plan& plan,
                    const causality::Options& with) {
  causality::Oracle oracle(test, plan, with);
  const auto answer = oracle.allows(test.clauses[0].proposition);
  if (answer == causality::Answer::yes) return allowed(test, plan, oracle, with.executions);
  if (answer == causality::Answer::unknown) return unknown(oracle.reason());
  switch (oracle.allows(explain::anything())) {
  case causality::Answer::yes: break;
  case causality::Answer::no:
    if (const auto nothing = explain::why_nothing(test, plan, with.executions); !nothing.never_ends)
      return vacuous(test, plan, with, nothing.reason);
    break;
  case causality::Answer::unknown: return unknown(oracle.reason());
  }
  return refused(explain::why_not(test, plan, test.clauses[0].proposition, with));
}

Exit explain_tests(const Arguments& arguments, Console& console) {
  const LoadedModel model(*arguments.text("model"), load_options(arguments));
  const std::string format = arguments.json() ? "json" : arguments.text("format", "text");
  causality::Options with = causality_options(arguments);
  with.rules = arguments.text("causality", "");
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    if (const auto outcome = arguments.text("outcome")) test = asking(std::move(test), *outcome);
    if (test.clauses.empty())
      throw InputError(fmt::format("{}: error: the test asks nothing\n  hint: --outcome STATE says "
                                   "what is to be explained",
                                   file));
    const auto found = explained(test, model.plan(test), with);
    const auto question = litmus::to_string(test.clauses[0].proposition);
    Done done;
    const bool decided = found.verdict == "allowed" || found.verdict == "forbidden";
    if (!decided) done.exit = Exit::undecided;
    if (format == "json")
      done.out = json::Object()
                     .string("test", test.name)
                     .string("file", file)
                     .string("status", decided ? "ok" : found.verdict)
                     .string("model", model.name())
                     .string("outcome", question)
                     .string("verdict", found.verdict)
                     .raw("explanation", found.json)
                     .text() +
                 "\n";
    else if (format == "svg" && !found.drawings.empty())
      done.out = explain::as_svg(found.drawings);
    else
      (format == "svg" ? done.err : done.out) =
          fmt::format("{}: {} is {} under {}\n{}", test.name, question, found.verdict, model.name(),
                      found.text);
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
        "one that is forbidden: the axioms that fail, with the steps of the cycle and what each "
        "follows from; or that the rules of causality forbid it, and which of them alone do.\n"
        "SVG draws these executions, with what is committed or what is on the cycle marked.",
    .example = "thinair explain corpus/ctc/CTC1.litmus --model jls04",
    .operands = Operands::inputs,
    .options = options,
    .run = explain_tests,
};

} // namespace thinair::cli
