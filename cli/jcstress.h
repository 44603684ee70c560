// What the actions of thinair jcstress share: the model that expects, the JVMs to run on.
#pragma once

#include "cli/command.h"
#include "cli/question.h"
#include "oracle/answer.h"
#include "oracle/cat/plan.h"
#include "runners/jcstress/batch.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thinair::cli {

inline constexpr auto all_word = std::to_array<std::string_view>({"all"});

struct ExpectedModel {
  std::string name;
  cat::Plan plan;
  oracle::Options with; // its rules, and limits of what it is asked about one test
};

/// From --expect, --causality, --identity, --timeout, --max-steps.
std::optional<ExpectedModel> expected_model(const Arguments& arguments);

/// Observes memory only where the model, if there is one, orders it.
runners::jcstress::Prepared prepared(const litmus::Test& test,
                                     const std::optional<ExpectedModel>& model);

/// Runs `work`; an error that it throws is told as one of `file`'s, and its exit code returned.
Exit attempt_on(const std::string& file, const Arguments& arguments, Console& console,
                const std::string& test, const std::function<void()>& work);

/// JVMs with their modes, the compiler and the jars: everything that a run needs is looked for when
/// this is made. Throws InputError that names what is missing.
class RunSetup {
 public:
  explicit RunSetup(const Arguments& arguments);

  struct Target {
    runners::jcstress::Jvm jvm;
    runners::jcstress::Mode mode;
    bool official; // jcstress's own command line, which runs all modes
    std::string_view mode_name() const { return official ? "official" : info(mode).name; }
  };
  const std::vector<Target>& targets() const { return targets_; }
  const runners::jcstress::Jvm& compiler() const { return *compiler_; }
  const runners::jcstress::Jars& jars() const { return jars_; }
  const runners::jcstress::RunOptions& options() const { return options_; }

 private:
  std::vector<Target> targets_;
  std::optional<runners::jcstress::Jvm> compiler_; // the oldest that is needed
  runners::jcstress::Jars jars_;
  runners::jcstress::RunOptions options_;
};

/// Compiles and runs tests that are known to be ones for a JVM, and writes what was seen.
Exit run_tests(const RunSetup& set_up, const std::vector<litmus::Test>& tests,
               const Arguments& arguments, Console& console);

} // namespace thinair::cli
