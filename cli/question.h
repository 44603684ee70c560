// What a test is asked under: model, engine, limits; shared by the commands that run tests.
#pragma once

#include "cli/command.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"

#include <exception>
#include <string>
#include <variant>

namespace thinair::cli {

/// A model by name or file, compiled for both architectures; where it does not fit one, the reason
/// comes when a test of that architecture asks.
class LoadedModel {
 public:
  /// Throws when the model fits no architecture: what is wrong with it for Java.
  LoadedModel(std::string name, const cat::LoadOptions& options);

  const std::string& name() const { return name_; }
  const cat::Plan& plan(const litmus::Test& test) const;

 private:
  using Compiled = std::variant<cat::Plan, std::exception_ptr>;
  static Compiled compile(const std::string& name, cat::Architecture architecture,
                          const cat::LoadOptions& options);

  std::string name_;
  Compiled java_, x86_;
};

/// Options that several commands have in their tables.
inline constexpr Option model_option = {
    .name = "model",
    .letter = 'm',
    .takes = Takes::model,
    .value = "M",
    .help = "the model: a name that 'thinair models' lists, or a .cat file"};
inline constexpr Option include_option = {
    .name = "include",
    .letter = 'I',
    .takes = Takes::directory,
    .value = "DIR",
    .help = "look for included .cat files here, before the embedded ones",
    .repeats = true};
inline constexpr Option jobs_option = {.name = "jobs",
                                       .letter = 'j',
                                       .takes = Takes::count,
                                       .value = "N",
                                       .help = "work on N tests at a time; 1 unless said"};
inline constexpr Option max_candidates_option = {
    .name = "max-candidates",
    .takes = Takes::count,
    .value = "N",
    .help = "give up on a test after N candidate executions; 50000000 unless said"};
inline constexpr Option timeout_option = {
    .name = "timeout",
    .takes = Takes::seconds,
    .value = "S",
    .help = "give up on a test after S seconds; never unless said"};
inline constexpr Option unroll_option = {
    .name = "unroll",
    .takes = Takes::count,
    .value = "N",
    .help = "run the body of a loop N times at most; 4 unless said or the loop says it"};

/// From --max-candidates, --timeout and --unroll.
executions::Limits limits_of(const Arguments& arguments);

/// From --include.
cat::LoadOptions load_options(const Arguments& arguments);

} // namespace thinair::cli
