// The cheapest change that makes a scheme sound: guided by counterexamples, each of which rules out
// many candidates before any new program is asked.
#include "campaign/scheme_asking.h"
#include "campaign/scheme_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace thinair::campaign {
namespace {

using lower::Operation;
using lower::SchemeText;
using lower::Step;

/// Fences are rarer than updates, those than writes, those than reads, as causes have it.
std::size_t commonness(Operation operation) {
  const auto* method = std::get_if<litmus::Method>(&operation);
  if (method == nullptr) return 0;
  const auto action = litmus::info(*method).action;
  return litmus::is_rmw(action) ? 1 : action == litmus::Action::set ? 2 : 3;
}

/// "mov [x], arg; mfence"
std::string in_a_line(const std::string& rule) {
  return fmt::format("{}", fmt::join(lower::lines_of(rule), "; "));
}

class Repairing {
 public:
  Repairing(const Against& against, const SchemeSearch& settings, const lower::Costs& costs,
            const std::atomic<bool>& stop)
      : asking_(against, settings, SchemeAsking::Held::against_everything, stop), costs_(costs),
        order_(asking_.machine()), scheme_(settings.scheme),
        all_alike_(!settings.operations.empty()) {}

  Repair run();

 private:
  /// A scheme that was not asked about yet, and how it came from the first.
  struct State {
    std::uint64_t cost = 0, order = 0; // by the costs, and by how much it orders
    std::size_t commonness = 0;        // of what was changed: what is rare is cheap to strengthen
    std::size_t number = 0;            // of those that were thought of
    SchemeText scheme;
    std::vector<Step> steps;
    bool operator>(const State& other) const {
      return std::tie(cost, order, commonness, number) >
             std::tie(other.cost, other.order, other.commonness, other.number);
    }
  };

  void think_of(State state);
  void ask_whole(Candidate& candidate, Repair& out);
  void expand(const State& state, const SchemeWitness& witness);
  std::vector<Step> exchanges(const SchemeText& scheme, const std::vector<Operation>& operations);
  bool ordering_mends(const SchemeText& scheme, const std::vector<Operation>& operations,
                      const SchemeWitness& witness);
  void slim(State& state, Repair& out);
  void explain(Repair& out, std::vector<Step> steps);

  SchemeAsking asking_;
  const lower::Costs& costs_;
  const lower::Costs order_;
  const std::string scheme_;
  const bool all_alike_; // operations were named: all of them are asked as far
  std::priority_queue<State, std::vector<State>, std::greater<>> queue_;
  std::set<std::string> seen_; // as text
};

void Repairing::think_of(State state) {
  if (!seen_.insert(print(state.scheme)).second) return;
  state.cost = costs_.of(state.scheme);
  state.order = order_.of(state.scheme);
  for (const auto& step : state.steps) state.commonness += commonness(step.operation);
  state.number = seen_.size();
  queue_.push(std::move(state));
}

/// Random programs, then small ones of each operation: of those that were changed the largest.
void Repairing::ask_whole(Candidate& candidate, Repair& out) {
  std::vector<Candidate*> alive{&candidate};
  asking_.ask_known(candidate);
  if (candidate.witness) return;
  asking_.ask_random(alive);
  const bool unchanged = std::ranges::count(candidate.changed, true) == 0;
  std::uint32_t least = asking_.most_accesses(), of_changed = least;
  for (const bool changed : {true, false})
    for (std::size_t i = 0; i < candidate.changed.size() && !candidate.witness; ++i) {
      const Operation operation = lower::operation_at(i);
      if (!asking_.may_change(operation) || candidate.changed[i] != changed) continue;
      if (!SchemeAsking::has_small_programs(operation)) continue;
      const bool far = changed || unchanged || all_alike_;
      candidate.extent.accesses = 0;
      asking_.ask_small(alive, operation, asking_.most_accesses() - (far ? 0 : 1));
      least = std::min(least, candidate.extent.accesses);
      if (changed) of_changed = std::min(of_changed, candidate.extent.accesses);
    }
  candidate.extent.accesses = least;
  out.accesses_of_changed = of_changed;
}

/// Whether all the ordering that there is around these operations would mend the program.
bool Repairing::ordering_mends(const SchemeText& scheme, const std::vector<Operation>& operations,
                               const SchemeWitness& witness) {
  SchemeText strong = scheme;
  for (const auto operation : operations)
    strong.set_code(operation, lower::strongest(asking_.machine(), scheme.code(operation)));
  const auto candidate = asking_.candidate(std::move(strong));
  Asked asked(witness.program);
  asking_.ask(*candidate, asked);
  return !candidate->witness;
}

/// The code that other schemes of the machine have for these operations.
std::vector<Step> Repairing::exchanges(const SchemeText& scheme,
                                       const std::vector<Operation>& operations) {
  std::vector<Step> steps;
  for (const auto& other : lower::targets()) {
    if (other.machine != asking_.machine() || lower::level_of(other.name) || other.name == scheme_)
      continue;
    const auto target = lower::Target::named(other.name);
    for (const auto operation : operations) {
      const auto& rule = target.scheme().code(operation);
      const bool known =
          rule == scheme.code(operation) || std::ranges::any_of(steps, [&](const Step& step) {
            return step.operation == operation && step.rule == rule;
          });
      if (!known && rule != asking_.scheme().code(operation))
        steps.push_back({operation, rule, fmt::format("the code of {}", other.name)});
    }
  }
  return steps;
}

/// All that could keep this program from showing what it does.
void Repairing::expand(const State& state, const SchemeWitness& witness) {
  const auto has = operations_of(witness.program);
  std::vector<Operation> used;
  for (std::size_t i = 0; i < has.size(); ++i)
    if (has[i] && asking_.may_change(lower::operation_at(i)))
      used.push_back(lower::operation_at(i));
  auto steps = ordering_mends(state.scheme, used, witness)
                   ? lower::strengthenings(asking_.machine(), state.scheme, used)
                   : exchanges(state.scheme, used);
  for (auto& step : steps) {
    State next{.scheme = lower::after(state.scheme, step), .steps = state.steps};
    next.steps.push_back(std::move(step));
    think_of(std::move(next));
  }
}

/// A rule that was changed has only what is needed: a fence that stood on the wrong side goes.
void Repairing::slim(State& state, Repair& out) {
  bool again = true;
  while (std::exchange(again, false) && !asking_.over())
    for (auto& step : lower::weakenings(asking_.machine(), state.scheme)) {
      if (state.scheme.code(step.operation) == asking_.scheme().code(step.operation)) continue;
      const auto candidate = asking_.candidate(lower::after(state.scheme, step));
      ++out.candidates;
      Repair extent;
      ask_whole(*candidate, extent);
      if (candidate->witness || !candidate->asked_known || candidate->extent.late) continue;
      out.extent = candidate->extent;
      out.accesses_of_changed = extent.accesses_of_changed;
      state.scheme = candidate->scheme;
      state.steps.push_back(std::move(step));
      again = true;
      break;
    }
}

/// Leaves out what nothing needs, and says of each rule that stays changed what does.
void Repairing::explain(Repair& out, std::vector<Step> steps) {
  std::map<Operation, std::vector<Step>> by_operation;
  for (auto& step : steps) by_operation[step.operation].push_back(std::move(step));
  for (auto& [operation, changes] : by_operation) {
    SchemeText without = out.scheme;
    without.set_code(operation, asking_.scheme().code(operation));
    const auto candidate = asking_.candidate(without);
    asking_.ask_known(*candidate);
    if (!candidate->witness && candidate->asked_known) {
      out.scheme = std::move(without);
      continue;
    }
    Step change = changes.size() == 1 ? changes.front() : Step{operation, "", ""};
    change.rule = out.scheme.code(operation);
    if (change.what.empty()) change.what = fmt::format("now `{}`", in_a_line(change.rule));
    out.changes.push_back({std::move(change), candidate->witness});
  }
  out.cost_after = costs_.of(out.scheme);
}

/// Schemes in the order of their costs.
Repair Repairing::run() {
  Repair out;
  out.cost_before = costs_.of(asking_.scheme());
  think_of({.scheme = asking_.scheme(), .steps = {}});
  while (!queue_.empty() && !asking_.over()) {
    State state = queue_.top();
    queue_.pop();
    ++out.candidates;
    const auto candidate = asking_.candidate(state.scheme);
    ask_whole(*candidate, out);
    if (candidate->witness) {
      expand(state, *candidate->witness);
      continue;
    }
    if (!candidate->asked_known) break; // there was no time
    out.extent = candidate->extent;     // sound, as far as that says
    slim(state, out);
    out.scheme = state.scheme;
    explain(out, state.steps);
    return out;
  }
  out.found = false;
  out.scheme = asking_.scheme();
  out.extent.late = asking_.over();
  return out;
}

} // namespace

Repair repair(const Against& against, const SchemeSearch& settings, const lower::Costs& costs,
              const std::atomic<bool>& stop) {
  return Repairing(against, settings, costs, stop).run();
}

} // namespace thinair::campaign
