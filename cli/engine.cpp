// Sets up an engine from the command line and hands tests to it.
#include "cli/engine.h"

#include "cli/inputs.h"
#include "cli/verdict.h"
#include "litmus/language.h"
#include "runners/hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace thinair::cli {
namespace {

/// "x86-tso and armv8": the models that abstract machines are for.
std::string operational_models() {
  std::vector<std::string_view> names;
  for (const auto* row : runners::operational_machines()) names.push_back(row->model);
  return fmt::format("{}", fmt::join(names, " and "));
}

/// Tests that can be read, with their files; what is wrong with the others is said when their turn
/// comes.
std::map<std::string, litmus::Test> readable(const std::vector<std::string>& files) {
  std::map<std::string, litmus::Test> tests;
  for (const auto& file : files) {
    if (file == "-") continue; // can be read only once
    try {
      tests.emplace(file, showing_something(litmus::parse(read_input(file))));
    } catch (const InputError&) {
      continue;
    } catch (const Unsupported&) {
      continue;
    }
  }
  return tests;
}

oracle::Result result_of(const runners::HerdAnswer& answer) {
  using Status = runners::HerdAnswer::Status;
  oracle::Result result = answer.result;
  switch (answer.status) {
  case Status::ok: return result;
  case Status::rejected: throw Unsupported("herd7 does not read it: " + answer.reason.text);
  case Status::unknown:
    result.status = oracle::Result::Status::unknown;
    result.reason = answer.reason;
    return result;
  case Status::failed:
    result.status = oracle::Result::Status::unknown;
    result.reason = "herd7 failed: " + answer.reason;
    return result;
  }
  bug(__FILE__, __LINE__, "an answer of herd7 of no kind");
}

} // namespace

void choose_rules(const Arguments& arguments, oracle::Options& options) {
  options.rules = arguments.text("causality", "");
  if (const auto identity = arguments.text("identity"))
    options.identity = causality::identity_named(*identity);
}

oracle::Options oracle_options(const Arguments& arguments) {
  oracle::Options options;
  choose_rules(arguments, options);
  options.over_approximate = arguments.text("oracle") == "jpr";
  options.all_registers = arguments.has("all-registers");
  options.count = arguments.has("count");
  options.limits = limits_of(arguments);
  return options;
}

runners::MachineOptions machine_options(const Arguments& arguments) {
  runners::MachineOptions options;
  options.states = arguments.count("max-states", options.states);
  const auto limits = limits_of(arguments);
  options.bytes = limits.bytes;
  options.seconds = limits.seconds;
  options.steps = limits.steps;
  options.loop_bound = limits.loop_bound;
  return options;
}

Engine::Engine(const Arguments& arguments) : name_(arguments.text("engine", "builtin")) {
  const bool operational = name_ == "operational";
  const auto model = arguments.text("model");
  if (!model && name_ == "herd7")
    throw InputError("error: --engine herd7 needs --model M\n  hint: 'thinair models' lists them");
  model_ = model.value_or("");
  const auto rows = runners::operational_machines();
  if (operational && model &&
      std::ranges::find(rows, *model, &runners::Operational::model) == rows.end())
    throw InputError(fmt::format("error: --engine operational has machines for {}, not for {}",
                                 operational_models(), model_));
  options_ = oracle_options(arguments);
  machine_ = machine_options(arguments);
  machine_.all_registers = options_.all_registers;
  if (name_ != "builtin" && options_.over_approximate)
    throw InputError(fmt::format("error: --oracle jpr is not for --engine {}", name_));
  if (name_ != "builtin" && arguments.text("causality", "none") != "none")
    throw InputError(fmt::format("error: --engine {} knows no causality rules", name_));
  jobs_ = static_cast<std::size_t>(std::clamp<std::uint64_t>(arguments.count("jobs", 1), 1, 64));
  herd7_.program = arguments.text("herd7", "");
  herd7_.model = model_;
  herd7_.all_registers = options_.all_registers;
  herd7_.seconds = arguments.seconds("timeout", herd7_.seconds);
  if (arguments.has("unroll")) herd7_.unroll = options_.limits.loop_bound;
  if (name_ == "builtin") loaded_.emplace(arguments);
  if (name_ == "herd7") load_for_herd7(arguments);
}

/// herd7 drops in silence what a model does not speak of. A model that only herd7 can read is its
/// own affair.
void Engine::load_for_herd7(const Arguments& arguments) {
  try {
    loaded_.emplace(arguments);
  } catch (const InputError&) {
    loaded_.reset();
  } catch (const Unsupported&) {
    loaded_.reset();
  }
}

void Engine::prepare(const std::vector<std::string>& files) {
  if (name_ != "herd7") return;
  if (!runners::find_herd7(herd7_.program))
    throw InputError("error: no herd7 that runs was found\n"
                     "  hint: scripts/get-herd7 installs it; --herd7 PATH names one");
  const auto tests = readable(files);
  std::vector<std::string> names;
  std::vector<litmus::Test> all;
  for (const auto& [file, test] : tests) {
    names.push_back(file);
    all.push_back(test);
  }
  const std::size_t slice = (all.size() + jobs_ - 1) / jobs_;
  std::vector<std::vector<runners::HerdAnswer>> answers(jobs_);
  std::vector<std::exception_ptr> errors(jobs_);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < jobs_ && i * slice < all.size(); ++i)
      threads.emplace_back([&, i] {
        try {
          const std::span rest = std::span<const litmus::Test>(all).subspan(i * slice);
          answers[i] = runners::run_herd7(rest.first(std::min(slice, rest.size())), herd7_);
        } catch (...) {
          errors[i] = std::current_exception();
        }
      });
  }
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
  for (std::size_t i = 0; i < all.size(); ++i)
    answers_.emplace(names[i], std::move(answers[i / slice][i % slice]));
}

Engine::Answer Engine::run(const litmus::Test& test, const std::string& file, Watch& watch) const {
  const auto start = std::chrono::steady_clock::now();
  Answer answer = name_ == "herd7"         ? run_herd7(test, file)
                  : name_ == "operational" ? Answer{.result = run_operational(test, watch)}
                                           : run_builtin(test, watch);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (name_ != "herd7") answer.seconds = taken.count();
  if (!is_empty(answer.result)) return answer;
  const auto* plan = loaded_ ? loaded_->find(test) : nullptr;
  const auto limits = oracle::watched_by(watch, options_.limits);
  answer.nothing = plan != nullptr ? oracle::why_nothing(test, *plan, limits)
                                   : oracle::why_nothing(test, model(test), limits);
  return answer;
}

Engine::Answer Engine::run_builtin(const litmus::Test& test, Watch& watch) const {
  const cat::Plan& plan = loaded_->plan(test);
  auto options = options_;
  options.limits.watch = &watch;
  const auto rules = oracle::rules_for(plan, options);
  if (options.count && rules.justified)
    throw InputError("error: --count counts executions of one model, not justified ones\n"
                     "  hint: add --causality none");
  return {.result = oracle::Oracle(test, plan, options).behaviours(),
          .counted = options.count,
          .causality = std::string(options.over_approximate ? "jpr"
                                   : rules.justified        ? rules.name
                                                            : "")};
}

std::string Engine::model(const litmus::Test& test) const {
  const auto* machine = runners::operational_of(test.language->machine);
  if (name_ == "operational" && machine != nullptr) return std::string(machine->model);
  return loaded_ ? loaded_->name(test) : model_;
}

oracle::Result Engine::run_operational(const litmus::Test& test, Watch& watch) const {
  const auto* machine = runners::operational_of(test.language->machine);
  if (machine == nullptr || (!model_.empty() && machine->model != model_))
    throw Unsupported(fmt::format("{} programs on the operational machine{}", test.language->word,
                                  model_.empty() ? "" : " of " + model_));
  runners::MachineOptions with = machine_;
  with.watch = &watch;
  return machine->run(test, with);
}

Engine::Answer Engine::run_herd7(const litmus::Test& test, const std::string& file) const {
  if (loaded_)
    if (const auto* plan = loaded_->find(test)) graph::demand_meaning(test, plan->meaning);
  const auto found = answers_.find(file);
  const auto answer = found != answers_.end()
                          ? found->second
                          : runners::run_herd7(std::span(&test, 1), herd7_).at(0);
  return {.result = result_of(answer), .seconds = answer.seconds, .counted = true};
}

} // namespace thinair::cli
