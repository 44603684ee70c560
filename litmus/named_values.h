// The values that a program and a question name.
#pragma once

#include "litmus/condition.h"
#include "litmus/program.h"

#include <cstdint>
#include <set>

namespace thinair::litmus {

/// Constants of statements and of the proposition, and initial values.
std::set<Value> named_values(const Program& program, const Proposition& proposition);

} // namespace thinair::litmus
