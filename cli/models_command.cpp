// thinair models: the embedded models, their text, and the check of a model of one's own.
#include "cli/inputs.h"
#include "cli/question.h"
#include "litmus/text/counted.h"
#include "litmus/text/json.h"
#include "litmus/text/printable.h"
#include "litmus/text/wrap.h"
#include "models/library.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace thinair::cli {
namespace {

constexpr auto actions_of_models = std::to_array<std::string_view>({"list", "show", "check"});
constexpr auto models_options = std::to_array<Option>({include_option});

/// What a list says of a model.
struct Entry {
  std::string name;
  std::vector<std::string> architectures;
  cat::Plan plan; // for the first of these
};

std::optional<cat::Plan> plan_for(const std::string& name, cat::Architecture architecture) {
  try {
    return cat::load_model(name, architecture);
  } catch (const InputError&) {
    return std::nullopt; // it speaks of events that the architecture lacks
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

bool is_model(const models::File& file) { return !file.name.starts_with("library/"); }

Entry entry_of(const models::File& file) {
  Entry entry{std::string(file.name.substr(0, file.name.rfind('.'))), {}, {}};
  for (const auto* each : graph::front_ends()) {
    auto plan = plan_for(entry.name, cat::Architecture(*each));
    if (!plan) continue;
    if (entry.architectures.empty()) entry.plan = *std::move(plan);
    entry.architectures.emplace_back(each->name);
  }
  THINAIR_CHECK(!entry.architectures.empty(),
                fmt::format("the embedded model {} does not load", entry.name));
  return entry;
}

std::vector<std::string> axioms_of(const cat::Plan& plan) {
  std::vector<std::string> names;
  for (const auto& axiom : plan.axioms) names.push_back(axiom.name);
  return names;
}

std::string text_of(const Entry& entry) {
  constexpr std::size_t left = 11;
  const auto below = [](const std::string& text) {
    return std::string(left, ' ') + text::wrapped(text, left, left) + "\n";
  };
  return fmt::format("{:<10} {}\n", entry.name, entry.plan.name) +
         below(fmt::format("for {}; causality {}{}; axioms {}", text::listed(entry.architectures),
                           entry.plan.causality.empty() ? "none" : entry.plan.causality,
                           entry.plan.identity.empty() ? "" : ", identity " + entry.plan.identity,
                           fmt::join(axioms_of(entry.plan), ", "))) +
         below("gives a meaning to " + declaration_of(entry.plan.meaning.known));
}

std::string json_of(const Entry& entry) {
  std::vector<std::string> architectures, axioms;
  for (const auto& name : entry.architectures) architectures.push_back(json::quote(name));
  for (const auto& axiom : entry.plan.axioms)
    axioms.push_back(
        json::Object().string("name", axiom.name).string("source", axiom.source).text());
  return json::Object()
             .string("model", entry.name)
             .string("title", entry.plan.name)
             .raw("architectures", json::array(architectures))
             .string("causality", entry.plan.causality)
             .string("identity", entry.plan.identity)
             .string("meaning", declaration_of(entry.plan.meaning.known))
             .raw("axioms", json::array(axioms))
             .text() +
         "\n";
}

Exit list_models(const Arguments& arguments, Console& console) {
  for (const auto& file : models::files()) {
    if (!is_model(file)) continue;
    const Entry entry = entry_of(file);
    console.out.write(arguments.json() ? json_of(entry) : text_of(entry));
  }
  return Exit::clean;
}

Exit show_model(const std::string& name, const Arguments& arguments, Console& console) {
  auto file = models::find_model(name);
  if (!file) file = models::find_include(name);
  if (!file) {
    std::vector<std::string_view> names;
    for (const auto& known : models::files()) names.push_back(known.name);
    const auto close = nearest(name, names);
    throw InputError(fmt::format("thinair models: error: no embedded model is called '{}'{}",
                                 text::printable_word(name),
                                 close ? fmt::format("\n  hint: did you mean '{}'?", *close) : ""));
  }
  console.out.write(
      arguments.json()
          ? json::Object().string("model", file->name).string("text", file->text).text() + "\n"
          : std::string(file->text));
  return Exit::clean;
}

Exit check_models(const std::vector<std::string>& files, const Arguments& arguments,
                  Console& console) {
  const auto load = load_options(arguments);
  return for_each(files, arguments, console, [&](const std::string& file, Progress&) {
    std::string warnings;
    for (const auto& warning : cat::check_model(read_input(file), load))
      warnings += fmt::format("{}{}", warnings.empty() ? "" : "\n", warning);
    const std::string object =
        json::Object().string("file", file).string("status", "ok").text() + "\n";
    return Done{.out = arguments.json() ? object : file + ": ok\n", .err = warnings};
  });
}

Exit run_models(const Arguments& arguments, Console& console) {
  const auto& operands = arguments.operands();
  const std::string word = operands.empty() ? "list" : operands.front();
  if (word == "list" && operands.size() <= 1) return list_models(arguments, console);
  if (word == "show" && operands.size() == 2) return show_model(operands[1], arguments, console);
  if (word == "check" && operands.size() >= 2)
    return check_models({operands.begin() + 1, operands.end()}, arguments, console);
  throw InputError("thinair models: error: expected 'list', 'show NAME' or 'check FILE…'");
}

} // namespace

extern constinit const Command models_command = {
    .name = "models",
    .summary = "list the models, show one, or check one of your own",
    .usage = "[list | show NAME | check FILE…]",
    .description = "Lists the embedded models: title, what they are for, the causality rules they "
                   "are meant for, their axioms, and which access modes, fences and other parts of "
                   "programs they give a meaning to; programs that use more are unsupported.\n"
                   "'show' prints the text of one, or of a file that models include; 'check' reads "
                   "a .cat file and says what is wrong with it.",
    .example = "thinair models show sc",
    .operands = Operands::words,
    .words = actions_of_models,
    .options = models_options,
    .run = run_models,
};

} // namespace thinair::cli
