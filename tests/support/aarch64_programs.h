// Random AArch64 tests as text: short threads of accesses, barriers, dependencies, choices,
// branches, updates and pairs of exclusives over two or three locations, all of which herd7 reads.
#pragma once

#include <cstdint>
#include <string>

namespace thinair::test {

/// The same for a seed everywhere. All registers and locations are shown.
std::string aarch64_program(std::uint64_t seed);

} // namespace thinair::test
