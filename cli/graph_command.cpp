// thinair graph TEST…: draws an execution for each final state, or for one.
#include "cli/asked_model.h"
#include "cli/engine.h"
#include "cli/failure.h"
#include "cli/inputs.h"
#include "cli/limits.h"
#include "cli/question.h"
#include "litmus/text/json.h"
#include "oracle/explain/examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli {
namespace {

constexpr auto graph_formats = std::to_array<std::string_view>({"text", "dot", "svg"});

constexpr auto graph_options = with_all_limits(std::to_array<Option>({
    asked_model_option,
    {.name = "outcome",
     .letter = 'o',
     .takes = Takes::text,
     .value = "STATE",
     .help = "only states with these values, \"0:r1=0; [x]=1\", or a proposition as in tests"},
    causality_option,
    identity_option,
    {.name = "format",
     .letter = 'f',
     .takes = Takes::word,
     .value = "F",
     .help = "default: text; dot is for Graphviz",
     .words = graph_formats},
    jobs_option,
    as_plain_option,
    include_option,
}));

std::string rendered(const explain::Drawing& drawing, std::string_view format) {
  if (format == "text") return as_text(drawing);
  return format == "dot" ? as_dot(drawing) : as_svg(drawing);
}

/// The test with these final states alone in view, and what they name shown.
litmus::Test limited_to(litmus::Test test, const litmus::Proposition& outcome) {
  test.locations = litmus::observables(test);
  for (auto& o : litmus::mentioned(outcome))
    if (std::ranges::find(test.locations, o) == test.locations.end())
      test.locations.push_back(std::move(o));
  return explain::filtered(std::move(test), outcome);
}

constexpr std::size_t most_when_late = 100; // drawings that are written after a limit was reached

/// Writing takes its time, too: where there is none left, a few drawings are written.
void limit_to_time(explain::Examples& drawn, Watch& watch) {
  for (std::size_t i = 0; i < drawn.all.size() && watch.step(); ++i)
    watch.step(explain::steps_a_node * (1 + drawn.all[i].drawing.nodes.size()));
  if (!watch.stopped()) return;
  drawn.all.resize(std::min(drawn.all.size(), most_when_late));
  if (drawn.open.empty()) drawn.open = watch.reason();
}

/// A line of JSON for each drawing.
std::string as_json(const explain::Examples& drawn, const litmus::Test& test,
                    const std::string& file, const std::string& format) {
  std::string out;
  for (const auto& one : drawn.all)
    out += json::Object()
               .string("test", test.name)
               .string("file", file)
               .string("status", "ok")
               .string("outcome", one.state)
               .string("format", format)
               .string("text", rendered(one.drawing, format))
               .text() +
           "\n";
  return out;
}

/// An SVG file holds one picture: all drawings of a test below each other.
std::string as_text(const explain::Examples& drawn, const std::string& format) {
  std::string out;
  std::vector<explain::Drawing> all;
  for (const auto& one : drawn.all) {
    if (format == "svg")
      all.push_back(one.drawing);
    else
      out += rendered(one.drawing, format);
  }
  return all.empty() ? out : explain::as_svg(all);
}

/// Says that there may be more, or that there is nothing.
void add_remarks(Done& done, const explain::Examples& drawn, const litmus::Test& test,
                 const std::string& file, bool json) {
  if (!drawn.open.empty()) {
    const Failure failure{Exit::undecided, "unknown", "unknown: " + shown(drawn.open)};
    done.exit = failure.exit;
    done.err = diagnostic(failure, file);
    if (json) done.out += json_of(failure, test.name, file) + "\n";
  } else if (drawn.all.empty()) {
    done.err = file + ": no execution that the model allows shows that";
  }
}

/// There is nothing to draw.
Done undrawn(const oracle::Answer& nothing, const litmus::Test& test, const std::string& file,
             const Arguments& arguments) {
  if (nothing == oracle::Answer::forbidden)
    return {.err = fmt::format("{}: {}", file, shown(nothing.because))};
  const Failure failure{Exit::undecided, "vacuous", "vacuous: " + shown(nothing.because)};
  return {.exit = failure.exit,
          .out = arguments.json() ? json_of(failure, test.name, file) + "\n" : std::string(),
          .err = diagnostic(failure, file)};
}

Exit show_graph(const Arguments& arguments, Console& console) {
  const AskedModel model(arguments);
  const std::string format = arguments.text("format", "text");
  const auto asked = oracle_options(arguments);
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    const auto read = showing_something(litmus::parse(read_input(file)));
    progress.test = read.name;
    auto test = read;
    if (const auto outcome = arguments.text("outcome"))
      test = limited_to(std::move(test), outcome_of(test, *outcome));
    const auto& plan = model.plan(test);
    const oracle::Watched watch(asked.limits);
    auto with = asked;
    with.limits.watch = watch.get();
    auto drawn = explain::examples(test, plan, with);
    limit_to_time(drawn, *watch);
    Done done;
    done.out = arguments.json() ? as_json(drawn, test, file, format) : as_text(drawn, format);
    if (drawn.all.empty() && drawn.open.empty()) {
      const auto any = oracle::Oracle(read, plan, with).allows_anything();
      if (any == oracle::Answer::forbidden || any == oracle::Answer::vacuous)
        return undrawn(any, test, file, arguments);
    }
    add_remarks(done, drawn, test, file, arguments.json());
    return done;
  });
}

} // namespace

extern constinit const Command graph_command = {
    .name = "graph",
    .summary = "draw executions",
    .usage = "TEST…",
    .description = "Draws one execution for each final state that a model allows: events, program "
                   "order, reads-from, and the relations that the model shows. Where it has rules "
                   "of causality, of the states that they allow; 'explain' shows why they do.\n"
                   "SVG has a column for each thread and needs nothing else; DOT is for "
                   "Graphviz.",
    .example = "thinair graph corpus/jmt --model sc --format dot",
    .operands = Operands::inputs,
    .options = graph_options,
    .run = show_graph,
};

} // namespace thinair::cli
