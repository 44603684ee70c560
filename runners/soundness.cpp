// Behaviours of the code against what the oracle allows the source.
#include "runners/soundness.h"

#include "litmus/text/error.h"
#include "lower/lowered_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace thinair::runners {
namespace {

using executions::Result;
using litmus::Behaviour;
using litmus::Observable;
using litmus::Proposition;
using Rows = std::vector<lower::Restoration::Row>;

Proposition equals(Observable observable, litmus::Value value) {
  Proposition p;
  p.kind = Proposition::Kind::equal;
  p.left = std::move(observable);
  p.constant = value;
  return p;
}

Proposition all_of(std::vector<Proposition> parts) {
  if (parts.size() == 1) return parts.front();
  Proposition p;
  p.kind = parts.empty() ? Proposition::Kind::always : Proposition::Kind::all;
  p.parts = std::move(parts);
  return p;
}

/// Memory is compared where the model says what is in it at the end.
bool compares_memory(const cat::Plan& model, const causality::Options& options) {
  const std::string& rules = options.rules.empty() ? model.causality : options.rules;
  const auto* found = causality::find_rule_set(rules.empty() ? "none" : rules);
  return model.orders_memory && !(found && found->justified);
}

/// The source with everything that is compared under `locations`, and no questions.
litmus::Test question(const litmus::Test& test, const Rows& rows) {
  litmus::Test asked = test;
  asked.clauses.clear();
  asked.locations.clear();
  for (const auto& row : rows) asked.locations.push_back(row.source);
  return asked;
}

class Check {
 public:
  Check(const litmus::Test& test, const cat::Plan& model, lower::Lowered lowered,
        std::string_view target, const SoundnessOptions& options)
      : test_(test), model_(model), options_(options), compared_(lowered.restoration) {
    if (!compares_memory(model, options.oracle))
      std::erase_if(compared_.rows, [](const auto& row) { return !row.source.thread; });
    result_.lowered = std::move(lowered);
    litmus::Test plain = test;
    plain.clauses.clear();
    result_.code = lower::lowered_test(plain, result_.lowered, target);
    result_.code.locations = compared_.needed();
    if (result_.code.filter) // the hardware shows what the filter names, too
      result_.code.locations = litmus::observables(result_.code);
    result_.observables = compared_.observables();
  }

  SoundnessResult run(const Hardware& hardware) {
    const Result shown = hardware(result_.code);
    restore(shown);
    ask();
    conclude(shown);
    return std::move(result_);
  }

 private:
  void restore(const Result& shown);
  void ask();
  void judge(const Behaviour& behaviour, causality::Answer answer, const std::string& reason);
  void conclude(const Result& shown);
  Behaviour in_order_of(const std::vector<Observable>& observables, const Behaviour& b) const;

  const litmus::Test& test_;
  const cat::Plan& model_;
  const SoundnessOptions& options_;
  lower::Restoration compared_;
  SoundnessResult result_;
  bool cut_ = false;
  std::string why_undecided_;
};

void Check::restore(const Result& shown) {
  std::set<Behaviour> distinct;
  for (const Behaviour& behaviour : shown.behaviours) {
    if (!compared_.complete(shown.observables, behaviour))
      cut_ = true;
    else
      distinct.insert(compared_.restore(shown.observables, behaviour));
  }
  std::vector<std::pair<std::string, Behaviour>> by_text;
  for (const Behaviour& b : distinct)
    by_text.emplace_back(litmus::to_string(result_.observables, b), b);
  std::ranges::sort(by_text);
  for (auto& [text, behaviour] : by_text) result_.behaviours.push_back(std::move(behaviour));
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

void Check::judge(const Behaviour& behaviour, causality::Answer answer, const std::string& reason) {
  if (answer == causality::Answer::no) result_.forbidden.push_back(behaviour);
  if (answer != causality::Answer::unknown) return;
  ++result_.undecided;
  why_undecided_ = reason;
}

void Check::ask() {
  const litmus::Test asked = question(test_, compared_.rows);
  causality::Oracle oracle(asked, model_, options_.oracle);
  std::vector<Behaviour> wanted;
  for (const Behaviour& b : result_.behaviours)
    wanted.push_back(in_order_of(oracle.observables(), b));
  const auto answers = oracle.allows(wanted);
  for (std::size_t i = 0; i < answers.size(); ++i)
    judge(result_.behaviours[i], answers[i], oracle.reason());
}

void Check::conclude(const Result& shown) {
  if (!result_.forbidden.empty()) {
    result_.verdict = Soundness::unsound;
    std::vector<Proposition> parts;
    for (std::size_t i = 0; i < compared_.rows.size(); ++i)
      parts.push_back(equals(compared_.rows[i].source, result_.forbidden.front()[i]));
    litmus::Clause clause;
    clause.proposition = lower::in_target(all_of(std::move(parts)), compared_);
    result_.code.clauses = {clause};
    return;
  }
  result_.reason = shown.status == Result::Status::unknown
                       ? "the code's behaviours: " + shown.reason
                   : result_.undecided > 0 ? "the model: " + why_undecided_
                   : cut_ ? "some executions run into the bound of a loop (--unroll)"
                          : "";
  result_.verdict = result_.reason.empty() ? Soundness::sound : Soundness::unknown;
}

} // namespace

std::string_view name(Soundness verdict) {
  switch (verdict) {
  case Soundness::sound: return "sound";
  case Soundness::unsound: return "unsound";
  case Soundness::unknown: return "unknown";
  }
  return "";
}

SoundnessResult check_soundness(const litmus::Test& test, const cat::Plan& model,
                                lower::Lowered lowered, std::string_view target,
                                const Hardware& hardware, const SoundnessOptions& options) {
  return Check(test, model, std::move(lowered), target, options).run(hardware);
}

SoundnessResult check_soundness(const litmus::Test& test, const cat::Plan& model,
                                lower::Target& target, const Hardware& hardware,
                                const SoundnessOptions& options) {
  auto lowered = target.lower(test.java(), options.oracle.executions.loop_bound);
  return check_soundness(test, model, std::move(lowered), target.name(), hardware, options);
}

} // namespace thinair::runners
