// thinair check: what models make of tests, beside what somebody expects of them.
#pragma once

#include "cli/question.h"
#include "litmus/questions.h"
#include "oracle/answer.h"
#include "oracle/umm/model.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thinair::cli {

/// What became of one question under one model.
enum class Outcome : std::uint8_t {
  pass,
  fail,
  unsupported, // the test uses something the engine lacks
  unknown,     // a limit was reached
  vacuous,     // nothing is allowed at all: that this is not says nothing
  contested,   // the sources disagree: whatever the model says is no failure
  unstated,    // nobody said what to expect
};
inline constexpr std::size_t outcome_count = 7;
std::string_view word(Outcome outcome);
/// The model has no answer, and `reason` says why.
bool is_undecided(Outcome outcome);

/// One question under one model.
struct Finding {
  std::string file, source, test, label, model;
  std::string program; // of the test, as printed, without its questions
  std::string about;   // its title, and what else its head says, a line each
  std::optional<litmus::Verdict> expected;
  std::optional<bool> allowed; // what the model says; absent: unsupported, unknown, vacuous
  Outcome outcome = Outcome::unstated;
  std::string reason; // why there is no answer; otherwise why the outcome is expected
  double seconds = 0;
  std::string picture; // for a page: an execution that shows the outcome, or that is forbidden; SVG
  std::string why;     // for a page: what the model says of it
};

/// How a model is asked.
struct JudgeOptions {
  oracle::Options asked; // its limits are those of a test
  cat::LoadOptions load;
};

/// A model to ask: a .cat model with its causality rules, or, as "umm:pram", a transition table.
class Judge {
 public:
  Judge(const std::string& model, JudgeOptions options);
  Judge(const std::string& model, const Arguments& arguments);

  /// Every question of a test; `against` is "official" or a key of `verdicts`.
  std::vector<Finding> judge(const litmus::Test& test, const std::string& file,
                             const std::string& against) const {
    Watch watch = start();
    return judge(test, file, against, watch);
  }
  /// The same as a part of what `watch` counts.
  std::vector<Finding> judge(const litmus::Test& test, const std::string& file,
                             const std::string& against, Watch& watch) const;
  /// The watch of one test, which starts now.
  Watch start() const { return Watch(oracle::watch_limits(options_.asked.limits)); }
  const std::string& name() const { return name_; }

  /// Adds pictures and reasons to findings of `judge` on the same test, in its order.
  void explain(const litmus::Test& test, std::span<Finding> findings, Watch& watch) const;

 private:
  void explain(const litmus::Test& test, const litmus::Clause& clause, Finding& finding,
               Watch& watch) const;

  std::string name_;
  std::variant<LoadedModel, umm::Model> model_;
  JudgeOptions options_;
};

/// The tables behind the findings: a row a source, then the totals; for several models side by
/// side.
std::string summary(const std::vector<Finding>& findings, const std::vector<std::string>& models);

/// The findings as JUnit's XML, a suite a source.
std::string junit(const std::vector<Finding>& findings);

/// As one page without outside parts: the matrix of outcomes and models, then each program once
/// with what the models say of it.
std::string html(const std::vector<Finding>& findings, const std::vector<std::string>& models,
                 const std::string& against);

} // namespace thinair::cli
