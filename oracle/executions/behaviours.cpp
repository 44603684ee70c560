// Final states of a test under a model: the search's answers gathered and sorted.
#include "oracle/executions/behaviours.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "oracle/executions/beyond.h"
#include "oracle/executions/driver.h"
#include "oracle/executions/enumerate.h"
#include "oracle/executions/observe.h"
#include "oracle/executions/path_limits.h"
#include "oracle/question/text_order.h"

#include <algorithm>
#include <set>

namespace thinair::executions {

graph::PathLimits path_limits(const Limits& limits, Watch& watch) {
  graph::PathLimits out;
  out.loop_bound = limits.loop_bound;
  out.events_per_path = limits.events;
  out.paths_per_thread = limits.paths;
  out.watch = &watch;
  return out;
}

graph::PathLimits path_limits(const Limits& limits, Watch& watch, const cat::Plan& model) {
  auto out = path_limits(limits, watch);
  out.tearing = model.tearing;
  return out;
}

using litmus::Observable;
using litmus::Proposition;
using oracle::in_text_order;
using oracle::most_when_late;

void require_memory(const std::vector<Observable>& observables, const cat::Plan& model) {
  for (const auto& o : observables)
    if (!o.thread && !model.orders_memory)
      throw InputError("the model \"" + model.name + "\" does not order writes, so that " +
                       litmus::to_string(o) + " has no final value in it: ask for registers only");
}

namespace {

/// A location that tears is two to the search, neither of which is the location.
void refuse_torn(const litmus::Test& test, const std::vector<Observable>& observables,
                 const cat::Plan& model) {
  if (!model.tearing || !test.is_java()) return;
  for (const auto& o : observables) {
    const auto type = o.thread ? litmus::JavaType() : litmus::type_of(test.java(), o);
    if (!type.refers() && litmus::info(type.kind).bits == 64)
      throw Unsupported("the final value of a location that may tear");
  }
}

} // namespace

std::vector<Observable> shown(const litmus::Test& test, const cat::Plan& model,
                              bool all_registers) {
  auto out = litmus::observables(test, all_registers);
  if (test.filter) require_memory(litmus::mentioned(*test.filter), model);
  for (const auto& clause : test.clauses)
    require_memory(litmus::mentioned(clause.proposition), model);
  if (model.orders_memory) refuse_torn(test, out, model);
  if (!model.orders_memory) std::erase_if(out, [](const Observable& o) { return !o.thread; });
  return out;
}

namespace {

constexpr std::size_t bytes_a_state = 24; // beside its values

bool has_flags(const cat::Plan& model) {
  return std::ranges::any_of(
      model.axioms, [](const cat::Axiom& a) { return a.effect != cat::Axiom::Effect::required; });
}

/// Of paths whose final states alone matter: `observed` is all that is asked of them.
graph::PathLimits limits_asked(const Limits& limits, Watch& watch, const cat::Plan& model,
                               std::span<const Observed> observed) {
  auto out = path_limits(limits, watch, model);
  out.asked.emplace();
  for (const auto& o : observed)
    if (o.thread) out.asked->push_back({*o.thread, o.index});
  return out;
}

/// Gathers distinct states, and how often each occurs.
class Gather final : public Goal {
 public:
  using Visit = std::function<void(std::span<const Value>, const Witness&)>;

  Gather(std::size_t width, const cat::Plan& model, Depth depth, const Visit& visit, Watch& watch)
      : states(width), model_(model), depth_(depth), visit_(visit), watch_(watch) {}

  bool wants(std::span<const Value> state) override { return !states.contains(state); }

  bool found(std::span<const Value> state, const Witness& witness) override {
    const auto [index, fresh] = states.insert(state);
    if (fresh) counts.push_back(0);
    if (fresh) watch_.grow(state.size_bytes() + bytes_a_state);
    const bool counted = fresh || depth_ == Depth::executions;
    if (counted) ++counts[index];
    if (counted && visit_) visit_(state, witness);
    if (!has_flags(model_)) return false;
    raised_.clear();
    witness.raised(raised_);
    for (const auto axiom : raised_)
      if (std::ranges::find(flags, model_.axioms[axiom].name) == flags.end())
        flags.push_back(model_.axioms[axiom].name);
    return false;
  }

  StateTable states;
  std::vector<std::uint64_t> counts; // by state
  std::vector<std::string> flags;

 private:
  const cat::Plan& model_;
  Depth depth_;
  const Visit& visit_;
  Watch& watch_;
  std::vector<std::uint32_t> raised_;
};

/// In the order of their texts; of those that a search has left which was stopped, or that are too
/// many to be sorted in the time that is left, the first ones found.
std::vector<std::uint32_t> in_order(const Gather& gathered, std::span<const Observed> columns,
                                    Watch& watch) {
  const auto& states = gathered.states;
  if (!watch.stopped()) {
    try {
      return states.in_text_order(columns, states.size(), watch);
    } catch (const LimitReached&) { // known from the watch
    }
  }
  Watch none;
  return states.in_text_order(columns, std::min(states.size(), most_when_late), none);
}

void report(const Gather& gathered, const litmus::Test& test, Watch& watch, Result& result) {
  std::optional<Predicate> first;
  if (!test.clauses.empty()) first.emplace(test.clauses[0].proposition, result.observables);
  // herd counts for `~exists p` what satisfies "not p".
  const bool wanted = !first || test.clauses[0].quantifier != litmus::Quantifier::not_exists;
  for (std::size_t i = 0; i < gathered.states.size(); ++i) {
    result.executions += gathered.counts[i];
    if (!first || (!watch.step() && i >= most_when_late)) continue;
    const bool holds = first->holds(gathered.states[i]) == wanted;
    (holds ? result.positive : result.negative) += gathered.counts[i];
  }
  for (const auto i : in_order(gathered, resolve(test, result.observables), watch)) {
    const auto state = gathered.states[i];
    result.behaviours.emplace_back(state.begin(), state.end());
  }
  result.flags = gathered.flags;
  std::ranges::sort(result.flags);
}

/// Why an execution that was not found may be there all the same; empty: it is not. Paths that turn
/// out to lead nowhere are cut no more.
Reason incomplete(const Driver& driver, graph::ProgramPaths& paths, const Limits& limits) {
  if (!driver.budget().exhausted().empty()) return driver.budget().exhausted();
  if (!driver.remarks().open_values.empty()) return driver.remarks().open_values;
  if (paths.strays)
    if (auto limit = goes_astray(paths, driver.analysis().plan, limits); !limit.empty())
      return limit;
  if (paths.cut) paths.cut = goes_beyond(paths, driver.analysis().plan, limits);
  if (driver.watch().stopped()) return driver.watch().reason();
  return paths.cut ? Reason::reached(Limit::loop_bound) : Reason();
}

/// Of what was not found.
Answer absent(const Reason& incomplete) {
  return incomplete.empty() ? Answer(Answer::forbidden) : Answer(Answer::unknown, incomplete);
}

void report(const Driver& driver, graph::ProgramPaths& paths, const Limits& limits,
            Result& result) {
  result.candidates = driver.budget().spent();
  result.value_cycles = driver.remarks().value_cycles;
  result.values = driver.values();
  result.reason = incomplete(driver, paths, limits);
  result.cut_by_loop_bound = paths.cut;
  if (!result.reason.empty()) result.status = Result::Status::unknown;
}

} // namespace

Result behaviours(const litmus::Test& test, const cat::Plan& model, const Options& options) {
  return witnesses(test, model, options, nullptr);
}

Result witnesses(const litmus::Test& test, const cat::Plan& model, const Options& options,
                 const Gather::Visit& visit) {
  Result result;
  result.observables = shown(test, model, options.all_registers);
  SearchSetup setup;
  setup.observed = resolve(test, result.observables);
  if (test.filter) setup.required.emplace_back(*test.filter, result.observables);
  setup.every_execution = options.depth == Depth::executions || has_flags(model);
  setup.decide_finals = model.orders_memory;
  setup.want_shown = visit != nullptr;
  const Watched watch(options.limits);
  auto paths = graph::paths_of(
      test, setup.every_execution ? path_limits(options.limits, *watch, model)
                                  : limits_asked(options.limits, *watch, model, setup.observed));
  Gather gathered(result.observables.size(), model, options.depth, visit, *watch);
  Driver driver(paths, model, std::move(setup), gathered, options.limits);
  driver.run();
  report(gathered, test, *watch, result);
  report(driver, paths, options.limits, result);
  return result;
}

namespace {

class First final : public Goal {
 public:
  bool wants(std::span<const Value>) override { return true; }
  bool found(std::span<const Value>, const Witness&) override { return reached = true; }
  bool reached = false;
};

} // namespace

namespace {

/// And what the filter mentions; those that are there already keep their places.
std::vector<Observable> with_filtered(const litmus::Test& test,
                                      std::vector<Observable> observables) {
  if (!test.filter) return observables;
  for (auto& o : litmus::mentioned(*test.filter))
    if (std::ranges::find(observables, o) == observables.end()) observables.push_back(std::move(o));
  return observables;
}

} // namespace

Answer exists(const litmus::Test& test, const cat::Plan& model, const Proposition& p,
              const Options& options) {
  const Watched watch(options.limits);
  const auto observed = resolve(test, with_filtered(test, litmus::mentioned(p)));
  auto paths = graph::paths_of(test, limits_asked(options.limits, *watch, model, observed));
  return exists(test, paths, model, p, options);
}

Answer exists(const litmus::Test& test, graph::ProgramPaths& paths, const cat::Plan& model,
              const Proposition& p, const Options& options) {
  auto observables = with_filtered(test, litmus::mentioned(p));
  std::ranges::sort(observables);
  require_memory(observables, model);
  refuse_torn(test, observables, model);
  SearchSetup setup;
  setup.observed = resolve(test, observables);
  setup.required.emplace_back(p, observables);
  if (test.filter) setup.required.emplace_back(*test.filter, observables);
  setup.decide_finals = model.orders_memory;
  First goal;
  Driver driver(paths, model, std::move(setup), goal, options.limits);
  driver.run();
  if (goal.reached) return Answer::allowed;
  return absent(incomplete(driver, paths, options.limits));
}

namespace {

/// Looks for given states; those found are crossed off.
class Members final : public Goal {
 public:
  using Visit = std::function<void(const Witness&)>;

  Members(const std::vector<litmus::Behaviour>& states, const Visit& visit, Watch& watch)
      : left_(states), visit_(visit), watch_(watch) {}

  bool wants(std::span<const Value> state) override {
    watch_.step(left_.size() / 16);
    return std::ranges::any_of(left_, [&](const auto& b) { return agrees(b, state); });
  }

  bool may_want(std::span<const Value> state, std::span<const char> known) const override {
    watch_.step(left_.size() / 16);
    return std::ranges::any_of(left_, [&](const litmus::Behaviour& b) {
      for (std::size_t i = 0; i < b.size(); ++i)
        if (known[i] && b[i] != state[i]) return false;
      return true;
    });
  }

  const std::vector<litmus::Behaviour>* listed() const override { return &left_; }

  bool found(std::span<const Value> state, const Witness& witness) override {
    const auto fresh =
        std::erase_if(left_, [&](const litmus::Behaviour& b) { return agrees(b, state); });
    if (fresh > 0 && visit_) visit_(witness);
    return left_.empty();
  }

  const std::vector<litmus::Behaviour>& left() const { return left_; }

 private:
  /// What the filter adds to a state comes last.
  static bool agrees(const litmus::Behaviour& b, std::span<const Value> state) {
    return std::equal(b.begin(), b.end(), state.begin());
  }

  std::vector<litmus::Behaviour> left_;
  const Visit& visit_;
  Watch& watch_;
};

} // namespace

Membership members(const litmus::Test& test, const cat::Plan& model,
                   const std::vector<Observable>& observables,
                   const std::vector<litmus::Behaviour>& states, const Options& options) {
  const Watched watch(options.limits);
  const auto observed = resolve(test, with_filtered(test, observables));
  auto paths = graph::paths_of(test, limits_asked(options.limits, *watch, model, observed));
  return members(test, paths, model, observables, states, options, nullptr);
}

Membership members(const litmus::Test& test, graph::ProgramPaths& paths, const cat::Plan& model,
                   const std::vector<Observable>& observables,
                   const std::vector<litmus::Behaviour>& states, const Options& options,
                   const std::function<void(const Witness&)>& visit) {
  Membership result;
  if (states.empty()) return result;
  const auto observed = with_filtered(test, observables);
  require_memory(observed, model);
  refuse_torn(test, observed, model);
  SearchSetup setup;
  setup.observed = resolve(test, observed);
  if (test.filter) setup.required.emplace_back(*test.filter, observed);
  setup.decide_finals = model.orders_memory;
  setup.want_shown = visit != nullptr;
  const Watched own(options.limits); // where nobody watches the paths
  Members goal(states, visit, paths.terms.is_watched() ? paths.terms.watch() : *own);
  Driver driver(paths, model, std::move(setup), goal, options.limits);
  driver.run();
  result.candidates = driver.budget().spent();
  result.value_cycles = driver.remarks().value_cycles;
  result.values = driver.values();
  const auto why_not = incomplete(driver, paths, options.limits);
  const std::set<litmus::Behaviour> left(goal.left().begin(), goal.left().end());
  for (const auto& state : states) {
    if (!left.contains(state)) {
      result.answers.emplace_back(Answer::allowed);
    } else {
      result.answers.push_back(absent(why_not));
    }
  }
  return result;
}

namespace {

class Visitor final : public Goal {
 public:
  explicit Visitor(const std::function<bool(const Witness&)>& visit) : visit_(visit) {}
  bool wants(std::span<const Value>) override { return true; }
  bool found(std::span<const Value>, const Witness& witness) override {
    ++executions;
    return !visit_(witness);
  }
  std::uint64_t executions = 0;

 private:
  const std::function<bool(const Witness&)>& visit_;
};

} // namespace

Enumeration enumerate(graph::ProgramPaths& program, const cat::Plan& model,
                      const std::function<bool(const Witness&)>& visit, const Limits& limits,
                      const Distinct& distinct, const Selection& selection) {
  SearchSetup setup;
  setup.distinct = distinct;
  setup.grant = selection.grant;
  if (selection.shows != nullptr) {
    auto observables = litmus::mentioned(*selection.shows);
    std::ranges::sort(observables);
    setup.observed = resolve(*selection.test, observables);
    setup.required.emplace_back(*selection.shows, observables);
  }
  if (selection.finals)
    for (const auto location : *selection.finals)
      setup.observed.push_back({.thread = {}, .index = location.value, .type = {}});
  setup.every_execution = true;
  setup.decide_finals = model.orders_memory;
  setup.every_final = model.orders_memory && !selection.finals;
  setup.want_shown = true;
  setup.once_a_cycle = true;
  Visitor goal(visit);
  Driver driver(program, model, std::move(setup), goal, limits);
  driver.run();
  Enumeration out;
  out.executions = goal.executions;
  out.value_cycles = driver.remarks().value_cycles;
  out.values = driver.values();
  out.reason = incomplete(driver, program, limits);
  if (!out.reason.empty()) out.status = Result::Status::unknown;
  return out;
}

} // namespace thinair::executions
