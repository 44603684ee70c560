// Chooses who answers, and what a model is asked under.
#include "oracle/answer.h"

#include "litmus/text/error.h"
#include "oracle/engine.h"
#include "oracle/umm/machine.h"

#include <fmt/format.h>

#include <array>

namespace thinair::oracle {
namespace {

using litmus::Behaviour;
using litmus::Proposition;

/// The axioms alone: every consistent execution is allowed.
class Axioms final : public Engine {
 public:
  Axioms(const litmus::Test& test, const cat::Plan& model, const Options& options)
      : Engine(test, options), model_(model) {
    observables_ = litmus::observables(test, options.all_registers);
    with_.depth = options.count ? executions::Depth::executions : executions::Depth::states;
    with_.limits = limits();
    with_.all_registers = options.all_registers;
  }

  Answer allows(const Proposition& proposition) override {
    return executions::exists(test(), model_, proposition, with_);
  }
  std::vector<Answer> allows(const std::vector<Behaviour>& behaviours) override {
    auto found = executions::members(test(), model_, observables_, behaviours, with_);
    values_ += found.values;
    return std::move(found.answers);
  }
  Result behaviours() override {
    auto result = executions::behaviours(test(), model_, with_);
    values_ += result.values;
    return result;
  }
  Answer why_nothing() const override { return oracle::why_nothing(test(), model_, limits()); }
  causality::Statistics statistics() const override {
    causality::Statistics only;
    only.values = values_;
    return only;
  }

 private:
  const cat::Plan& model_;
  executions::Options with_;
  values::Statistics values_;
};

/// A transition table, run by its machine.
class Table final : public Engine {
 public:
  Table(const litmus::Test& test, const umm::Model& model, const Options& options)
      : Engine(test, options), model_(model) {
    observables_ = litmus::observables(test, options.all_registers);
    with_.limits = limits();
    with_.all_registers = options.all_registers;
  }

  using Engine::allows;
  Answer allows(const Proposition& proposition) override {
    return umm::exists(test(), model_, proposition, with_);
  }
  Result behaviours() override { return umm::behaviours(test(), model_, with_); }
  Answer why_nothing() const override {
    return oracle::why_nothing(test(), model_.meaning.model, limits());
  }

 private:
  const umm::Model& model_;
  executions::Options with_;
};

std::unique_ptr<Engine> engine_for(const litmus::Test& test, const cat::Plan& model,
                                   const Options& options) {
  if (rules_for(model, options).justified) {
    THINAIR_CHECK(!options.count, "justified executions are not counted");
    return causal_engine(test, model, options);
  }
  return std::make_unique<Axioms>(test, model, options);
}

std::string listed(const auto& rows) {
  std::string names;
  for (const auto& row : rows) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", row.name);
  return names;
}

} // namespace

std::string_view name(Answer::Kind kind) {
  constexpr auto names =
      std::to_array<std::string_view>({"allowed", "forbidden", "unknown", "vacuous"});
  return names.at(kind);
}

const RuleSet& rule_set_named(const std::string& name) {
  if (const auto* found = causality::find_rule_set(name)) return *found;
  throw InputError(fmt::format("unknown causality rules `{}`: expected one of {}", name,
                               listed(causality::rule_sets)));
}

RuleSet rules_for(const cat::Plan& model, const Options& options) {
  if (options.rule_set) return *options.rule_set;
  if (options.over_approximate) return rule_set_named("jls04"); // any that justifies
  if (!options.rules.empty()) return rule_set_named(options.rules);
  if (const auto* found = causality::find_rule_set(model.causality)) return *found;
  if (model.causality.empty()) return rule_set_named("none");
  throw InputError(
      fmt::format("the model \"{}\" asks for the causality rules `{}`: expected one of {}",
                  model.name, model.causality, listed(causality::rule_sets)));
}

Identity identity_for(const cat::Plan& model, const Options& options) {
  if (options.identity) return *options.identity;
  if (model.identity.empty()) return options.switches.identity;
  if (const auto named = causality::identity_named(model.identity)) return *named;
  throw InputError(fmt::format("the model \"{}\" asks for the identity `{}`: expected one of {}",
                               model.name, model.identity, listed(causality::identities)));
}

bool compares_memory(const cat::Plan& model, const Options& options) {
  const auto rules = rules_for(model, options);
  return model.orders_memory && !rules.justified;
}

Engine::Engine(const litmus::Test& test, const Options& options)
    : rules_(rule_set_named("none")), test_(test), watch_(options.limits),
      limits_(watched_by(*watch_, options.limits)) {}

std::vector<Answer> Engine::allows(const std::vector<Behaviour>& behaviours) {
  std::vector<Answer> answers;
  for (const auto& behaviour : behaviours)
    answers.push_back(allows(litmus::exactly(observables_, behaviour)));
  return answers;
}

causality::Justification Engine::evidence() const {
  bug(__FILE__, __LINE__, "evidence without causality rules");
}

const causality::GraphSet& Engine::graphs() const {
  bug(__FILE__, __LINE__, "graphs without causality rules");
}

Oracle::Oracle(const litmus::Test& test, const cat::Plan& model, const Options& options)
    : engine_(engine_for(test, model, options)) {}
Oracle::Oracle(const litmus::Test& test, const umm::Model& table, const Options& options)
    : engine_(std::make_unique<Table>(test, table, options)) {}
Oracle::~Oracle() = default;

const std::vector<litmus::Observable>& Oracle::observables() const {
  return engine_->observables();
}

Answer Oracle::allows(const Proposition& proposition) { return engine_->allows(proposition); }
Answer Oracle::allows(const Behaviour& behaviour) {
  return allows(litmus::exactly(observables(), behaviour));
}
std::vector<Answer> Oracle::allows(const std::vector<Behaviour>& behaviours) {
  return engine_->allows(behaviours);
}

Answer Oracle::allows_anything() {
  auto any = allows(litmus::anything());
  return any == Answer::forbidden ? engine_->why_nothing() : any;
}

Answer Oracle::verdict(const Proposition& proposition) {
  auto answer = allows(proposition);
  if (answer != Answer::forbidden) return answer;
  const auto any = allows_anything();
  return any == Answer::unknown || any == Answer::vacuous ? any : answer;
}

Result Oracle::behaviours() { return engine_->behaviours(); }
const RuleSet& Oracle::rules() const { return engine_->rules(); }
causality::Justification Oracle::evidence() const { return engine_->evidence(); }
std::optional<causality::Impasse> Oracle::impasse(const Proposition& proposition) {
  return engine_->impasse(proposition);
}
const causality::GraphSet& Oracle::graphs() const { return engine_->graphs(); }
const causality::Switches& Oracle::switches() const { return engine_->switches(); }
causality::Statistics Oracle::statistics() const { return engine_->statistics(); }

} // namespace thinair::oracle
