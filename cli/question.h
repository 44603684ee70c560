// What a test is asked under: model, engine, limits; shared by the commands that run tests.
#pragma once

#include "cli/command.h"
#include "litmus/outcome.h"
#include "oracle/answer.h"
#include "oracle/cat/loaded_model.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace thinair::cli {

using cat::LoadedModel;
using litmus::showing_something;

/// An outcome as --outcome has it, "0:r1=0; [x]=1", or a proposition as in tests, read by the
/// test's own reader.
litmus::Proposition outcome_of(const litmus::Test& test, std::string outcome);

/// Options that several commands have in their tables.
inline constexpr Option required_model_option = {
    .name = "model",
    .letter = 'm',
    .takes = Takes::model,
    .value = "M",
    .help = "the model: a name that 'thinair models' lists, or a .cat file",
    .required = true};
/// What is judged, where it is one thing.
inline constexpr Option target_option = {.name = "target",
                                         .letter = 't',
                                         .takes = Takes::any_target,
                                         .value = "T",
                                         .help = "what is tested; x86:table2 where none is given"};
inline constexpr Option baseline_option = {
    .name = "baseline",
    .takes = Takes::any_target,
    .value = "T",
    .help = "what is there today: behaviours that it shows, too, are no mismatches"};
/// Who says what a target's code does.
inline constexpr auto code_engines =
    std::to_array<std::string_view>({"operational", "builtin", "herd7"});
inline constexpr Option code_engine_option = {
    .name = "engine",
    .letter = 'e',
    .takes = Takes::word,
    .value = "E",
    .help = "who says what the code does: operational (an abstract machine of x86, where it is "
            "the default, and of AArch64), builtin (the axioms of the machine's model; the "
            "default for others), herd7",
    .words = code_engines};
inline constexpr Option confirm_option = {
    .name = "confirm",
    .help = "what a jit: target of this machine may do is looked for on its JVM, by jcstress: "
            "'seen in N of M samples', or 'may happen'"};
inline constexpr Option herd7_option = {
    .name = "herd7", .takes = Takes::file, .value = "PATH", .help = "the herd7 to run"};
/// The model that tells right from wrong, where commands judge implementations.
inline constexpr Option judging_model_option = {
    .name = "model",
    .letter = 'm',
    .takes = Takes::model,
    .value = "M",
    .help = "what is allowed: a name that 'thinair models' lists, or a .cat file; java where none "
            "is given"};
inline std::string judging_model(const Arguments& arguments) {
  return arguments.text("model", "java");
}
inline constexpr Option include_option = {
    .name = "include",
    .letter = 'I',
    .takes = Takes::directory,
    .value = "DIR",
    .help = "look for included .cat files here, before the embedded ones",
    .repeats = true};
inline constexpr Option as_plain_option = {
    .name = "as-plain",
    .help = "where the model gives no meaning to a program's access modes or fences, take such "
            "accesses for plain ones and leave such fences out, instead of 'unsupported'"};
inline constexpr Option jobs_option = {.name = "jobs",
                                       .letter = 'j',
                                       .takes = Takes::count,
                                       .value = "N",
                                       .help = "work on N tests at a time (default: 1)"};
inline constexpr Option max_candidates_option = {
    .name = "max-candidates",
    .takes = Takes::count,
    .value = "N",
    .help = "give up on a test after N candidate executions (default: 50000000)"};
inline constexpr Option timeout_option = {.name = "timeout",
                                          .takes = Takes::seconds,
                                          .value = "S",
                                          .help =
                                              "give up on a test after S seconds (default: never)"};
inline constexpr Option max_steps_option = {
    .name = "max-steps",
    .takes = Takes::count,
    .value = "N",
    .help = "give up on a test after N small steps of work, at the same point on every machine "
            "(default: 10000000000)"};
inline constexpr Option max_memory_option = {
    .name = "max-memory",
    .takes = Takes::count,
    .value = "MB",
    .help = "give up on a test whose paths, executions and states need more memory than this "
            "(default: 2048)"};
inline constexpr Option unroll_option = {.name = "unroll",
                                         .takes = Takes::count,
                                         .value = "N",
                                         .help =
                                             "run the body of a loop N times at most, where the "
                                             "loop itself does not say how often (default: 4)"};

/// What a search may spend on a test, and a model on itself; a limit that is reached names its
/// option.
inline constexpr auto limit_options = std::to_array<Option>({
    max_candidates_option,
    timeout_option,
    max_steps_option,
    max_memory_option,
    unroll_option,
    {.name = "max-events",
     .takes = Takes::count,
     .value = "N",
     .help = "give up on an execution of more than N events (default: 256, the most there is)"},
    {.name = "max-paths",
     .takes = Takes::count,
     .value = "N",
     .help = "give up on a thread with more than N control paths (default: 16384)"},
    {.name = "max-values",
     .takes = Takes::count,
     .value = "N",
     .help = "list N final states at most of an execution whose values depend on themselves "
             "(default: 256)"},
    {.name = "solver-effort",
     .takes = Takes::count,
     .value = "N",
     .help = "give up on such values after N units of z3's work (default: 20000000)"},
    {.name = "model-steps",
     .takes = Takes::count,
     .value = "N",
     .help = "steps that a model may take to be compiled, and again in each execution what of it "
             "is interpreted there (default: 2000000)"},
    {.name = "model-depth",
     .takes = Takes::count,
     .value = "N",
     .help = "nested calls and definitions of a model; default: 1500, at most 4000"},
});

/// Of causality, and of the operational machine.
inline constexpr auto state_limit_options = std::to_array<Option>({
    {.name = "max-graphs",
     .takes = Takes::count,
     .value = "N",
     .help = "causality: give up on a test with more than N executions (default: 200000)"},
    {.name = "max-states",
     .takes = Takes::count,
     .value = "N",
     .help = "give up after N sets of committed events (causality; default: 2000000), or N "
             "states of the operational machine (20000000)"},
});

template <std::size_t N, std::size_t M>
constexpr std::array<Option, N + M> with(const std::array<Option, N>& own,
                                         const std::array<Option, M>& more) {
  std::array<Option, N + M> all{};
  std::copy(own.begin(), own.end(), all.begin());
  std::copy(more.begin(), more.end(), all.begin() + N);
  return all;
}

/// A command's own options, then those of the limits.
template <std::size_t N>
constexpr auto with_limits(const std::array<Option, N>& own) {
  return with(own, limit_options);
}
template <std::size_t N>
constexpr auto with_all_limits(const std::array<Option, N>& own) {
  return with(with(own, limit_options), state_limit_options);
}

/// From the options of the limits, where a command has them. They are those of a test: whoever asks
/// several things about one starts a watch for all of them (oracle::Watched).
oracle::Limits limits_of(const Arguments& arguments);

/// From --include, --as-plain, --model-steps and --model-depth.
cat::LoadOptions load_options(const Arguments& arguments);

} // namespace thinair::cli
