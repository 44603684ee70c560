// Whether what a JVM showed is something that the model allows.
#pragma once

#include "oracle/answer.h"
#include "oracle/cat/plan.h"
#include "oracle/explain/core.h"
#include "runners/jcstress/emit.h"

#include <memory>
#include <vector>

namespace thinair::runners::jcstress {

/// Answers about one test; its executions are enumerated once. The model outlives it.
class Membership {
 public:
  /// Throws what the oracle throws.
  Membership(const Prepared& test, const cat::Plan& model, const oracle::Options& options = {});

  /// Of a behaviour over observables_of(test), in the terms of the test as it was (no sentinels).
  oracle::Answer allows(const litmus::Behaviour& behaviour);
  /// As Oracle::allows_anything.
  oracle::Answer allows_anything();
  explain::Core why_forbidden(const litmus::Behaviour& behaviour) const;

 private:
  std::vector<litmus::Observable> observables_;
  std::unique_ptr<const litmus::Test> test_; // what the oracle refers to
  const cat::Plan& model_;
  oracle::Options options_;
  std::unique_ptr<oracle::Oracle> oracle_;
};

} // namespace thinair::runners::jcstress
