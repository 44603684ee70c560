// Which of a scheme's rules make a program's code.
#pragma once

#include "litmus/program.h"

#include <cstddef>
#include <vector>

namespace thinair::campaign {

/// Operations by their numbers (lower/operation.h), in order. A start and a join have another side:
/// what the thread does that they are about.
std::vector<std::size_t> rules_of(const litmus::Program& program);

} // namespace thinair::campaign
