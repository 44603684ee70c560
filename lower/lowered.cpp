// Restores source behaviours from target behaviours.
#include "lower/lowered.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {

using litmus::Behaviour;
using litmus::Observable;

std::vector<Observable> Restoration::needed() const {
  std::vector<Observable> result;
  for (const Row& row : rows) {
    if (const auto* target = std::get_if<Observable>(&row.found)) result.push_back(*target);
    if (row.high) result.push_back(*row.high);
  }
  result.insert(result.end(), cuts.begin(), cuts.end());
  result.insert(result.end(), traps.begin(), traps.end());
  std::ranges::sort(result);
  const auto repeated = std::ranges::unique(result);
  result.erase(repeated.begin(), repeated.end());
  return result;
}

std::vector<Observable> Restoration::observables() const {
  std::vector<Observable> result;
  for (const Row& row : rows) result.push_back(row.source);
  return result;
}

namespace {

litmus::Value value_of(const Observable& wanted, const std::vector<Observable>& observed,
                       const Behaviour& behaviour) {
  const auto found = std::ranges::find(observed, wanted);
  THINAIR_CHECK(found != observed.end(), "a target behaviour lacks what restoring it needs");
  return behaviour.at(static_cast<std::size_t>(found - observed.begin()));
}

/// A long of the low 32 bits of both.
litmus::Value of_halves(litmus::Value low, litmus::Value high) {
  return static_cast<litmus::Value>((static_cast<std::uint64_t>(high) << 32U) |
                                    static_cast<std::uint32_t>(static_cast<std::uint64_t>(low)));
}

} // namespace

Restoration::Of Restoration::of(const std::vector<Observable>& observed,
                                const Behaviour& behaviour) const {
  const auto set = [&](const Observable& o) { return value_of(o, observed, behaviour) != 0; };
  if (std::ranges::any_of(traps, set)) return Of::trapped;
  return std::ranges::any_of(cuts, set) ? Of::cut_off : Of::whole_execution;
}

Behaviour Restoration::restore(const std::vector<Observable>& observed,
                               const Behaviour& behaviour) const {
  Behaviour result;
  for (const Row& row : rows) {
    if (const auto* constant = std::get_if<litmus::Value>(&row.found)) {
      result.push_back(*constant);
      continue;
    }
    litmus::Value value = value_of(std::get<Observable>(row.found), observed, behaviour);
    if (row.high) value = of_halves(value, value_of(*row.high, observed, behaviour));
    result.push_back(row.type == litmus::TypeKind::reference ? reference_at(value)
                                                             : litmus::narrowed(row.type, value));
  }
  return result;
}

litmus::Value Restoration::reference_at(litmus::Value address) const {
  if (address == 0) return 0;
  // JITs compress references: 32 bits of a longer register, or of a number that is extended. No two
  // objects have the same.
  const auto low = [](litmus::Value each) {
    return litmus::narrowed(litmus::TypeKind::int_, each);
  };
  const auto found = std::ranges::find(objects, low(address), low);
  THINAIR_CHECK(found != objects.end(), "a reference that is no object's address");
  return found - objects.begin() + 1;
}

std::string to_string(const Restoration::Row& row) {
  if (const auto* value = std::get_if<litmus::Value>(&row.found)) return fmt::format("{}", *value);
  const auto low = to_string(std::get<Observable>(row.found));
  return row.high ? fmt::format("{} and {}", low, to_string(*row.high)) : low;
}

std::string to_string(const Restoration& restoration) {
  std::string text;
  for (const auto& row : restoration.rows)
    text +=
        fmt::format("{}{} <- {}", text.empty() ? "" : "; ", to_string(row.source), to_string(row));
  return text;
}

} // namespace thinair::lower
