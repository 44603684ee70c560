// Random x86 tests: two or three threads, a few instructions each, over x and y.
#pragma once

#include <cstdint>
#include <string>

namespace thinair::test {

/// The text of an X86_64 test, the same for a seed everywhere. Jumps lead forward only. `natural`:
/// no value is ever negative and no address is computed, which is what herd7 gets right.
std::string random_x86(std::uint64_t seed, bool natural = false);

} // namespace thinair::test
