// Exchanges rules, and judges again.
#include "campaign/scheme_mending.h"

#include "campaign/program_rules.h"
#include "campaign/subsets.h"
#include "litmus/steps.h"
#include "litmus/text/counted.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::campaign {
namespace {

using lower::RuleName;

constexpr std::size_t most_rules = 3;

/// "x86:table2" without what follows the machine's name.
std::string machine_of(const lower::SchemeText& scheme) {
  return scheme.name().substr(0, scheme.name().find(':'));
}

/// What an operation does, as sentences name it.
std::string_view deed(const RuleName& rule) {
  const auto& operation = rule.operation;
  if (const auto* action = std::get_if<lower::RuntimeAction>(&operation))
    return lower::info(*action).name;
  const auto* method = std::get_if<litmus::Method>(&operation);
  if (method == nullptr) return "fence";
  const auto action = litmus::info(*method).action;
  return litmus::is_rmw(action) ? "update" : litmus::reads(action) ? "read" : "write";
}

/// "getVolatile or getAndSet": the operations next to the rules' own, before or behind them.
std::string neighbours(const lower::SchemeText& scheme, const Rules& rules,
                       const std::vector<litmus::Program>& programs, bool behind) {
  std::vector<std::string_view> names;
  const auto add = [&](litmus::Operation operation) {
    if (std::holds_alternative<litmus::Fence>(operation)) return;
    if (std::ranges::find(names, litmus::name(operation)) == names.end())
      names.push_back(litmus::name(operation));
  };
  for (const auto& program : programs)
    for (const auto& thread : program.threads) {
      const auto all = litmus::steps_of(thread);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (std::ranges::find(rules, rule_of(scheme, program, thread, all[i])) == rules.end())
          continue;
        if (behind && i + 1 < all.size()) add(all[i + 1].what);
        if (!behind && i > 0) add(all[i - 1].what);
      }
    }
  constexpr std::size_t shown = 3;
  if (names.size() > shown) return "access";
  return fmt::format("{}", fmt::join(names, " or "));
}

std::string names_of(const Rules& rules) {
  std::vector<std::string> names;
  for (const auto& rule : rules) names.push_back(to_string(rule));
  return text::listed(names);
}

} // namespace

bool SchemeMending::is_possible(const std::string& name) {
  return lower::shipped_file(strongest_of(lower::machine_named(name)->prefix)).has_value();
}

std::string SchemeMending::strongest_of(std::string_view machine) {
  return fmt::format("{}:fenced", machine);
}

SchemeMending::SchemeMending(const std::string& name, JudgeWith judge)
    : scheme_(lower::Target::named(name).scheme()),
      fenced_(lower::Target::named(strongest_of(machine_of(scheme_))).scheme()),
      judge_(std::move(judge)) {
  for (const auto& target : lower::targets()) {
    const bool same_machine = target.name.starts_with(machine_of(scheme_) + ":");
    if (!same_machine || lower::level_of(target.name) || target.name == name ||
        target.name == fenced_.name())
      continue;
    others_.push_back({target.name, lower::Target::named(target.name).scheme()});
  }
}

std::optional<bool> SchemeMending::others_are_right(const litmus::Program& program) const {
  bool all_wrong = true;
  for (const Other& other : others_) {
    auto target = lower::Target::of_scheme({other.name, print(other.text)});
    const auto verdict = judge_(program, target);
    if (is_right(verdict)) return true;
    all_wrong = all_wrong && verdict == Verdict::unsound;
  }
  return all_wrong ? std::optional(false) : std::nullopt;
}

lower::Target SchemeMending::changed(const Rules& rules, Strengthening change) const {
  auto text = scheme_;
  const auto& fence = fenced_.code(litmus::Fence::full);
  for (const auto& rule : rules) {
    const auto& code = scheme_.code(rule);
    switch (change) {
    case Strengthening::fence_behind: text.set_code(rule, code + fence); break;
    case Strengthening::fence_before: text.set_code(rule, fence + code); break;
    case Strengthening::fences_around: text.set_code(rule, fence + code + fence); break;
    case Strengthening::exchanged: text.set_code(rule, fenced_.code(rule)); break;
    }
  }
  return lower::Target::of_scheme({text.name(), print(text)});
}

bool SchemeMending::mended(const litmus::Program& program, const Rules& rules,
                           Strengthening change) const {
  auto target = changed(rules, change);
  return is_right(judge_(program, target));
}

std::vector<Rules> SchemeMending::mends(const litmus::Program& program) const {
  const Rules all = rules_of(scheme_, program);
  for (std::size_t size = 1; size <= std::min(most_rules, all.size()); ++size) {
    std::vector<Rules> out;
    for (auto& rules : subsets(all, size))
      if (mended(program, rules, Strengthening::exchanged)) out.push_back(std::move(rules));
    std::ranges::sort(out, [&](const Rules& a, const Rules& b) { return likelier(a, b); });
    if (!out.empty()) return out;
  }
  return {};
}

std::array<int, 2> SchemeMending::rank(const RuleName& rule) const {
  const bool common = std::ranges::any_of(
      others_, [&](const Other& other) { return other.text.code(rule) == scheme_.code(rule); });
  const auto what = deed(rule);
  return {common ? 1 : 0, what == "fence" ? 0 : what == "update" ? 1 : what == "write" ? 2 : 3};
}

bool SchemeMending::likelier(const Rules& a, const Rules& b) const {
  if (a.size() != b.size()) return a.size() < b.size();
  std::vector<std::array<int, 2>> ranks[2];
  for (const auto rule : a) ranks[0].push_back(rank(rule));
  for (const auto rule : b) ranks[1].push_back(rank(rule));
  for (auto& each : ranks) std::ranges::sort(each);
  return std::tie(ranks[0], a) < std::tie(ranks[1], b);
}

Strengthening SchemeMending::least_change(const Rules& rules,
                                          const std::vector<litmus::Program>& programs) const {
  for (const auto change :
       {Strengthening::fence_behind, Strengthening::fence_before, Strengthening::fences_around})
    if (std::ranges::all_of(programs,
                            [&](const auto& program) { return mended(program, rules, change); }))
      return change;
  return Strengthening::exchanged;
}

std::string SchemeMending::place(const RuleName& rule) const {
  return fmt::format("{}:{}", scheme_.file(rule), scheme_.line(rule));
}

std::string SchemeMending::sentence(const Rules& rules, Strengthening change,
                                    const std::vector<litmus::Program>& programs) const {
  std::string where;
  for (const auto& rule : rules)
    where += fmt::format("{}{} ({})", where.empty() ? "" : ", ", to_string(rule), place(rule));
  const auto what = rules.size() == 1 ? fmt::format("the {}", deed(rules.front())) : "them";
  const auto next = neighbours(scheme_, rules, programs, true);
  const auto last = neighbours(scheme_, rules, programs, false);
  switch (change) {
  case Strengthening::fence_behind:
    if (deed(rules.front()) == "fence" && !last.empty() && !next.empty())
      return fmt::format("{}: nothing keeps an earlier {} before a later {}", where, last, next);
    if (!next.empty())
      return fmt::format("{}: nothing keeps {} before a later {}", where, what, next);
    break;
  case Strengthening::fence_before:
    if (!last.empty())
      return fmt::format("{}: nothing keeps an earlier {} before {}", where, last, what);
    break;
  case Strengthening::fences_around: break;
  case Strengthening::exchanged:
    return fmt::format("{}: more fences do not help: the code is not one atomic step, or computes "
                       "something else",
                       where);
  }
  return fmt::format("{}: nothing orders {} with what is around it", where, what);
}

std::string SchemeMending::change(const Rules& rules, Strengthening change) const {
  const auto fence = fenced_.code(litmus::Fence::full);
  const auto instruction = lower::lines_of(fence).front();
  const auto names = names_of(rules);
  switch (change) {
  case Strengthening::fence_behind: return fmt::format("`{}` behind {}", instruction, names);
  case Strengthening::fence_before: return fmt::format("`{}` before {}", instruction, names);
  case Strengthening::fences_around:
    return fmt::format("`{}` before and behind {}", instruction, names);
  case Strengthening::exchanged: break;
  }
  return fmt::format("the code that {} has for {}", fenced_.name(), names);
}

} // namespace thinair::campaign
