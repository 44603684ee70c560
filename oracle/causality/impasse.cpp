// Searches for justifications, and looks at where the search ends.
#include "oracle/causality/impasse.h"

#include "oracle/causality/check.h"

#include <algorithm>
#include <tuple>

namespace thinair::causality {
namespace {

constexpr std::size_t most_targets = 64;
constexpr std::size_t most_executions = 2'000; // looked at as the next stage

/// How near a target is to being justified, the nearest first.
using Distance = std::tuple<std::size_t, std::size_t>; // writes without an origin, actions left

/// The ways in which executions fail to commit actions next.
class Failures {
 public:
  Failures(const GraphSet& set, const Justification& stages,
           const std::vector<ActionIndex>& actions, const Rules& rules, const Switches& switches)
      : set_(set), next_(set, stages, rules, switches) {
    for (const auto action : actions) {
      actions_.push_back({action});
      stuck_.push_back({action, {}});
    }
  }

  std::vector<Impasse::Stuck> all() {
    std::size_t looked_at = 0;
    for (std::uint32_t g = 0; g < set_.graphs().size(); ++g) {
      const auto labellings = set_.skeleton_of(set_.graphs()[g]).labellings.size();
      for (std::uint32_t l = 0; l < labellings && looked_at < most_executions; ++l, ++looked_at) {
        set_.watch().demand(64);
        look_at(g, l);
      }
    }
    return std::move(stuck_);
  }

 private:
  void look_at(std::uint32_t graph, std::uint32_t labelling) {
    const auto broken = next_.broken(graph, labelling, actions_);
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      THINAIR_CHECK(!broken[i].empty(), "a commitment that the search has missed");
      auto& ways = stuck_[i].ways;
      if (!ways.empty() && ways.front().broken.size() > broken[i].size()) ways.clear();
      if (!ways.empty() && ways.front().broken.size() < broken[i].size()) continue;
      const auto same = std::ranges::find(ways, broken[i], &Impasse::Way::broken);
      if (same == ways.end()) {
        ways.push_back({graph, labelling, broken[i]});
      } else if (races(graph) < races(same->graph)) {
        *same = {graph, labelling, broken[i]};
      }
    }
  }

  std::size_t races(std::uint32_t graph) const { return set_.graphs()[graph].racy.size(); }

  const GraphSet& set_;
  NextStage next_;
  std::vector<std::vector<ActionIndex>> actions_; // each by itself
  std::vector<Impasse::Stuck> stuck_;
};

} // namespace

std::optional<Impasse> impasse_of(const GraphSet& set, const std::vector<std::uint32_t>& targets,
                                  const WriteSet& writes, const Rules& rules,
                                  const Switches& switches, const SearchLimits& limits) {
  Justifier justifier(set, rules, switches, limits);
  std::optional<Impasse> nearest;
  std::vector<ActionIndex> left;
  Distance least;
  for (std::size_t i = 0; i < std::min(targets.size(), most_targets); ++i) {
    if (justifier.justify(targets[i]) != Answer::forbidden) return std::nullopt;
    auto furthest = justifier.furthest();
    auto unfounded = writes.without_origin(set.graphs()[targets[i]]);
    const Distance distance{unfounded.size(), furthest.left.size()};
    if (nearest && least <= distance) continue;
    least = distance;
    left = std::move(furthest.left);
    nearest = Impasse{.target = targets[i],
                      .stages = std::move(furthest.stages),
                      .stuck = {},
                      .unfounded = std::move(unfounded)};
  }
  if (!nearest) return nearest;
  for (const auto write : nearest->unfounded)
    nearest->written_otherwise =
        nearest->written_otherwise || writes.has(set.graphs()[nearest->target].written[write]);
  const Justification stages{nearest->target, nearest->stages};
  nearest->stuck = Failures(set, stages, left, rules, switches).all();
  return nearest;
}

} // namespace thinair::causality
