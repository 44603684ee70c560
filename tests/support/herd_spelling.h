// Random x86 tests, each written twice: as we print tests, and in one of the many ways in which
// herd7 reads the same.
#pragma once

#include <cstdint>
#include <string>

namespace thinair::test {

struct TwoSpellings {
  std::string plain;
  std::string wild; // other names of things in the header, text that nobody looks at, and so on
};

/// The same for a seed everywhere: X86 (even seeds) or X86_64, two or three threads, straight-line
/// code over x, y and an array t, conditions over registers, memory and the array.
TwoSpellings two_spellings(std::uint64_t seed);

} // namespace thinair::test
