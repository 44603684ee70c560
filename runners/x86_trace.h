// An execution of the x86-TSO machine step by step, for people.
#pragma once

#include "litmus/test.h"
#include "runners/x86_machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::runners {

struct TraceStep {
  std::size_t thread = 0;
  std::optional<std::uint32_t> instruction; // its place in the code; absent: the store buffer moved
  std::string code;                         // "movl $1, x(%rip)"; empty for the store buffer
  std::string effect;                       // "x=1 enters the store buffer"
  std::vector<litmus::Value> memory;        // after it, by location
  std::vector<std::vector<std::string>> buffers; // after it, by thread, oldest first: "x=1"
};

/// An execution that ends in a state in which `goal` holds; none where there is none within the
/// limits.
std::optional<std::vector<TraceStep>> x86_trace(const litmus::Test& test,
                                                const litmus::Proposition& goal,
                                                const MachineOptions& options = {});

/// A line a step: thread, code, effect, memory and buffers after it.
std::string to_string(const litmus::Test& test, const std::vector<TraceStep>& steps);

} // namespace thinair::runners
