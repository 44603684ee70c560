// Grouping of mismatches, and the report as Markdown and JSON.
#include "campaign/report.h"

#include "campaign/coverage.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace thinair::campaign {
namespace {

std::string to_json(const Group& group, const Identity& identity) {
  const auto& row = group.first;
  json::Object object;
  object.string("id", litmus::to_string(row.minimal_hash))
      .string("target", identity.targets.at(row.target))
      .string("behaviour", row.minimal_finding.behaviour)
      .integer("accesses", row.minimal_accesses)
      .string("program", row.minimal)
      .string("original", row.original)
      .integer("originals", group.originals)
      .integer("seed", identity.seed)
      .real("found_after_s", row.found_after_s)
      .string("reason", row.minimal_finding.reason);
  if (!row.minimal_finding.seen.empty()) object.string("seen", row.minimal_finding.seen);
  return object.text();
}

/// "smallest" is the id of a mismatch.
std::string to_json(const ReasonGroup& group, const std::vector<Group>& found) {
  return json::Object()
      .string("reason", group.reason)
      .integer("mismatches", group.members.size())
      .integer("programs", group.originals)
      .string("smallest", litmus::to_string(found[smallest(group, found)].first.minimal_hash))
      .text();
}

std::string to_json(const UndecidedGroup& group, const Identity& identity) {
  return json::Object()
      .string("target", identity.targets.at(group.target))
      .string("verdict", name(group.verdict))
      .string("reason", group.reason)
      .integer("programs", group.programs)
      .string("example", group.example)
      .text();
}

/// {"combinations":N,"model":{"let co":12,…},"strategies":{"cycle":100,…}}
std::string coverage_json(const Counts& counts) {
  json::Object model, strategies;
  for (const auto& [key, n] : counts) {
    if (key.starts_with("let ") || key.starts_with("axiom ")) model.integer(key, n);
    if (key.starts_with("drawn ")) strategies.integer(key.substr(6), n);
  }
  return json::Object()
      .integer("combinations", combinations_covered(counts))
      .raw("model", model.text())
      .raw("strategies", strategies.text())
      .text();
}

/// A paragraph where it is chance whether the target shows it.
std::string seen_in(const MismatchRow& row) {
  const auto& seen = row.minimal_finding.seen;
  return seen.empty() ? "" : fmt::format("Seen in {}.\n\n", seen);
}

} // namespace

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
    const auto key = std::tuple(row.target, row.verdict, row.reason);
    auto [at, fresh] = by_reason.try_emplace(key);
    auto& group = at->second;
    if (fresh) group = {row.target, row.verdict, row.reason, 0, row.program};
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

std::string markdown(const Store& store, const std::vector<Group>& found, const Explain& explain) {
  const auto& identity = store.identity();
  std::string out =
      fmt::format("# {} mismatch{} of {} against {}\n\n", found.size(),
                  found.size() == 1 ? "" : "es", fmt::join(identity.targets, ", "), identity.model);
  out += fmt::format("{} programs in {:.1f} s, seed {}, {}.\n", store.program_count(),
                     store.elapsed_s(), identity.seed, identity.version);
  if (!found.empty())
    out += "\n| forbidden by | minimal programs | programs | smallest |\n|---|---|---|---|\n";
  for (const auto& reason : by_reason(found))
    out += fmt::format("| {} | {} | {} | {} |\n", reason.reason, reason.members.size(),
                       reason.originals, smallest(reason, found) + 1);
  int number = 0;
  for (const auto& group : found) {
    const auto& row = group.first;
    const auto& target = identity.targets.at(row.target);
    const auto more = explain(row);
    out += fmt::format(
        "\n## {}. {} accesses on {}\n\nForbidden by {} ({}), shown by {}: `{}`\n\n{}```\n{}```\n",
        ++number, row.minimal_accesses, target, identity.model, row.minimal_finding.reason, target,
        row.minimal_finding.behaviour, seen_in(row), row.minimal);
    if (!more.java.empty()) out += fmt::format("\nAs Java:\n\n```java\n{}\n```\n", more.java);
    if (!more.lowered.empty())
      out += fmt::format("\nAs {} runs it:\n\n```\n{}\n```\n", target, more.lowered);
    for (const auto& drawing : more.drawings)
      out += fmt::format("\n{}:\n\n```\n{}{}\n```\n", drawing.title, drawing.text, drawing.note);
    if (!more.command.empty()) out += fmt::format("\nAgain:\n\n```\n{}\n```\n", more.command);
    out += fmt::format("\nReduced from {} program{}, the first of which is:\n\n```\n{}```\n",
                       group.originals, group.originals == 1 ? "" : "s", row.original);
  }
  for (const auto& group : undecided(store))
    out +=
        fmt::format("\n## {} on {}: {}\n\n{} program{}, the shortest of which is:\n\n```\n{}```\n",
                    name(group.verdict), identity.targets.at(group.target), group.reason,
                    group.programs, group.programs == 1 ? "" : "s", group.example);
  return out;
}

std::string to_json(const Store& store, const std::string& campaign,
                    const std::vector<Group>& found) {
  const auto& identity = store.identity();
  std::uint64_t unknown = 0, vacuous = 0;
  for (const auto& counts : store.verdict_counts()) {
    unknown += counts.at(static_cast<std::size_t>(Verdict::unknown));
    vacuous += counts.at(static_cast<std::size_t>(Verdict::vacuous));
  }
  std::vector<std::string> targets, mismatches, reasons, undecideds;
  for (const auto& target : identity.targets) targets.push_back(json::quote(target));
  for (const auto& group : found) mismatches.push_back(to_json(group, identity));
  for (const auto& group : by_reason(found)) reasons.push_back(to_json(group, found));
  for (const auto& group : undecided(store)) undecideds.push_back(to_json(group, identity));
  return json::Object()
      .string("campaign", campaign)
      .string("model", identity.model)
      .raw("targets", json::array(targets))
      .integer("programs", store.program_count())
      .real("seconds", store.elapsed_s())
      .integer("unknown", unknown)
      .integer("vacuous", vacuous)
      .raw("mismatches", json::array(mismatches))
      .raw("reasons", json::array(reasons))
      .raw("undecided", json::array(undecideds))
      .raw("coverage", coverage_json(store.coverage()))
      .text();
}

} // namespace thinair::campaign
