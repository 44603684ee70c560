// thinair sound TEST…: is what a target makes of a test sound for a model?
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "litmus/dialect.h"
#include "litmus/text/json.h"
#include "lower/lowered_test.h"
#include "runners/find_target.h"
#include "runners/herd_hardware.h"
#include "runners/soundness.h"
#include "runners/x86_machine.h"
#include "runners/x86_trace.h"

#include <fmt/format.h>

#include <array>

namespace thinair::cli {
namespace {

using runners::Soundness;

constexpr auto engines = std::to_array<std::string_view>({"operational", "builtin", "herd7"});

constexpr auto options = with_all_limits(std::to_array<Option>({
    {.name = "model",
     .letter = 'm',
     .takes = Takes::model,
     .value = "M",
     .help = "the model of the source: a name that 'thinair models' lists, or a .cat file",
     .required = true},
    {.name = "target",
     .letter = 't',
     .takes = Takes::target,
     .value = "TARGET",
     .help = "x86:table2 unless said; a scheme file, a name that thinair scheme list prints, or "
             "x86:llvm-O2@DIR with your own opt and llc"},
    {.name = "engine",
     .letter = 'e',
     .takes = Takes::word,
     .value = "E",
     .help = "who says what the code does: operational (a store-buffer machine, unless said), "
             "builtin (the axioms of x86-TSO), herd7 (always, for machines other than x86)",
     .words = engines},
    causality_option,
    identity_option,
    {.name = "herd7", .takes = Takes::file, .value = "PATH", .help = "the herd7 to run"},
    jobs_option,
    as_plain_option,
    include_option,
}));

runners::Hardware operational(const executions::Limits& limits) {
  runners::MachineOptions machine;
  machine.seconds = limits.seconds;
  return [machine](const litmus::Test& test) { return x86_machine(test, machine); };
}

runners::Hardware builtin(const executions::Limits& limits) {
  executions::Options with;
  with.limits = limits;
  return [with, model = cat::load_model("x86-tso", cat::Architecture::x86)](
             const litmus::Test& test) { return executions::behaviours(test, model, with); };
}

runners::HerdOptions herd_options(const Arguments& arguments) {
  runners::HerdOptions with;
  with.program = arguments.text("herd7", "");
  with.seconds = arguments.seconds("timeout", with.seconds);
  return with;
}

runners::Hardware hardware_of(const Arguments& arguments) {
  const std::string engine = arguments.text("engine", "operational");
  if (engine == "herd7") return runners::herd_x86(herd_options(arguments));
  const auto limits = limits_of(arguments);
  return engine == "builtin" ? builtin(limits) : operational(limits);
}

/// What is known of one test, for text and JSON: the verdict, the code, how the hardware gets
/// there.
struct Report {
  const litmus::Test& test;
  std::string file, model, target;
  const runners::Judged& judged;
  std::string side_by_side, restoration;
  std::string code;                      // of JSON: the lowered test
  std::vector<runners::TraceStep> trace; // x86 only
  const litmus::Test* lowered = nullptr; // x86 only
};

std::string text_of(const Report& report) {
  const runners::Judged& result = report.judged;
  std::string out = fmt::format("{}: {} for {} on {}", report.test.name, name(result.verdict),
                                report.model, report.target);
  if (result.verdict == Soundness::sound)
    return out + fmt::format(" ({} behaviours)\n", result.behaviours.size());
  if (result.verdict != Soundness::unsound) return out + fmt::format(": {}\n", result.reason);
  out += fmt::format(": {} of {} behaviours forbidden\n", result.forbidden.size(),
                     result.behaviours.size());
  for (const auto& behaviour : result.forbidden)
    out += fmt::format("  {}\n", litmus::to_string(result.observables, behaviour));
  out += report.side_by_side +
         fmt::format("as {}\nby {}\n", litmus::to_string(*result.witness), report.restoration);
  if (!report.trace.empty())
    out += "the first of them, step by step:\n" + to_string(*report.lowered, report.trace);
  return out + "\n";
}

std::string array_of(const runners::Judged& result,
                     const std::vector<litmus::Behaviour>& behaviours) {
  std::vector<std::string> texts;
  for (const auto& behaviour : behaviours)
    texts.push_back(json::quote(litmus::to_string(result.observables, behaviour)));
  return json::array(texts);
}

std::string object_of(const litmus::Test& code, const runners::TraceStep& step) {
  json::Object memory, object;
  for (std::size_t i = 0; i < step.memory.size(); ++i)
    memory.integer(code.x86().locations[i].name, step.memory[i]);
  std::vector<std::string> buffers;
  for (const auto& buffer : step.buffers) {
    std::vector<std::string> stores;
    for (const auto& store : buffer) stores.push_back(json::quote(store));
    buffers.push_back(json::array(stores));
  }
  object.integer("thread", static_cast<std::int64_t>(step.thread));
  if (step.instruction) object.integer("instruction", *step.instruction).string("code", step.code);
  object.string("effect", step.effect).raw("memory", memory.text());
  return object.raw("buffers", json::array(buffers)).text();
}

std::string json_of(const Report& report) {
  const runners::Judged& result = report.judged;
  json::Object object;
  object.string("test", report.test.name).string("file", report.file);
  const bool decided = result.verdict == Soundness::sound || result.verdict == Soundness::unsound;
  object.string("status", decided ? "ok" : name(result.verdict));
  if (!decided) object.string("reason", result.reason);
  object.string("model", report.model).string("target", report.target);
  object.string("verdict", name(result.verdict));
  object.raw("behaviours", array_of(result, result.behaviours));
  object.raw("forbidden", array_of(result, result.forbidden));
  object.string("code", report.code).string("restore", report.restoration);
  object.string("side_by_side", report.side_by_side);
  if (!report.trace.empty()) {
    std::vector<std::string> steps;
    for (const auto& step : report.trace) steps.push_back(object_of(*report.lowered, step));
    object.raw("execution", json::array(steps));
  }
  return object.text() + "\n";
}

Exit exit_of(Soundness verdict) {
  switch (verdict) {
  case Soundness::sound: return Exit::clean;
  case Soundness::unsound: return Exit::finding;
  case Soundness::unknown:
  case Soundness::vacuous: return Exit::undecided;
  }
  return Exit::bug;
}

/// What stays the same from test to test.
struct Question {
  const Arguments& arguments;
  std::string model, target;
  const cat::Plan& plan;
  runners::SoundnessOptions with;
};

Done done(const Question& question, const Report& report) {
  return {.exit = exit_of(report.judged.verdict),
          .out = question.arguments.json() ? json_of(report) : text_of(report)};
}

Done judge_x86(const Question& question, const runners::Hardware& hardware,
               const litmus::Test& test, const std::string& file) {
  lower::Target target = runners::find_target(question.target);
  const auto result = check_soundness(test, question.plan, target, hardware, question.with);
  Report report{test,
                file,
                question.model,
                target.name(),
                result,
                side_by_side(result.lowered),
                to_string(result.lowered.restoration),
                litmus::print(result.code),
                {},
                &result.code};
  runners::MachineOptions machine;
  machine.seconds = question.with.oracle.executions.seconds;
  if (result.witness)
    if (auto steps = runners::x86_trace(result.code, *result.witness, machine))
      report.trace = std::move(*steps);
  return done(question, report);
}

Done judge_listing(const Question& question, const litmus::Test& test, const std::string& file) {
  if (question.arguments.has("engine") && question.arguments.text("engine", "") != "herd7")
    throw Unsupported(fmt::format("--engine {} for {}: only herd7 judges it",
                                  question.arguments.text("engine", ""), question.target));
  auto target = lower::ListingTarget::named(question.target);
  const auto hardware = runners::herd_hardware(herd_options(question.arguments));
  const auto result = check_listing(test, question.plan, target, hardware, question.with);
  litmus::Proposition asked = result.witness.value_or(litmus::Proposition{});
  if (!result.witness) asked.kind = litmus::Proposition::Kind::always;
  const std::string code = fmt::format(
      "{} {}\n{}", lower::info(target.machine()).herd, test.name,
      lower::herd_body(result.lowered.program, result.lowered.restoration.needed(), {}, asked));
  return done(question, {test,
                         file,
                         question.model,
                         target.name(),
                         result,
                         side_by_side(result.lowered),
                         to_string(result.lowered.restoration),
                         code,
                         {},
                         nullptr});
}

Exit judge(const Arguments& arguments, Console& console) {
  const std::string model = *arguments.text("model");
  const std::string target = arguments.text("target", "x86:table2");
  const cat::Plan plan = cat::load_model(model, cat::Architecture::java, load_options(arguments));
  const runners::Hardware hardware = hardware_of(arguments);
  Question question{arguments, model, target, plan, {}};
  question.with.oracle = causality_options(arguments);
  question.with.oracle.rules = arguments.text("causality", "");
  const bool x86 = lower::is_x86(target);
  if (x86) // a wrong name is an error of the command, not of each test
    runners::find_target(target);
  else
    lower::ListingTarget::named(target);
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    const auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    require_java(test, "to lower: they are machine code already");
    return x86 ? judge_x86(question, hardware, test, file) : judge_listing(question, test, file);
  });
}

} // namespace

extern constinit const Command sound_command = {
    .name = "sound",
    .summary = "ask whether a scheme or compiler is sound for a model",
    .usage = "TEST…",
    .description =
        "Lowers each test to machine code, works out what the code can do, and asks the model "
        "whether it "
        "allows the source every one of these behaviours. The test's own clauses play no role.\n"
        "Exit code 0: sound, 1: some behaviour is forbidden (it is shown with source and code), 3: "
        "a limit was reached before that was clear.",
    .example = "thinair sound corpus/jmt/JMT-Fig5.litmus --model jam21 --target x86:table2",
    .operands = Operands::inputs,
    .options = options,
    .run = judge,
};

} // namespace thinair::cli
