// What targets have in common whose behaviours are worked out, all of them, rather than watched.
#pragma once

#include "campaign/target.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace thinair::campaign {

class JudgedTarget : public Target {
 public:
  JudgedTarget(std::string name, const Against& against)
      : Target(std::move(name)), against_(against) {}

  Judgement judge(const litmus::Program& program, runners::SameProgram* same = nullptr) override;
  Why why(const litmus::Program& program, bool official) override;
  Explanation explain(const litmus::Test& minimal, const litmus::State& behaviour) override;
  void set_deadline(Deadline deadline) override;
  void ready() override;
  void set_baseline(std::unique_ptr<Target> baseline) override;
  std::optional<BaselineFault> baseline_fault() const override;
  std::string baseline_content() const override {
    return baseline_ ? baseline_->content() : std::string();
  }

 protected:
  const Against& against() const { return against_; }
  const cat::Plan& model() const { return against_.model; }

  /// Calls `ask` with the limits of one question: of hardware and model together, and not beyond
  /// the deadline.
  template <class Ask>
  auto in_time(Ask&& ask) const {
    auto limits = oracle::watch_limits(against_.with.oracle.limits);
    limits.deadline = Deadline::first(limits.deadline, deadline_);
    Watch watch(limits);
    auto options = against_.with;
    options.oracle.limits.watch = &watch;
    if (baseline_)
      options.baseline = [&](const litmus::Test& test) { return by_baseline(test, options); };
    return std::forward<Ask>(ask)(options);
  }

  using Asked = std::function<runners::Judged(const runners::SoundnessOptions&)>;
  /// What is judged within the limits of one question, as a campaign counts it.
  Judgement judgement_of(const Asked& asked) const;

  /// What the target does with a test and which of it the model forbids. Throws Unsupported and
  /// LimitReached.
  virtual runners::Judged judged(const litmus::Test& test,
                                 const runners::SoundnessOptions& options) = 0;
  /// Adds the code, and an execution that shows `asked`, where there are such.
  virtual void show(Explanation& out, const litmus::Test& test, const Look& look,
                    const litmus::Proposition& asked) = 0;

 private:
  runners::Judged by_baseline(const litmus::Test& test, runners::SoundnessOptions options) const;

  const Against against_;
  Deadline deadline_;
  std::unique_ptr<JudgedTarget> baseline_;
  mutable std::mutex mutex_;                   // guards what follows
  mutable std::optional<BaselineFault> fault_; // the smallest
};

} // namespace thinair::campaign
