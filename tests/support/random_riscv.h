// Random RISC-V tests.
#pragma once

#include <cstdint>
#include <string>

namespace thinair::test {

/// Two or three harts with a few accesses each to x, y and z, fences, dependencies and jumps
/// forward; what herd7 has, and values that it gets right (small and not negative). The same for a
/// seed everywhere.
std::string random_riscv(std::uint64_t seed);

/// One hart that computes with all instructions there are, on small and large numbers; jumps lead
/// forward.
std::string random_riscv_arithmetic(std::uint64_t seed);

} // namespace thinair::test
