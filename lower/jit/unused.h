// Takes out what only served what went.
#pragma once

#include "lower/jit/walk.h"

#include <cstdint>
#include <vector>

namespace thinair::lower::jit {

/// A step, and the addresses of those that may follow it.
struct Followed {
  Step step;
  std::vector<std::uint64_t> next;
};

/// Constants and comparisons that went into what went are not worth an instruction, and some
/// constants are addresses, which are others in every run. No register is read when the method has
/// returned.
std::vector<Step> without_unused(std::vector<Followed> code);

} // namespace thinair::lower::jit
