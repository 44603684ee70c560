// Behaviours of the code against what the oracle allows the source.
#include "runners/soundness.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "oracle/question/text_order.h"
#include "runners/same_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

namespace thinair::runners {
namespace {

using litmus::Behaviour;
using litmus::Observable;
using litmus::Proposition;
using oracle::Result;
using Rows = std::vector<lower::Restoration::Row>;

/// Every register, and every location where `memory` is set, is found where it is, with the type
/// that it has; objects are where their numbers say.
lower::Restoration itself(const litmus::Program& program, bool memory) {
  lower::Restoration same;
  const auto add = [&](const Observable& o) {
    same.rows.push_back({o, o, litmus::type_of(program, o).kind});
  };
  for (std::uint32_t t = 0; t < program.threads.size(); ++t)
    for (const auto& r : program.threads[t].registers) add({litmus::ThreadId(t), r.name});
  if (memory)
    for (const auto& location : program.locations) add({std::nullopt, location.name});
  std::ranges::sort(same.rows, {}, &lower::Restoration::Row::source);
  for (std::size_t i = 0; i < program.objects.size(); ++i)
    same.objects.push_back(static_cast<litmus::Value>(i) + 1);
  return same;
}

/// The source with everything that is compared under `locations`, and no questions.
litmus::Test question(const litmus::Test& test, const Rows& rows) {
  litmus::Test asked = test;
  asked.clauses.clear();
  asked.locations.clear();
  for (const auto& row : rows) asked.locations.push_back(row.source);
  return asked;
}

/// The oracle's part: what a target shows, against what the model allows its source.
class Check {
 public:
  Check(const litmus::Test& test, const cat::Plan& model, const lower::Restoration& restoration,
        const SoundnessOptions& options)
      : test_(test), model_(model), options_(options), watch_(options.oracle.limits),
        compared_(restoration) {
    options_.oracle.limits.watch = watch_.get();
    if (!oracle::compares_memory(model, options.oracle))
      std::erase_if(compared_.rows, [](const auto& row) { return !row.source.thread; });
    result_.observables = compared_.observables();
  }

  /// What the hardware is to show: all that is compared, and what the filter names.
  std::vector<Observable> needed() const { return compared_.needed(); }

  Judged run(const Result& shown) {
    restore(shown);
    ask();
    excuse();
    result_.whole =
        shown.status != Result::Status::unknown && !cut_ && !trapped_ && !watch_->stopped();
    conclude(shown);
    return std::move(result_);
  }

 private:
  void restore(const Result& shown);
  void ask();
  void ask(oracle::Oracle& oracle, SameProgram::Answers& known);
  void excuse();
  void conclude(const Result& shown);
  void conclude_of_nothing();
  void conclude_vacuous(const Reason& reason) {
    result_.verdict = Soundness::vacuous;
    result_.reason = "vacuous: " + reason;
  }
  void look_for_anything(oracle::Oracle& oracle);
  Behaviour in_order_of(const std::vector<Observable>& observables, const Behaviour& b) const;

  const litmus::Test& test_;
  const cat::Plan& model_;
  SoundnessOptions options_;
  oracle::Watched watch_; // limits are a test's, not a stage's
  lower::Restoration compared_;
  Judged result_;
  bool cut_ = false, trapped_ = false; // of some execution only the beginning is known
  Reason why_undecided_;
  Reason vacuous_; // the model allows the source nothing, and why
};

void Check::restore(const Result& shown) {
  std::set<Behaviour> distinct;
  for (const Behaviour& behaviour : shown.behaviours) {
    if (!watch_->step(4) && distinct.size() >= oracle::most_when_late) break;
    switch (compared_.of(shown.observables, behaviour)) {
    case lower::Restoration::Of::cut_off: cut_ = true; break;
    case lower::Restoration::Of::trapped: trapped_ = true; break;
    case lower::Restoration::Of::whole_execution:
      distinct.insert(compared_.restore(shown.observables, behaviour));
    }
  }
  result_.behaviours = oracle::in_text_order(
      distinct, [&](const Behaviour& b) { return litmus::to_string(result_.observables, b); },
      *watch_);
}

Behaviour Check::in_order_of(const std::vector<Observable>& observables, const Behaviour& b) const {
  Behaviour out;
  for (const Observable& o : observables) {
    const auto found = std::ranges::find(result_.observables, o);
    THINAIR_CHECK(found != result_.observables.end(), "the oracle observes what was not asked for");
    out.push_back(b[static_cast<std::size_t>(found - result_.observables.begin())]);
  }
  return out;
}

/// The oracle is made where there is a question left for it.
void Check::ask() {
  SameProgram alone;
  auto& known = (options_.same != nullptr ? *options_.same : alone).answers(result_.observables);
  const litmus::Test asked = question(test_, compared_.rows);
  std::optional<oracle::Oracle> oracle;
  const auto made = [&]() -> oracle::Oracle& {
    return oracle ? *oracle : oracle.emplace(asked, model_, options_.oracle);
  };
  const auto is_known = [&](const Behaviour& b) { return known.contains(b); };
  if (!std::ranges::all_of(result_.behaviours, is_known) || known.empty()) ask(made(), known);
  for (const Behaviour& b : result_.behaviours)
    if (known.at(b) == oracle::Answer::forbidden) result_.forbidden.push_back(b);
  std::erase_if(known, [](const auto& row) { return row.second == oracle::Answer::unknown; });
  if (!result_.behaviours.empty() && result_.forbidden.size() == result_.behaviours.size())
    look_for_anything(made());
}

/// About what is not known.
void Check::ask(oracle::Oracle& oracle, SameProgram::Answers& known) {
  std::vector<Behaviour> open, wanted;
  for (const Behaviour& b : result_.behaviours)
    if (!known.contains(b)) {
      open.push_back(b);
      wanted.push_back(in_order_of(oracle.observables(), b));
    }
  const auto answers = oracle.allows(wanted);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    known.emplace(open[i], answers[i]);
    if (answers[i] != oracle::Answer::unknown) continue;
    ++result_.undecided;
    why_undecided_ = answers[i].because;
  }
}

/// What the baseline may show, for all that is known, is not held against the target.
void Check::excuse() {
  if (result_.forbidden.empty() || !options_.baseline) return;
  const Judged there = options_.baseline(test_);
  THINAIR_CHECK(there.observables == result_.observables, "a baseline observes something else");
  const auto shows = [&](const Behaviour& b) {
    return std::ranges::find(there.behaviours, b) != there.behaviours.end();
  };
  const auto shown = std::ranges::stable_partition(result_.forbidden, std::not_fn(shows));
  result_.excused.assign(shown.begin(), shown.end());
  result_.forbidden.erase(shown.begin(), shown.end());
  if (there.whole || result_.forbidden.empty()) return;
  result_.undecided += result_.forbidden.size();
  result_.forbidden.clear();
  why_undecided_ = "what the baseline does: " + there.reason;
}

/// All that the target shows is forbidden: where nothing else is allowed either, that says nothing.
void Check::look_for_anything(oracle::Oracle& oracle) {
  const auto any = oracle.allows_anything();
  if (any == oracle::Answer::allowed || any == oracle::Answer::forbidden)
    return; // the model's never ends, but the target's does
  if (any == oracle::Answer::vacuous) vacuous_ = any.because;
  result_.undecided = result_.forbidden.size();
  result_.forbidden.clear();
  why_undecided_ = any.because;
}

void Check::conclude(const Result& shown) {
  if (!result_.forbidden.empty()) {
    result_.verdict = Soundness::unsound;
    result_.witness = lower::in_target(
        litmus::exactly(result_.observables, result_.forbidden.front()), compared_);
    return;
  }
  if (!vacuous_.empty()) return conclude_vacuous(vacuous_);
  result_.reason = shown.status == Result::Status::unknown
                       ? "the target's behaviours: " + shown.reason
                   : result_.undecided > 0 ? "the model: " + why_undecided_
                   : watch_->stopped()     ? watch_->reason()
                   : trapped_ ? Reason("some executions go on in the interpreter, by an uncommon "
                                       "trap in the compiled code, which is not followed")
                   : cut_ ? Reason(fmt::format("some executions run into the bound of a loop: {} "
                                               "rounds where it has none of its own",
                                               options_.oracle.limits.loop_bound),
                                   Limit::loop_bound)
                          : Reason();
  result_.verdict = result_.reason.empty() ? Soundness::sound : Soundness::unknown;
  if (result_.verdict == Soundness::sound && result_.behaviours.empty()) conclude_of_nothing();
}

/// The target shows nothing, which is right where no interleaving of the source ends, either; that
/// the model allows more than these does not mean that anybody has to show it.
void Check::conclude_of_nothing() {
  const litmus::Test asked = question(test_, compared_.rows);
  const auto any = oracle::Oracle(asked, model_, options_.oracle).allows_anything();
  const bool ends = test_.filter || oracle::ends_by_interleaving(asked, options_.oracle.limits) !=
                                        oracle::Answer::forbidden;
  if (any == oracle::Answer::forbidden || (any == oracle::Answer::allowed && !ends)) return;
  if (any == oracle::Answer::allowed)
    return conclude_vacuous("the target shows nothing: no execution of its code ends");
  result_.verdict = any == oracle::Answer::vacuous ? Soundness::vacuous : Soundness::unknown;
  result_.reason = (any == oracle::Answer::vacuous ? "vacuous: " : "the model: ") + any.because;
}

/// Completes `result`, whose code is to be run.
void run(Check& check, const Hardware& hardware, SoundnessResult& result) {
  result.code.locations = check.needed();
  if (result.code.filter) // the hardware shows what the filter names, too
    result.code.locations = litmus::observables(result.code);
  static_cast<Judged&>(result) = check.run(hardware(result.code));
  if (!result.witness) return;
  litmus::Clause clause;
  clause.proposition = *result.witness;
  result.code.clauses = {clause};
}

} // namespace

std::string_view name(Soundness verdict) {
  switch (verdict) {
  case Soundness::sound: return "sound";
  case Soundness::unsound: return "unsound";
  case Soundness::unknown: return "unknown";
  case Soundness::vacuous: return "vacuous";
  }
  return "";
}

SoundnessResult check_soundness(const litmus::Test& test, const cat::Plan& model,
                                lower::Lowered lowered, std::string_view target,
                                const Hardware& hardware, const SoundnessOptions& options) {
  Check check(test, model, lowered.restoration, options);
  litmus::Test plain = test;
  plain.clauses.clear();
  SoundnessResult result;
  result.code = lower::lowered_test(plain, lowered, target);
  result.lowered = std::move(lowered);
  run(check, hardware, result);
  return result;
}

SoundnessResult check_soundness(const litmus::Test& test, const cat::Plan& model,
                                lower::Target& target, const Hardware& hardware,
                                const SoundnessOptions& options) {
  auto lowered = target.lower(test.java(), options.oracle.limits.loop_bound);
  return check_soundness(test, model, std::move(lowered), target.name(), hardware, options);
}

SoundnessResult check_soundness(const litmus::Test& test, const cat::Plan& model,
                                const cat::Plan& implementation, const SoundnessOptions& options) {
  oracle::Options own = options.oracle;
  if (!options.rules_of_both) own.rules.clear();
  const Hardware hardware = [&](const litmus::Test& asked) {
    return oracle::Oracle(asked, implementation, own).behaviours();
  };
  const bool memory = oracle::compares_memory(implementation, own);
  Check check(test, model, itself(test.java(), memory), options);
  SoundnessResult result;
  result.code = test;
  result.code.clauses.clear();
  run(check, hardware, result);
  return result;
}

} // namespace thinair::runners
