// The judge of real campaigns: a model, and targets: code for x86, or other models.
#pragma once

#include "campaign/judge.h"
#include "lower/target.h"
#include "oracle/cat/model.h"
#include "oracle/cat/plan.h"
#include "runners/soundness.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::campaign {

/// What one target does with a test, and which of it the model forbids. Used by one thread at a
/// time.
class Checker {
 public:
  Checker() = default;
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;
  virtual ~Checker() = default;

  /// Throws Unsupported and LimitReached.
  virtual runners::SoundnessResult check(const litmus::Test& test, const cat::Plan& model,
                                         const runners::SoundnessOptions& options) = 0;
};
using MakeChecker = std::function<std::unique_ptr<Checker>()>;

/// A target by name: what lower::Target::named knows, on the operational x86-TSO machine; or
/// "model:NAME", everything that another model allows (`load`: where it finds its includes). Throws
/// InputError when there is none such.
MakeChecker checker_named(std::string_view name, const cat::LoadOptions& load = {});

/// Judges programs by runners::check_soundness. One judge serves several threads: checkers are not
/// shared, each call borrows one.
class SoundnessJudge {
 public:
  SoundnessJudge(cat::Plan model, std::vector<MakeChecker> targets, std::string causality = {});

  /// Throws InputError for a target or rule set that is not there.
  SoundnessJudge(cat::Plan model, const std::vector<std::string>& targets,
                 std::string causality = {}, const cat::LoadOptions& load = {});

  Judgement operator()(const litmus::Program& program, std::size_t target);
  /// The same, and what check_soundness said, if anything.
  Judgement judge(const litmus::Program& program, std::size_t target,
                  runners::SoundnessResult& result);

  /// Programs judged near or after that moment come out unknown rather than late.
  void set_deadline(Deadline deadline) { deadline_ = deadline; }

  /// Of every single program, hardware and model together.
  void set_limits(const executions::Limits& limits) { options_.oracle.executions = limits; }

  /// The same by the deadline, if there is one.
  runners::SoundnessResult look_in_time(const litmus::Program& program, std::size_t target) {
    return look(program, target, deadline_);
  }

  /// What check_soundness says of a program, for reports. Throws Unsupported and LimitReached.
  runners::SoundnessResult look(const litmus::Program& program, std::size_t target);

  /// explain::core_of: the axioms and definitions that are together enough to forbid the
  /// behaviour.
  std::string reason(const litmus::Program& program,
                     const std::vector<litmus::Observable>& observables,
                     const litmus::Behaviour& behaviour) const;

  /// Why the least behaviour that the target shows and the model forbids is forbidden.
  std::string reason(const litmus::Program& program, std::size_t target);

 private:
  runners::SoundnessResult look(const litmus::Program& program, std::size_t target,
                                const Deadline& deadline);
  std::unique_ptr<Checker> borrow(std::size_t target);
  void give_back(std::size_t target, std::unique_ptr<Checker> used);

  cat::Plan model_;
  std::vector<MakeChecker> targets_;
  runners::SoundnessOptions options_;
  Deadline deadline_;
  std::mutex mutex_;
  std::vector<std::vector<std::unique_ptr<Checker>>> idle_; // by target
};

} // namespace thinair::campaign
