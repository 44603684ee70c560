// What a multi-execution model allows a test to do: a single-execution model in .cat, and a rule
// set of causality on top of it (jMT §4).
#pragma once

#include "litmus/condition.h"
#include "litmus/test.h"
#include "oracle/cat/plan.h"
#include "oracle/causality/analysis.h"
#include "oracle/executions/behaviours.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thinair::causality {

struct Options {
  std::string rules; // jls04, revised, java, none; empty: what the model says it is meant for
  std::optional<RuleSet> rule_set; // instead of a named one: to see what a rule decides
  Switches switches;
  /// Instead of the identity that the model says it is meant for, or else that of `switches`.
  std::optional<Identity> identity;
  executions::Limits executions;
  GraphLimits graphs;
  SearchLimits search;
  bool all_registers = false;
};

struct Result {
  executions::Result::Status status = executions::Result::Status::ok;
  std::string reason; // of `unknown`: what is listed is allowed, there may be more
  std::vector<litmus::Observable> observables;
  std::vector<litmus::Behaviour> behaviours; // sorted by their canonical text
  Statistics statistics;
};

/// One test under one model; both outlive this. Executions are enumerated once, however many
/// questions are asked.
class Oracle {
 public:
  /// Throws InputError for an unknown rule set, a model that does not show so, sw and hb, or a
  /// question about memory where the model does not order writes; Unsupported.
  Oracle(const litmus::Test& test, const cat::Plan& model, const Options& options = {});
  ~Oracle();

  const std::vector<litmus::Observable>& observables() const;

  /// Is some behaviour with this proposition allowed? Executions are looked at only until the
  /// answer is known.
  Answer allows(const litmus::Proposition& proposition);
  /// The same for values of observables().
  Answer allows(const litmus::Behaviour& behaviour);
  /// The same of many: those of well-behaved executions are found in one search of the engine, and
  /// the others asked about one by one.
  std::vector<Answer> allows(const std::vector<litmus::Behaviour>& behaviours);

  Result behaviours();

  /// JPR's over-approximation of what rules allow: an oracle of its own. It does not depend on the
  /// rule set. `no` means forbidden under every rule set that justifies, `yes` no more than
  /// possible.
  Answer possible(const litmus::Proposition& proposition);
  Result over_approximation();

  /// Why the last answer was `unknown`.
  const std::string& reason() const;
  /// After an answer of yes under a rule set that justifies: evidence, over graphs().
  Justification evidence() const;
  const GraphSet& graphs() const;
  const RuleSet& rules() const;
  const Switches& switches() const;
  Statistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace thinair::causality
