// The report as Markdown and JSON.
#include "campaign/report.h"

#include "campaign/coverage.h"
#include "campaign/ends.h"
#include "litmus/text/counted.h"
#include "litmus/text/json.h"
#include "litmus/text/wrap.h"

#include <fmt/format.h>

namespace thinair::campaign {
namespace {

using text::counted;

std::string to_json(const Group& group, const Identity& identity) {
  const auto& row = group.first;
  json::Object object;
  object.string("id", litmus::to_string(row.minimal_hash))
      .string("target", identity.targets.at(row.target))
      .string("behaviour", end_of(row))
      .integer("accesses", row.minimal_accesses)
      .string("program", row.minimal)
      .string("original", row.original)
      .integer("originals", group.originals)
      .integer("seed", identity.seed)
      .real("found_after_s", row.found_after_s)
      .string("reason", as_text(row.minimal_finding.reason));
  if (!row.minimal_finding.seen.empty()) object.string("seen", row.minimal_finding.seen);
  return object.text();
}

/// "smallest" is the id of a mismatch.
std::string to_json(const ReasonGroup& group, const std::vector<Group>& found) {
  return json::Object()
      .string("reason", as_text(group.reason))
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
    if (key.is_part()) model.integer(to_string(key), n);
    if (key.kind == CoverageKey::Kind::drawn) strategies.integer(gen::name(key.strategy), n);
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
  return seen.empty() ? "" : fmt::format("{}.\n\n", as_sentence(seen));
}

/// Another program of the same cause.
std::string also(const Group& group, const Identity& identity) {
  const auto& row = group.first;
  return fmt::format("\nAlso on {}: `{}` ({})\n\n{}```\n{}```\n", identity.targets.at(row.target),
                     end_of(row), as_text(row.minimal_finding.reason), seen_in(row), row.minimal);
}

/// The smallest program of a cause, whole, and the others in a line each.
std::string markdown_of(std::size_t number, const Finds& finds, const Identity& identity,
                        const Explain& explain) {
  const auto& cause = finds.causes[number - 1];
  const auto& group = finds.groups[cause.smallest];
  const auto& row = group.first;
  const auto& target = identity.targets.at(row.target);
  const auto more = explain(row);
  std::string out = fmt::format("\n## {}. {}\n\n", number, cause.sentence);
  if (!cause.change.empty()) out += fmt::format("What mends it: {}.\n\n", cause.change);
  if (cause.targets.size() > 1) out += fmt::format("Shown by {}.\n\n", text::listed(cause.targets));
  out += fmt::format("{} shows `{}`, which {} forbids ({}){}.\n\n{}```\n{}```\n", target,
                     end_of(row), identity.model, as_text(row.minimal_finding.reason),
                     cause.shape.empty() ? "" : fmt::format("; the shape is {}", cause.shape),
                     seen_in(row), row.minimal);
  if (!more.java.empty()) out += fmt::format("\nAs Java:\n\n```java\n{}\n```\n", more.java);
  if (!more.lowered.empty())
    out += fmt::format("\nAs {} runs it:\n\n```\n{}\n```\n", target, more.lowered);
  for (const auto& drawing : more.drawings) {
    out += fmt::format("\n{}:\n\n```\n{}{}{}\n```\n", drawing.title, drawing.text,
                       text::rewrapped(drawing.note), text::rewrapped(drawing.terms));
    if (!drawing.steps.empty())
      out += fmt::format("\nStep by step:\n\n```\n{}```\n", drawing.steps);
  }
  if (!more.command.empty()) out += fmt::format("\nAgain:\n\n```\n{}\n```\n", more.command);
  out += fmt::format("\nReduced from {}, the first of which is:\n\n```\n{}```\n",
                     counted(group.originals, "program", "programs"), row.original);
  for (const auto i : cause.members)
    if (i != cause.smallest) out += also(finds.groups[i], identity);
  return out;
}

} // namespace

std::string markdown(const Store& store, const Finds& finds, const Explain& explain) {
  const auto& identity = store.identity();
  const auto& found = finds.groups;
  std::string out =
      fmt::format("# {} of {} against {}\n\n", counted(found.size(), "mismatch", "mismatches"),
                  targets_in_title(identity), identity.model + beyond(identity));
  out += fmt::format("{}: {} in {:.1f} s, seed {}, {}.\n", text::listed(identity.targets),
                     counted(store.program_count(), "program", "programs"), store.elapsed_s(),
                     identity.seed, identity.version);
  if (!finds.causes.empty())
    out += fmt::format("\n{}:\n\n", counted(finds.causes.size(), "cause", "causes"));
  for (std::size_t i = 0; i < finds.causes.size(); ++i)
    out += fmt::format("{}. {}\n", i + 1, as_text(finds.causes[i], found));
  for (std::size_t i = 0; i < finds.causes.size(); ++i)
    out += markdown_of(i + 1, finds, identity, explain);
  for (const auto& group : undecided(store))
    out += fmt::format("\n## {} on {}: {}\n\n{}, the shortest of which is:\n\n```\n{}```\n",
                       name(group.verdict), identity.targets.at(group.target), group.reason,
                       counted(group.programs, "program", "programs"), group.example);
  if (const auto fault = baseline_fault_of(store); !fault.empty())
    out += fmt::format("\n## The baseline\n\n```\n{}```\n", fault);
  if (const auto never = never_exercised(store); !never.empty())
    out += fmt::format("\nNo program had these beside another access, so nothing is known of them: "
                       "{}.\n",
                       in_families(never));
  return out;
}

std::string to_json(const Store& store, const std::string& campaign, const Finds& finds) {
  const auto& found = finds.groups;
  const auto& identity = store.identity();
  std::uint64_t unknown = 0, vacuous = 0;
  for (const auto& counts : store.verdict_counts()) {
    unknown += counts.at(static_cast<std::size_t>(Verdict::unknown));
    vacuous += counts.at(static_cast<std::size_t>(Verdict::vacuous));
  }
  std::vector<std::string> targets, causes, mismatches, reasons, undecideds, never, baselines;
  for (const auto& cause : finds.causes) causes.push_back(to_json(cause, found));
  for (const auto& each : never_exercised(store)) never.push_back(json::quote(litmus::name(each)));
  for (const auto& target : identity.targets) targets.push_back(json::quote(target));
  for (const auto& group : found) mismatches.push_back(to_json(group, identity));
  for (const auto& group : by_reason(found)) reasons.push_back(to_json(group, found));
  for (const auto& group : undecided(store)) undecideds.push_back(to_json(group, identity));
  for (const auto& row : store.baseline_faults())
    baselines.push_back(json::Object()
                            .string("target", identity.targets.at(row.target))
                            .string("behaviour", litmus::to_string(row.fault.behaviour))
                            .integer("accesses", row.fault.accesses)
                            .string("program", row.fault.program)
                            .text());
  return json::Object()
      .string("campaign", campaign)
      .string("model", identity.model)
      .raw("targets", json::array(targets))
      .integer("programs", store.program_count())
      .real("seconds", store.elapsed_s())
      .integer("unknown", unknown)
      .integer("vacuous", vacuous)
      .raw("causes", found.empty() == finds.causes.empty() ? json::array(causes) : "null")
      .raw("mismatches", json::array(mismatches))
      .raw("reasons", json::array(reasons))
      .raw("undecided", json::array(undecideds))
      .raw("never_exercised", json::array(never))
      .raw("baseline", identity.baseline.empty() ? "null" : json::quote(identity.baseline))
      .raw("baseline_unsound", json::array(baselines))
      .raw("coverage", coverage_json(store.coverage()))
      .text();
}

} // namespace thinair::campaign
