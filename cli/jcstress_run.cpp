// Runs tests on JVMs and reports what was seen, beside what a model forbids.
#include "cli/engine.h"
#include "cli/failure.h"
#include "cli/jcstress.h"
#include "cli/limits.h"
#include "litmus/text/json.h"
#include "runners/jcstress/expect.h"
#include "runners/jcstress/membership.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace thinair::cli {
namespace {

namespace jcs = runners::jcstress;

std::vector<jcs::Jvm> chosen_jvms(const Arguments& arguments) {
  std::vector<jcs::Jvm> jvms;
  if (arguments.has("jdks")) jvms = jcs::installed_jvms();
  for (const auto& name : arguments.texts("jdk")) jvms.push_back(jcs::find_jvm(name));
  if (!jvms.empty()) return jvms;
  const std::string java = runners::find_program("java");
  if (java.empty() || arguments.has("jdks"))
    throw InputError("error: no JDK was found\n  hint: 'scripts/get-jdk 17' installs one, and "
                     "'thinair jdks' lists what there is");
  const auto all = jcs::installed_jvms();
  std::string why;
  const auto home = std::filesystem::canonical(java).parent_path().parent_path().string();
  const auto found = std::ranges::find(all, home, &jcs::Jvm::home);
  if (found != all.end()) return {*found};
  if (auto jvm = jcs::look_at(home, why)) return {*jvm};
  throw InputError(
      fmt::format("error: {}: {}\n  hint: 'scripts/get-jdk 17' installs one", home, why));
}

struct Seen {
  const jcs::Prepared& test;
  const RunSetup::Target& target;
  const jcs::TestRun& run;
  std::vector<std::pair<litmus::Behaviour, std::string>> forbidden; // with the reason
  Reason undecided;                                                 // why the model did not answer
};

std::string json_of(const Seen& seen, bool judged) {
  const auto observables = observables_of(seen.test);
  json::Object outcomes, forbidden;
  for (const auto& [behaviour, count] : seen.run.outcomes)
    outcomes.integer(litmus::to_string(seen.test.test, observables, behaviour), count);
  for (const auto& [behaviour, why] : seen.forbidden)
    forbidden.string(litmus::to_string(seen.test.test, observables, behaviour), why);
  json::Object object;
  object.string("test", seen.test.name).string("jdk", seen.target.jvm.name);
  object.string("mode", seen.target.mode_name()).string("status", name(seen.run.status));
  if (!seen.run.reason.empty()) object.string("reason", shown(seen.run.reason));
  object.integer("samples", seen.run.samples);
  if (seen.run.thrown > 0) object.integer("exceptions", seen.run.thrown);
  object.raw("outcomes", outcomes.text());
  if (judged) object.raw("forbidden", forbidden.text());
  if (!seen.undecided.empty()) object.string("undecided", shown(seen.undecided));
  return object.real("seconds", seen.run.seconds).text() + "\n";
}

std::string text_of(const Seen& seen) {
  const auto observables = observables_of(seen.test);
  std::string out =
      fmt::format("{} on {} ({}, {}): {}{}{}, {} samples\n", seen.test.name, seen.target.jvm.name,
                  seen.target.jvm.version, seen.target.mode_name(), name(seen.run.status),
                  seen.run.reason.empty() ? "" : ": ", shown(seen.run.reason), seen.run.samples);
  for (const auto& [behaviour, count] : seen.run.outcomes) {
    const auto found =
        std::ranges::find(seen.forbidden, behaviour,
                          [](const auto& f) -> const litmus::Behaviour& { return f.first; });
    out += fmt::format("{:>12}  {}{}\n", count,
                       litmus::to_string(seen.test.test, observables, behaviour),
                       found == seen.forbidden.end() ? "" : "  FORBIDDEN by " + found->second);
  }
  if (seen.run.thrown > 0)
    out += fmt::format("{:>12}  a thread ended in an exception: no final state\n", seen.run.thrown);
  if (!seen.undecided.empty())
    out += fmt::format("{:>12}  the model did not decide every outcome: {}\n", "",
                       shown(seen.undecided));
  return out;
}

/// The outcomes under the model, if there is one.
Seen judged(const jcs::Prepared& test, const RunSetup::Target& target, const jcs::TestRun& run,
            const std::optional<ExpectedModel>& model) {
  Seen seen{test, target, run, {}, {}};
  if (!model || run.outcomes.empty()) return seen;
  jcs::Membership membership(test, model->plan, model->with);
  for (const auto& [behaviour, count] : run.outcomes) {
    const auto answer = membership.allows(behaviour);
    if (answer == oracle::Answer::forbidden)
      seen.forbidden.emplace_back(behaviour, as_text(membership.why_forbidden(behaviour)));
    if (answer == oracle::Answer::unknown) seen.undecided = answer.because;
  }
  if (seen.forbidden.size() < run.outcomes.size()) return seen;
  const auto any = membership.allows_anything();
  if (any == oracle::Answer::allowed || any == oracle::Answer::forbidden)
    return seen; // the model's never ends, but the JVM's run did
  seen.undecided = (any == oracle::Answer::vacuous ? "vacuous: " : "") + any.because;
  seen.forbidden.clear();
  return seen;
}

/// Finding: a forbidden outcome, or a JVM that did not survive.
Exit exit_of(const Seen& seen) {
  using Status = jcs::Record::Status;
  if (seen.run.status == Status::error) return Exit::undecided;
  if (seen.run.status != Status::ok || !seen.forbidden.empty()) return Exit::finding;
  return seen.undecided.empty() ? Exit::clean : Exit::undecided;
}

} // namespace

std::optional<ExpectedModel> expected_model(const Arguments& arguments) {
  constexpr double usual_s = 60; // no test holds up the others for ever
  const auto name = arguments.text("expect");
  if (!name) return std::nullopt;
  oracle::Options with;
  choose_rules(arguments, with);
  with.limits.seconds = arguments.seconds("timeout", usual_s);
  with.limits.steps = arguments.count("max-steps", with.limits.steps);
  auto plan = cat::load_model(*name, cat::Architecture::java, load_options(arguments));
  return ExpectedModel{*name, std::move(plan), with};
}

jcs::Prepared prepared(const litmus::Test& test, const std::optional<ExpectedModel>& model) {
  if (model && !oracle::compares_memory(model->plan, model->with))
    return jcs::prepare(test, std::vector<litmus::Observable>{});
  return jcs::prepare(test);
}

Exit attempt_on(const std::string& file, const Arguments& arguments, Console& console,
                const std::string& test, const std::function<void()>& work) {
  try {
    work();
    return Exit::clean;
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    if (arguments.json()) console.out.write(json_of(failure, test, file) + "\n");
    console.diagnose(diagnostic(failure, file));
    return failure.exit;
  }
}

RunSetup::RunSetup(const Arguments& arguments) : jars_(jcs::find_jcstress()) {
  const auto modes = arguments.texts("mode");
  const bool official = arguments.has("official");
  if (official && !modes.empty())
    throw InputError("thinair jcstress: error: --mode has no meaning with --official, which runs "
                     "every compilation mode");
  for (const jcs::Jvm& jvm : chosen_jvms(arguments)) {
    if (modes.empty()) targets_.push_back({jvm, jcs::default_mode(jvm), official});
    for (const auto& word : modes) {
      if (word == "all") {
        for (const auto mode : modes_of(jvm)) targets_.push_back({jvm, mode, false});
      } else {
        targets_.push_back({jvm, find_mode(jvm, word), false});
      }
    }
  }
  const auto oldest =
      std::ranges::min_element(targets_, {}, [](const Target& t) { return t.jvm.feature; });
  compiler_ = jcs::find_compiler(oldest->jvm);
  options_.milliseconds = static_cast<std::uint32_t>(
      std::clamp(arguments.seconds("time", 0.2), 0.001, 86'400.0) * 1000);
  options_.seed = arguments.count("seed", 1);
  options_.keep = arguments.text("keep", "jcstress-crashes");
  options_.flags = arguments.texts("jvm-flag");
}

Exit run_tests(const RunSetup& set_up, const std::vector<litmus::Test>& tests,
               const Arguments& arguments, Console& console) {
  if (tests.empty()) return Exit::clean;
  const auto model = expected_model(arguments);
  std::vector<jcs::Prepared> all;
  for (const auto& test : tests) all.push_back(prepared(test, model));
  const jcs::Batch batch(std::move(all), set_up.compiler(), set_up.jars());
  Exit exit = Exit::clean;
  for (const auto& target : set_up.targets()) {
    auto options = set_up.options();
    options.mode = target.mode;
    const auto runs = target.official ? batch.run_officially(target.jvm, options)
                                      : batch.run(target.jvm, options);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Seen seen = judged(batch[i], target, runs[i], model);
      console.out.write(arguments.json() ? json_of(seen, model.has_value()) : text_of(seen));
      exit = worst(exit, exit_of(seen));
    }
  }
  return exit;
}

} // namespace thinair::cli
