// Runs the command line in a forked child: the same code as the tool's, with limits, and its death
// is an answer.
#pragma once

#include "tests/fuzz/cli_fuzz/inputs.h"

#include <string>

namespace thinair::fuzz {

struct Bounds {
  double cpu_s = 5;                  // processor time of a command: ten times what --timeout allows
  unsigned wall_s = 120;             // for one that waits
  std::uint64_t memory = 4ULL << 30; // bytes of address space; what wants more gets none
};

struct Ended {
  int exit = -1;  // where it ended by itself
  int signal = 0; // that killed it
  double cpu_s = 0;
  long memory_kb = 0; // most at a time
  std::string out, err;
};

/// Writes the files below `directory`, which is empty, and runs the command there.
Ended run(const Input& input, const std::string& directory, const Bounds& bounds);

/// What is wrong with how a command ended; empty: nothing.
std::string fault_of(const Input& input, const Ended& ended, const Bounds& bounds);

} // namespace thinair::fuzz
