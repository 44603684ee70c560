// Keys of identities, and how two of them compare.
#include "campaign/identity_rows.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace thinair::campaign {
namespace {

std::optional<std::uint64_t> number_of(const std::optional<std::string>& text) {
  std::uint64_t value = 0;
  if (!text) return std::nullopt;
  const char* end = text->data() + text->size();
  const auto [stopped, error] = std::from_chars(text->data(), end, value);
  return error == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

} // namespace

std::string changed_since(const Identity& then, const Contents& now) {
  const auto differ = [](const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && a != b;
  };
  if (differ(then.contents.model, now.model)) return "model " + then.model;
  const auto& known = then.contents.targets;
  for (std::size_t i = 0; i < std::min(known.size(), now.targets.size()); ++i)
    if (differ(known[i], now.targets[i])) return "target " + then.targets[i];
  if (differ(then.contents.baseline, now.baseline)) return "baseline " + then.baseline;
  return "";
}

IdentityRows identity_rows(const Identity& identity) {
  IdentityRows rows{{"seed", std::to_string(identity.seed)},
                    {"streams", std::to_string(identity.streams)},
                    {"model", identity.model},
                    {"profile", identity.profile},
                    {"version", identity.version}};
  // no rows of stores before there was a choice
  if (identity.as_plain) rows["as-plain"] = "yes";
  if (!identity.causality.empty()) rows["causality"] = identity.causality;
  if (!identity.actions.empty()) rows["identity"] = identity.actions;
  if (!identity.baseline.empty()) rows["baseline"] = identity.baseline;
  if (!identity.engine.empty()) rows["engine"] = identity.engine;
  for (std::size_t i = 0; i < identity.targets.size(); ++i)
    rows[fmt::format("target.{:03}", i)] = identity.targets[i];
  return rows;
}

IdentityRows content_rows(const Contents& contents) {
  IdentityRows rows;
  if (!contents.model.empty()) rows["content.model"] = contents.model;
  if (!contents.baseline.empty()) rows["content.baseline"] = contents.baseline;
  for (std::size_t i = 0; i < contents.targets.size(); ++i)
    if (!contents.targets[i].empty())
      rows[fmt::format("content.target.{:03}", i)] = contents.targets[i];
  return rows;
}

std::optional<Identity> identity_of(const IdentityRows& rows) {
  Identity identity;
  const auto text = [&](const std::string& key) {
    const auto found = rows.find(key);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
  };
  const auto seed = number_of(text("seed")), streams = number_of(text("streams"));
  const auto model = text("model"), profile = text("profile"), version = text("version");
  if (!seed || !streams || *streams == 0 || *streams > Identity::most_streams || !model ||
      !profile || !version)
    return std::nullopt;
  identity.seed = *seed;
  identity.streams = static_cast<std::uint32_t>(*streams);
  identity.model = *model;
  identity.profile = *profile;
  identity.version = *version;
  identity.as_plain = text("as-plain").value_or("no") == "yes";
  identity.causality = text("causality").value_or("");
  identity.actions = text("identity").value_or("");
  identity.baseline = text("baseline").value_or("");
  identity.engine = text("engine").value_or("");
  identity.contents.model = text("content.model").value_or("");
  identity.contents.baseline = text("content.baseline").value_or("");
  for (std::size_t i = 0; const auto target = text(fmt::format("target.{:03}", i)); ++i) {
    identity.targets.push_back(*target);
    identity.contents.targets.push_back(text(fmt::format("content.target.{:03}", i)).value_or(""));
  }
  if (identity.targets.empty() || identity.targets.size() > Identity::most_targets)
    return std::nullopt;
  return identity;
}

void require_same(const IdentityRows& stored, const Identity& identity,
                  const std::string& directory) {
  const auto rows = identity_rows(identity);
  for (const char* choice :
       {"as-plain", "causality", "identity", "baseline", "engine"}) // those that may be absent
    if (stored.contains(choice) != rows.contains(choice))
      throw InputError(fmt::format("{}: error: this directory holds a campaign with{} \"{}\"; "
                                   "choose another directory",
                                   directory, rows.contains(choice) ? "out" : "", choice));
  for (const auto& [key, value] : rows) {
    const auto found = stored.find(key);
    if (key == "version" || (found != stored.end() && found->second == value)) continue;
    const std::string theirs = found == stored.end() ? "none" : found->second;
    const bool one_line = theirs.find('\n') == std::string::npos; // a profile is a page
    throw InputError(
        fmt::format("{}: error: this directory holds a campaign with another {}{}; choose another "
                    "directory",
                    directory, key, one_line ? " (" + theirs + ")" : ""));
  }
  const Identity theirs = identity_of(stored).value_or(Identity());
  if (theirs.targets != identity.targets)
    throw InputError(fmt::format(
        "{}: error: this directory holds a campaign with other targets ({}); choose another "
        "directory",
        directory, fmt::join(theirs.targets, ", ")));
  const auto changed = changed_since(theirs, identity.contents);
  if (!changed.empty())
    throw InputError(fmt::format("{}: error: {} has changed since this campaign began\n  hint: put "
                                 "back what it was, or choose another directory",
                                 directory, changed));
}

} // namespace thinair::campaign
