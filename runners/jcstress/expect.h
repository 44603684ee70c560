// What a model expects of a test on a JVM: every outcome of its state space, graded with a reason.
#pragma once

#include "oracle/answer.h"
#include "oracle/cat/plan.h"
#include "oracle/explain/core.h"
#include "runners/jcstress/emit.h"

#include <vector>

namespace thinair::runners::jcstress {

struct Expectations {
  std::vector<Grade> grades; // the last one is for every other outcome
  std::uint64_t acceptable = 0;
};

/// The state space is every combination of values that some allowed behaviour gives a slot (up to a
/// few dozen; beyond that only the allowed ones are listed), and one grade for the rest. Memory
/// must be in no slot where the model does not order it. Throws what the oracle throws, and
/// LimitReached where it cannot say everything.
Expectations expect(const Prepared& test, const cat::Plan& model, const std::string& model_name,
                    const oracle::Options& options = {});

/// Why the model forbids a behaviour; not known where a limit is reached before.
explain::Core why_forbidden(const litmus::Test& test, const litmus::Behaviour& behaviour,
                            const std::vector<litmus::Observable>& observables,
                            const cat::Plan& model, const oracle::Options& options = {});

} // namespace thinair::runners::jcstress
