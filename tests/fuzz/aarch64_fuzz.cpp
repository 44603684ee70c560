// Fuzzes AArch64 tests from the initial state on: what is read prints, and has paths.
#include "tests/fuzz/machine_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (const auto test = thinair::fuzz::read_again("AArch64", data, size))
    thinair::fuzz::walk(*test);
  return 0;
}
