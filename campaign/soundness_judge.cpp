// Judging by soundness, and which axioms forbid what was seen.
#include "campaign/soundness_judge.h"

#include "litmus/text/error.h"
#include "runners/x86_machine.h"

#include <fmt/format.h>

namespace thinair::campaign {
namespace {

executions::Result on_the_machine(const litmus::Test& code) { return runners::x86_machine(code); }

litmus::Proposition exactly(const std::vector<litmus::Observable>& observables,
                            const litmus::Behaviour& behaviour) {
  litmus::Proposition whole;
  whole.kind = litmus::Proposition::Kind::all;
  for (std::size_t i = 0; i < observables.size(); ++i) {
    litmus::Proposition part;
    part.kind = litmus::Proposition::Kind::equal;
    part.left = observables[i];
    part.constant = behaviour[i];
    whole.parts.push_back(std::move(part));
  }
  return whole;
}

} // namespace

litmus::Test as_test(const litmus::Program& program, std::string name) {
  litmus::Test test;
  test.name = std::move(name);
  test.program = program;
  return test;
}

SoundnessJudge::SoundnessJudge(cat::Plan model, std::vector<std::string> targets,
                               std::string causality)
    : model_(std::move(model)), targets_(std::move(targets)), idle_(targets_.size()) {
  options_.oracle.rules = std::move(causality);
  for (std::size_t t = 0; t < targets_.size(); ++t) give_back(t, borrow(t)); // are they there?
}

std::unique_ptr<lower::Target> SoundnessJudge::borrow(std::size_t target) {
  {
    const std::scoped_lock guard(mutex_);
    if (!idle_[target].empty()) {
      auto taken = std::move(idle_[target].back());
      idle_[target].pop_back();
      return taken;
    }
  }
  return std::make_unique<lower::Target>(lower::Target::named(targets_[target]));
}

void SoundnessJudge::give_back(std::size_t target, std::unique_ptr<lower::Target> used) {
  const std::scoped_lock guard(mutex_);
  idle_[target].push_back(std::move(used));
}

runners::SoundnessResult SoundnessJudge::look(const litmus::Program& program, std::size_t target) {
  auto borrowed = borrow(target);
  auto result = runners::check_soundness(as_test(program, "program"), model_, *borrowed,
                                         on_the_machine, options_);
  give_back(target, std::move(borrowed));
  return result;
}

Judgement SoundnessJudge::operator()(const litmus::Program& program, std::size_t target) {
  try {
    const auto result = look(program, target);
    switch (result.verdict) {
    case runners::Soundness::sound: return {};
    case runners::Soundness::unknown: return {Verdict::unknown, result.reason, {}};
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
  const auto asked = exactly(observables, behaviour);
  std::vector<std::string> decisive, all;
  for (std::size_t i = 0; i < model_.axioms.size(); ++i) {
    if (model_.axioms[i].effect != cat::Axiom::Effect::required) continue;
    all.push_back(model_.axioms[i].name);
    cat::Plan without = model_;
    without.axioms.erase(without.axioms.begin() + static_cast<std::ptrdiff_t>(i));
    causality::Oracle oracle(test, without, options_.oracle);
    if (oracle.allows(asked) == causality::Answer::yes) decisive.push_back(all.back());
  }
  return fmt::format("{}", fmt::join(decisive.empty() ? all : decisive, ", "));
}

} // namespace thinair::campaign
