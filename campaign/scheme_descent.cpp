// One pass over the programs of all operations, with ever more ordering.
#include "campaign/scheme_descent.h"

#include <algorithm>
#include <utility>

namespace thinair::campaign {

using lower::Operation;
using lower::SchemeText;
using lower::Step;
using Shows = SchemeAsking::Shows;

Descent::Descent(const Setting& setting, const std::optional<Step>& begin)
    : setting_(setting), asking_(setting.asking),
      top_(begin ? lower::after(asking_.scheme(), *begin) : asking_.scheme()) {}

/// Steps down from the rule of the one scheme that do not go below that of the other.
void Descent::add_open(std::vector<Open>& open, const SchemeText& from, const SchemeText& floor,
                       Operation operation) const {
  const auto saved = [&](const lower::Costs& costs, const Step& step) {
    const auto before = costs.of_rule(from.code(operation));
    return before - std::min(before, costs.of_rule(step.rule));
  };
  for (auto& step : lower::weakenings(asking_.machine(), from, operation))
    if (lower::stands_below(asking_.machine(), floor.code(operation), step.rule)) {
      const std::pair saves{saved(setting_.costs, step), saved(setting_.order, step)};
      open.push_back({std::move(step), saves});
    }
}

/// Without any ordering that may go.
SchemeText Descent::floor_of(SchemeText scheme) const {
  for (const auto operation : setting_.operations)
    scheme.set_code(operation, lower::weakest(asking_.machine(), scheme.code(operation)));
  return scheme;
}

/// Goes down as far as `holds`, what saves most first.
SchemeText Descent::lowered(SchemeText from, const SchemeText& floor, const Holds& holds) const {
  std::vector<Open> open;
  for (const auto operation : setting_.operations) add_open(open, from, floor, operation);
  std::vector<Step> refused;
  while (!open.empty()) {
    const auto best = std::ranges::max_element(open, {}, &Open::saved);
    const Step step = std::move(best->step);
    open.erase(best);
    const bool below_refused = std::ranges::any_of(refused, [&](const Step& other) {
      return other.operation == step.operation &&
             lower::stands_below(asking_.machine(), step.rule, other.rule);
    });
    auto next = lower::after(from, step);
    if (below_refused || !holds(next, step)) {
      refused.push_back(step);
      continue;
    }
    from = std::move(next);
    std::erase_if(open, [&](const Open& other) { return other.step.operation == step.operation; });
    add_open(open, from, floor, step.operation);
  }
  return from;
}

/// Whether a known program with the operation speaks against it.
bool Descent::is_known_to_show(const SchemeText& scheme, Operation operation) {
  const auto candidate = asking_.candidate(scheme);
  const Following following(asking_, scheme, asking_.good());
  litmus::State behaviour;
  return std::ranges::any_of(asking_.known(), [&](Asked& asked) {
    return asked.has[lower::index_of(operation)] && !following.shows_nothing(asked.has) &&
           asking_.shows(*candidate, asked, behaviour) == Shows::something;
  });
}

void Descent::become(SchemeText scheme) {
  now_ = asking_.candidate(std::move(scheme));
  follows_.emplace(asking_, now_->scheme, asking_.good());
}

/// Nothing new is shown of the program from then on. False: there is no such scheme.
bool Descent::pass(Asked& asked, std::uint64_t& undecided) {
  if (follows_->shows_nothing(asked.has)) return true;
  litmus::State behaviour;
  const auto shows = asking_.shows(*now_, asked, behaviour);
  if (asking_.over()) return false;
  if (shows == Shows::something) asking_.learn(asked);
  return shows == Shows::nothing || give_back(asked, undecided);
}

bool Descent::give_back(Asked& asked, std::uint64_t& undecided) {
  SchemeText most = now_->scheme;
  for (const auto operation : setting_.operations)
    if (asked.has[lower::index_of(operation)]) most.set_code(operation, top_.code(operation));
  litmus::State behaviour;
  const auto shows = [&](const SchemeText& scheme) {
    return asking_.shows(*asking_.candidate(scheme), asked, behaviour);
  };
  const auto at_most = shows(most);
  if (asking_.over() || at_most == Shows::something) return false;
  if (at_most == Shows::nothing)
    most = lowered(most, now_->scheme, [&](const SchemeText& scheme, const Step&) {
      return shows(scheme) == Shows::nothing;
    });
  else
    ++undecided;
  become(std::move(most));
  return !asking_.over();
}

/// All small programs of each operation first: what they show is easier to read.
bool Descent::pass_over_all() {
  extents_.clear();
  for (const auto operation : setting_.operations) {
    std::uint64_t undecided = 0;
    bool good = true;
    const auto skip = [&](const std::vector<bool>& has) { return follows_->shows_nothing(has); };
    const auto visit = [&](Asked& asked) { return good = pass(asked, undecided); };
    Extent extent = asking_.each_small(operation, asking_.most_accesses(), skip, visit);
    extent.undecided = undecided;
    extents_[operation] = extent;
    if (!good || extent.late) return false;
  }
  for (Asked asked : setting_.random) {
    std::uint64_t undecided = 0;
    if (!pass(asked, undecided)) return false;
    for (auto& [operation, extent] : extents_) {
      const bool has = asked.has[lower::index_of(operation)];
      extent.random += has ? 1 : 0;
      extent.undecided += has ? undecided : 0;
    }
  }
  return !asking_.over();
}

/// Whether a scheme below shows nothing new of any program with what was changed.
bool Descent::stands(Candidate& candidate, Operation changed) {
  const Following following(asking_, candidate.scheme, asking_.good());
  bool good = true;
  const auto skip = [&](const std::vector<bool>& has) {
    return !has[lower::index_of(changed)] || following.shows_nothing(has);
  };
  const auto visit = [&](Asked& asked) {
    if (skip(asked.has)) return true;
    litmus::State behaviour;
    const auto shows = asking_.shows(candidate, asked, behaviour);
    if (shows == Shows::something) asking_.learn(asked);
    return good = shows == Shows::nothing;
  };
  for (const auto operation : setting_.operations) {
    if (!asking_.may_have(operation, changed)) continue;
    const auto extent = asking_.each_small(operation, asking_.most_accesses(), skip, visit);
    if (extent.late || !good) return false;
  }
  for (Asked asked : setting_.random)
    if (asking_.over() || !visit(asked)) return false;
  return true;
}

/// Takes away what a later program has made idle.
void Descent::press() {
  become(lowered(now_->scheme, floor_of(now_->scheme),
                 [&](const SchemeText& scheme, const Step& step) {
                   if (is_known_to_show(scheme, step.operation)) return false;
                   if (!stands(*asking_.candidate(scheme), step.operation)) return false;
                   asking_.note_good(scheme);
                   return true;
                 }));
}

bool Descent::run() {
  become(lowered(top_, floor_of(top_), [&](const SchemeText& scheme, const Step& step) {
    return !is_known_to_show(scheme, step.operation);
  }));
  std::string before;
  do { // where less need not show more, what came before has to be asked again
    before = print(now_->scheme);
    if (!pass_over_all()) return false;
  } while (!asking_.less_shows_more() && before != print(now_->scheme));
  asking_.note_good(now_->scheme);
  press();
  return !asking_.over();
}

std::vector<Step> Descent::changes() const {
  std::vector<Step> out;
  for (const auto operation : setting_.operations) {
    const auto &before = asking_.scheme().code(operation), &after = now_->scheme.code(operation);
    if (before != after)
      out.push_back({operation, after, lower::way_down(asking_.machine(), before, after)});
  }
  return out;
}

Extent Descent::extent(Operation operation) const {
  const auto found = extents_.find(operation);
  return found == extents_.end() ? Extent{} : found->second;
}

} // namespace thinair::campaign
