// Which orderings of a scheme nothing needs: single weakenings, then all that can go together.
#include "campaign/scheme_search.h"

#include "campaign/scheme_asking.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace thinair::campaign {
namespace {

using lower::Operation;
using lower::SchemeText;
using lower::Step;

constexpr std::size_t most_schemes = 8; // that are looked for

class Relaxing {
 public:
  Relaxing(const Against& against, const SchemeSearch& settings, const lower::Costs& costs,
           const std::atomic<bool>& stop)
      : asking_(against, settings, SchemeAsking::Held::beside_the_scheme, stop), costs_(costs),
        order_(asking_.machine()) {}

  Relaxation run() {
    Relaxation out;
    out.cost_before = costs_.of(asking_.scheme());
    out.single = single();
    std::vector<Step> first, left; // what begins a search
    for (const auto& each : out.single)
      if (!each.witness) left.push_back(each.step);
    descend(left, std::nullopt, out, first);
    for (std::size_t i = 0; i < first.size() && out.minimal.size() < most_schemes; ++i)
      if (std::vector<Step> others; !asking_.over()) descend(left, first[i], out, others);
    std::ranges::stable_sort(out.minimal, {}, &MinimalScheme::cost);
    return out;
  }

 private:
  std::vector<Weakened> single();
  bool takes(MinimalScheme& scheme, const Step& step);
  void descend(std::vector<Step> open, const std::optional<Step>& begin, Relaxation& out,
               std::vector<Step>& had_to_stay);
  /// What a step saves of these rules, by the costs and then by the order.
  std::pair<std::uint64_t, std::uint64_t> saves(const SchemeText& scheme, const Step& step) const {
    const SchemeText after = lower::after(scheme, step);
    const auto less = [&](const lower::Costs& costs) {
      const auto before = costs.of(scheme);
      return before - std::min(before, costs.of(after));
    };
    return {less(costs_), less(order_)};
  }

  SchemeAsking asking_;
  const lower::Costs& costs_;
  const lower::Costs order_;
};

std::vector<Weakened> Relaxing::single() {
  std::vector<Weakened> all;
  std::vector<std::unique_ptr<Candidate>> candidates;
  std::map<Operation, std::vector<Candidate*>> by_operation;
  for (auto& step : lower::weakenings(asking_.machine(), asking_.scheme())) {
    if (!asking_.may_change(step.operation)) continue;
    candidates.push_back(asking_.candidate(lower::after(asking_.scheme(), step)));
    by_operation[step.operation].push_back(candidates.back().get());
    all.push_back({std::move(step), {}, {}});
  }
  for (auto& [operation, alive] : by_operation) {
    for (Candidate* candidate : alive) asking_.ask_known(*candidate);
    std::erase_if(alive, [](const Candidate* c) { return c->witness.has_value(); });
    asking_.ask_small(alive, operation, asking_.most_accesses());
    asking_.ask_random(alive, operation);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].witness = std::move(candidates[i]->witness);
    all[i].extent = candidates[i]->extent;
  }
  return all;
}

/// Whether the scheme can do without this, too.
bool Relaxing::takes(MinimalScheme& scheme, const Step& step) {
  const auto candidate = asking_.candidate(lower::after(scheme.scheme, step));
  std::vector<Candidate*> alive{candidate.get()};
  asking_.ask_known(*candidate);
  if (!candidate->witness) asking_.ask_small(alive, step.operation, asking_.most_accesses());
  if (!candidate->witness) asking_.ask_random(alive, step.operation);
  if (candidate->witness || candidate->extent.late) return false;
  scheme.extent = candidate->extent;
  scheme.scheme = candidate->scheme;
  scheme.taken.push_back({step, {}, candidate->extent});
  return true;
}

/// Takes the weakening that saves most, then the next, until none can be taken; `begin` before all
/// others. `had_to_stay`: what could go alone, and cannot beside what was taken.
void Relaxing::descend(std::vector<Step> open, const std::optional<Step>& begin, Relaxation& out,
                       std::vector<Step>& had_to_stay) {
  MinimalScheme scheme;
  scheme.scheme = asking_.scheme();
  std::optional<Step> next = begin;
  while (!asking_.over() && (next || !open.empty())) {
    if (!next) {
      const auto best = std::ranges::max_element(
          open, {}, [&](const Step& step) { return saves(scheme.scheme, step); });
      next = std::move(*best);
      open.erase(best);
    }
    const Step step = *std::exchange(next, std::nullopt);
    if (!takes(scheme, step)) {
      had_to_stay.push_back(step);
      continue;
    }
    // steps of the same rule were steps of what it was
    std::erase_if(open, [&](const Step& other) { return other.operation == step.operation; });
    for (auto& below : lower::weakenings(asking_.machine(), scheme.scheme))
      if (below.operation == step.operation) open.push_back(std::move(below));
  }
  // steps below one that was taken were none of the scheme's own
  std::erase_if(had_to_stay, [&](const Step& step) {
    return std::ranges::none_of(out.single, [&](const Weakened& each) {
      return !each.witness && each.step.operation == step.operation && each.step.rule == step.rule;
    });
  });
  const bool known = std::ranges::any_of(out.minimal, [&](const MinimalScheme& other) {
    return print(other.scheme) == print(scheme.scheme);
  });
  if (scheme.taken.empty() || known || (begin && asking_.over())) return;
  scheme.cost = costs_.of(scheme.scheme);
  out.minimal.push_back(std::move(scheme));
}

} // namespace

std::string to_string(const Extent& extent) {
  std::string text = fmt::format("no program of up to {} accesses ({} judged), none of {} random "
                                 "ones",
                                 extent.accesses, extent.programs, extent.random);
  if (extent.undecided > 0) text += fmt::format(", {} undecided", extent.undecided);
  return extent.late ? text + "; the time was over" : text;
}

Relaxation relax(const Against& against, const SchemeSearch& settings, const lower::Costs& costs,
                 const std::atomic<bool>& stop) {
  return Relaxing(against, settings, costs, stop).run();
}

} // namespace thinair::campaign
