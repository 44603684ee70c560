// Registers that a path may leave unwritten, told apart from those that are written 0.
#pragma once

#include "litmus/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace thinair::runners::jcstress {

/// A program whose registers start at `value` where `marked` (by thread, by register).
struct Sentinels {
  litmus::Program program;
  litmus::Value value = 0;
  std::vector<std::vector<bool>> marked;
};

/// Marks the registers that some path does not write and no path reads before it has written them:
/// what they start with is seen in the final state only, as "not written". References stay null,
/// and registers of types that are too narrow for the value are not marked. It is no constant of
/// the program.
Sentinels with_sentinels(const litmus::Program& program);

} // namespace thinair::runners::jcstress
