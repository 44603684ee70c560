// Plans as text, for people and for tests.
#pragma once

#include "oracle/cat/plan.h"

#include <string>

namespace thinair::cat {

/// A node as an expression of cat, with parentheses around whatever has operands: "(po;[V])".
/// Variables of fixpoints are x0, x1, …; choices have their names; routines are run0, run1, ….
std::string expression(const Plan& plan, NodeId node);

/// The whole plan: choices, fixpoints, axioms, shows, a line each.
std::string listing(const Plan& plan);

} // namespace thinair::cat
