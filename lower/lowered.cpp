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
  for (const Row& row : rows)
    if (const auto* target = std::get_if<Observable>(&row.found)) result.push_back(*target);
  result.insert(result.end(), cuts.begin(), cuts.end());
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

} // namespace

bool Restoration::complete(const std::vector<Observable>& observed,
                           const Behaviour& behaviour) const {
  return std::ranges::none_of(
      cuts, [&](const Observable& cut) { return value_of(cut, observed, behaviour) != 0; });
}

Behaviour Restoration::restore(const std::vector<Observable>& observed,
                               const Behaviour& behaviour) const {
  Behaviour result;
  for (const Row& row : rows) {
    if (const auto* constant = std::get_if<std::int32_t>(&row.found)) {
      result.push_back(*constant);
      continue;
    }
    const litmus::Value value = value_of(std::get<Observable>(row.found), observed, behaviour);
    result.push_back(static_cast<std::int32_t>(static_cast<std::uint64_t>(value)));
  }
  return result;
}

std::string to_string(const Restoration& restoration) {
  std::string text;
  for (const auto& row : restoration.rows) {
    const auto* target = std::get_if<Observable>(&row.found);
    text += fmt::format("{}{} <- {}", text.empty() ? "" : "; ", to_string(row.source),
                        target ? to_string(*target)
                               : fmt::format("{}", std::get<std::int32_t>(row.found)));
  }
  return text;
}

} // namespace thinair::lower
