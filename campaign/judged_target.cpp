// Verdicts, reasons and explanations from what the oracle says of a target's behaviours.
#include "campaign/judged_target.h"

#include "litmus/text/error.h"
#include "oracle/explain/core.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::campaign {
namespace {

using litmus::Behaviour;

/// The one that ends in the state; else the first.
const Behaviour& forbidden_one(const runners::Judged& found, const litmus::State& state) {
  for (const auto& behaviour : found.forbidden)
    if (litmus::state_of(found.observables, behaviour) == state) return behaviour;
  if (found.forbidden.empty())
    throw InputError(fmt::format("error: {} is forbidden no more: the campaign was judged by "
                                 "another version of thinair\n  hint: its rows and ids are there "
                                 "without; a new campaign finds what is wrong now",
                                 litmus::to_string(state)));
  return found.forbidden.front();
}

} // namespace

void JudgedTarget::set_deadline(Deadline deadline) {
  deadline_ = deadline;
  if (baseline_) baseline_->set_deadline(deadline);
}

void JudgedTarget::ready() {
  if (baseline_) baseline_->ready();
}

void JudgedTarget::set_baseline(std::unique_ptr<Target> baseline) {
  auto* judged = dynamic_cast<JudgedTarget*>(baseline.get());
  if (judged == nullptr)
    throw InputError(fmt::format("error: {} is no baseline: what it shows is watched, not worked "
                                 "out, so that what it does not show is not known",
                                 baseline->name()));
  baseline.release();
  baseline_.reset(judged);
}

std::optional<BaselineFault> JudgedTarget::baseline_fault() const {
  const std::scoped_lock guard(mutex_);
  return fault_;
}

/// Notes where the model forbids what the baseline shows.
runners::Judged JudgedTarget::by_baseline(const litmus::Test& test,
                                          runners::SoundnessOptions options) const {
  options.baseline = {};
  auto result = baseline_->judged(test, options);
  if (result.forbidden.empty()) return result;
  BaselineFault found{static_cast<std::uint32_t>(litmus::count_accesses(test.java())),
                      litmus::print(as_test(test.java(), "program")),
                      litmus::state_of(result.observables, result.forbidden.front())};
  const std::scoped_lock guard(mutex_);
  if (!fault_ || found < *fault_) fault_ = std::move(found);
  return result;
}

Judgement JudgedTarget::judge(const litmus::Program& program, runners::SameProgram* same) {
  return judgement_of([&](runners::SoundnessOptions options) {
    options.same = same;
    return judged(as_test(program, "program"), options);
  });
}

Judgement JudgedTarget::judgement_of(const Asked& asked) const {
  try {
    const auto result = in_time(asked);
    switch (result.verdict) {
    case runners::Soundness::sound: return {};
    case runners::Soundness::unknown: return {Verdict::unknown, result.reason, {}};
    case runners::Soundness::vacuous: return {Verdict::vacuous, result.reason, {}};
    case runners::Soundness::unsound: break;
    }
    Judgement judgement{Verdict::unsound, "", {}};
    for (const auto& behaviour : result.forbidden)
      judgement.findings.push_back({litmus::state_of(result.observables, behaviour)});
    return judgement;
  } catch (const Unsupported& lacking) {
    return {Verdict::unsupported, "unsupported: " + lacking.reason(), {}};
  } catch (const LimitReached& limit) {
    return {Verdict::unknown, "unknown: " + limit.reason(), {}};
  }
}

Why JudgedTarget::why(const litmus::Program& program, bool /*official*/) {
  litmus::Test test = as_test(program, "program");
  try {
    const auto result = in_time([&](const auto& options) { return judged(test, options); });
    if (result.verdict == runners::Soundness::unknown) return {};
    THINAIR_CHECK(!result.forbidden.empty(), "a reason is asked for what is sound");
    test.locations = result.observables;
    const auto asked = litmus::exactly(result.observables, result.forbidden.front());
    auto seen = sighting(program, litmus::state_of(result.observables, result.forbidden.front()));
    return in_time([&](const auto& options) -> Why {
      return {explain::core_of(test, model(), asked, options.oracle), std::move(seen)};
    });
  } catch (const LimitReached&) { // there is no time left
    return {};
  }
}

Explanation JudgedTarget::explain(const litmus::Test& minimal, const litmus::State& behaviour) {
  Explanation out;
  out.java = java_of(minimal);
  out.command =
      shell_command(fmt::format("thinair sound - --model {} --target {}{}{}{}",
                                shell_quoted(against_.model_name), shell_quoted(name()),
                                baseline_ ? " --baseline " + shell_quoted(baseline_->name()) : "",
                                against_.engine.empty() ? "" : " --engine " + against_.engine,
                                model_options(against_)),
                    litmus::print(minimal));
  const auto found = look(minimal);
  const auto asked =
      litmus::exactly(found.judged.observables, forbidden_one(found.judged, behaviour));
  show(out, minimal, found, asked);
  out.drawings.push_back(refusal_drawn(against_, minimal, asked));
  return out;
}

} // namespace thinair::campaign
