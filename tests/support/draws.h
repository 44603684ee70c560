// How many random inputs a property test draws.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace thinair::test {

/// So many, or the per cent of them that THINAIR_DRAWS says: sanitizers take a few, a long run
/// takes many. One at least.
inline std::uint64_t draws(std::uint64_t usual) {
  const char* percent = std::getenv("THINAIR_DRAWS");
  if (percent == nullptr) return usual;
  return std::max<std::uint64_t>(1, usual * std::strtoull(percent, nullptr, 10) / 100);
}

} // namespace thinair::test
