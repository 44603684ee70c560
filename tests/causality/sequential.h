// Sequentially consistent runs of a program, by interleaving: what every memory model contains.
#pragma once

#include "oracle/causality/graphs.h"

#include <set>

namespace thinair::causality {

struct SequentialRuns {
  std::set<Behaviour> behaviours;
  bool race = false; // some run has two conflicting accesses side by side, not both volatile
};

SequentialRuns sequential_runs(const ProgramPaths& paths,
                               const std::vector<RegisterPlace>& observed);

} // namespace thinair::causality
