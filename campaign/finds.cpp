// Groups rows of a store.
#include "campaign/finds.h"

#include "campaign/coverage.h"
#include "litmus/modes.h"
#include "litmus/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

namespace thinair::campaign {
std::vector<Group> groups(const Store& store, const std::vector<litmus::ContentHash>& known) {
  std::map<std::pair<std::uint32_t, litmus::ContentHash>, Group> by_minimal;
  for (const auto& row : store.mismatches()) {
    if (row.minimal.empty() || std::ranges::find(known, row.minimal_hash) != known.end()) continue;
    auto [at, fresh] = by_minimal.try_emplace({row.target, row.minimal_hash}, Group{row, 0});
    ++at->second.originals;
    if (!fresh && row.place < at->second.first.place) at->second.first = row;
  }
  std::vector<Group> found;
  for (auto& [key, group] : by_minimal) found.push_back(std::move(group));
  std::ranges::stable_sort(found, {}, [](const Group& g) {
    return std::tuple(g.first.target, g.first.minimal_accesses, g.first.place);
  });
  return found;
}

std::vector<ReasonGroup> by_reason(const std::vector<Group>& found) {
  std::vector<ReasonGroup> reasons;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& reason = found[i].first.minimal_finding.reason;
    auto at = std::ranges::find(reasons, reason, &ReasonGroup::reason);
    if (at == reasons.end()) at = reasons.insert(at, ReasonGroup{reason, {}, 0});
    at->members.push_back(i);
    at->originals += found[i].originals;
  }
  std::ranges::stable_sort(reasons, std::greater(),
                           [](const ReasonGroup& g) { return g.members.size(); });
  return reasons;
}

std::size_t smallest(const ReasonGroup& group, const std::vector<Group>& found) {
  return *std::ranges::min_element(group.members, {},
                                   [&](std::size_t i) { return found[i].first.minimal_accesses; });
}

std::vector<UndecidedGroup> undecided(const Store& store) {
  std::map<std::tuple<std::uint32_t, Verdict, std::string>, UndecidedGroup> by_reason;
  for (auto& row : store.undecided()) {
    const auto key = std::tuple(row.target, row.verdict, row.reason.text);
    auto [at, fresh] = by_reason.try_emplace(key);
    auto& group = at->second;
    if (fresh) group = {row.target, row.verdict, row.reason.text, 0, row.program};
    ++group.programs;
    const auto size = [](const std::string& text) { return std::pair(text.size(), text); };
    if (size(row.program) < size(group.example)) group.example = std::move(row.program);
  }
  std::vector<UndecidedGroup> all;
  for (auto& [key, group] : by_reason) all.push_back(std::move(group));
  std::ranges::stable_sort(all, [](const UndecidedGroup& a, const UndecidedGroup& b) {
    return std::pair(a.target, b.programs) < std::pair(b.target, a.programs);
  });
  return all;
}

std::string targets_in_title(const Identity& identity) {
  constexpr std::size_t most = 3;
  return identity.targets.size() <= most ? text::listed(identity.targets)
                                         : fmt::format("{} targets", identity.targets.size());
}

std::string beyond(const Identity& identity) {
  return identity.baseline.empty() ? "" : fmt::format(", beyond what {} does", identity.baseline);
}

std::string baseline_fault_of(const Store& store) {
  std::optional<BaselineFault> smallest; // the baseline is one for all targets
  for (auto& row : store.baseline_faults())
    if (!smallest || row.fault < *smallest) smallest = std::move(row.fault);
  return smallest ? as_text(*smallest, store.identity().baseline, store.identity().model) : "";
}

std::string in_families(const std::vector<litmus::Operation>& operations) {
  std::vector<std::string_view> words, updates, fences;
  for (const auto each : operations) {
    const auto* method = std::get_if<litmus::Method>(&each);
    auto& family = method == nullptr                      ? fences
                   : litmus::is_rmw(info(*method).action) ? updates
                                                          : words;
    family.push_back(litmus::name(each));
  }
  const auto all_updates = static_cast<std::size_t>(std::ranges::count_if(
      litmus::methods(), [](const litmus::MethodInfo& row) { return litmus::is_rmw(row.action); }));
  if (updates.size() == all_updates) updates = {"all updates"};
  if (fences.size() == litmus::fences().size()) fences = {"all fences"};
  std::ranges::move(updates, std::back_inserter(words));
  std::ranges::move(fences, std::back_inserter(words));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<litmus::Operation> never_exercised(const Store& store) {
  std::array<bool, litmus::operation_count> met{};
  for (const auto& [key, programs] : store.coverage()) {
    if (!key.is_pair()) continue;
    met[litmus::index_of(key.first)] = met[litmus::index_of(key.second)] = true;
  }
  std::vector<litmus::Operation> never;
  for (std::size_t i = 0; i < met.size(); ++i)
    if (!met[i]) never.push_back(litmus::operation_at(i));
  return never;
}

} // namespace thinair::campaign
