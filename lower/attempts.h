// Loops of code that only try a failed update of memory again, where the code is looked at as text.
#pragma once

#include "litmus/test.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace thinair::lower {

/// How instructions begin, in lower case.
struct AttemptWords {
  std::span<const std::string_view> loads;    // that do not write memory
  std::span<const std::string_view> attempts; // to update memory, which say whether they did
};

/// As MachineInfo::only_retries: an attempt stands before the jump, which looks at what it says.
bool only_retries(const AttemptWords& words, const litmus::Test& test, std::size_t thread,
                  std::size_t from, std::size_t jump);

} // namespace thinair::lower
