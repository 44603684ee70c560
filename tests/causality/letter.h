// JLS 17.4.5 to 17.4.8 by the letter, and what docs/model-java.md makes of them for all modes, for
// small programs: an interpreter of statements, every beginning of every run of a thread, every
// order, every sequence of commits. It shares nothing with the oracle but the parser.
#pragma once

#include "litmus/condition.h"
#include "litmus/program.h"

#include <optional>
#include <set>
#include <string_view>

namespace thinair::causality::letter {

struct Limits {
  std::size_t rounds = 3;          // of each run of a loop
  std::size_t executions = 20'000; // of a program
  std::size_t actions = 10;        // of an execution, besides initial writes (and defaults)
  bool fences = false;             // they are actions
};

/// The final registers, thread by thread and in the order of RegisterId, of executions that are
/// justified: `jls04`, `revised`, or the model `java` (letter_modes.h) under the rules of that
/// name. Absent: the program is beyond a limit.
std::optional<std::set<litmus::Behaviour>>
behaviours(const litmus::Program& program, std::string_view rules, const Limits& limits = {});

} // namespace thinair::causality::letter
