// Which engine works out behaviours, as the command line chose it.
#pragma once

#include "cli/asked_model.h"
#include "cli/question.h"
#include "oracle/answer.h"
#include "runners/herd7.h"
#include "runners/operational.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace thinair::cli {

inline constexpr auto engine_names =
    std::to_array<std::string_view>({"builtin", "operational", "herd7"});
inline constexpr auto rule_set_names = names_of(causality::rule_sets);
inline constexpr auto identity_names = names_of(causality::identities);
inline constexpr Option causality_option = {
    .name = "causality",
    .letter = 'c',
    .takes = Takes::word,
    .value = "RULES",
    .help = "the rules of committing on top of the model (default: those it is meant for)",
    .words = rule_set_names};
inline constexpr Option identity_option = {
    .name = "identity",
    .takes = Takes::word,
    .value = "I",
    .help = "when events of two executions are one action; as the model says, or index",
    .words = identity_names};
/// For commands that have the letter for something else.
constexpr Option without_letter(Option option) {
  option.letter = '\0';
  return option;
}
inline constexpr auto oracle_names = std::to_array<std::string_view>({"exact", "jpr"});
inline constexpr Option oracle_option = {
    .name = "oracle",
    .takes = Takes::word,
    .value = "O",
    .help =
        "exact: search justifications; jpr: Java Path Relaxer's over-approximation: 'forbidden' "
        "is definite, 'allowed' only means possible (default: exact)",
    .words = oracle_names};

/// From --causality and --identity.
void choose_rules(const Arguments& arguments, oracle::Options& options);
/// From --causality, --identity, --oracle, --all-registers, --count and the options of the limits,
/// where a command has them.
oracle::Options oracle_options(const Arguments& arguments);
/// Of the operational machine, likewise.
runners::MachineOptions machine_options(const Arguments& arguments);

/// An engine with its model and limits. `run` may be called by several threads at once.
class Engine {
 public:
  /// From --engine, --model, --herd7, limits. Throws InputError for choices that do not fit.
  explicit Engine(const Arguments& arguments);

  /// What is cheaper done for all inputs at once: herd7 reads many tests in one process.
  void prepare(const std::vector<std::string>& files);

  struct Answer {
    oracle::Result result;
    double seconds = 0;   // that it took
    bool counted = false; // `executions`, `positive`, `negative` count executions as herd does
    std::string causality = {};                 // the rule set applied; empty: none
    std::optional<oracle::Answer> nothing = {}; // why there is no state, where there is none
    bool vacuous() const { return nothing && *nothing == oracle::Answer::vacuous; }
  };
  /// The watch of one test, which starts now; herd7 has one of its own.
  Watch start() const { return Watch(oracle::watch_limits(options_.limits)); }
  Answer run(const litmus::Test& test, const std::string& file, Watch& watch) const;

  std::string_view name() const { return name_; }
  /// That the test is asked under: the one that was named, or what the machine that runs it says.
  std::string model(const litmus::Test& test) const;

 private:
  Answer run_builtin(const litmus::Test& test, Watch& watch) const;
  void load_for_herd7(const Arguments& arguments);
  oracle::Result run_operational(const litmus::Test& test, Watch& watch) const;
  Answer run_herd7(const litmus::Test& test, const std::string& file) const;

  std::string name_, model_;
  std::size_t jobs_ = 1;
  oracle::Options options_;
  runners::MachineOptions machine_;
  runners::HerdOptions herd7_;
  std::optional<AskedModel> loaded_;                   // builtin; herd7: where we can read it, too
  std::map<std::string, runners::HerdAnswer> answers_; // herd7: by file
};

} // namespace thinair::cli
