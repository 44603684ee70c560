// thinair herd TEST… -model FILE: the built-in engine with herd7's own output, to stand in for it
// in scripts.
#include "cli/failure.h"
#include "cli/inputs.h"
#include "cli/limits.h"
#include "cli/question.h"
#include "cli/verdict.h"
#include "litmus/canonical.h"
#include "litmus/text/json.h"
#include "oracle/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace thinair::cli {
namespace {

using litmus::Quantifier;
using oracle::Result;

constexpr auto options_of_herd = with_limits(std::to_array<Option>({
    required_model_option,
    as_plain_option,
    include_option,
    jobs_option,
}));

/// herd's word for a quantifier, in the line `Test NAME …`.
std::string_view kind_of(Quantifier quantifier) {
  switch (quantifier) {
  case Quantifier::exists:
  case Quantifier::required:
  case Quantifier::contested: return "Allowed";
  case Quantifier::not_exists:
  case Quantifier::forbidden: return "Forbidden";
  case Quantifier::forall: return "Required";
  }
  bug(__FILE__, __LINE__, "a quantifier that is none");
}

/// How herd would write the clause.
std::string_view herd_word(Quantifier quantifier) {
  switch (quantifier) {
  case Quantifier::exists:
  case Quantifier::required:
  case Quantifier::contested: return "exists";
  case Quantifier::not_exists:
  case Quantifier::forbidden: return "~exists";
  case Quantifier::forall: return "forall";
  }
  bug(__FILE__, __LINE__, "a quantifier that is none");
}

/// A proposition with herd's parentheses: around what is looser than its surroundings, and around
/// all but equations on the sides of `=>`, which it writes without any about itself.
std::string herd_text(const litmus::Proposition& p, litmus::Proposition::Kind around) {
  using Kind = litmus::Proposition::Kind;
  const auto joined = [&](std::string_view word) {
    std::vector<std::string> parts;
    for (const auto& part : p.parts) parts.push_back(herd_text(part, p.kind));
    const std::string text = fmt::format("{}", fmt::join(parts, word));
    const bool loose = around == Kind::implication ? p.kind != around
                       : around == Kind::all       ? p.kind != Kind::all
                                             : around == Kind::any && p.kind == Kind::implication;
    return loose ? "(" + text + ")" : text;
  };
  switch (p.kind) {
  case Kind::always:
  case Kind::never:
  case Kind::equal: return litmus::to_string(p);
  case Kind::not_equal: {
    litmus::Proposition equal = p;
    equal.kind = Kind::equal;
    return "not (" + litmus::to_string(equal) + ")";
  }
  case Kind::all: return joined(" /\\ ");
  case Kind::any: return joined(" \\/ ");
  case Kind::negation: return "not (" + herd_text(p.parts[0], Kind::negation) + ")";
  case Kind::implication: return joined(" => ");
  }
  bug(__FILE__, __LINE__, "a proposition that is none");
}

/// Ordered by value, not by text: 2 before 10.
std::string states_of(const litmus::Test& test, const Result& result) {
  auto behaviours = result.behaviours;
  std::ranges::sort(behaviours);
  std::string out = fmt::format("States {}\n", result.behaviours.size());
  for (const auto& behaviour : behaviours)
    out += litmus::to_string(test, result.observables, behaviour) +
           (result.observables.empty() ? "\n" : ";\n");
  return out;
}

/// herd7's report; one clause a test, and where there is none the one that always holds.
std::string report(const litmus::Test& test, const Result& result, double seconds) {
  litmus::Clause always;
  always.quantifier = Quantifier::forall;
  const litmus::Clause& clause = test.clauses.empty() ? always : test.clauses.front();
  const Tally counts{test.clauses.empty() ? result.executions : result.positive, result.negative};
  const bool swap = negated(clause.quantifier);
  std::string out = fmt::format("Test {} {}\n", test.name, kind_of(clause.quantifier));
  out += states_of(test, result);
  out += decide(clause, result) == Decision::holds ? "Ok\n" : "No\n";
  out += fmt::format("Witnesses\nPositive: {} Negative: {}\n", counts.positive, counts.negative);
  for (const auto& flag : result.flags) out += "Flag " + flag + "\n";
  out += fmt::format("Condition {} ({})\n", herd_word(clause.quantifier),
                     herd_text(clause.proposition, litmus::Proposition::Kind::negation));
  out += fmt::format("Observation {} {} {} {}\n", test.name, observation(clause.quantifier, counts),
                     swap ? counts.negative : counts.positive,
                     swap ? counts.positive : counts.negative);
  out += fmt::format("Time {} {:.2f}\n", test.name, seconds);
  if (test.is_java()) out += "Hash=" + litmus::to_string(litmus::content_hash(test.java())) + "\n";
  return out + "\n";
}

/// herd's format cannot say that states may be missing: none are shown.
Done undecided(const litmus::Test& test, const std::string& file, const Result& result,
               const Arguments& arguments) {
  const Failure failure{Exit::undecided, "unknown", "unknown: " + shown(result.reason)};
  return {.exit = failure.exit,
          .out = arguments.json() ? json_of(failure, test.name, file) + "\n" : std::string(),
          .err = diagnostic(failure, file)};
}

Done run_one(const std::string& file, const LoadedModel& model, const oracle::Options& asked,
             const Arguments& arguments, Progress& progress) {
  const auto test = litmus::parse_as_herd(read_input(file));
  progress.test = test.name;
  if (test.clauses.size() > 1) throw Unsupported("several clauses in herd's output");
  const auto start = std::chrono::steady_clock::now();
  const oracle::Watched watch(asked.limits);
  auto chosen = asked;
  chosen.limits.watch = watch.get();
  const Result result = oracle::Oracle(test, model.plan(test), chosen).behaviours();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (result.status == Result::Status::unknown) return undecided(test, file, result, arguments);
  watch->demand(result.behaviours.size() * 8); // to write them, too
  const std::string text = report(test, result, seconds.count());
  Done done;
  if (is_empty(result)) {
    const auto nothing = oracle::why_nothing(test, model.plan(test), chosen.limits);
    if (nothing == oracle::Answer::vacuous) {
      done.exit = Exit::undecided;
      done.err = fmt::format("{}: vacuous: {}", file, shown(nothing.because));
    }
  }
  done.out = arguments.json() ? json::Object()
                                        .string("test", test.name)
                                        .string("file", file)
                                        .string("status", done.err.empty() ? "ok" : "vacuous")
                                        .string("text", text)
                                        .text() +
                                    "\n"
                              : text;
  return done;
}

Exit show_herd(const Arguments& arguments, Console& console) {
  const LoadedModel model(*arguments.text("model"), load_options(arguments));
  const oracle::Options chosen{.rules = "none", .limits = limits_of(arguments), .count = true};
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    return run_one(file, model, chosen, arguments, progress);
  });
}

} // namespace

extern constinit const Command herd_command = {
    .name = "herd",
    .summary = "work out tests, and report as herd7 does",
    .usage = "TEST…",
    .description =
        "Works out what a model allows, counts every execution, and reports in herd7's own output "
        "format, so that it can stand in for herd7 in scripts. Options may be written with one "
        "dash.\n"
        "As herd7 it takes registers that nothing introduces as 0, where other commands refuse "
        "them. "
        "Unlike herd7 it exits with a code other than 0 when something is wrong.",
    .example = "thinair herd corpus/jmt -model jam21",
    .operands = Operands::inputs,
    .options = options_of_herd,
    .herd_style = true,
    .run = show_herd,
};

} // namespace thinair::cli
