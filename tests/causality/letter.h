// JLS 17.4.5 to 17.4.8 by the letter, for small programs: an interpreter of statements, every
// beginning of every run of a thread, every order, every sequence of commits. It shares nothing
// with the oracle but the parser.
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
  std::size_t actions = 10;        // of an execution, besides initial writes
};

/// The final registers, thread by thread and in the order of RegisterId, of executions that are
/// justified. Absent: the program is beyond a limit.
std::optional<std::set<litmus::Behaviour>>
behaviours(const litmus::Program& program, std::string_view rules, const Limits& limits = {});

} // namespace thinair::causality::letter
