// What can work out answers about one test: the axioms of a model, its rules of causality, a
// transition table. Oracle chooses one of them.
#pragma once

#include "oracle/answer.h"

namespace thinair::oracle {

class Engine {
 public:
  /// What an engine is made for; test and model outlive it.
  Engine(const litmus::Test& test, const Options& options);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual Answer allows(const litmus::Proposition& proposition) = 0;
  virtual std::vector<Answer> allows(const std::vector<litmus::Behaviour>& behaviours);
  virtual Result behaviours() = 0;
  /// Of a model that allows nothing.
  virtual Answer why_nothing() const = 0;

  virtual causality::Justification evidence() const;
  virtual const causality::GraphSet& graphs() const;
  virtual std::optional<causality::Impasse> impasse(const litmus::Proposition&) { return {}; }
  virtual causality::Statistics statistics() const { return {}; }

  const std::vector<litmus::Observable>& observables() const { return observables_; }
  const RuleSet& rules() const { return rules_; }
  const causality::Switches& switches() const { return switches_; }

 protected:
  const litmus::Test& test() const { return test_; }
  const Limits& limits() const { return limits_; }
  Watch& watch() const { return *watch_; }

  std::vector<litmus::Observable> observables_;
  RuleSet rules_;
  causality::Switches switches_;

 private:
  const litmus::Test& test_;
  const Watched watch_; // of all questions together
  Limits limits_;       // with that watch
};

/// Under rules that justify.
std::unique_ptr<Engine> causal_engine(const litmus::Test& test, const cat::Plan& model,
                                      const Options& options);

} // namespace thinair::oracle
