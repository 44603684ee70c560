// Reads outcomes and the options of limits and of models.
#include "cli/question.h"

#include <fmt/format.h>

namespace thinair::cli {

litmus::Proposition outcome_of(const litmus::Test& test, std::string outcome) {
  return litmus::outcome_of(test, std::move(outcome), "--outcome");
}

namespace {

constexpr std::uint64_t most_megabytes = 1U << 30U;

/// A number from 1 to `most`.
std::uint64_t within(const Arguments& arguments, std::string_view option, std::uint64_t fallback,
                     std::uint64_t most) {
  const std::uint64_t number = arguments.count(option, fallback);
  if (number == 0 || number > most)
    throw InputError(fmt::format("error: --{} takes a number from 1 to {}", option, most));
  return number;
}

} // namespace

oracle::Limits limits_of(const Arguments& arguments) {
  oracle::Limits limits;
  limits.candidates = arguments.count("max-candidates", limits.candidates);
  limits.seconds = arguments.seconds("timeout", limits.seconds);
  limits.steps = std::min(arguments.count("max-steps", limits.steps), Watch::most_steps);
  limits.bytes = std::min(arguments.count("max-memory", limits.bytes >> 20U), most_megabytes)
                 << 20U;
  limits.loop_bound =
      static_cast<std::uint32_t>(within(arguments, "unroll", limits.loop_bound, 1000));
  limits.events = within(arguments, "max-events", limits.events, limits.events);
  limits.paths = within(arguments, "max-paths", limits.paths, 1'000'000);
  limits.values = within(arguments, "max-values", limits.values, 1'000'000);
  limits.solver_effort = static_cast<std::uint32_t>(
      within(arguments, "solver-effort", limits.solver_effort, 4'000'000'000));
  limits.graphs = arguments.count("max-graphs", limits.graphs);
  limits.valuations = arguments.count("max-values", limits.valuations);
  limits.states = arguments.count("max-states", limits.states);
  return limits;
}

cat::LoadOptions load_options(const Arguments& arguments) {
  cat::LoadOptions options;
  options.include_path = arguments.texts("include");
  options.as_plain = arguments.has("as-plain");
  options.max_steps = arguments.count("model-steps", options.max_steps);
  options.max_depth = static_cast<std::uint32_t>(
      within(arguments, "model-depth", options.max_depth, cat::largest_model_depth));
  return options;
}

} // namespace thinair::cli
