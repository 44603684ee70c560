// Of models that allow a test no execution at all: every outcome is forbidden then, and nothing is
// said by that.
#pragma once

#include "litmus/test.h"
#include "oracle/executions/behaviours.h"

#include <string>
#include <string_view>

namespace thinair::explain {

/// The proposition that every execution satisfies: to ask a model whether it allows any.
litmus::Proposition anything();

/// Whose doing it is that `model` allows the test no execution, which must be known: the program's,
/// if interleaving its threads gives none that ends either, or the model's. Without a full stop.
std::string why_nothing(const litmus::Test& test, std::string_view model,
                        const executions::Limits& limits = {});

} // namespace thinair::explain
