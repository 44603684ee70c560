// thinair sound TEST…: is what a target makes of a test sound for a model?
#include "campaign/target.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/limits.h"
#include "cli/question.h"
#include "litmus/language.h"
#include "litmus/text/json.h"
#include "runners/operational.h"
#include "runners/soundness.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace thinair::cli {
namespace {

using runners::Soundness;

constexpr auto sound_options = with_all_limits(std::to_array<Option>({
    judging_model_option,
    target_option,
    baseline_option,
    code_engine_option,
    confirm_option,
    causality_option,
    identity_option,
    herd7_option,
    jobs_option,
    as_plain_option,
    include_option,
}));

runners::HerdOptions herd_options(const Arguments& arguments) {
  runners::HerdOptions with;
  with.program = arguments.text("herd7", "");
  with.seconds = arguments.seconds("timeout", with.seconds);
  return with;
}

/// What is known of one test, for text and JSON.
struct SoundReport {
  const litmus::Test& test;
  std::string file, model, target, baseline;
  const campaign::Look& look;
  std::string seen = {}; // how often a JVM showed the first forbidden behaviour
  std::optional<campaign::Fault> fault = {};
};

/// What was forbidden, but for the baseline.
std::string excuse_of(const SoundReport& report) {
  const runners::Judged& result = report.look.judged;
  if (result.excused.empty()) return {};
  std::string out =
      fmt::format("the baseline {} is itself unsound: {} forbidden behaviour{} it "
                  "shows, too\n",
                  report.baseline, result.excused.size(), result.excused.size() == 1 ? "" : "s");
  for (const auto& behaviour : result.excused)
    out += fmt::format("  {}\n", litmus::to_string(report.test, result.observables, behaviour));
  return out;
}

std::string text_of(const SoundReport& report) {
  const runners::Judged& result = report.look.judged;
  std::string out = fmt::format("{}: {} for {} on {}", report.test.name, name(result.verdict),
                                report.model, report.target);
  if (result.verdict == Soundness::sound) {
    const std::string_view why = result.behaviours.empty() ? ": no execution of it ends" : "";
    return out +
           fmt::format(" ({} behaviour{}{})\n", result.behaviours.size(),
                       result.behaviours.size() == 1 ? "" : "s", why) +
           excuse_of(report);
  }
  if (result.verdict != Soundness::unsound)
    return out + fmt::format(": {}\n", shown(result.reason)) + excuse_of(report);
  out += fmt::format(": {} of {} behaviours forbidden\n", result.forbidden.size(),
                     result.behaviours.size());
  for (const auto& behaviour : result.forbidden)
    out += fmt::format("  {}\n", litmus::to_string(report.test, result.observables, behaviour));
  if (!report.seen.empty())
    out += fmt::format("the first of them{}\n", campaign::in_a_row(report.seen));
  if (report.fault) out += fmt::format("at fault: {}\n", report.fault->sentence);
  if (report.fault && !report.fault->change.empty())
    out += fmt::format("what mends it: {}\n", report.fault->change);
  out += excuse_of(report);
  const campaign::Look& look = report.look;
  out += look.side_by_side;
  if (result.witness)
    out += fmt::format("as {}\nby {}\n", litmus::to_string(*result.witness),
                       to_string(look.restoration));
  if (!look.trace.empty())
    out += "the first of them, step by step:\n" + to_string(*look.lowered, look.trace);
  return out + "\n";
}

std::string array_of(const SoundReport& report, const std::vector<litmus::Behaviour>& behaviours) {
  std::vector<std::string> texts;
  for (const auto& behaviour : behaviours)
    texts.push_back(
        json::quote(litmus::to_string(report.test, report.look.judged.observables, behaviour)));
  return json::array(texts);
}

std::string object_of(const litmus::Test& code, const runners::TraceStep& step) {
  json::Object memory, object;
  for (std::size_t i = 0; i < step.memory.size(); ++i)
    memory.integer(code.code().cells()[i].name, step.memory[i]);
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

std::string json_of(const SoundReport& report) {
  const runners::Judged& result = report.look.judged;
  json::Object object;
  object.string("test", report.test.name).string("file", report.file);
  const bool decided = result.verdict == Soundness::sound || result.verdict == Soundness::unsound;
  object.string("status", decided ? "ok" : name(result.verdict));
  if (!decided) object.string("reason", shown(result.reason));
  object.string("model", report.model).string("target", report.target);
  object.string("verdict", name(result.verdict));
  object.raw("behaviours", array_of(report, result.behaviours));
  object.raw("forbidden", array_of(report, result.forbidden));
  if (!report.baseline.empty())
    object.string("baseline", report.baseline).raw("excused", array_of(report, result.excused));
  if (!report.seen.empty()) object.string("seen", report.seen);
  if (report.fault) object.raw("fault", to_json(*report.fault));
  const campaign::Look& look = report.look;
  object.string("code", look.code).string("restore", to_string(look.restoration));
  object.string("side_by_side", look.side_by_side);
  if (!look.trace.empty()) {
    std::vector<std::string> steps;
    for (const auto& step : look.trace) steps.push_back(object_of(*look.lowered, step));
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

/// What was not seen is not sound.
campaign::Look looked(campaign::Target& target, const litmus::Test& test) {
  auto look = target.look(test);
  if (look.judged.verdict == Soundness::sound && !target.doubt().empty()) {
    look.judged.verdict = Soundness::unknown;
    look.judged.reason = target.doubt();
  }
  return look;
}

Exit judge(const Arguments& arguments, Console& console) {
  const std::string model = judging_model(arguments);
  const auto load = load_options(arguments);
  const cat::Plan plan = cat::load_model(model, cat::Architecture::java, load);
  campaign::Against against{.model = plan, .model_name = model, .load = load};
  against.with.oracle = oracle_options(arguments);
  against.engine = arguments.text("engine", "");
  against.confirm = arguments.has("confirm");
  against.baseline = arguments.text("baseline", "");
  against.herd7 = herd_options(arguments);
  // what is missing is an error of the command, not of each test
  const auto target = campaign::make_target(arguments.text("target", "x86:table2"), against);
  target->ready();
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    const auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    require_java(test, "to lower: they are machine code already");
    const auto look = looked(*target, test);
    SoundReport report{test, file, model, target->name(), against.baseline, look};
    const auto& found = look.judged;
    if (found.verdict == Soundness::unsound) {
      const auto shown = litmus::state_of(found.observables, found.forbidden.front());
      report.seen = target->sighting(test.java(), shown);
      report.fault = target->fault(test.java());
    }
    return Done{.exit = exit_of(look.judged.verdict),
                .out = arguments.json() ? json_of(report) : text_of(report)};
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
    .options = sound_options,
    .run = judge,
};

} // namespace thinair::cli
