// Expressions whose value is known before the program runs.
#pragma once

#include "litmus/expression.h"

#include <cstdint>
#include <optional>

namespace thinair::lower {

/// The value of an expression that mentions no register; none where it divides by zero.
std::optional<litmus::Value> constant_value(const litmus::Expression& e);

/// Whether an operator's value is 0 or 1 by comparing; the negation of a truth value is one.
bool is_comparison(litmus::Operator op);

bool is_shift(litmus::Operator op);

/// Whether some shift's count is not a constant.
bool shifts_by_register(const litmus::Expression& e);

} // namespace thinair::lower
