// thinair graph TEST…: draws an execution for each final state, or for one.
#include "cli/failure.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "cli/verdict.h"
#include "litmus/text/json.h"
#include "oracle/explain/drawing.h"
#include "oracle/explain/vacuity.h"

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
     .help = "text unless said; dot is for Graphviz",
     .words = formats},
    jobs_option,
    as_plain_option,
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

std::string rendered(const explain::Drawing& drawing, std::string_view format) {
  if (format == "text") return as_text(drawing);
  return format == "dot" ? as_dot(drawing) : as_svg(drawing);
}

using Drawings = std::vector<std::pair<std::string, explain::Drawing>>; // with their states

/// An SVG file holds one picture: all drawings of a test below each other.
std::string one_picture(const Drawings& drawings) {
  std::vector<explain::Drawing> all;
  for (const auto& [state, drawing] : drawings) all.push_back(drawing);
  return all.empty() ? "" : explain::as_svg(all);
}

/// One drawing a state, sorted by state. `nothing` says why there is no state at all.
std::vector<std::pair<std::string, explain::Drawing>>
drawings_of(const litmus::Test& test, const cat::Plan& model, const executions::Limits& limits,
            const std::vector<std::string>& wanted, std::optional<explain::Nothing>& nothing) {
  Drawings drawings;
  const auto observables = litmus::observables(test);
  executions::Options chosen;
  chosen.limits = limits;
  const auto plan = explain::also_showing(model, {"co", "fr"});
  const auto result = executions::witnesses(
      test, plan, chosen,
      [&](std::span<const litmus::Value> values, const executions::Witness& witness) {
        const std::string state =
            litmus::to_string(observables, litmus::Behaviour(values.begin(), values.end()));
        const auto same = [&](const auto& drawn) { return drawn.first == state; };
        if (shows(state, wanted) && std::ranges::none_of(drawings, same))
          drawings.emplace_back(state, explain::draw(witness, plan, test.name + ": " + state));
      });
  if (drawings.empty() && result.status == executions::Result::Status::unknown)
    throw LimitReached(result.reason, "no such execution was found before");
  if (is_empty(result)) nothing = explain::why_nothing(test, model, limits);
  std::ranges::sort(drawings, {}, [](const auto& drawn) { return drawn.first; });
  return drawings;
}

/// There is nothing to draw.
Done undrawn(const explain::Nothing& nothing, const litmus::Test& test, const std::string& file,
             const Arguments& arguments) {
  if (nothing.never_ends) return {.err = fmt::format("{}: {}", file, nothing.reason)};
  const Failure failure{Exit::undecided, "vacuous", "vacuous: " + nothing.reason};
  return {.exit = failure.exit,
          .out = arguments.json() ? json_of(failure, test.name, file) + "\n" : std::string(),
          .err = diagnostic(failure, file)};
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
    std::optional<explain::Nothing> nothing;
    const auto drawn = drawings_of(test, model.plan(test), limits, wanted, nothing);
    const bool whole = format == "svg" && !arguments.json();
    if (whole) done.out = one_picture(drawn);
    for (const auto& [state, drawing] : whole ? Drawings() : drawn) {
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
    if (nothing) return undrawn(*nothing, test, file, arguments);
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
                   "SVG has a column for each thread and needs nothing else; DOT is for "
                   "Graphviz.",
    .example = "thinair graph corpus/jmt --model sc --format dot",
    .operands = Operands::inputs,
    .options = options,
    .run = show_graph,
};

} // namespace thinair::cli
