// Asks the oracle about every combination of values, and why not.
#include "runners/jcstress/expect.h"

#include "litmus/text/error.h"
#include "oracle/cat/model.h"
#include "oracle/explain/vacuity.h"

#include <fmt/format.h>

#include <set>

namespace thinair::runners::jcstress {
namespace {

using litmus::Behaviour;
using litmus::Observable;

constexpr std::size_t largest_space = 64; // combinations that are listed one by one

litmus::Test asking(const litmus::Test& test, const std::vector<Observable>& observables) {
  litmus::Test asked = test;
  asked.clauses.clear();
  asked.filter.reset();
  asked.locations = observables;
  return asked;
}

litmus::Proposition exactly(const std::vector<Observable>& observables, const Behaviour& b) {
  litmus::Proposition whole;
  whole.kind = litmus::Proposition::Kind::all;
  for (std::size_t i = 0; i < observables.size(); ++i) {
    litmus::Proposition part;
    part.kind = litmus::Proposition::Kind::equal;
    part.left = observables[i];
    part.constant = b[i];
    whole.parts.push_back(std::move(part));
  }
  return whole.parts.size() == 1 ? whole.parts.front() : whole;
}

/// Throws LimitReached for a reason as the oracle gives it, "time limit reached (--timeout)".
[[noreturn]] void not_known(const std::string& reason) {
  const auto end = reason.find(" reached ("), option = reason.find('(');
  if (end == std::string::npos) throw LimitReached(reason, "--timeout");
  throw LimitReached(reason.substr(0, end),
                     reason.substr(option + 1, reason.find(')') - option - 1));
}

/// All behaviours, over `observables` in their order.
std::set<Behaviour> all_of(const litmus::Test& asked, const std::vector<Observable>& observables,
                           const cat::Plan& model, const causality::Options& options) {
  causality::Oracle oracle(asked, model, options);
  const auto result = oracle.behaviours();
  if (result.status != executions::Result::Status::ok) not_known(result.reason);
  THINAIR_CHECK(result.observables == observables, "the oracle shows other things than asked");
  return {result.behaviours.begin(), result.behaviours.end()};
}

/// Combinations of the values that each observable has in some behaviour.
std::vector<Behaviour> state_space(const std::set<Behaviour>& allowed, std::size_t observables) {
  std::vector<Behaviour> space = {{}};
  for (std::size_t i = 0; i < observables; ++i) {
    std::set<litmus::Value> values;
    for (const Behaviour& b : allowed) values.insert(b[i]);
    std::vector<Behaviour> longer;
    for (const Behaviour& b : space) {
      for (const litmus::Value value : values) {
        longer.push_back(b);
        longer.back().push_back(value);
      }
    }
    if (longer.size() > largest_space) return {allowed.begin(), allowed.end()};
    space = std::move(longer);
  }
  return space;
}

bool would_be_allowed(const litmus::Test& asked, const litmus::Proposition& outcome,
                      const cat::Plan& model, const causality::Options& options) {
  causality::Oracle oracle(asked, model, options);
  const auto answer = oracle.allows(outcome);
  if (answer == causality::Answer::unknown) not_known(oracle.reason());
  return answer == causality::Answer::yes;
}

std::string decisive_axioms(const litmus::Test& test, const Behaviour& behaviour,
                            const std::vector<Observable>& observables, const cat::Plan& model,
                            const causality::Options& options) {
  const litmus::Test asked = asking(test, observables);
  const auto outcome = exactly(observables, behaviour);
  const std::string rules = options.rules.empty() ? model.causality : options.rules;
  if (!rules.empty() && rules != "none") {
    causality::Options without = options;
    without.rules = "none";
    if (would_be_allowed(asked, outcome, model, without))
      return fmt::format("the causality rules ({})", rules);
  }
  std::vector<std::string> decisive, all;
  cat::Plan lawless = model;
  for (std::size_t i = 0; i < model.axioms.size(); ++i) {
    if (model.axioms[i].effect != cat::Axiom::Effect::required) continue;
    all.push_back(model.axioms[i].name);
    cat::Plan without = model;
    without.axioms.erase(without.axioms.begin() + static_cast<std::ptrdiff_t>(i));
    if (would_be_allowed(asked, outcome, without, options)) decisive.push_back(all.back());
  }
  if (!decisive.empty()) return fmt::format("{}", fmt::join(decisive, ", "));
  std::erase_if(lawless.axioms,
                [](const auto& a) { return a.effect == cat::Axiom::Effect::required; });
  causality::Options none = options;
  none.rules = "none";
  if (!would_be_allowed(asked, outcome, lawless, none)) return "no execution has these values";
  return fmt::format("{} together", fmt::join(all, ", "));
}

} // namespace

bool orders_memory(const cat::Plan& model, const causality::Options& options) {
  const std::string& rules = options.rules.empty() ? model.causality : options.rules;
  const auto* found = causality::find_rule_set(rules.empty() ? "none" : rules);
  return model.orders_memory && !(found && found->justified);
}

std::string why_forbidden(const litmus::Test& test, const Behaviour& behaviour,
                          const std::vector<Observable>& observables, const cat::Plan& model,
                          const causality::Options& options) {
  try {
    return decisive_axioms(test, behaviour, observables, model, options);
  } catch (const LimitReached& limit) {
    return fmt::format("why is {}", limit.what()); // that it is forbidden is known
  }
}

Expectations expect(const Prepared& test, const cat::Plan& model, const std::string& model_name,
                    const causality::Options& options) {
  const auto observables = observables_of(test);
  const litmus::Test asked = asking(test.test, observables);
  const auto allowed = all_of(asked, observables, model, options);
  const cat::Plan sc = cat::load_model("sc", cat::Architecture::java);
  const auto sequential = all_of(asked, observables, sc, {});
  if (allowed.empty())
    throw Unsupported("grades where nothing is acceptable: " +
                      explain::why_nothing(asked, model, options.executions).reason);
  Expectations out;
  out.acceptable = allowed.size();
  for (const Behaviour& b : state_space(allowed, observables.size())) {
    const std::string text = litmus::to_string(observables, b);
    if (!allowed.contains(b)) {
      out.grades.push_back({outcome_of(b), false,
                            fmt::format("{}: forbidden by {}: {}", text, model_name,
                                        why_forbidden(test.test, b, observables, model, options))});
    } else if (sequential.contains(b)) {
      out.grades.push_back({outcome_of(b), true, text + ": sequentially consistent"});
    } else {
      out.grades.push_back(
          {outcome_of(b), true,
           fmt::format("{}: not sequentially consistent, allowed by {}", text, model_name)});
    }
  }
  out.grades.push_back({"", false, fmt::format("forbidden by {}", model_name)});
  return out;
}

} // namespace thinair::runners::jcstress
