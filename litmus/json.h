// A test as JSON, for programs that read us (docs/language.md has the fields).
#pragma once

#include "litmus/condition.h"
#include "litmus/test.h"

#include <string>

namespace thinair::litmus {

/// One object on one line: name, dialect, title, metadata, program (as its dialect dumps it),
/// locations, filter, clauses.
std::string to_json(const Test& test);

/// {"thread":0,"register":"r1"} or {"location":"x"}.
std::string to_json(const Observable& observable);

std::string to_json(const Proposition& proposition);

} // namespace thinair::litmus
