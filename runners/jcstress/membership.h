// Whether what a JVM showed is something that the model allows.
#pragma once

#include "oracle/cat/plan.h"
#include "oracle/causality/oracle.h"
#include "oracle/explain/vacuity.h"
#include "runners/jcstress/emit.h"

#include <memory>
#include <string>
#include <vector>

namespace thinair::runners::jcstress {

/// Answers about one test; its executions are enumerated once. The model outlives it.
class Membership {
 public:
  /// Throws what the oracle throws.
  Membership(const Prepared& test, const cat::Plan& model, const causality::Options& options = {});

  /// Of a behaviour over observables_of(test), in the terms of the test as it was (no sentinels).
  causality::Answer allows(const litmus::Behaviour& behaviour);
  /// Whether the model allows the test anything at all.
  causality::Answer allows_anything();
  /// Why it does not.
  explain::Nothing why_nothing() const;
  /// Why the last answer was `unknown`.
  const std::string& reason() const { return oracle_->reason(); }
  std::string why_forbidden(const litmus::Behaviour& behaviour) const;

 private:
  std::vector<litmus::Observable> observables_;
  std::unique_ptr<const litmus::Test> test_; // what the oracle refers to
  const cat::Plan& model_;
  causality::Options options_;
  std::unique_ptr<causality::Oracle> oracle_;
};

} // namespace thinair::runners::jcstress
