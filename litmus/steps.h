// What a thread does to memory, in the order of the text: accesses and fences, branches left aside.
#pragma once

#include "litmus/program.h"

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

namespace thinair::litmus {

struct Step {
  Operation what;
  LocationId location;               // of an access
  std::size_t statement = 0;         // that it stands in, counted as they are read
  std::optional<FieldOf> field = {}; // of an access to one, which has no location
};

/// Both arms of a branch, one after the other; an access inside an expression before the statement
/// that it stands in.
std::vector<Step> steps_of(const Thread& thread);

} // namespace thinair::litmus
