// Loads a model for both architectures, and reads the options of limits.
#include "cli/question.h"

#include <fmt/format.h>

namespace thinair::cli {

LoadedModel::Compiled LoadedModel::compile(const std::string& name, cat::Architecture architecture,
                                           const cat::LoadOptions& options) {
  try {
    return cat::load_model(name, architecture, options);
  } catch (const InputError&) {
    return std::current_exception();
  } catch (const Unsupported&) {
    return std::current_exception();
  }
}

LoadedModel::LoadedModel(std::string name, const cat::LoadOptions& options)
    : name_(std::move(name)), java_(compile(name_, cat::Architecture::java, options)),
      x86_(compile(name_, cat::Architecture::x86, options)) {
  const auto* for_java = std::get_if<std::exception_ptr>(&java_);
  if (for_java != nullptr && std::holds_alternative<std::exception_ptr>(x86_))
    std::rethrow_exception(*for_java);
}

const cat::Plan* LoadedModel::find(const litmus::Test& test) const {
  return std::get_if<cat::Plan>(test.dialect == litmus::Dialect::java ? &java_ : &x86_);
}

const cat::Plan& LoadedModel::plan(const litmus::Test& test) const {
  const auto& compiled = test.dialect == litmus::Dialect::java ? java_ : x86_;
  if (const auto* error = std::get_if<std::exception_ptr>(&compiled))
    std::rethrow_exception(*error);
  return std::get<cat::Plan>(compiled);
}

litmus::Proposition outcome_of(const litmus::Test& test, std::string outcome) {
  while (!outcome.empty() && (outcome.back() == ' ' || outcome.back() == ';')) outcome.pop_back();
  for (auto at = outcome.find(';'); at != std::string::npos; at = outcome.find(';', at + 2))
    outcome.replace(at, 1, "/\\");
  litmus::Test asking = test;
  asking.clauses.clear();
  const std::string text = litmus::print(asking) + "exists (" + outcome + ")\n";
  return litmus::parse({"--outcome", text}).clauses.at(0).proposition;
}

litmus::Test showing_something(litmus::Test test) {
  if (!litmus::observables(test).empty()) return test;
  test.locations = litmus::observables(test, true);
  if (!test.locations.empty()) return test;
  std::visit(
      [&](const auto& program) {
        for (const auto& location : program.locations)
          test.locations.push_back({{}, location.name});
      },
      test.program);
  return test;
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

executions::Limits limits_of(const Arguments& arguments) {
  executions::Limits limits;
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
