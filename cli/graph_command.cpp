// thinair graph TEST…: draws an execution for each final state, or for one.
#include "cli/drawing.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "litmus/text/json.h"
#include "runners/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli {
namespace {

constexpr auto formats = std::to_array<std::string_view>({"text", "dot", "svg"});

constexpr Option required_model() {
  Option option = model_option;
  option.required = true;
  return option;
}

constexpr auto options = with_limits(std::to_array<Option>({
    required_model(),
    {.name = "outcome",
     .letter = 'o',
     .takes = Takes::text,
     .value = "STATE",
     .help = "only states with these values: \"0:r1=0; [x]=1\""},
    {.name = "format",
     .letter = 'f',
     .takes = Takes::word,
     .value = "F",
     .help = "text unless said; svg needs Graphviz",
     .words = formats},
    jobs_option,
    include_option,
}));

/// "a; b" as its parts, without blanks around them.
std::vector<std::string> atoms(std::string_view state) {
  std::vector<std::string> out;
  while (!state.empty()) {
    const auto end = std::min(state.find(';'), state.size());
    const auto part = state.substr(0, end);
    const auto first = part.find_first_not_of(' ');
    if (first != std::string_view::npos)
      out.emplace_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
    state.remove_prefix(std::min(end + 1, state.size()));
  }
  return out;
}

bool shows(const std::string& state, const std::vector<std::string>& wanted) {
  const auto has = atoms(state);
  return std::ranges::all_of(
      wanted, [&](const std::string& atom) { return std::ranges::find(has, atom) != has.end(); });
}

std::string svg_of(const std::string& dot) {
  const std::string program = runners::find_program("dot");
  if (program.empty())
    throw InputError("thinair graph: error: --format svg needs Graphviz's dot, which is not there\n"
                     "  hint: apt-get install graphviz; --format dot and text need nothing");
  const runners::TemporaryDirectory folder;
  const runners::Command command{.argv = {program, "-Tsvg", folder.write("graph.dot", dot)},
                                 .seconds = 60};
  const auto outcome = runners::run(command);
  if (outcome.end != runners::Outcome::End::exited || outcome.code != 0)
    throw LimitReached("Graphviz: " + runners::describe(outcome), "--format dot");
  return outcome.out;
}

std::string rendered(const Drawing& drawing, std::string_view format) {
  if (format == "text") return as_text(drawing);
  const std::string dot = as_dot(drawing);
  return format == "dot" ? dot : svg_of(dot);
}

/// One drawing a state, sorted by state.
std::vector<std::pair<std::string, Drawing>> drawings_of(const litmus::Test& test,
                                                         const cat::Plan& plan,
                                                         const executions::Limits& limits,
                                                         const std::vector<std::string>& wanted) {
  std::vector<std::pair<std::string, Drawing>> drawings;
  const auto observables = litmus::observables(test);
  executions::Options chosen;
  chosen.limits = limits;
  const auto result = executions::witnesses(
      test, plan, chosen,
      [&](std::span<const litmus::Value> values, const executions::Witness& witness) {
        const std::string state =
            litmus::to_string(observables, litmus::Behaviour(values.begin(), values.end()));
        const auto same = [&](const auto& drawn) { return drawn.first == state; };
        if (shows(state, wanted) && std::ranges::none_of(drawings, same))
          drawings.emplace_back(state, draw(witness, plan, test.name + ": " + state));
      });
  if (drawings.empty() && result.status == executions::Result::Status::unknown)
    throw LimitReached(result.reason, "no such execution was found before");
  std::ranges::sort(drawings, {}, [](const auto& drawn) { return drawn.first; });
  return drawings;
}

Exit show_graph(const Arguments& arguments, Console& console) {
  const LoadedModel model(*arguments.text("model"), load_options(arguments));
  const std::string format = arguments.text("format", "text");
  const auto wanted = atoms(arguments.text("outcome", ""));
  const auto limits = limits_of(arguments);
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    const auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    Done done;
    for (const auto& [state, drawing] : drawings_of(test, model.plan(test), limits, wanted)) {
      const std::string text = rendered(drawing, format);
      done.out += arguments.json() ? json::Object()
                                             .string("test", test.name)
                                             .string("file", file)
                                             .string("status", "ok")
                                             .string("outcome", state)
                                             .string("format", format)
                                             .string("text", text)
                                             .text() +
                                         "\n"
                                   : text;
    }
    if (done.out.empty()) done.err = file + ": no execution that the model allows shows that";
    return done;
  });
}

} // namespace

extern constinit const Command graph_command = {
    .name = "graph",
    .summary = "draw executions",
    .usage = "TEST…",
    .description = "Draws one execution for each final state that a model allows: events, program "
                   "order, reads-from, and the relations that the model shows. Causality rules are "
                   "not applied.\n"
                   "Text and DOT need nothing else; SVG is drawn by Graphviz.",
    .example = "thinair graph corpus/jmt --model sc --format dot",
    .operands = Operands::inputs,
    .options = options,
    .run = show_graph,
};

} // namespace thinair::cli
