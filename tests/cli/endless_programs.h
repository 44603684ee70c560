// Programs that never end, or explode: what limits are for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace thinair::cli {

struct Endless {
  std::string name;
  bool java = true; // or x86
  std::string text;
};

/// One of every kind; `round` varies their sizes. In each, every thread has a register that is
/// asked about.
std::vector<Endless> endless_programs(std::uint64_t round);

} // namespace thinair::cli
