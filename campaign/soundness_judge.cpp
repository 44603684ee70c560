// Judging by soundness, and which axioms forbid what was seen.
#include "campaign/soundness_judge.h"

#include "litmus/text/error.h"
#include "oracle/explain/core.h"
#include "oracle/explain/refusal.h"
#include "runners/find_target.h"
#include "runners/x86_machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::campaign {
namespace {

constexpr std::string_view model_prefix = "model:";

class CodeChecker : public Checker {
 public:
  explicit CodeChecker(std::string_view name) : target_(runners::find_target(name)) {}
  runners::SoundnessResult check(const litmus::Test& test, const cat::Plan& model,
                                 const runners::SoundnessOptions& options) override {
    runners::MachineOptions machine;
    machine.watch = options.oracle.executions.watch;
    const auto on_the_machine = [&](const litmus::Test& code) {
      return runners::x86_machine(code, machine);
    };
    return runners::check_soundness(test, model, target_, on_the_machine, options);
  }

 private:
  lower::Target target_;
};

class ModelChecker : public Checker {
 public:
  explicit ModelChecker(cat::Plan implementation) : implementation_(std::move(implementation)) {}
  runners::SoundnessResult check(const litmus::Test& test, const cat::Plan& model,
                                 const runners::SoundnessOptions& options) override {
    return runners::check_soundness(test, model, implementation_, options);
  }

 private:
  cat::Plan implementation_;
};

std::vector<MakeChecker> checkers_named(const std::vector<std::string>& names,
                                        const cat::LoadOptions& load) {
  std::vector<MakeChecker> checkers;
  for (const auto& name : names) checkers.push_back(checker_named(name, load));
  return checkers;
}

} // namespace

MakeChecker checker_named(std::string_view name, const cat::LoadOptions& load) {
  if (name.starts_with(model_prefix))
    return [plan = cat::load_model(name.substr(model_prefix.size()), cat::Architecture::java,
                                   load)] { return std::make_unique<ModelChecker>(plan); };
  runners::find_target(name); // is it there?
  return [name = std::string(name)] { return std::make_unique<CodeChecker>(name); };
}

SoundnessJudge::SoundnessJudge(cat::Plan model, std::vector<MakeChecker> targets,
                               std::string causality)
    : model_(std::move(model)), targets_(std::move(targets)), idle_(targets_.size()) {
  options_.oracle.rules = std::move(causality);
}

SoundnessJudge::SoundnessJudge(cat::Plan model, const std::vector<std::string>& targets,
                               std::string causality, const cat::LoadOptions& load)
    : SoundnessJudge(std::move(model), checkers_named(targets, load), std::move(causality)) {}

std::unique_ptr<Checker> SoundnessJudge::borrow(std::size_t target) {
  {
    const std::scoped_lock guard(mutex_);
    if (!idle_[target].empty()) {
      auto taken = std::move(idle_[target].back());
      idle_[target].pop_back();
      return taken;
    }
  }
  return targets_[target]();
}

void SoundnessJudge::give_back(std::size_t target, std::unique_ptr<Checker> used) {
  const std::scoped_lock guard(mutex_);
  idle_[target].push_back(std::move(used));
}

runners::SoundnessResult SoundnessJudge::look(const litmus::Program& program, std::size_t target) {
  return look(program, target, Deadline());
}

runners::SoundnessResult SoundnessJudge::look(const litmus::Program& program, std::size_t target,
                                              const Deadline& deadline) {
  auto limits = executions::watch_limits(options_.oracle.executions);
  limits.deadline = Deadline::first(limits.deadline, deadline);
  Watch watch(limits); // of hardware and model together
  auto options = options_;
  options.oracle.executions.watch = &watch;
  auto borrowed = borrow(target);
  struct Return { // also when it throws: a compiler is expensive to make
    SoundnessJudge& judge;
    std::size_t target;
    std::unique_ptr<Checker>& borrowed;
    ~Return() { judge.give_back(target, std::move(borrowed)); }
  } const at_the_end{*this, target, borrowed};
  return borrowed->check(as_test(program, "program"), model_, options);
}

Judgement SoundnessJudge::operator()(const litmus::Program& program, std::size_t target) {
  runners::SoundnessResult result;
  return judge(program, target, result);
}

Judgement SoundnessJudge::judge(const litmus::Program& program, std::size_t target,
                                runners::SoundnessResult& result) {
  try {
    result = look(program, target, deadline_);
    switch (result.verdict) {
    case runners::Soundness::sound: return {};
    case runners::Soundness::unknown: return {Verdict::unknown, result.reason, {}};
    case runners::Soundness::vacuous: return {Verdict::vacuous, result.reason, {}};
    case runners::Soundness::unsound: break;
    }
    Judgement judgement{Verdict::unsound, "", {}};
    for (const auto& behaviour : result.forbidden)
      judgement.findings.push_back({litmus::to_string(result.observables, behaviour), ""});
    return judgement;
  } catch (const Unsupported& lacking) {
    return {Verdict::unsupported, lacking.what(), {}};
  } catch (const LimitReached& limit) {
    return {Verdict::unknown, limit.what(), {}};
  }
}

std::string SoundnessJudge::reason(const litmus::Program& program,
                                   const std::vector<litmus::Observable>& observables,
                                   const litmus::Behaviour& behaviour) const {
  litmus::Test test = as_test(program, "program");
  test.locations = observables;
  auto limits = executions::watch_limits(options_.oracle.executions);
  limits.deadline = Deadline::first(limits.deadline, deadline_);
  Watch watch(limits);
  auto options = options_.oracle;
  options.executions.watch = &watch;
  try {
    return as_text(
        explain::core_of(test, model_, explain::exactly(observables, behaviour), options));
  } catch (const LimitReached&) {
    return as_text(explain::Core{});
  }
}

std::string SoundnessJudge::reason(const litmus::Program& program, std::size_t target) {
  const auto result = look(program, target);
  THINAIR_CHECK(!result.forbidden.empty(), "a reason is asked for what is sound");
  return reason(program, result.observables, result.forbidden.front());
}

} // namespace thinair::campaign
