// The table of kinds of targets: a row for each file that has one.
#include "campaign/code_target.h"
#include "campaign/jit_target.h"
#include "campaign/jvm_target.h"
#include "campaign/mix_target.h"
#include "campaign/model_target.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "lower/target.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::campaign {
namespace {

/// What a test, or a program around the library, has added.
std::vector<TargetKind>& more_kinds() {
  static std::vector<TargetKind> kinds;
  return kinds;
}

const TargetKind* kind_with_prefix(const std::vector<TargetKind>& kinds, std::string_view name) {
  const auto found = std::ranges::find_if(
      kinds, [&](const TargetKind& kind) { return name.starts_with(kind.prefix); });
  return found == kinds.end() ? nullptr : &*found;
}

[[noreturn]] void no_such_target(const std::vector<TargetKind>& kinds, const std::string& name) {
  std::vector<std::string> names;
  std::string forms;
  for (const auto& kind : kinds) {
    std::ranges::move(kind.names(), std::back_inserter(names));
    forms += fmt::format("{}{}", forms.empty() ? "" : ", ", kind.form);
  }
  const auto near = nearest(name, names);
  throw InputError(fmt::format(
      "error: no target is called \"{}\"\n  hint: {}", text::printable_word(name),
      near
          ? fmt::format("did you mean {}?", *near)
          : fmt::format("targets are {}, or a scheme file; 'thinair scheme list' lists schemes and "
                        "compilers",
                        forms)));
}

/// A scheme file says in its first line which machine it is for.
std::string prefix_of_file(const std::string& name) {
  return fmt::format("{}:", lower::info(lower::machine_named(name)).prefix);
}

} // namespace

std::vector<TargetKind> target_kinds() {
  std::vector<TargetKind> kinds = code_kinds();
  kinds.insert(kinds.end(), {mix_kind, jit_kind, jvm_kind, model_kind});
  kinds.insert(kinds.end(), more_kinds().begin(), more_kinds().end());
  return kinds;
}

MoreKinds::MoreKinds(std::span<const TargetKind> kinds) {
  more_kinds().assign(kinds.begin(), kinds.end());
}

MoreKinds::~MoreKinds() { more_kinds().clear(); }

std::unique_ptr<Target> make_target(const std::string& name, const Against& against) {
  const auto kinds = target_kinds();
  const TargetKind* kind = kind_with_prefix(kinds, name);
  if (kind == nullptr && lower::is_scheme_file(name))
    kind = kind_with_prefix(kinds, prefix_of_file(name));
  if (kind == nullptr) no_such_target(kinds, name);
  auto target = kind->make(name, against);
  if (against.baseline.empty()) return target;
  Against alone = against;
  alone.baseline.clear();
  target->set_baseline(make_target(against.baseline, alone));
  return target;
}

void Target::set_baseline(std::unique_ptr<Target> /*baseline*/) {
  throw InputError(fmt::format("error: a baseline has no meaning for {}: what it shows is watched, "
                               "not worked out",
                               name()));
}

litmus::Choices choices_of(const Targets& targets) {
  litmus::Choices all;
  const auto unite = [](auto& to, const auto& from) {
    to.resize(std::max(to.size(), from.size()));
    for (std::size_t i = 0; i < from.size(); ++i) {
      to[i].insert(to[i].end(), from[i].begin(), from[i].end());
      std::ranges::sort(to[i]);
      to[i].erase(std::ranges::unique(to[i]).begin(), to[i].end());
    }
  };
  for (const auto& target : targets) {
    const auto own = target->choices();
    if (own.schemes == 1) continue;
    if (all.schemes != 1 && all.schemes != own.schemes)
      throw InputError(fmt::format("error: mixes of {} and of {} schemes in one campaign\n  hint: "
                                   "make two campaigns of them",
                                   all.schemes, own.schemes));
    all.schemes = own.schemes;
    unite(all.of_method, own.of_method);
    unite(all.of_fence, own.of_fence);
  }
  return all;
}

Targets make_targets(const std::vector<std::string>& names, const Against& against) {
  Targets targets;
  for (const auto& name : names) targets.push_back(make_target(name, against));
  return targets;
}

Tuning tuning_of(const Targets& targets) {
  Tuning out;
  for (const auto& target : targets) {
    const Tuning own = target->tuning();
    out.candidates = std::max(out.candidates, own.candidates);
    out.chunk = std::min(out.chunk, own.chunk);
    out.jobs = std::max(out.jobs, own.jobs);
    out.grace_s = std::max(out.grace_s, own.grace_s);
    out.grace_share = std::max(out.grace_share, own.grace_share);
    out.ahead = out.ahead || own.ahead;
    out.learn_from_finds = out.learn_from_finds && own.learn_from_finds;
    if (out.profiles.empty()) out.profiles = own.profiles;
  }
  return out;
}

} // namespace thinair::campaign
