// Finds abstract machines, and prints what they did.
#include "runners/operational.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::runners {

const Operational* operational_of(std::string_view machine) {
  const auto all = operational_machines();
  const auto found = std::ranges::find(all, machine, &Operational::machine);
  return found == all.end() ? nullptr : *found;
}

namespace {

std::string state_of(std::span<const litmus::Cell> cells, const TraceStep& step) {
  std::string text;
  for (std::size_t i = 0; i < step.memory.size(); ++i)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", cells[i].name, step.memory[i]);
  for (std::size_t t = 0; t < step.buffers.size(); ++t)
    if (!step.buffers[t].empty())
      text += fmt::format(", P{} holds {}", t, fmt::join(step.buffers[t], " "));
  return text;
}

} // namespace

std::string to_string(const litmus::Test& test, const std::vector<TraceStep>& steps) {
  std::size_t code = 0, effect = 0;
  for (const TraceStep& step : steps) {
    code = std::max(code, step.code.size());
    effect = std::max(effect, step.effect.size());
  }
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const TraceStep& step = steps[i];
    text += fmt::format("  {:3}  P{}  {:{}}  {:{}}  {}\n", i + 1, step.thread, step.code, code,
                        step.effect, effect, state_of(test.code().cells(), step));
  }
  return text;
}

} // namespace thinair::runners
