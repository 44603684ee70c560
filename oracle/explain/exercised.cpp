// Looks at what the model's relations are in a witness of each final state.
#include "oracle/explain/exercised.h"

#include "litmus/text/error.h"
#include "oracle/executions/enumerate.h"

#include <algorithm>

namespace thinair::explain {
namespace {

using Kind = ModelPart::Kind;

executions::Options options_of_probe() {
  executions::Options options;
  options.all_registers = true;
  options.limits.candidates = ModelParts::work;
  return options;
}

} // namespace

ModelParts::ModelParts(const cat::Plan& model) : model_(model) {
  model_.shows.assign(model_.names.begin(), model_.names.end());
  for (std::size_t i = 0; i < model.axioms.size(); ++i) {
    if (model.axioms[i].effect != cat::Axiom::Effect::required) continue;
    without_.push_back(without_axiom(model, i));
    dropped_.push_back(model.axioms[i].name);
  }
}

std::vector<ModelPart> ModelParts::all() const {
  std::vector<ModelPart> out;
  for (const auto& shown : model_.shows) out.push_back({Kind::definition, shown.name});
  for (const auto& axiom : dropped_) out.push_back({Kind::axiom, axiom});
  return out;
}

/// Those that are not empty; none, and no states, where that is not known.
std::vector<ModelPart> ModelParts::definitions(const litmus::Test& test,
                                               std::optional<std::size_t>& states) const {
  std::vector<char> met(model_.shows.size(), 0);
  const auto look = [&](std::span<const litmus::Value>, const executions::Witness& witness) {
    const auto events = static_cast<executions::EventId>(witness.skeleton().size());
    for (std::size_t i = 0; i < met.size(); ++i) {
      const bool is_set = model_.nodes[model_.shows[i].node].type == graph::Type::set;
      for (executions::EventId row = 0; row < (is_set ? 1 : events) && met[i] == 0; ++row)
        met[i] = witness.shown(i, row).empty() ? 0 : 1;
    }
  };
  const auto result = executions::witnesses(test, model_, options_of_probe(), look);
  if (result.status == oracle::Result::Status::unknown) return {};
  states = result.behaviours.size();
  std::vector<ModelPart> out;
  for (std::size_t i = 0; i < met.size(); ++i)
    if (met[i] != 0) out.push_back({Kind::definition, model_.shows[i].name});
  return out;
}

std::vector<ModelPart> ModelParts::exercised(const litmus::Program& program) const {
  litmus::Test test;
  test.name = "program";
  test.program = program;
  if (model_.orders_memory) // final writes are part of what is compared
    for (const auto& location : program.locations)
      test.locations.push_back({std::nullopt, location.name});
  try {
    std::optional<std::size_t> states;
    auto out = definitions(test, states);
    for (std::size_t i = 0; states && i < without_.size(); ++i) {
      const auto more = executions::behaviours(test, without_[i], options_of_probe());
      if (more.status == oracle::Result::Status::unknown) return {};
      if (more.behaviours.size() > *states) out.push_back({Kind::axiom, dropped_[i]});
    }
    return out;
  } catch (const LimitReached&) {
    return {};
  } catch (const Unsupported&) {
    return {};
  }
}

} // namespace thinair::explain
