// Of tests that a model allows no execution that ends: whether it forbids everything, and then says
// nothing by forbidding an outcome, or the program never ends, and the model has it right.
#pragma once

#include "litmus/test.h"
#include "oracle/cat/plan.h"
#include "oracle/executions/behaviours.h"

#include <string>
#include <string_view>

namespace thinair::explain {

/// The proposition that every execution satisfies: to ask a model whether it allows any.
litmus::Proposition anything();

/// Why there is no execution that ends.
struct Nothing {
  /// Interleaving the threads gives none either, and the model lets the program begin: it waits for
  /// ever, or throws, and that the model forbids an outcome is an answer. Otherwise the verdict is
  /// vacuous.
  bool never_ends = false;
  std::string reason; // a sentence without its full stop
};

/// Of a test that `model` is known to allow no execution.
Nothing why_nothing(const litmus::Test& test, const cat::Plan& model,
                    const executions::Limits& limits = {});

/// The same of an engine without axioms, which need not be asked whether the program may begin.
Nothing why_nothing(const litmus::Test& test, std::string_view engine,
                    const executions::Limits& limits = {});

} // namespace thinair::explain
