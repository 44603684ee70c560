// The judge of real campaigns: a model, and targets that lower programs to x86 code.
#pragma once

#include "campaign/judge.h"
#include "lower/target.h"
#include "oracle/cat/plan.h"
#include "runners/soundness.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace thinair::campaign {

/// Judges programs by runners::check_soundness on the operational x86-TSO machine. One judge serves
/// several threads: compilers are not shared, each call borrows one.
class SoundnessJudge {
 public:
  /// Throws InputError for a target or rule set that is not there.
  SoundnessJudge(cat::Plan model, std::vector<std::string> targets, std::string causality = {});

  Judgement operator()(const litmus::Program& program, std::size_t target);

  /// What check_soundness says of a program, for reports. Throws Unsupported and LimitReached.
  runners::SoundnessResult look(const litmus::Program& program, std::size_t target);

  /// Names of the axioms without any one of which the behaviour would be allowed; all axioms where
  /// it takes more than one.
  std::string reason(const litmus::Program& program,
                     const std::vector<litmus::Observable>& observables,
                     const litmus::Behaviour& behaviour) const;

 private:
  std::unique_ptr<lower::Target> borrow(std::size_t target);
  void give_back(std::size_t target, std::unique_ptr<lower::Target> used);

  cat::Plan model_;
  std::vector<std::string> targets_;
  runners::SoundnessOptions options_;
  std::mutex mutex_;
  std::vector<std::vector<std::unique_ptr<lower::Target>>> idle_; // by target
};

/// A program as a test without questions.
litmus::Test as_test(const litmus::Program& program, std::string name);

} // namespace thinair::campaign
