// What a thread's text says before any code is made for it.
#pragma once

#include "litmus/program.h"
#include "lower/runtime.h"
#include "lower/scheme.h"

#include <array>
#include <cstdint>
#include <vector>

namespace thinair::lower {

struct Survey {
  std::vector<std::uint32_t> uses;                // of each source register
  std::vector<bool> assigned;                     // some statement writes the register
  std::vector<bool> locations;                    // some access is to it; RuntimeWords behind
  std::array<bool, operation_count> operations{}; // that the thread has
  bool shifts_by_register = false;                // some shift's count is not a constant
  bool cuts = false;                              // some path is cut off by a loop's bound

  /// The registers that are used, the most used first.
  std::vector<std::uint32_t> by_uses() const;
};

/// Throws Unsupported for statements that lowering does not know.
Survey survey(const litmus::Program& program, const RuntimeWords& words, std::size_t thread);

} // namespace thinair::lower
