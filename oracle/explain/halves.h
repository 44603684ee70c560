// Values of locations in the words of a test, where a location may be half of one that tears.
#pragma once

#include "litmus/objects.h"
#include "litmus/test.h"
#include "oracle/graph/path.h"

#include <string>

namespace thinair::explain {

/// As the type of the location shows it; half of a double (JLS 17.7) is a number.
inline std::string shown_value(const litmus::Test& test, const graph::ProgramPaths& paths,
                               litmus::LocationId location, litmus::Value value) {
  const bool whole = !test.is_java() || location.value >= test.java().locations.size() ||
                     test.java().locations[location.value].type.kind != litmus::TypeKind::double_ ||
                     paths.location_bits[location.value] == 64;
  return whole ? litmus::shown(test, location, value) : std::to_string(value);
}

} // namespace thinair::explain
