// Whether a program's references keep to the types of registers, locations and fields: what the
// reader checks of texts, for programs that are made or edited.
#pragma once

#include "litmus/program.h"

namespace thinair::litmus {

/// Whether every reference goes where one of its class may, null for every class, and no other
/// value (which of Java's other types a value has is not looked at); references are neither
/// computed with nor compared with numbers, or with references to another class; fields are those
/// of the reference's class; final fields are written in constructors of their object alone, by
/// `this`, which nothing else assigns there; each object is made by one statement.
bool well_typed(const Program& program);

} // namespace thinair::litmus
