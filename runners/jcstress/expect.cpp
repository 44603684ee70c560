// Asks the oracle about every combination of values, and why not.
#include "runners/jcstress/expect.h"

#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"

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

/// All behaviours, over `observables` in their order.
std::set<Behaviour> all_of(const litmus::Test& asked, const std::vector<Observable>& observables,
                           const cat::Plan& model, const oracle::Options& options) {
  const auto result = oracle::Oracle(asked, model, options).behaviours();
  if (result.status != oracle::Result::Status::ok) throw LimitReached(result.reason);
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

} // namespace

explain::Core why_forbidden(const litmus::Test& test, const Behaviour& behaviour,
                            const std::vector<Observable>& observables, const cat::Plan& model,
                            const oracle::Options& options) {
  try {
    return explain::core_of(asking(test, observables), model,
                            litmus::exactly(observables, behaviour), options);
  } catch (const LimitReached&) {
    return {}; // that it is forbidden is known
  }
}

Expectations expect(const Prepared& test, const cat::Plan& model, const std::string& model_name,
                    const oracle::Options& options) {
  const auto observables = observables_of(test);
  const litmus::Test asked = asking(test.test, observables);
  const auto allowed = all_of(asked, observables, model, options);
  const cat::Plan sc = cat::load_model("sc", cat::Architecture::java);
  const auto sequential = all_of(asked, observables, sc, {});
  if (allowed.empty())
    throw Unsupported("grades where nothing is acceptable: " +
                      oracle::why_nothing(asked, model, options.limits).because.text);
  Expectations out;
  out.acceptable = allowed.size();
  for (const Behaviour& b : state_space(allowed, observables.size())) {
    const std::string text = litmus::to_string(test.test, observables, b);
    if (!allowed.contains(b)) {
      out.grades.push_back(
          {outcome_of(test, b), false,
           fmt::format("{}: forbidden by {}: {}", text, model_name,
                       as_text(why_forbidden(test.test, b, observables, model, options)))});
    } else if (sequential.contains(b)) {
      out.grades.push_back({outcome_of(test, b), true, text + ": sequentially consistent"});
    } else {
      out.grades.push_back(
          {outcome_of(test, b), true,
           fmt::format("{}: not sequentially consistent, allowed by {}", text, model_name)});
    }
  }
  if (const auto thrown = exception_outcome(test))
    out.grades.push_back({*thrown, true, "a thread ended in an exception: no final state"});
  out.grades.push_back({"", false, fmt::format("forbidden by {}", model_name)});
  return out;
}

} // namespace thinair::runners::jcstress
