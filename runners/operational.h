// Abstract machines that run code step by step: what a machine with one has for the runners.
#pragma once

#include "litmus/test.h"
#include "litmus/text/watch.h"
#include "oracle/question/question.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners {

struct MachineOptions {
  bool all_registers = false;
  std::uint64_t states = 20'000'000;
  std::uint64_t bytes = std::uint64_t{2} << 30; // of memory
  double seconds = 0;                           // 0: no limit
  std::uint64_t steps = Watch::most_steps;
  std::uint32_t loop_bound = 4; // where accesses are out of order
  /// Of a larger question, that counts instead of `seconds` and `steps`; it outlives this.
  Watch* watch = nullptr;
};

/// A step of an execution, for people.
struct TraceStep {
  std::size_t thread = 0;
  std::optional<std::uint32_t> instruction; // its place in the code; absent: the store buffer moved
  std::string code;                         // "movl $1, x(%rip)"; empty for the store buffer
  std::string effect;                       // "x=1 enters the store buffer"
  std::vector<litmus::Value> memory;        // after it, by location
  std::vector<std::vector<std::string>> buffers; // after it, by thread, oldest first: "x=1"
};

/// A line a step: thread, code, effect, memory and buffers after it.
std::string to_string(const litmus::Test& test, const std::vector<TraceStep>& steps);

/// A machine with an abstract machine of its own, which runs its code step by step.
struct Operational {
  std::string_view machine;
  std::string_view model; // the axioms that say the same
  bool usual;             // the engine where none is asked for
  oracle::Result (*run)(const litmus::Test& test, const MachineOptions& options);
  /// An execution that ends in a state in which `goal` holds; none where there is none within the
  /// limits. Null: there is no such function.
  std::optional<std::vector<TraceStep>> (*trace)(const litmus::Test& test,
                                                 const litmus::Proposition& goal,
                                                 const MachineOptions& options);
};

/// The table, which is made of rows of the machines' folders (machine/machines.inc).
std::span<const Operational* const> operational_machines();
/// By the machine's name; null where it has none.
const Operational* operational_of(std::string_view machine);

} // namespace thinair::runners
