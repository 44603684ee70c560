// What the model `java` says of one execution, by the letter of docs/model-java.md: sets of events
// as bits, relations as rows of bits. It shares nothing with the engine or with models/java.cat.
#pragma once

#include "tests/causality/letter_traces.h"

#include <cstdint>
#include <vector>

namespace thinair::causality::letter {

/// Actions by number; those of a thread stand together, in program order.
struct Candidate {
  const std::vector<Action>& actions;
  std::size_t nobody = 0;              // the thread of initial writes
  std::vector<std::size_t> reads_from; // by action
  std::vector<std::size_t> so;         // synchronization actions, first to last
};

struct Opinion {
  bool stage = false; // consistent as far as stages of a justification have to be
  bool shows = false; // and as far as executions have to be that show a behaviour
  std::vector<std::uint32_t> so, sw, hb; // rows by action; hb without the diagonal
};

Opinion opinion_on(const Candidate& candidate);

} // namespace thinair::causality::letter
