// Under rules of causality: executions of a model, and the search for justifications over them.
#include "litmus/constructs.h"
#include "litmus/flatten.h"
#include "litmus/named_values.h"
#include "litmus/text/error.h"
#include "oracle/causality/model_executions.h"
#include "oracle/causality/well_behaved.h"
#include "oracle/engine.h"
#include "oracle/executions/beyond.h"
#include "oracle/executions/enumerate.h"
#include "oracle/executions/observe.h"
#include "oracle/executions/path_limits.h"
#include "oracle/graph/path.h"
#include "oracle/question/text_order.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace thinair::oracle {
namespace {

using namespace causality;
using litmus::Observable;
using litmus::Proposition;

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

Reason too_patient() {
  return Reason::reached(Limit::paths, "limit of paths with idle rounds and of threads that stop");
}

constexpr std::size_t most_reads = 8; // of a program whose values are names

/// Values to try where a cycle of reads and writes leaves them open.
struct Guesses {
  std::set<Value> values;
  bool enough = false; // every other value is like one of these
};

/// Named values and their neighbours. Where values are copied and compared for equality only, what
/// has other values is the same with those renamed (`value_use`): as many as a stage and the target
/// may have together, two for each read, are enough.
Guesses guesses_for(const litmus::Program& program, const ProgramPaths& paths,
                    const Proposition& proposition) {
  Guesses out;
  using Numbers = std::numeric_limits<Value>;
  for (const Value named : litmus::named_values(program, proposition)) {
    out.values.insert(named);
    if (named != Numbers::min()) out.values.insert(named - 1);
    if (named != Numbers::max()) out.values.insert(named + 1);
  }
  for (std::size_t i = 0; i < program.objects.size(); ++i) // as which references are kept
    out.values.insert(static_cast<Value>(i) + 1);
  std::size_t reads = 0;
  for (const auto& thread : paths.threads) {
    std::size_t most = 0;
    for (const auto& path : thread.paths)
      most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(
                                path.events, [](const graph::PathEvent& event) {
                                  return (event.kinds & graph::k_read) != 0;
                                })));
    reads += most;
  }
  out.enough = reads <= most_reads && litmus::value_use(program) != litmus::ValueUse::computed;
  if (!out.enough) return out;
  Value fresh = 1000;
  for (std::size_t added = 0; added < 2 * reads; ++fresh)
    added += out.values.insert(fresh).second ? 1U : 0U;
  return out;
}

class Causal final : public Engine {
 public:
  Causal(const litmus::Test& test, const cat::Plan& model, const Options& options);

  Answer allows(const Proposition& proposition) override {
    return over_approximate_ ? possible(proposition) : ask(proposition);
  }
  std::vector<Answer> allows(const std::vector<Behaviour>& behaviours) override;
  Result behaviours() override;
  Answer why_nothing() const override { return oracle::why_nothing(test(), model_, limits()); }

  Justification evidence() const override { return answering_->evidence(); }
  const GraphSet& graphs() const override { return answering_->graphs(); }
  std::optional<Impasse> impasse(const Proposition& proposition) override;
  Statistics statistics() const override;

 private:
  ProgramPaths paths_to(const graph::PathLimits& of_paths) const;
  void start(std::vector<Observable> observed_now);
  std::unique_ptr<Analysis> analysis_of(ProgramPaths& of) { return analysis_of(of, switches_); }
  std::unique_ptr<Analysis> analysis_of(ProgramPaths& of, const Switches& switches);
  bool allowed_by_index(ProgramPaths& of, const Proposition& proposition, const Proposition& shows);
  bool stages_differ() const { return paths_.idle || paths_.may_stop; }
  Analysis* patient();
  Analysis& demand_patient();
  void observe(const Proposition& proposition);
  Wanted wanted(const Proposition& proposition) const;
  Answer ask(const Proposition& proposition);
  Answer possible(const Proposition& proposition);
  Answer justify(const Proposition& proposition);
  bool passes(const Behaviour& behaviour) const {
    return !test().filter || litmus::holds(*test().filter, observed_, behaviour);
  }
  Result gathered(const std::vector<Behaviour>& behaviours) const;

  const cat::Plan& model_;
  const bool over_approximate_, commit_all_;
  std::optional<cat::Plan> stage_model_; // of stages, where the model asks less of them
  std::vector<Observable> observed_; // by the analysis: those shown, and what was asked for since
  ProgramPaths paths_;               // without idle rounds, to the ends of threads
  ProgramPaths patient_paths_;       // with some, and those on which threads stop
  std::unique_ptr<Analysis> analysis_, patient_analysis_;
  std::unique_ptr<Analysis> indexed_; // with identity by index, for a yes where free is too much
  Analysis* answering_ = nullptr;     // that of the last answer
  values::Statistics values_;
};

Causal::Causal(const litmus::Test& test, const cat::Plan& model, const Options& options)
    : Engine(test, options), model_(model), over_approximate_(options.over_approximate),
      commit_all_(options.commit_all) {
  rules_ = rules_for(model, options);
  switches_ = options.switches;
  switches_.identity = identity_for(model, options);
  // of what a freeze makes visible JLS 17.4.8 says nothing (docs/objects.md)
  const bool freezes =
      test.is_java() && constructs_of(test.java()).has(litmus::Construct::final_fields);
  if ((rules_.rules.has(Rule::stage_axioms) || freezes) && asks_less_of_stages(model))
    stage_model_ = of_stages(model);
  if (model.architecture != graph::Architecture::java)
    throw Unsupported("causality rules for anything but Java");
  observables_ = executions::shown(test, model, options.all_registers);
  paths_ = paths_to(executions::path_limits(limits(), watch(), model));
  start(observables_);
}

/// Where stages obey fewer axioms, these show that nothing goes on where paths are cut off, if any
/// do: the more there are, the less lends itself to that proof.
ProgramPaths Causal::paths_to(const graph::PathLimits& of_paths) const {
  auto all = graph::paths_of(test(), of_paths);
  if (all.cut && stage_model_) all.cut = executions::goes_beyond(all, *stage_model_, limits());
  return all;
}

void Causal::start(std::vector<Observable> observed_now) {
  observed_ = std::move(observed_now);
  analysis_ = analysis_of(paths_);
  patient_analysis_.reset();
  answering_ = analysis_.get();
}

std::unique_ptr<Analysis> Causal::analysis_of(ProgramPaths& of, const Switches& switches) {
  std::vector<RegisterPlace> places;
  Sought sought;
  for (const auto& o : executions::resolve(test(), observed_)) {
    places.push_back({o.thread.value_or(0), o.index, !o.thread});
    if (!o.thread) sought.finals.push_back(litmus::LocationId{o.index});
  }
  AnalysisOptions o;
  o.rules = rules_;
  o.switches = switches;
  o.graphs.graphs = limits().graphs;
  o.graphs.labellings = limits().labellings;
  o.graphs.valuations = limits().valuations;
  o.graphs.whole = limits().whole;
  o.search.states = limits().states;
  o.search.commit_all = commit_all_;
  sought.orders = races_suffice(rules_.rules) && !commit_all_ ? Orders::telling : Orders::every;
  const auto producer = [&](const cat::Plan& plan) {
    return executions_of(test(), of, plan, limits(), switches, sought, &values_);
  };
  if (stage_model_) o.stages = producer(*stage_model_);
  return std::make_unique<Analysis>(of, std::move(places), producer(model_), o);
}

/// With what matters to stages of a justification alone: idle rounds, threads that get no further.
/// Null where paths are too many.
Analysis* Causal::patient() {
  if (!stages_differ()) return analysis_.get();
  if (patient_analysis_ != nullptr) return patient_analysis_.get();
  auto of_paths = executions::path_limits(limits(), watch(), model_);
  of_paths.idle_rounds = rounds_that_count(paths_);
  of_paths.stopped = true;
  try {
    patient_paths_ = paths_to(of_paths);
  } catch (const LimitReached&) {
    if (watch().stopped()) throw;
    return nullptr;
  }
  patient_analysis_ = analysis_of(patient_paths_);
  return patient_analysis_.get();
}

/// For what has no answer without all stages. Throws LimitReached.
Analysis& Causal::demand_patient() {
  auto* const all = patient();
  if (all == nullptr) throw LimitReached(Limit::paths, "paths with threads that stop");
  answering_ = all;
  return *all;
}

/// Looks at the registers of a proposition too.
void Causal::observe(const Proposition& proposition) {
  auto all = observed_;
  for (auto& o : litmus::mentioned(proposition))
    if (std::ranges::find(all, o) == all.end()) all.push_back(std::move(o));
  if (all.size() == observed_.size()) return;
  executions::require_memory(all, model_);
  start(std::move(all));
}

Wanted Causal::wanted(const Proposition& proposition) const {
  return [this, &proposition](const Behaviour& b) {
    return passes(b) && litmus::holds(proposition, observed_, b);
  };
}

Answer Causal::ask(const Proposition& proposition) {
  observe(proposition);
  // What no execution shows needs no justification.
  executions::Options plain;
  plain.limits = limits();
  const auto shown = executions::exists(test(), paths_, model_, proposition, plain);
  if (shown == Answer::forbidden) return Answer::forbidden;
  if (watch().stopped()) return {Answer::unknown, watch().reason()};
  if (shown == Answer::unknown && paths_.cut)
    return {Answer::unknown, Reason::reached(Limit::loop_bound)};
  return justify(proposition);
}

/// Of what consistent executions show.
Answer Causal::justify(const Proposition& proposition) {
  Proposition shows;
  shows.kind = Proposition::Kind::all;
  shows.parts.push_back(proposition);
  if (test().filter) shows.parts.push_back(*test().filter);
  const auto guesses = guesses_for(test().java(), paths_, shows);
  answering_ = analysis_.get();
  answering_->try_values(guesses.values, guesses.enough);
  auto answer = answering_->allows(wanted(proposition), &shows);
  if (answer == Answer::forbidden && stages_differ()) {
    auto* const more = patient();
    if (more == nullptr) return {Answer::unknown, too_patient()};
    answering_ = more;
    answering_->try_values(guesses.values, guesses.enough);
    answer = answering_->allows(wanted(proposition), &shows);
  }
  if (answer != Answer::unknown) return answer;
  answer.because = answering_->incomplete();
  if (allowed_by_index(paths_, proposition, shows)) return Answer::allowed;
  return answer;
}

/// What is justified with actions matched by index is so where they are matched freely, too: theirs
/// is one of the ways.
bool Causal::allowed_by_index(ProgramPaths& of, const Proposition& proposition,
                              const Proposition& shows) {
  if (switches_.identity != Identity::free) return false;
  Switches by_index = switches_;
  by_index.identity = Identity::index;
  indexed_ = analysis_of(of, by_index);
  if (indexed_->allows(wanted(proposition), &shows) != Answer::allowed) return false;
  answering_ = indexed_.get();
  return true;
}

/// What executions show that are well-behaved, or need no justification for another reason, is
/// allowed, what none shows is not; the rest is asked about one by one.
std::vector<Answer> Causal::allows(const std::vector<Behaviour>& behaviours) {
  if (over_approximate_) return Engine::allows(behaviours);
  const auto good = justified_members(
      test(), paths_, rules_.rules.has(Rule::in_order) ? in_order(model_) : well_behaved(model_),
      observables_, behaviours, limits(), switches_);
  values_ += good.values;
  std::vector<Behaviour> open;
  for (std::size_t i = 0; i < behaviours.size(); ++i)
    if (good.answers[i] != Answer::allowed) open.push_back(behaviours[i]);
  executions::Options plain;
  plain.limits = limits();
  const auto shown =
      executions::members(test(), paths_, model_, observables_, open, plain, nullptr);
  values_ += shown.values;
  analysis_->expect(static_cast<std::size_t>(std::ranges::count_if(
      shown.answers, [](const Answer& answer) { return answer == Answer::allowed; })));
  std::vector<Answer> answers(behaviours.size(), Answer::allowed);
  for (std::size_t i = 0, next = 0; i < behaviours.size(); ++i) {
    if (good.answers[i] == Answer::allowed) continue;
    const auto& consistent = shown.answers[next++];
    if (consistent == Answer::forbidden) {
      answers[i] = consistent;
    } else if (!watch().step()) {
      answers[i] = {Answer::unknown, watch().reason()};
    } else {
      const auto question = exactly(observables_, behaviours[i]);
      answers[i] = consistent == Answer::allowed ? justify(question) : ask(question);
    }
  }
  return answers;
}

Result Causal::gathered(const std::vector<Behaviour>& behaviours) const {
  Result result;
  result.observables = observables_;
  std::vector<Behaviour> shown;
  for (const auto& b : behaviours)
    shown.emplace_back(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(observables_.size()));
  result.behaviours = in_text_order(
      shown, [&](const Behaviour& b) { return litmus::to_string(observables_, b); }, watch());
  result.executions = answering_->statistics().executions;
  result.value_cycles = answering_->statistics().undetermined;
  result.values = values_;
  result.reason = answering_->incomplete();
  if (result.reason.empty()) result.reason = watch().reason();
  if (!result.reason.empty()) result.status = Result::Status::unknown;
  return result;
}

Result Causal::behaviours() {
  const auto passing = [this](const Behaviour& b) { return passes(b); };
  if (over_approximate_) return gathered(demand_patient().jpr_behaviours(passing));
  auto* const all = patient();
  answering_ = all != nullptr ? all : analysis_.get();
  auto result = gathered(answering_->behaviours(passing));
  if (all == nullptr) {
    result.status = Result::Status::unknown;
    result.reason = too_patient();
  }
  return result;
}

Answer Causal::possible(const Proposition& proposition) {
  observe(proposition);
  auto& all = demand_patient();
  auto found = all.jpr_allows(wanted(proposition));
  if (found == Answer::unknown) found.because = all.incomplete();
  return found;
}

std::optional<Impasse> Causal::impasse(const Proposition& proposition) {
  return answering_->impasse(wanted(proposition));
}

Statistics Causal::statistics() const {
  auto statistics = answering_->statistics();
  statistics.values = values_;
  return statistics;
}

} // namespace

std::unique_ptr<Engine> causal_engine(const litmus::Test& test, const cat::Plan& model,
                                      const Options& options) {
  return std::make_unique<Causal>(test, model, options);
}

} // namespace thinair::oracle
