// The table of limits.
#include "litmus/text/limit.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace thinair {
namespace {

constexpr auto limits = std::to_array<LimitRow>({
    {Limit::none, "", ""},
    {Limit::time, "time", "time limit"},
    {Limit::steps, "steps", "steps limit"},
    {Limit::memory, "memory", "memory limit"},
    {Limit::candidates, "candidates", "candidates limit"},
    {Limit::loop_bound, "loop-bound", "loop bound"},
    {Limit::events, "events", "limit of events of an execution"},
    {Limit::paths, "paths", "limit of control paths of a thread"},
    {Limit::values, "values", "limit of values of one execution"},
    {Limit::solver_effort, "solver-effort", "z3's effort limit"},
    {Limit::states, "states", "states limit"},
    {Limit::model_steps, "model-steps", "steps of the model"},
    {Limit::model_depth, "model-depth", "nested calls of the model"},
    {Limit::graphs, "graphs", "limit of executions"},
    {Limit::labellings, "labellings", "limit of ways to match actions"},
    {Limit::run_time, "run-time", "time limit"},
    {Limit::as_plain, "as-plain", ""},
    {Limit::herd7, "herd7", ""},
    {Limit::engine, "engine", ""},
});

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < limits.size(); ++i)
    if (static_cast<std::size_t>(limits[i].limit) != i) return false;
  return true;
}
static_assert(rows_are_in_order());

} // namespace

const LimitRow& row_of(Limit limit) { return limits[static_cast<std::size_t>(limit)]; }

std::optional<Limit> limit_of(std::string_view key) {
  const auto* const found = std::ranges::find(limits, key, &LimitRow::key);
  return found == limits.end() ? std::nullopt : std::optional(found->limit);
}

Reason::Reason(std::string why, Limit about) : text(std::move(why)), limit(about) {}
Reason::Reason(const char* why, Limit about) : text(why), limit(about) {}

Reason Reason::reached(Limit limit, std::string_view what) {
  return {fmt::format("{} reached", what.empty() ? row_of(limit).what : what), limit};
}

Reason operator+(std::string_view before, const Reason& reason) {
  return {std::string(before) + reason.text, reason.limit};
}

} // namespace thinair
