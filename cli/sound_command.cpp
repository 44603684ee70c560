// thinair sound TEST…: is what a target makes of a test sound for a model?
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "litmus/text/json.h"
#include "lower/lowered_test.h"
#include "runners/herd7.h"
#include "runners/soundness.h"
#include "runners/x86_machine.h"

#include <fmt/format.h>

#include <array>

namespace thinair::cli {
namespace {

using runners::Soundness;
using runners::SoundnessResult;

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
     .takes = Takes::text,
     .value = "TARGET",
     .help = "x86:table2 unless said; a scheme file, or a name that thinair scheme list prints"},
    {.name = "engine",
     .letter = 'e',
     .takes = Takes::word,
     .value = "E",
     .help = "who says what the code does: operational (a store-buffer machine, unless said), "
             "builtin (the axioms of x86-TSO), herd7",
     .words = engines},
    {.name = "causality",
     .takes = Takes::text,
     .value = "RULES",
     .help = "jls04, revised or none; what the model is meant for unless said"},
    {.name = "herd7", .takes = Takes::file, .value = "PATH", .help = "the herd7 to run"},
    jobs_option,
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

runners::Hardware herd7(const Arguments& arguments) {
  runners::HerdOptions with;
  with.program = arguments.text("herd7", "");
  with.seconds = arguments.seconds("timeout", with.seconds);
  return [with](const litmus::Test& test) {
    auto answer = runners::run_herd7(std::span(&test, 1), with).at(0);
    using Status = runners::HerdAnswer::Status;
    if (answer.status == Status::rejected || answer.status == Status::failed)
      throw Unsupported(fmt::format("this code for herd7: {}", answer.reason));
    if (answer.status == Status::unknown) {
      answer.result.status = executions::Result::Status::unknown;
      answer.result.reason = answer.reason;
    }
    return answer.result;
  };
}

runners::Hardware hardware_of(const Arguments& arguments) {
  const std::string engine = arguments.text("engine", "operational");
  if (engine == "herd7") return herd7(arguments);
  const auto limits = limits_of(arguments);
  return engine == "builtin" ? builtin(limits) : operational(limits);
}

std::string text_of(const litmus::Test& test, const std::string& model, const std::string& target,
                    const SoundnessResult& result) {
  std::string out =
      fmt::format("{}: {} for {} on {}", test.name, name(result.verdict), model, target);
  if (result.verdict == Soundness::sound)
    return out + fmt::format(" ({} behaviours)\n", result.behaviours.size());
  if (result.verdict == Soundness::unknown) return out + fmt::format(": {}\n", result.reason);
  out += fmt::format(": {} of {} behaviours forbidden\n", result.forbidden.size(),
                     result.behaviours.size());
  for (const auto& behaviour : result.forbidden)
    out += fmt::format("  {}\n", litmus::to_string(result.observables, behaviour));
  return out + side_by_side(result.lowered) +
         fmt::format("as {}\nby {}\n\n", litmus::to_string(result.code.clauses.at(0).proposition),
                     to_string(result.lowered.restoration));
}

std::string array_of(const SoundnessResult& result,
                     const std::vector<litmus::Behaviour>& behaviours) {
  std::vector<std::string> texts;
  for (const auto& behaviour : behaviours)
    texts.push_back(json::quote(litmus::to_string(result.observables, behaviour)));
  return json::array(texts);
}

std::string json_of(const litmus::Test& test, const std::string& file, const std::string& model,
                    const std::string& target, const SoundnessResult& result) {
  json::Object object;
  object.string("test", test.name).string("file", file);
  object.string("status", result.verdict == Soundness::unknown ? "unknown" : "ok");
  if (result.verdict == Soundness::unknown) object.string("reason", result.reason);
  object.string("model", model).string("target", target).string("verdict", name(result.verdict));
  object.raw("behaviours", array_of(result, result.behaviours));
  object.raw("forbidden", array_of(result, result.forbidden));
  object.string("code", litmus::print(result.code));
  return object.text() + "\n";
}

Exit exit_of(Soundness verdict) {
  switch (verdict) {
  case Soundness::sound: return Exit::clean;
  case Soundness::unsound: return Exit::finding;
  case Soundness::unknown: return Exit::undecided;
  }
  return Exit::bug;
}

Exit judge(const Arguments& arguments, Console& console) {
  const std::string model = *arguments.text("model");
  const std::string target_name = arguments.text("target", "x86:table2");
  const cat::Plan plan = cat::load_model(model, cat::Architecture::java, load_options(arguments));
  const runners::Hardware hardware = hardware_of(arguments);
  runners::SoundnessOptions with;
  with.oracle = causality_options(arguments);
  with.oracle.rules = arguments.text("causality", "");
  lower::Target::named(target_name); // a wrong name is an error of the command, not of each test
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    const auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    if (test.dialect != litmus::Dialect::java)
      throw InputError(fmt::format("{}: error: only Java tests are lowered", file));
    lower::Target target = lower::Target::named(target_name);
    const auto result = check_soundness(test, plan, target, hardware, with);
    return Done{.exit = exit_of(result.verdict),
                .out = arguments.json() ? json_of(test, file, model, target.name(), result)
                                        : text_of(test, model, target.name(), result)};
  });
}

} // namespace

extern constinit const Command sound_command = {
    .name = "sound",
    .summary = "ask whether a scheme or compiler is sound for a model",
    .usage = "TEST…",
    .description =
        "Lowers each test to x86, works out what the code can do, and asks the model whether it "
        "allows the source every one of these behaviours. The test's own clauses play no role.\n"
        "Exit code 0: sound, 1: some behaviour is forbidden (it is shown with source and code), 3: "
        "a limit was reached before that was clear.",
    .example = "thinair sound corpus/jmt/JMT-Fig5.litmus --model jam21 --target x86:table2",
    .operands = Operands::inputs,
    .options = options,
    .run = judge,
};

} // namespace thinair::cli
