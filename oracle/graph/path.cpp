// What building a path means for Java and x86 alike.
#include "oracle/graph/path.h"

#include "litmus/text/error.h"
#include "oracle/graph/decisions.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace thinair::graph {

void PathBuilder::add(const PathEvent& event) {
  if (is_over()) return; // the rest of an expression that ended in an exception
  if (path_.events.size() == limits_.events_per_path)
    throw LimitReached(Limit::events, "limit of events of a thread");
  path_.events.push_back(event);
}

bool PathBuilder::will_stop() {
  if (is_over()) return false;
  may_stop_ = true;
  return limits_.stopped && decisions_.choose(2) == 1;
}

bool PathBuilder::stops_here() {
  if (!will_stop()) return false;
  stopped_ = true;
  return true;
}

void PathBuilder::end_early() {
  may_stop_ = true;
  (limits_.stopped ? stopped_ : dropped_) = true;
}

void PathBuilder::require(TermId condition, bool is_branch) {
  if (terms_.constant_value(condition).value_or(0) != 0) return;
  path_.constraints.push_back(condition);
  if (is_branch)
    path_.branches.push_back({condition, static_cast<std::uint32_t>(path_.events.size())});
}

/// Behind a `lock cmpxchg`, a jump on its flag decides nothing: the path is one of success or one
/// of failure already. Still it is a branch that what follows depends on.
bool PathBuilder::decide(TermId condition, bool is_branch) {
  if (is_over()) return false;
  if (const auto known = terms_.constant_value(condition)) return *known != 0;
  const auto negation = terms_.make(TermOp::logical_not, 64, condition);
  const auto before = settled(condition, negation);
  const bool holds = before ? *before : decisions_.choose(2) == 0;
  const auto way = holds ? condition : negation;
  if (!before) path_.constraints.push_back(way);
  if (is_branch) path_.branches.push_back({way, static_cast<std::uint32_t>(path_.events.size())});
  return holds;
}

void PathBuilder::know(Variable variable, Value value) {
  const auto needed = std::size_t{variable.value} + 1;
  if (values_.size() < needed) values_.resize(needed, 0);
  if (known_.size() < needed) known_.resize(needed, 0);
  values_[variable.value] = value;
  known_[variable.value] = 1;
  require(terms_.make(TermOp::equal, 64, terms_.variable(variable), terms_.constant(value)), false);
}

std::optional<Value> PathBuilder::known(TermId term) const {
  if (const auto value = terms_.constant_value(term)) return value;
  const Term& t = terms_[term];
  if (t.op != TermOp::variable || t.variable.value >= known_.size() ||
      known_[t.variable.value] == 0)
    return std::nullopt;
  return values_[t.variable.value];
}

/// What the constraints so far say of a condition, of those that they name themselves.
std::optional<bool> PathBuilder::settled(TermId condition, TermId negation) const {
  terms_.watch().demand(1 + path_.constraints.size() / 16);
  for (const auto known : path_.constraints) {
    if (known == condition) return true;
    if (known == negation) return false;
  }
  if (values_.empty()) return std::nullopt;
  for (const auto variable : terms_.variables_of(condition))
    if (variable.value >= known_.size() || known_[variable.value] == 0) return std::nullopt;
  const auto value = terms_.evaluate(condition, values_);
  return value ? std::optional(*value != 0) : std::nullopt;
}

std::string_view action_name(Kinds kinds) {
  constexpr auto rows = std::to_array<std::pair<Kinds, std::string_view>>({
      {k_external, "print"},
      {k_lock, "lock"},
      {k_unlock, "unlock"},
      {k_start, "start"},
      {k_begin, "begins"},
      {k_end, "ends"},
      {k_join, "join"},
      {k_freeze, "freeze"},
  });
  const auto row =
      std::ranges::find_if(rows, [&](const auto& r) { return (kinds & r.first) != 0; });
  return row == rows.end() ? std::string_view() : row->second;
}

std::string object_name(const ProgramPaths& program, Kinds kinds, std::uint32_t object) {
  if ((kinds & (k_lock | k_unlock)) != 0) return program.monitor_names[object];
  if ((kinds & (k_start | k_join)) != 0) return "Thread" + std::to_string(object);
  if ((kinds & k_freeze) != 0) return program.object_names[object];
  return "";
}

namespace {

/// No execution has a reference to what nobody has made.
bool all_made(const ProgramPaths& program, std::span<const std::uint32_t> chosen) {
  std::uint64_t makes = 0, mentions = 0;
  for (std::size_t t = 0; t < chosen.size(); ++t) {
    makes |= program.threads[t].paths[chosen[t]].makes;
    mentions |= program.threads[t].paths[chosen[t]].mentions;
  }
  return (mentions & ~makes) == 0;
}

} // namespace

bool compatible(const ProgramPaths& program, std::span<const std::uint32_t> chosen) {
  if (!program.object_names.empty() && !all_made(program, chosen)) return false;
  if (!program.lifetimes) return true;
  const auto path = [&](std::size_t t) -> const Path& {
    return program.threads[t].paths[chosen[t]];
  };
  std::vector<std::uint32_t> started(chosen.size(), 0);
  for (std::size_t t = 0; t < chosen.size(); ++t)
    for (const auto& event : path(t).events) {
      if ((event.kinds & k_start) != 0) ++started[event.object];
      if ((event.kinds & k_join) == 0) continue;
      if (!path(event.object).runs || path(event.object).stops) return false;
    }
  for (std::size_t t = 0; t < chosen.size(); ++t) {
    const bool named = program.threads[t].started_by_others;
    if (started[t] > 1 || (named && path(t).runs != (started[t] == 1))) return false;
  }
  return true;
}

std::size_t bytes_of(const Path& path) {
  const auto terms =
      path.constraints.size() + path.must_divide.size() + path.final_registers.size();
  return sizeof path + path.events.size() * sizeof(PathEvent) + terms * sizeof(TermId) +
         path.branches.size() * sizeof(Branch);
}

void too_many_paths() { throw LimitReached(Limit::paths); }

ProgramPaths paths_of(const litmus::Test& test, const PathLimits& limits) {
  return architecture_of(test)->paths(test, limits);
}

} // namespace thinair::graph
