// Empties one part of the model after the other, and asks again.
#include "oracle/explain/core.h"

#include "oracle/cat/node_graph.h"
#include "oracle/explain/parts.h"
#include "oracle/explain/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace thinair::explain {
namespace {

using cat::NodeId;
using oracle::Answer;

class CoreSearch {
 public:
  CoreSearch(const litmus::Test& test, const cat::Plan& model,
             const litmus::Proposition& proposition, const oracle::Options& options)
      : test_(test), model_(model), proposition_(proposition), options_(options), plan_(model) {
    options_.rule_set = oracle::rules_for(model, options);
  }

  Core run() {
    Core core;
    if (!forbidden(plan_)) return core;
    leave_out_rules();
    leave_out_axioms();
    const auto kept =
        options_.rule_set->justified ? std::vector<cat::Shown>() : leave_out_definitions();
    core.kind = Core::Kind::model;
    for (const auto& axiom : plan_.axioms)
      if (axiom.effect == cat::Axiom::Effect::required) core.axioms.push_back(axiom.name);
    core.definitions = without_ancestors(kept);
    if (options_.rule_set->justified) core.rules = options_.rule_set->name;
    if (!core.axioms.empty() || !core.rules.empty()) return core;
    core.order = impossible_order();
    if (core.order.empty()) core.kind = Core::Kind::values;
    return core;
  }

  cat::Plan left() { return std::move(plan_); }

 private:
  bool forbidden(const cat::Plan& plan) const {
    return oracle::Oracle(test_, plan, options_).allows(proposition_) == Answer::forbidden;
  }

  void leave_out_rules() {
    const auto rules = std::exchange(options_.rule_set, oracle::rule_set_named("none"));
    if (!forbidden(plan_)) options_.rule_set = rules;
  }

  void leave_out_axioms() {
    for (std::size_t i = plan_.axioms.size(); i-- > 0;) {
      if (plan_.axioms[i].effect != cat::Axiom::Effect::required) continue;
      cat::Plan fewer = without_axiom(plan_, i);
      if (forbidden(fewer)) plan_ = std::move(fewer);
    }
  }

  /// The last of the model's choices that has to go; empty: with none left it is still forbidden.
  std::string impossible_order() const {
    for (std::size_t choice = plan_.choices.size(); choice-- > 0;)
      if (!forbidden(before_choice(plan_, choice))) return plan_.choices[choice].name;
    return "";
  }

  /// The definitions that are needed.
  std::vector<cat::Shown> leave_out_definitions() {
    std::vector<cat::Shown> kept;
    std::set<NodeId> seen;
    for (std::size_t i = model_.names.size(); i-- > 0;) {
      const auto& name = model_.names[i];
      if (!can_be_emptied(plan_, name.node) || !seen.insert(name.node).second) continue;
      cat::Plan fewer = without_definition(plan_, name.node);
      if (forbidden(fewer))
        plan_ = std::move(fewer);
      else
        kept.push_back(name);
    }
    return kept;
  }

  std::vector<std::string> without_ancestors(const std::vector<cat::Shown>& kept) const {
    std::set<NodeId> nodes;
    for (const auto& name : kept) nodes.insert(name.node);
    std::set<std::string> names;
    for (const auto& name : kept)
      if (!builds_on(name.node, nodes)) names.insert(name.name);
    return {names.begin(), names.end()};
  }

  bool builds_on(NodeId top, const std::set<NodeId>& others) const {
    std::set<NodeId> seen{top};
    std::vector<NodeId> open{top};
    while (!open.empty()) {
      const auto& node = model_.nodes[open.back()];
      open.pop_back();
      for (const NodeId operand : cat::operands_of(node)) {
        if (others.contains(operand)) return true;
        if (seen.insert(operand).second) open.push_back(operand);
      }
    }
    return false;
  }

  const litmus::Test& test_;
  const cat::Plan& model_;
  const litmus::Proposition& proposition_;
  oracle::Options options_;
  cat::Plan plan_; // what is left of the model
};

} // namespace

Core core_of(const litmus::Test& test, const cat::Plan& model,
             const litmus::Proposition& proposition, const oracle::Options& options) {
  return reduced_core(test, model, proposition, options).core;
}

Reduced reduced_core(const litmus::Test& test, const cat::Plan& model,
                     const litmus::Proposition& proposition, const oracle::Options& options) {
  const oracle::Watched watch(options.limits);
  oracle::Options with = options;
  with.limits.watch = watch.get();
  CoreSearch search(test, model, proposition, with);
  auto core = search.run();
  if (watch->stopped()) return {Core{}, model}; // what was not asked any more may be needed or not
  return {std::move(core), search.left()};
}

} // namespace thinair::explain
