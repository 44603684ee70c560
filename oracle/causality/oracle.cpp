// Puts paths, a model's executions and the analysis together; models without causality go straight
// to the engine.
#include "oracle/causality/oracle.h"

#include "litmus/text/error.h"
#include "oracle/causality/model_executions.h"
#include "oracle/causality/well_behaved.h"
#include "oracle/executions/beyond.h"
#include "oracle/executions/enumerate.h"
#include "oracle/executions/observe.h"
#include "oracle/executions/path_limits.h"
#include "oracle/executions/text_order.h"
#include "oracle/graph/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace thinair::causality {
namespace {

using litmus::Observable;
using litmus::Proposition;

RuleSet rules_for(const cat::Plan& model, const Options& options) {
  if (options.rule_set) return *options.rule_set;
  const auto& asked = options.rules;
  const auto& name = asked.empty() ? model.causality : asked;
  if (const auto* found = find_rule_set(name.empty() ? "none" : name)) return *found;
  std::string known;
  for (const auto& set : rule_sets())
    known += fmt::format("{}`{}`", known.empty() ? "" : ", ", set.name);
  throw InputError(fmt::format("unknown causality rules `{}`: expected one of {}", name, known));
}

/// Which events are one action, as asked, or as the model says.
Switches switches_for(const cat::Plan& model, const Options& options) {
  Switches switches = options.switches;
  if (options.identity) {
    switches.identity = *options.identity;
  } else if (!model.identity.empty()) {
    const auto named = identity_named(model.identity);
    if (!named)
      throw InputError(fmt::format("the model \"{}\" asks for the identity `{}`: expected one of "
                                   "`index`, `free`",
                                   model.name, model.identity));
    switches.identity = *named;
  }
  return switches;
}

void refuse_memory(const std::vector<Observable>& observables, const cat::Plan& model) {
  for (const auto& o : observables) {
    if (o.thread || model.orders_memory) continue;
    throw InputError(fmt::format("the model \"{}\" does not order writes, so that {} has no final "
                                 "value in it: ask for registers only",
                                 model.name, to_string(o)));
  }
}

/// What is shown: a location that only a list names is left out where the model says nothing of it.
std::vector<Observable> shown(const litmus::Test& test, const cat::Plan& model, bool all) {
  if (test.filter) refuse_memory(mentioned(*test.filter), model);
  for (const auto& clause : test.clauses) refuse_memory(mentioned(clause.proposition), model);
  auto out = litmus::observables(test, all);
  if (!model.orders_memory) std::erase_if(out, [](const Observable& o) { return !o.thread; });
  return out;
}

Proposition of_kind(Proposition::Kind kind) {
  Proposition p;
  p.kind = kind;
  return p;
}

Proposition exactly(const std::vector<Observable>& observables, const Behaviour& behaviour) {
  THINAIR_CHECK(observables.size() == behaviour.size(), "a behaviour of other observables");
  auto all = of_kind(Proposition::Kind::all);
  for (std::size_t i = 0; i < behaviour.size(); ++i) {
    auto equal = of_kind(Proposition::Kind::equal);
    equal.left = observables[i];
    equal.constant = behaviour[i];
    all.parts.push_back(std::move(equal));
  }
  if (all.parts.empty()) return of_kind(Proposition::Kind::always);
  return all.parts.size() == 1 ? all.parts.front() : all;
}

void demand_rules(const Analysis* analysis) {
  if (analysis == nullptr)
    throw InputError("JPR's fixpoint needs causality rules: jls04 or revised");
}

/// How often a thread reads one location, at most: in so many idle rounds reads may be that an
/// execution without them has, too (docs/causality.md).
std::uint32_t rounds_that_count(const ProgramPaths& paths) {
  std::uint32_t most = 0;
  for (const auto& thread : paths.threads)
    for (const auto& path : thread.paths) {
      std::map<litmus::LocationId, std::uint32_t> reads;
      for (const auto& event : path.events)
        if ((event.kinds & graph::k_read) != 0) most = std::max(most, ++reads[event.location]);
    }
  return most;
}

} // namespace

constexpr const char* too_patient =
    "limit of paths with idle rounds and of threads that stop reached (--max-paths)";

struct Oracle::State {
  State(const litmus::Test& t, const cat::Plan& m, const Options& o)
      : test(t), model(m), options(o), rules(rules_for(m, o)), watch(o.executions) {
    options.executions.watch = watch.get();
    options.switches = switches_for(m, o);
    if (rules.rules.has(Rule::stage_axioms) && asks_less_of_stages(m)) stage_model = of_stages(m);
  }

  ProgramPaths paths_to(const graph::PathLimits& limits) const;
  void start(std::vector<Observable> observed_now);
  std::unique_ptr<Analysis> analysis_of(ProgramPaths& of) {
    return analysis_of(of, options.switches);
  }
  std::unique_ptr<Analysis> analysis_of(ProgramPaths& of, const Switches& switches);
  bool allowed_by_index(ProgramPaths& of, const Proposition& proposition, const Proposition& shows);
  bool stages_differ() const { return paths.idle || paths.may_stop; }
  Analysis* patient();
  Analysis& demand_patient();
  void observe(const Proposition& proposition);
  Wanted wanted(const Proposition& proposition) const;
  Answer ask(const Proposition& proposition);
  Answer justify(const Proposition& proposition);
  std::vector<Answer> ask_each(const std::vector<Behaviour>& behaviours);
  bool passes(const Behaviour& behaviour) const {
    return !test.filter || litmus::holds(*test.filter, observed, behaviour);
  }
  Result gathered(const std::vector<Behaviour>& behaviours) const;

  const litmus::Test& test;
  const cat::Plan& model;
  Options options;
  RuleSet rules;
  executions::Watched watch;            // of all questions together
  std::optional<cat::Plan> stage_model; // of stages, where the model asks less of them
  std::vector<Observable> observables;  // shown
  std::vector<Observable> observed;     // by the analysis: those, and what was asked for since
  ProgramPaths paths;                   // without idle rounds, to the ends of threads
  ProgramPaths patient_paths;           // with some, and those on which threads stop
  std::unique_ptr<Analysis> analysis, patient_analysis;
  std::unique_ptr<Analysis> indexed; // with identity by index, for a yes where free is too much
  Analysis* answering = nullptr;     // that of the last answer
  std::string reason;
  values::Statistics values;
};

/// Where stages obey fewer axioms, these show that nothing goes on where paths are cut off, if any
/// do: the more there are, the less lends itself to that proof.
ProgramPaths Oracle::State::paths_to(const graph::PathLimits& limits) const {
  auto all = graph::paths_of(test, limits);
  if (all.cut && stage_model)
    all.cut = executions::goes_beyond(all, *stage_model, options.executions);
  return all;
}

void Oracle::State::start(std::vector<Observable> observed_now) {
  observed = std::move(observed_now);
  analysis = analysis_of(paths);
  patient_analysis.reset();
  answering = analysis.get();
}

std::unique_ptr<Analysis> Oracle::State::analysis_of(ProgramPaths& of, const Switches& switches) {
  std::vector<RegisterPlace> places;
  Sought sought;
  for (const auto& o : executions::resolve(test, observed)) {
    places.push_back({o.thread.value_or(0), o.index, !o.thread});
    if (!o.thread) sought.finals.push_back(litmus::LocationId{o.index});
  }
  AnalysisOptions o;
  o.rules = rules;
  o.switches = switches;
  o.graphs = options.graphs;
  o.search = options.search;
  const bool races_only = races_suffice(rules.rules) && !options.search.commit_all;
  sought.orders = races_only ? Orders::telling : Orders::every;
  const auto producer = [&](const cat::Plan& plan) {
    return executions_of(test, of, plan, options.executions, switches, sought, &values);
  };
  if (stage_model) o.stages = producer(*stage_model);
  return std::make_unique<Analysis>(of, std::move(places), producer(model), o);
}

/// With what matters to stages of a justification alone: idle rounds, threads that get no further.
/// Null where paths are too many.
Analysis* Oracle::State::patient() {
  if (!stages_differ()) return analysis.get();
  if (patient_analysis != nullptr) return patient_analysis.get();
  auto limits = executions::path_limits(options.executions, *watch);
  limits.idle_rounds = rounds_that_count(paths);
  limits.stopped = true;
  try {
    patient_paths = paths_to(limits);
  } catch (const LimitReached&) {
    if (watch->stopped()) throw;
    return nullptr;
  }
  patient_analysis = analysis_of(patient_paths);
  return patient_analysis.get();
}

/// For what has no answer without all stages. Throws LimitReached.
Analysis& Oracle::State::demand_patient() {
  auto* const all = patient();
  if (all == nullptr) throw LimitReached("paths with threads that stop", "--max-paths");
  answering = all;
  return *all;
}

/// Looks at the registers of a proposition too.
void Oracle::State::observe(const Proposition& proposition) {
  auto all = observed;
  for (auto& o : litmus::mentioned(proposition))
    if (std::ranges::find(all, o) == all.end()) all.push_back(std::move(o));
  if (all.size() == observed.size()) return;
  refuse_memory(all, model);
  start(std::move(all));
}

Wanted Oracle::State::wanted(const Proposition& proposition) const {
  return [this, &proposition](const Behaviour& b) {
    return passes(b) && litmus::holds(proposition, observed, b);
  };
}

Answer Oracle::State::ask(const Proposition& proposition) {
  observe(proposition);
  // What no execution shows needs no justification.
  executions::Options plain;
  plain.limits = options.executions;
  reason.clear();
  const auto shown = executions::exists(test, paths, model, proposition, plain);
  if (shown == executions::Answer::no) return Answer::no;
  if (watch->stopped()) {
    reason = watch->reason();
    return Answer::unknown;
  }
  if (shown == executions::Answer::unknown && paths.cut) {
    reason = "loop bound reached (--unroll)";
    return Answer::unknown;
  }
  return justify(proposition);
}

/// Of what consistent executions show.
Answer Oracle::State::justify(const Proposition& proposition) {
  auto shows = of_kind(Proposition::Kind::all);
  shows.parts.push_back(proposition);
  if (test.filter) shows.parts.push_back(*test.filter);
  answering = analysis.get();
  auto answer = answering->allows(wanted(proposition), &shows);
  if (answer == Answer::no && stages_differ()) {
    auto* const more = patient();
    if (more == nullptr) {
      reason = too_patient;
      return Answer::unknown;
    }
    answering = more;
    answer = answering->allows(wanted(proposition), &shows);
  }
  reason = answer == Answer::unknown ? answering->incomplete() : "";
  if (answer == Answer::unknown && allowed_by_index(paths, proposition, shows)) {
    reason.clear();
    return Answer::yes;
  }
  return answer;
}

/// What is justified with actions matched by index is so where they are matched freely, too: theirs
/// is one of the ways.
bool Oracle::State::allowed_by_index(ProgramPaths& of, const Proposition& proposition,
                                     const Proposition& shows) {
  if (options.switches.identity != Identity::free) return false;
  Switches by_index = options.switches;
  by_index.identity = Identity::index;
  indexed = analysis_of(of, by_index);
  if (indexed->allows(wanted(proposition), &shows) != Answer::yes) return false;
  answering = indexed.get();
  return true;
}

/// What executions show that are well-behaved, or need no justification for another reason, is
/// allowed, what none shows is not; the rest is asked about one by one.
std::vector<Answer> Oracle::State::ask_each(const std::vector<Behaviour>& behaviours) {
  const auto& limits = options.executions;
  const auto good = justified_members(
      test, paths, rules.rules.has(Rule::in_order) ? in_order(model) : well_behaved(model),
      observables, behaviours, limits, options.switches);
  values += good.values;
  std::vector<Behaviour> open;
  for (std::size_t i = 0; i < behaviours.size(); ++i)
    if (good.answers[i] != executions::Answer::yes) open.push_back(behaviours[i]);
  executions::Options plain;
  plain.limits = limits;
  const auto shown = executions::members(test, paths, model, observables, open, plain, nullptr);
  values += shown.values;
  analysis->expect(
      static_cast<std::size_t>(std::ranges::count(shown.answers, executions::Answer::yes)));
  std::vector<Answer> answers(behaviours.size(), Answer::yes);
  std::string why_unknown;
  for (std::size_t i = 0, next = 0; i < behaviours.size(); ++i) {
    if (good.answers[i] == executions::Answer::yes) continue;
    const auto consistent = shown.answers[next++];
    if (consistent != executions::Answer::no && !watch->step()) {
      answers[i] = Answer::unknown;
      why_unknown = watch->reason();
      continue;
    }
    const auto question = exactly(observables, behaviours[i]);
    answers[i] = consistent == executions::Answer::no    ? Answer::no
                 : consistent == executions::Answer::yes ? justify(question)
                                                         : ask(question);
    if (answers[i] == Answer::unknown) why_unknown = reason;
  }
  reason = why_unknown;
  return answers;
}

Result Oracle::State::gathered(const std::vector<Behaviour>& behaviours) const {
  Result result;
  result.observables = observables;
  std::vector<Behaviour> shown;
  for (const auto& b : behaviours)
    shown.emplace_back(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(observables.size()));
  result.behaviours = executions::in_text_order(
      shown, [&](const Behaviour& b) { return litmus::to_string(observables, b); }, *watch);
  result.statistics = answering->statistics();
  result.statistics.values = values;
  result.reason = answering->incomplete();
  if (result.reason.empty()) result.reason = watch->reason();
  if (!result.reason.empty()) result.status = executions::Result::Status::unknown;
  return result;
}

Oracle::Oracle(const litmus::Test& test, const cat::Plan& model, const Options& options)
    : state_(std::make_unique<State>(test, model, options)) {
  auto& s = *state_;
  if (!s.rules.justified) {
    s.observables = litmus::observables(test, options.all_registers);
    return;
  }
  if (model.architecture != graph::Architecture::java)
    throw Unsupported("causality rules for anything but Java");
  s.observables = shown(test, model, options.all_registers);
  s.paths = s.paths_to(executions::path_limits(s.options.executions, *s.watch));
  s.start(s.observables);
}

Oracle::~Oracle() = default;

const std::vector<Observable>& Oracle::observables() const { return state_->observables; }
const std::string& Oracle::reason() const { return state_->reason; }
const RuleSet& Oracle::rules() const { return state_->rules; }
const Switches& Oracle::switches() const { return state_->options.switches; }

namespace {

Answer as_ours(executions::Answer answer) {
  switch (answer) {
  case executions::Answer::yes: return Answer::yes;
  case executions::Answer::no: return Answer::no;
  case executions::Answer::unknown: break;
  }
  return Answer::unknown;
}

} // namespace

std::vector<Answer> Oracle::allows(const std::vector<Behaviour>& behaviours) {
  auto& s = *state_;
  if (s.rules.justified) return s.ask_each(behaviours);
  executions::Options o;
  o.limits = s.options.executions;
  const auto found = executions::members(s.test, s.model, s.observables, behaviours, o);
  std::vector<Answer> answers;
  for (const auto answer : found.answers) answers.push_back(as_ours(answer));
  s.values += found.values;
  s.reason = found.reason;
  return answers;
}

Answer Oracle::allows(const Proposition& proposition) {
  auto& s = *state_;
  if (s.rules.justified) return s.ask(proposition);
  executions::Options o;
  o.limits = s.options.executions;
  const auto answer = executions::exists(s.test, s.model, proposition, o);
  s.reason = answer != executions::Answer::unknown ? ""
             : s.watch->stopped()                  ? s.watch->reason()
                                                   : "a limit of the search was reached";
  return as_ours(answer);
}

Answer Oracle::allows(const Behaviour& behaviour) {
  return allows(exactly(state_->observables, behaviour));
}

Result Oracle::behaviours() {
  auto& s = *state_;
  if (s.rules.justified) {
    auto* const all = s.patient();
    s.answering = all != nullptr ? all : s.analysis.get();
    auto result =
        s.gathered(s.answering->behaviours([&s](const Behaviour& b) { return s.passes(b); }));
    if (all == nullptr) {
      result.status = executions::Result::Status::unknown;
      result.reason = too_patient;
    }
    s.reason = result.reason;
    return result;
  }
  executions::Options o;
  o.limits = s.options.executions;
  o.all_registers = s.options.all_registers;
  auto found = executions::behaviours(s.test, s.model, o);
  s.reason = found.reason;
  Result result;
  result.status = found.status;
  result.reason = std::move(found.reason);
  result.observables = std::move(found.observables);
  result.behaviours = std::move(found.behaviours);
  result.statistics.executions = found.executions;
  result.statistics.undetermined = found.value_cycles;
  result.statistics.values = found.values;
  return result;
}

Answer Oracle::possible(const Proposition& proposition) {
  auto& s = *state_;
  demand_rules(s.analysis.get());
  s.observe(proposition);
  auto& all = s.demand_patient();
  const auto found = all.jpr_allows(s.wanted(proposition));
  s.reason = found == Answer::unknown ? all.incomplete() : "";
  return found;
}

Result Oracle::over_approximation() {
  auto& s = *state_;
  demand_rules(s.analysis.get());
  auto& all = s.demand_patient();
  auto result = s.gathered(all.jpr_behaviours([&s](const Behaviour& b) { return s.passes(b); }));
  s.reason = result.reason;
  return result;
}

Justification Oracle::evidence() const {
  THINAIR_CHECK(state_->analysis != nullptr, "evidence without causality rules");
  return state_->answering->evidence();
}

const GraphSet& Oracle::graphs() const {
  THINAIR_CHECK(state_->analysis != nullptr, "graphs without causality rules");
  return state_->answering->graphs();
}

Statistics Oracle::statistics() const {
  auto statistics = state_->analysis != nullptr ? state_->answering->statistics() : Statistics{};
  statistics.values = state_->values;
  return statistics;
}

} // namespace thinair::causality
