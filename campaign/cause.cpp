// A cover of all finds by as few changes as there can be.
#include "campaign/cause.h"

#include "campaign/scheme_mending.h"
#include "litmus/choices.h"
#include "litmus/shape.h"
#include "litmus/text/counted.h"
#include "litmus/text/error.h"
#include "litmus/text/json.h"
#include "oracle/explain/corrections.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace thinair::campaign {
namespace {

using ModelParts = std::vector<explain::ModelPart>;

/// A change that mends some of the groups.
struct Change {
  std::optional<std::uint32_t> target; // whose rules; absent: the model's parts, or a fault
  Rules rules;
  ModelParts parts;
  std::vector<std::string> fault; // its kind and its parts, of whatever target
  friend auto operator<=>(const Change&, const Change&) = default;
};

class Finder {
 public:
  Finder(const std::vector<Group>& groups, const Targets& targets, const Against& against)
      : groups_(groups), targets_(targets), against_(against) {}

  std::vector<Cause> run() {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      tests_.push_back(litmus::parse({"minimal", groups_[i].first.minimal}));
      look_at(i);
    }
    cover();
    std::ranges::stable_sort(causes_, [](const Cause& a, const Cause& b) {
      return std::pair(a.side == Cause::Side::undecided, b.members.size()) <
             std::pair(b.side == Cause::Side::undecided, a.members.size());
    });
    return std::move(causes_);
  }

 private:
  const SchemeMending* mending_of(std::size_t group) const {
    return targets_.at(groups_[group].first.target)->mending();
  }

  /// "A's getVolatile and B's setVolatile do not go together", of the group's program.
  std::string mixed(std::size_t group) const {
    const auto& name = targets_.at(groups_[group].first.target)->name();
    std::map<litmus::Choice, std::vector<std::string_view>> compiled;
    const auto add = [&](auto operation, litmus::Choice& by) {
      auto& names = compiled[by];
      const auto word = info(operation).name;
      if (std::ranges::find(names, word) == names.end()) names.push_back(word);
    };
    litmus::Program program = tests_[group].java();
    litmus::each_choice(program, add, add);
    std::string out;
    for (const auto& [by, names] : compiled)
      out += fmt::format("{}{}'s {}", out.empty() ? "" : " beside ", scheme_of(name, by),
                         fmt::join(names, ", "));
    return out + ": code of two compilers that does not go together";
  }

  /// The scheme number `by` of "mix:A,B".
  static std::string scheme_of(std::string_view mix, litmus::Choice by) {
    mix.remove_prefix(std::min(mix.find(':') + 1, mix.size()));
    for (; by > 0 && mix.find(',') != std::string_view::npos; --by)
      mix.remove_prefix(mix.find(',') + 1);
    return std::string(mix.substr(0, mix.find(',')));
  }

  bool is_mix(std::size_t group) const {
    return targets_.at(groups_[group].first.target)->choices().schemes > 1;
  }

  /// Adds the changes that mend a group.
  void look_at(std::size_t group) {
    // of a mix no single rule is at fault, and the model is not: it is about who compiles what
    if (is_mix(group)) return;
    const auto& program = tests_[group].java();
    if (auto fault = targets_.at(groups_[group].first.target)->fault(program)) {
      for (const Fault* side : sides_of(*fault))
        if (side->is_known()) changes_[{std::nullopt, {}, {}, key_of(*side)}].push_back(group);
      faults_.emplace(group, *std::move(fault));
      return;
    }
    const auto* mending = mending_of(group);
    if (mending != nullptr) {
      const auto right = mending->others_are_right(program);
      if (!right) return; // who is to blame is not known
      if (*right) {
        for (auto& rules : mending->mends(program))
          changes_[{groups_[group].first.target, std::move(rules), {}, {}}].push_back(group);
        return;
      }
    }
    for (auto& parts : corrections_of(group))
      changes_[{std::nullopt, {}, std::move(parts), {}}].push_back(group);
  }

  static std::vector<std::string> key_of(const Fault& fault) {
    auto key = fault.parts;
    key.insert(key.begin(), fault.kind);
    return key;
  }
  static std::vector<const Fault*> sides_of(const Fault& fault) {
    std::vector<const Fault*> out{&fault};
    for (const Fault& other : fault.otherwise) out.push_back(&other);
    return out;
  }

  std::vector<ModelParts> corrections_of(std::size_t group) const {
    const auto asked = litmus::exactly(groups_[group].first.minimal_finding.behaviour);
    auto options = against_.with.oracle;
    options.limits = explaining_limits();
    try {
      return explain::corrections(tests_[group], against_.model, asked, options);
    } catch (const LimitReached&) {
      return {};
    }
  }

  /// Takes the change that mends the most of what is left, and again; the likelier one of two.
  void cover() {
    std::vector<bool> done(groups_.size());
    while (true) {
      const std::pair<const Change, std::vector<std::size_t>>* best = nullptr;
      for (auto& entry : changes_) {
        std::erase_if(entry.second, [&](std::size_t i) { return done[i]; });
        if (!entry.second.empty() && (best == nullptr || better(entry, *best))) best = &entry;
      }
      if (best == nullptr) break;
      for (const auto i : best->second) done[i] = true;
      add(cause_of(best->first, best->second));
    }
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < done.size(); ++i)
      if (!done[i]) left.push_back(i);
    if (!left.empty()) causes_.push_back(cause_of({}, left));
  }

  bool better(const std::pair<const Change, std::vector<std::size_t>>& a,
              const std::pair<const Change, std::vector<std::size_t>>& b) const {
    if (a.second.size() != b.second.size()) return a.second.size() > b.second.size();
    if (a.first.target && b.first.target == a.first.target)
      return mending_of(a.second.front())->likelier(a.first.rules, b.first.rules);
    return a.first < b.first;
  }

  /// Schemes may share a rule's text (`like`): it is at fault once.
  void add(Cause cause) {
    const auto same = std::ranges::find_if(causes_, [&](const Cause& other) {
      return !cause.place.empty() && cause.place == other.place && cause.parts == other.parts &&
             cause.sentence == other.sentence && cause.change == other.change;
    });
    if (same == causes_.end()) return causes_.push_back(std::move(cause));
    std::ranges::move(cause.members, std::back_inserter(same->members));
    std::ranges::sort(same->members);
    count(*same);
  }

  /// What follows from a cause's members.
  void count(Cause& out) const {
    out.originals = 0;
    for (const auto i : out.members) out.originals += groups_[i].originals;
    out.smallest = *std::ranges::min_element(
        out.members, {}, [&](std::size_t i) { return groups_[i].first.minimal_accesses; });
    out.shape = litmus::shape_of(tests_[out.smallest].java());
    if (targets_.size() > 1) out.targets = targets_of(out.members);
  }

  Cause cause_of(const Change& change, std::vector<std::size_t> members) const {
    Cause out;
    out.members = std::move(members);
    count(out);
    if (change.target)
      tell_rules(out, change.rules);
    else if (!change.parts.empty())
      tell_parts(out, change.parts);
    else if (!change.fault.empty())
      tell_fault(out, change.fault);
    else if (const auto why = faults_.find(out.smallest); why != faults_.end())
      out.sentence = why->second.sentence;
    else
      out.sentence =
          std::ranges::all_of(out.members, [&](std::size_t i) { return is_mix(i); })
              ? mixed(out.smallest)
              : "no single change of the scheme or of the model that was tried mends these";
    return out;
  }

  void tell_rules(Cause& out, const Rules& rules) const {
    const auto* mending = mending_of(out.members.front());
    std::vector<litmus::Program> programs;
    for (const auto i : out.members) programs.push_back(tests_[i].java());
    const auto least = mending->least_change(rules, programs);
    out.side = Cause::Side::target;
    for (const auto& rule : rules) out.parts.push_back(to_string(rule));
    out.place = mending->place(rules.front());
    out.sentence = mending->sentence(rules, least, programs);
    out.change = mending->change(rules, least);
  }

  void tell_fault(Cause& out, const std::vector<std::string>& key) const {
    const auto sides = sides_of(faults_.at(out.smallest));
    const Fault& fault = **std::ranges::find(sides, key, [](const Fault* f) { return key_of(*f); });
    out.side = Cause::Side::target;
    out.parts = fault.parts;
    out.kind = fault.kind;
    out.sentence = fault.sentence;
    out.change = fault.change;
  }

  void tell_parts(Cause& out, const ModelParts& parts) const {
    out.side = Cause::Side::model;
    for (const auto& part : parts)
      out.parts.push_back(fmt::format("{} {}", explain::name(part.kind), part.name));
    const auto names = fmt::format("{}", fmt::join(out.parts, " and "));
    out.sentence =
        fmt::format("the model {} forbids, by its {}, behaviours of {}", against_.model_name, names,
                    fmt::join(targets_of(out.members), " and "));
    out.change = fmt::format("{} without its {}", against_.model_name, names);
  }

  /// The targets that show the groups.
  std::vector<std::string> targets_of(const std::vector<std::size_t>& groups) const {
    std::vector<std::string> names;
    for (const auto i : groups) {
      const auto& name = targets_.at(groups_[i].first.target)->name();
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
  }

  const std::vector<Group>& groups_;
  const Targets& targets_;
  const Against& against_;
  std::vector<litmus::Test> tests_;
  std::map<Change, std::vector<std::size_t>> changes_;
  std::map<std::size_t, Fault> faults_; // by group, where the target tells
  std::vector<Cause> causes_;
};

std::string_view name(Cause::Side side) {
  switch (side) {
  case Cause::Side::target: return "target";
  case Cause::Side::model: return "model";
  case Cause::Side::undecided: break;
  }
  return "undecided";
}

} // namespace

std::vector<Cause> causes_of(const std::vector<Group>& groups, const Targets& targets,
                             const Against& against) {
  return Finder(groups, targets, against).run();
}

std::string as_text(const Cause& cause, const std::vector<Group>& groups) {
  const auto& smallest = groups[cause.smallest].first;
  const bool told = cause.targets.empty() || cause.side == Cause::Side::model;
  return fmt::format("{}; {}{}, the smallest with {}{}", cause.sentence,
                     text::counted(cause.members.size(), "minimal program", "minimal programs"),
                     told ? "" : fmt::format(" on {}", text::listed(cause.targets)),
                     text::counted(smallest.minimal_accesses, "access", "accesses"),
                     cause.shape.empty() ? "" : fmt::format(" ({})", cause.shape));
}

std::string to_json(const Cause& cause, const std::vector<Group>& groups) {
  std::vector<std::string> parts, members, targets;
  for (const auto& part : cause.parts) parts.push_back(json::quote(part));
  for (const auto& target : cause.targets) targets.push_back(json::quote(target));
  for (const auto i : cause.members)
    members.push_back(json::quote(litmus::to_string(groups[i].first.minimal_hash)));
  return json::Object()
      .string("sentence", cause.sentence)
      .string("side", name(cause.side))
      .raw("parts", json::array(parts))
      .string("kind", cause.kind)
      .string("place", cause.place)
      .string("change", cause.change)
      .raw("targets", json::array(targets))
      .raw("mismatches", json::array(members))
      .integer("programs", cause.originals)
      .string("smallest", litmus::to_string(groups[cause.smallest].first.minimal_hash))
      .string("shape", cause.shape)
      .text();
}

} // namespace thinair::campaign
