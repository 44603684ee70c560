// The searches: candidates from the lattice, programs that tell them apart.
#include "campaign/scheme_search.h"

#include "gen/generator.h"
#include "litmus/text/error.h"
#include "lower/scheme_text.h"
#include "runners/hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace thinair::campaign {
namespace {

using lower::RuleTexts;
using lower::Step;

/// The operations of a program.
std::vector<bool> operations_of(const litmus::Program& program) {
  std::vector<bool> has(lower::operation_count, false);
  litmus::Program copy = program;
  litmus::each_choice(
      copy, [&](litmus::Method m, auto&) { has[lower::index_of(m)] = true; },
      [&](litmus::Fence f, auto&) { has[lower::index_of(f)] = true; });
  return has;
}

/// The space with one more operation, which every program is to have.
gen::Space around(gen::Space space, std::size_t operation) {
  const auto add = [](auto& to, auto what) {
    const auto at = std::ranges::lower_bound(to, what);
    if (at == to.end() || *at != what) to.insert(at, what);
  };
  const auto what = lower::operation_at(operation);
  if (const auto* method = std::get_if<litmus::Method>(&what)) add(space.methods, *method);
  if (const auto* fence = std::get_if<litmus::Fence>(&what)) add(space.fences, *fence);
  return space;
}

/// Everything by any of them: a candidate may differ where the scheme itself does not.
litmus::Choices any_of(std::size_t schemes) {
  litmus::Choices out;
  if (schemes == 1) return out;
  out.schemes = static_cast<litmus::Choice>(schemes);
  std::vector<litmus::Choice> all;
  for (litmus::Choice i = 0; i < out.schemes; ++i) all.push_back(i);
  out.of_method.assign(litmus::methods().size(), all);
  out.of_fence.assign(litmus::fences().size(), all);
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

class SchemeSearcher::Search {
 public:
  Search(const Against& against, const SchemeSearch& settings, lower::Costs costs,
         const std::atomic<bool>& stop)
      : against_(against), settings_(settings), costs_(std::move(costs)), stop_(stop),
        machine_(lower::machine_named(settings.scheme)), processor_(machine_, against.engine),
        text_(lower::scheme_source(settings.scheme)) {
    auto scheme = lower::Target::named(settings.scheme);
    rules_ = scheme.rules();
    name_ = scheme.name();
    baseline_ = std::make_unique<lower::Target>(target_of(rules_));
    settings_.space.choices = any_of(settings.with.size() + 1);
    if (settings.seconds)
      deadline_ = *settings.seconds > 0 ? Deadline::in(*settings.seconds)
                                        : Deadline(Deadline::Clock::now());
  }

  lower::Machine machine() const { return machine_; }
  std::string text_of(const RuleTexts& rules, const std::string& remark) const {
    auto text = text_;
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (rules[i] != rules_[i]) text.set_code(lower::operation_at(i), rules[i]);
    return fmt::format("# {}\n{}", remark, text.source().text);
  }

  Relaxation relax();
  Repair repair();

 private:
  /// A candidate, and what is asked of it.
  struct Candidate {
    Candidate(lower::Target of, std::vector<bool> changed_)
        : target(std::move(of)), changed(std::move(changed_)) {}
    lower::Target target;
    std::vector<bool> changed; // operations; a program without any of them shows nothing new
    std::optional<SchemeWitness> witness;
    bool asked_known = false; // all programs that are known
    Extent extent;
  };
  enum class Shows : std::uint8_t { nothing, something, unknown };

  bool over() const { return stop_ || deadline_.passed(); }
  /// The scheme with other rules, mixed with what it is to be mixed with.
  lower::Target target_of(const RuleTexts& rules) const {
    auto own = lower::Target::of_scheme({"scheme", text_of(rules, "candidate")});
    if (settings_.with.empty()) return own;
    std::vector<lower::Target> all;
    std::vector<std::string> names{name_};
    all.push_back(std::move(own));
    for (const auto& name : settings_.with) {
      all.push_back(lower::Target::named(name));
      names.push_back(name);
    }
    return lower::Target::mix(std::move(all), std::move(names));
  }
  std::vector<bool> changed_in(const RuleTexts& rules) const {
    std::vector<bool> changed(lower::operation_count);
    for (std::size_t i = 0; i < changed.size(); ++i) changed[i] = rules[i] != rules_[i];
    return changed;
  }
  /// Where some operations alone may change, random programs have no others but the space's.
  bool is_asked_about(const litmus::Program& program, const gen::Space& space) const {
    return settings_.operations.empty() || gen::within_modes(space, program);
  }
  bool may_change(std::size_t operation) const {
    return settings_.operations.empty() ||
           std::ranges::find(settings_.operations, operation) != settings_.operations.end();
  }

  Shows ask(lower::Target& target, const litmus::Program& program, bool beside_scheme,
            litmus::State& behaviour);
  void ask(Candidate& candidate, const litmus::Program& program, bool beside_scheme);
  void ask_known(Candidate& candidate, bool beside_scheme);
  void ask_all(std::vector<Candidate*> alive, const gen::Space& space, std::size_t operation,
               bool beside_scheme);
  void ask_random(std::vector<Candidate*>& alive, const gen::Space& space, std::size_t operation,
                  bool beside_scheme);
  void ask_everything(Candidate& candidate, bool beside_scheme);
  static void drop_dead(std::vector<Candidate*>& alive) {
    std::erase_if(alive, [](const Candidate* c) { return c->witness.has_value(); });
  }

  std::vector<Weakened> single_weakenings(const RuleTexts& of);
  std::optional<SchemeWitness> need_of(const RuleTexts& rules, bool& all_asked);
  void explain(Repair& repair, std::vector<Step> steps);

  const Against& against_;
  SchemeSearch settings_;
  const lower::Costs costs_;
  const std::atomic<bool>& stop_;
  lower::Machine machine_;
  runners::Processor processor_;
  const lower::SchemeText text_;
  std::string name_;
  RuleTexts rules_;
  std::unique_ptr<lower::Target> baseline_;
  Deadline deadline_;
  std::vector<litmus::Program> known_; // programs that some scheme got wrong, the latest first
};

/// Beside the scheme, what it shows itself is no mistake of a weaker one.
SchemeSearcher::Search::Shows SchemeSearcher::Search::ask(lower::Target& target,
                                                          const litmus::Program& program,
                                                          bool beside_scheme,
                                                          litmus::State& behaviour) {
  auto limits = oracle::watch_limits(against_.with.oracle.limits);
  limits.deadline = Deadline::first(limits.deadline, deadline_);
  Watch watch(limits);
  auto options = against_.with;
  options.oracle.limits.watch = &watch;
  runners::HardwareLimits hardware_limits{options.oracle.limits, {}, against_.herd7};
  hardware_limits.operational.watch = &watch;
  const auto hardware = [&](const litmus::Test& code) {
    return processor_.run(code, hardware_limits);
  };
  const litmus::Test test = as_test(program, "program");
  try {
    if (beside_scheme)
      options.baseline = [&](const litmus::Test& same) -> runners::Judged {
        auto plain = options;
        plain.baseline = {};
        return runners::check_soundness(same, against_.model, *baseline_, hardware, plain);
      };
    const auto found = runners::check_soundness(test, against_.model, target, hardware, options);
    if (found.verdict == runners::Soundness::sound) return Shows::nothing;
    if (found.verdict != runners::Soundness::unsound) return Shows::unknown;
    behaviour = litmus::state_of(found.observables, found.forbidden.front());
    return Shows::something;
  } catch (const Unsupported&) {
    return Shows::unknown;
  } catch (const LimitReached&) {
    return Shows::unknown;
  }
}

void SchemeSearcher::Search::ask(Candidate& candidate, const litmus::Program& program,
                                 bool beside_scheme) {
  litmus::State behaviour;
  switch (ask(candidate.target, program, beside_scheme, behaviour)) {
  case Shows::nothing: return;
  case Shows::unknown: ++candidate.extent.undecided; return;
  case Shows::something: break;
  }
  candidate.witness = SchemeWitness{program, behaviour};
  if (std::ranges::find(known_, program) == known_.end()) known_.insert(known_.begin(), program);
}

void SchemeSearcher::Search::ask_known(Candidate& candidate, bool beside_scheme) {
  const auto known = known_; // asking may add to it
  for (const auto& program : known) {
    if (candidate.witness || over()) return;
    const auto has = operations_of(program);
    bool concerned = false;
    for (std::size_t i = 0; i < has.size(); ++i) concerned |= has[i] && candidate.changed[i];
    if (concerned || !beside_scheme) ask(candidate, program, beside_scheme);
  }
  candidate.asked_known = !over() && candidate.extent.undecided == 0;
}

/// All programs of the space that have the operation, of all that are still alive at once.
void SchemeSearcher::Search::ask_all(std::vector<Candidate*> alive, const gen::Space& space,
                                     std::size_t operation, bool beside_scheme) {
  gen::Enumerator programs(space, [this] { return over(); });
  std::uint32_t size = 0;
  const auto whole = [&](std::uint32_t accesses) {
    for (Candidate* candidate : alive) candidate->extent.accesses = accesses;
  };
  while (!alive.empty() && programs.next()) {
    if (programs.accesses() != size) whole(size);
    size = programs.accesses();
    const auto program = programs.program();
    if (!operations_of(program)[operation]) continue;
    for (Candidate* candidate : alive) {
      if (over()) break;
      ask(*candidate, program, beside_scheme);
      ++candidate->extent.programs;
    }
    drop_dead(alive);
    if (over()) break;
  }
  if (!programs.stopped() && !over()) whole(space.max_accesses);
  for (Candidate* candidate : alive) candidate->extent.late |= over();
  if (!alive.empty() && !over()) ask_random(alive, space, operation, beside_scheme);
}

/// Of several drawn programs, those that are made of the space's methods and have the operation.
void SchemeSearcher::Search::ask_random(std::vector<Candidate*>& alive, const gen::Space& space,
                                        std::size_t operation, bool beside_scheme) {
  constexpr std::uint64_t draws_for_one = 50;
  gen::Generator generator(settings_.profile, settings_.seed, operation);
  generator.set_choices(space.choices);
  std::uint64_t judged = 0;
  for (std::uint64_t drawn = 0; judged < settings_.programs && !alive.empty() && !over() &&
                                drawn < draws_for_one * settings_.programs;
       ++drawn) {
    const auto program = generator.next().program;
    if (!operations_of(program)[operation] || !is_asked_about(program, space)) continue;
    ++judged;
    for (Candidate* candidate : alive) {
      ask(*candidate, program, beside_scheme);
      ++candidate->extent.random;
    }
    drop_dead(alive);
  }
  for (Candidate* candidate : alive) candidate->extent.late |= over();
}

/// By each operation that is changed; of the least extent.
void SchemeSearcher::Search::ask_everything(Candidate& candidate, bool beside_scheme) {
  ask_known(candidate, beside_scheme);
  std::optional<Extent> least;
  for (std::size_t i = 0; i < candidate.changed.size() && !candidate.witness; ++i) {
    if (!candidate.changed[i]) continue;
    candidate.extent.accesses = 0;
    ask_all({&candidate}, around(settings_.space, i), i, beside_scheme);
    if (!least || candidate.extent.accesses < least->accesses) least = candidate.extent;
  }
  if (least) candidate.extent.accesses = least->accesses;
}

std::vector<Weakened> SchemeSearcher::Search::single_weakenings(const RuleTexts& of) {
  std::vector<Weakened> all;
  std::vector<std::unique_ptr<Candidate>> candidates;
  std::map<std::size_t, std::vector<Candidate*>> by_operation;
  for (auto& step : lower::weakenings(machine_, of)) {
    if (!may_change(step.operation)) continue;
    RuleTexts rules = of;
    rules[step.operation] = step.rule;
    candidates.push_back(std::make_unique<Candidate>(target_of(rules), changed_in(rules)));
    by_operation[step.operation].push_back(candidates.back().get());
    all.push_back({std::move(step), {}, {}});
  }
  for (auto& [operation, alive] : by_operation) {
    for (Candidate* candidate : alive) ask_known(*candidate, true);
    drop_dead(alive);
    ask_all(alive, around(settings_.space, operation), operation, true);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].witness = std::move(candidates[i]->witness);
    all[i].extent = candidates[i]->extent;
  }
  return all;
}

/// Takes the weakening that saves most, then the next, as long as the scheme with all of them shows
/// nothing new.
Relaxation SchemeSearcher::Search::relax() {
  Relaxation out;
  out.single = single_weakenings(rules_);
  out.rules = rules_;
  out.cost_before = costs_.of(rules_);
  std::vector<Weakened> open;
  for (const auto& each : out.single)
    if (!each.witness) open.push_back(each);
  while (!open.empty() && !over()) {
    const auto saves = [&](const Weakened& w) {
      RuleTexts rules = out.rules;
      rules[w.step.operation] = w.step.rule;
      return costs_.of(out.rules) - std::min(costs_.of(out.rules), costs_.of(rules));
    };
    const auto best = std::ranges::max_element(open, {}, saves);
    Weakened taken = std::move(*best);
    open.erase(best);
    RuleTexts rules = out.rules;
    rules[taken.step.operation] = taken.step.rule;
    Candidate whole(target_of(rules), changed_in(rules));
    ask_everything(whole, true);
    if (whole.witness) continue;
    taken.extent = out.extent = whole.extent;
    const std::size_t operation = taken.step.operation;
    out.rules = std::move(rules);
    out.taken.push_back(std::move(taken));
    // steps of the same rule were steps of what it was
    std::erase_if(open, [&](const Weakened& w) { return w.step.operation == operation; });
    for (auto& step : lower::weakenings(machine_, out.rules))
      if (step.operation == operation) open.push_back({std::move(step), {}, {}});
  }
  out.cost_after = costs_.of(out.rules);
  return out;
}

/// A program that the rules get wrong, of those that are known; `all_asked` says whether each of
/// them has an answer.
std::optional<SchemeWitness> SchemeSearcher::Search::need_of(const RuleTexts& rules,
                                                             bool& all_asked) {
  Candidate candidate(target_of(rules), std::vector<bool>(lower::operation_count, true));
  ask_known(candidate, false);
  all_asked = candidate.asked_known;
  return candidate.witness;
}

/// Leaves out what nothing needs, and says of the rest what does.
void SchemeSearcher::Search::explain(Repair& repair, std::vector<Step> steps) {
  RuleTexts rules = repair.rules;
  std::map<std::size_t, std::vector<Step>> by_operation;
  for (auto& step : steps) by_operation[step.operation].push_back(std::move(step));
  for (auto& [operation, changes] : by_operation) {
    RuleTexts without = rules;
    without[operation] = rules_[operation];
    bool all_asked = false;
    const auto need = need_of(without, all_asked);
    if (!need && all_asked) {
      rules = std::move(without);
      continue;
    }
    for (auto& change : changes) repair.changes.push_back({std::move(change), need});
  }
  repair.rules = std::move(rules);
  repair.cost_after = costs_.of(repair.rules);
}

/// Schemes in the order of their costs; of one that a known program tells to be wrong, all
/// strengthenings of what that program uses come next.
Repair SchemeSearcher::Search::repair() {
  struct State {
    std::uint64_t cost = 0;
    std::size_t order = 0;
    RuleTexts rules;
    std::vector<Step> steps;
    bool operator>(const State& other) const {
      return std::tie(cost, order) > std::tie(other.cost, other.order);
    }
  };
  Repair out;
  out.cost_before = costs_.of(rules_);
  std::priority_queue<State, std::vector<State>, std::greater<>> queue;
  std::set<RuleTexts> seen{rules_};
  std::size_t order = 0;
  queue.push({out.cost_before, order++, rules_, {}});
  while (!queue.empty() && !over()) {
    const State state = queue.top();
    queue.pop();
    ++out.candidates;
    std::vector<bool> all(lower::operation_count);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = may_change(i);
    Candidate candidate(target_of(state.rules), std::move(all));
    ask_everything(candidate, false);
    if (!candidate.witness && !candidate.asked_known) break; // there was no time
    if (!candidate.witness) {                                // as far as the extent says
      out.rules = state.rules;
      out.extent = candidate.extent;
      explain(out, state.steps);
      return out;
    }
    const auto has = operations_of(candidate.witness->program);
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < has.size(); ++i)
      if (has[i] && may_change(i)) used.push_back(i);
    for (auto& step : lower::strengthenings(machine_, state.rules, used)) {
      State next{0, 0, state.rules, state.steps};
      next.rules[step.operation] = step.rule;
      if (!seen.insert(next.rules).second) continue;
      next.cost = costs_.of(next.rules);
      next.order = order++;
      next.steps.push_back(std::move(step));
      queue.push(std::move(next));
    }
  }
  out.found = false;
  out.rules = rules_;
  out.extent.late = over();
  return out;
}

SchemeSearcher::SchemeSearcher(const Against& against, const SchemeSearch& settings,
                               lower::Costs costs, const std::atomic<bool>& stop)
    : search_(std::make_unique<Search>(against, settings, std::move(costs), stop)) {}
SchemeSearcher::~SchemeSearcher() = default;
Relaxation SchemeSearcher::relax() { return search_->relax(); }
Repair SchemeSearcher::repair() { return search_->repair(); }
lower::Machine SchemeSearcher::machine() const { return search_->machine(); }
std::string SchemeSearcher::text_of(const RuleTexts& rules, const std::string& remark) const {
  return search_->text_of(rules, remark);
}

} // namespace thinair::campaign
