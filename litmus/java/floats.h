// What Java code of floats and doubles needs to mean what litmus/floating.h says.
#pragma once

#include "litmus/program.h"

#include <string>

namespace thinair::litmus::java {

/// An expression of the type, whose value is the canonical NaN where it is a NaN: a processor's own
/// has other bits, which compareAndSet and raw bits tell apart.
std::string canonical(TypeKind kind, const std::string& code);

/// Of a variable, its bits: what final values are compared by. Of other types the variable.
std::string bits_of(TypeKind kind, const std::string& variable);

/// Whether a getAndAdd of a float or double may make a NaN, whose bits Java leaves open: not where
/// all numbers of the program are small, and are added and subtracted alone, and not in a loop.
bool may_add_to_nan(const Program& program);
/// Throws Unsupported where one may.
void refuse_sums_to_nan(const Program& program);

} // namespace thinair::litmus::java
