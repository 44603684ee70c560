// Which orderings of a scheme nothing needs: single weakenings, then all that can go together.
#include "campaign/scheme_search.h"

#include "campaign/scheme_asking.h"
#include "campaign/scheme_descent.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::campaign {
namespace {

using lower::Operation;
using lower::Step;

constexpr std::size_t most_schemes = 8; // that are looked for

class Relaxing {
 public:
  Relaxing(const Against& against, const SchemeSearch& settings, const lower::Costs& costs,
           const std::atomic<bool>& stop)
      : asking_(against, settings, SchemeAsking::Held::beside_the_scheme, stop), costs_(costs),
        order_(asking_.machine()) {}

  Relaxation run();

 private:
  struct Single {
    Step step;
    std::unique_ptr<Candidate> candidate;
    bool settled = false; // nothing more is to be asked
  };

  void collect();
  bool descend(const std::optional<Step>& begin, std::vector<MinimalScheme>& minimal);
  void settle(const Descent& descent);
  void ask_known(Single& single);
  void ask_alone(Single& single);

  SchemeAsking asking_;
  const lower::Costs& costs_;
  const lower::Costs order_;
  std::vector<Operation> operations_; // that may change
  std::vector<Asked> random_;
  std::vector<Single> singles_;
};

void Relaxing::collect() {
  for (std::size_t i = 0; i < lower::operation_count; ++i)
    if (asking_.may_change(lower::operation_at(i))) operations_.push_back(lower::operation_at(i));
  for (const auto operation : operations_)
    for (auto& step : lower::weakenings(asking_.machine(), asking_.scheme(), operation)) {
      auto candidate = asking_.candidate(lower::after(asking_.scheme(), step));
      singles_.push_back({std::move(step), std::move(candidate), false});
    }
  random_ = asking_.draw(operations_);
}

/// Adds the scheme that a search comes to, if it is a new one. False: what it begins with shows
/// something, or the time is over.
bool Relaxing::descend(const std::optional<Step>& begin, std::vector<MinimalScheme>& minimal) {
  const Descent::Setting setting{asking_, operations_, random_, costs_, order_};
  Descent descent(setting, begin);
  const bool found = descent.run();
  settle(descent);
  if (!found) return false;
  MinimalScheme scheme;
  scheme.scheme = descent.scheme();
  scheme.cost = costs_.of(scheme.scheme);
  scheme.extent.accesses = asking_.most_accesses();
  for (const auto operation : operations_) {
    const auto extent = descent.extent(operation);
    scheme.extent.programs += extent.programs;
    scheme.extent.undecided += extent.undecided;
  }
  scheme.extent.random = random_.size();
  for (auto& step : descent.changes()) {
    const auto extent = descent.extent(step.operation);
    scheme.taken.push_back({std::move(step), {}, extent});
  }
  const bool known = std::ranges::any_of(minimal, [&](const MinimalScheme& other) {
    return print(other.scheme) == print(scheme.scheme);
  });
  if (!scheme.taken.empty() && !known) minimal.push_back(std::move(scheme));
  return true;
}

/// What a scheme does without that shows nothing new, can go alone, too.
void Relaxing::settle(const Descent& descent) {
  for (auto& single : singles_) {
    const auto operation = single.step.operation;
    if (single.settled) continue;
    single.candidate->extent = descent.extent(operation);
    single.candidate->extent.late |= asking_.over();
    const bool above = std::ranges::any_of(asking_.good(), [&](const lower::SchemeText& good) {
      return std::ranges::all_of(operations_, [&](const Operation each) {
        return asking_.follows(good, single.candidate->scheme, each);
      });
    });
    if (above && !asking_.over()) single.settled = true;
    if (!above) ask_known(single);
  }
}

/// What speaks against it, made small where it was drawn at random.
void Relaxing::ask_known(Single& single) {
  Candidate& candidate = *single.candidate;
  asking_.ask_known(candidate);
  if (!candidate.witness) return;
  single.settled = true;
  if (litmus::count_accesses(candidate.witness->program) > asking_.most_accesses())
    asking_.reduce(candidate);
}

/// Without other steps, and without a scheme to begin.
void Relaxing::ask_alone(Single& single) {
  std::vector<Candidate*> alive{single.candidate.get()};
  single.candidate->extent = {};
  asking_.ask_small(alive, single.step.operation, asking_.most_accesses());
  for (Asked asked : random_) {
    if (alive.empty() || asking_.over()) break;
    if (!asked.has[lower::index_of(single.step.operation)]) continue;
    asking_.ask(*single.candidate, asked);
    if (single.candidate->witness) return asking_.reduce(*single.candidate);
    ++single.candidate->extent.random;
  }
  single.candidate->extent.late |= asking_.over();
}

Relaxation Relaxing::run() {
  Relaxation out;
  out.cost_before = costs_.of(asking_.scheme());
  collect();
  descend(std::nullopt, out.minimal);
  for (auto& single : singles_) {
    if (single.settled || asking_.over()) continue;
    if (out.minimal.size() < most_schemes) descend(single.step, out.minimal);
    if (!single.settled && !asking_.over()) ask_alone(single);
  }
  for (auto& single : singles_)
    out.single.push_back(
        {std::move(single.step), std::move(single.candidate->witness), single.candidate->extent});
  std::ranges::stable_sort(out.minimal, {}, &MinimalScheme::cost);
  return out;
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
