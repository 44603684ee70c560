// Drops axioms until the behaviour is there, and looks at what then fails.
#include "oracle/explain/refusal.h"

#include "litmus/text/error.h"
#include "litmus/text/wrap.h"
#include "oracle/executions/observe.h"
#include "oracle/explain/changes.h"
#include "oracle/explain/examples.h"
#include "oracle/explain/stages.h"
#include "oracle/explain/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

namespace thinair::explain {
namespace {

using cat::Axiom;
using executions::Witness;
using litmus::Proposition;
using oracle::Answer;

constexpr std::string_view order_word = "order"; // Broken::what
constexpr int deepest_derivation = 5;
constexpr std::size_t most_executions = 200; // to choose the one that is shown from
constexpr std::uint64_t most_candidates = 20'000;

std::string_view word(Axiom::Kind kind) {
  switch (kind) {
  case Axiom::Kind::acyclic: return "acyclic";
  case Axiom::Kind::irreflexive: return "irreflexive";
  case Axiom::Kind::empty: return "empty";
  }
  return "";
}

cat::Plan without(const cat::Plan& model, const std::vector<std::size_t>& dropped) {
  cat::Plan plan = model;
  for (auto i = dropped.size(); i-- > 0;)
    plan.axioms.erase(plan.axioms.begin() + static_cast<std::ptrdiff_t>(dropped[i]));
  return plan;
}

Derivation derive(const Values& values, const Step& step, int depth) {
  Derivation out{step, {}};
  if (depth == 0) return out;
  auto parts = values.behind(step);
  const bool renamed = parts.size() == 1 && parts[0].relation == step.relation;
  if (renamed) return out;
  for (const auto& part : parts) out.parts.push_back(derive(values, part, depth - 1));
  return out;
}

void add_steps(const Values& values, cat::NodeId node, EventId from, EventId to, Broken& broken) {
  for (const auto& step : values.steps(node, from, to))
    broken.cycle.push_back(derive(values, step, deepest_derivation));
}

/// Absent: the axiom holds.
std::optional<Broken> failure(const Axiom& axiom, const cat::Plan& plan, const Values& values) {
  Broken broken{axiom.name, axiom.source, std::string(word(axiom.kind)), {}, {}};
  if (axiom.negated) {
    broken.what = "not " + broken.what;
    return broken;
  }
  if (plan.nodes[axiom.node].type == graph::Type::set) {
    for (EventId event = 0; event < values.events(); ++event)
      if (values.contains(axiom.node, event)) broken.members.push_back(event);
    return broken.members.empty() ? std::nullopt : std::optional(broken);
  }
  if (axiom.kind == Axiom::Kind::acyclic) {
    const auto cycle = values.cycle(axiom.node);
    if (!cycle) return std::nullopt;
    for (std::size_t i = 0; i + 1 < cycle->size(); ++i)
      add_steps(values, axiom.node, (*cycle)[i], (*cycle)[i + 1], broken);
    return broken;
  }
  for (EventId from = 0; from < values.events(); ++from) {
    for (EventId to = 0; to < values.events(); ++to) {
      if (axiom.kind == Axiom::Kind::irreflexive && from != to) continue;
      if (!values.has(axiom.node, from, to)) continue;
      add_steps(values, axiom.node, from, to, broken);
      return broken;
    }
  }
  return std::nullopt;
}

/// Where no order that the model may choose exists.
Broken no_order(const cat::Choice& choice, const Values& values) {
  Broken broken{choice.name, "", std::string(order_word), {}, {}};
  if (choice.kind == cat::Choice::Kind::interpreted) return broken;
  const auto cycle = values.cycle(choice.order, choice.set);
  THINAIR_CHECK(cycle.has_value(), "an order that is there after all");
  for (std::size_t i = 0; i + 1 < cycle->size(); ++i)
    add_steps(values, choice.order, (*cycle)[i], (*cycle)[i + 1], broken);
  return broken;
}

void add_edge(Drawing& drawing, const Step& step, Drawing::Role role) {
  const EventId from = step.reversed ? step.to : step.from,
                to = step.reversed ? step.from : step.to;
  for (auto& edge : drawing.edges)
    if (edge.from == from && edge.to == to && edge.relation == step.relation) {
      edge.role = std::max(edge.role, role);
      return;
    }
  drawing.edges.push_back({from, to, step.relation, role});
}

void add_support(Drawing& drawing, const Derivation& derivation) {
  for (const auto& part : derivation.parts) {
    if (part.parts.empty()) add_edge(drawing, part.step, Drawing::Role::support);
    add_support(drawing, part);
  }
}

void mark(Drawing& drawing, const std::vector<Broken>& broken) {
  for (const auto& axiom : broken) {
    for (const auto member : axiom.members) drawing.nodes[member].mark = Drawing::Mark::reason;
    for (const auto& derivation : axiom.cycle) {
      add_edge(drawing, derivation.step, Drawing::Role::reason);
      add_support(drawing, derivation);
      drawing.nodes[derivation.step.from].mark = Drawing::Mark::reason;
      drawing.nodes[derivation.step.to].mark = Drawing::Mark::reason;
    }
  }
}

std::size_t size(const std::vector<Derivation>& derivations) {
  std::size_t sum = derivations.size();
  for (const auto& derivation : derivations) sum += size(derivation.parts);
  return sum;
}

/// Of what is said of the axioms that fail.
std::size_t size(const std::vector<Broken>& broken) {
  std::size_t sum = 0;
  for (const auto& axiom : broken) sum += 1 + axiom.members.size() + size(axiom.cycle);
  return sum;
}

/// Axioms that some executions with the behaviour may violate together.
std::vector<std::size_t> required_axioms(const cat::Plan& model) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < model.axioms.size(); ++i)
    if (model.axioms[i].effect == Axiom::Effect::required) out.push_back(i);
  return out;
}

class RefusalSearch {
 public:
  RefusalSearch(const litmus::Test& test, const cat::Plan& model, const Proposition& p,
                const oracle::Options& options)
      : test_(test), model_(model), proposition_(p), options_(options) {
    limits_.limits = options.limits;
  }

  Refusal run() {
    auto refusal = found();
    if (!watch().stopped()) return refusal;
    refusal_ = {}; // what was not asked any more may be a reason, too
    return limit({Answer::unknown, watch().reason()});
  }

 private:
  Watch& watch() const { return *limits_.limits.watch; }

  Refusal found() {
    const auto allowed = possible({});
    if (allowed == Answer::allowed) return beyond_axioms();
    if (allowed == Answer::unknown) return limit(allowed);
    const auto all = required_axioms(model_);
    const auto without_any = possible(all);
    if (without_any == Answer::forbidden) return beyond_choices();
    if (without_any == Answer::unknown) return limit(without_any);
    refusal_.kind = Refusal::Kind::axioms;
    show(smallest(all));
    return std::move(refusal_);
  }

  Answer possible(const std::vector<std::size_t>& dropped) const {
    return executions::exists(test_, without(model_, dropped), proposition_, limits_);
  }

  Refusal limit(const Answer& unknown) {
    refusal_.kind = Refusal::Kind::unknown;
    refusal_.reason = unknown.because;
    return std::move(refusal_);
  }

  /// One axiom where one is enough; else all but those that need not be dropped.
  std::vector<std::size_t> smallest(const std::vector<std::size_t>& all) {
    std::vector<std::size_t> single;
    for (const auto axiom : all)
      if (possible({axiom}) == Answer::allowed) single.push_back(axiom);
    for (const auto axiom : single) refusal_.decisive.push_back(model_.axioms[axiom].name);
    if (!single.empty()) return {single.front()};
    auto dropped = all;
    for (const auto axiom : all) {
      auto fewer = dropped;
      std::erase(fewer, axiom);
      if (possible(fewer) == Answer::allowed) dropped = std::move(fewer);
    }
    return dropped;
  }

  /// No axiom is needed to forbid it: the last choice that has to go does, or the values do.
  Refusal beyond_choices() {
    refusal_.kind = Refusal::Kind::no_candidate;
    for (std::size_t choice = model_.choices.size(); choice-- > 0;) {
      const auto plan = before_choice(model_, choice);
      const auto found = executions::exists(test_, plan, proposition_, limits_);
      if (found == Answer::unknown) return limit(found);
      if (found == Answer::forbidden) continue;
      refusal_.kind = Refusal::Kind::axioms;
      show(showing_everything(plan), [&](const Values& values) {
        return std::vector{no_order(model_.choices[choice], values)};
      });
      break;
    }
    return std::move(refusal_);
  }

  void show(const std::vector<std::size_t>& dropped) {
    const auto plan = showing_everything(without(model_, dropped));
    show(plan, [&](const Values& values) {
      std::vector<Broken> broken;
      for (const auto axiom : dropped)
        if (auto failed = failure(model_.axioms[axiom], plan, values))
          broken.push_back(*std::move(failed));
      return broken;
    });
  }

  /// Of the executions with the behaviour the one that is hardest to refute: some are plain absurd
  /// (an initial write that comes last), and say little about the behaviour.
  void show(const cat::Plan& plan, const std::function<std::vector<Broken>(const Values&)>& judge) {
    const auto test = filtered(test_, proposition_);
    std::size_t looked_at = 0, best = 0;
    const auto look = [&](std::span<const litmus::Value>, const Witness& w) {
      if (++looked_at > most_executions) return;
      watch().demand(w.skeleton().size() * plan.nodes.size());
      auto broken = judge(Values(plan, w));
      const auto found = size(broken);
      if (refusal_.drawing && found <= best) return;
      best = found;
      refusal_.broken = std::move(broken);
      refusal_.drawing = draw_base(test_, w, "an execution that " + model_.name + " forbids");
    };
    auto every = limits_;
    every.depth = executions::Depth::executions;
    every.limits.candidates = std::min<std::uint64_t>(every.limits.candidates, most_candidates);
    executions::witnesses(test, plan, every, look);
    if (!refusal_.drawing) {
      looked_at = 0;
      executions::witnesses(test, plan, limits_, look);
    }
    if (refusal_.drawing) mark(*refusal_.drawing, refusal_.broken);
  }

  /// The axioms allow it: is it the rules of causality, and which?
  Refusal beyond_axioms() {
    const auto set = oracle::rules_for(model_, options_);
    const auto answer = set.justified ? justified(set) : Answer(Answer::allowed);
    if (answer == Answer::unknown) return limit(answer);
    if (answer == Answer::allowed) {
      refusal_.kind = Refusal::Kind::none;
      return std::move(refusal_);
    }
    refusal_.kind = Refusal::Kind::causality;
    for (const auto& rule : causality::rules()) {
      if (!set.rules.has(rule.rule)) continue;
      auto fewer = set;
      fewer.rules = set.rules.without(rule.rule);
      if (justified(fewer) == oracle::Answer::allowed)
        refusal_.decisive.push_back(fmt::format("{} ({})", rule.name, rule.source));
    }
    refusal_.obstacle = obstacle_of(test_, model_, proposition_, options_);
    refusal_.drawing = refusal_.obstacle
                           ? draw(refusal_.obstacle->target,
                                  "an execution that no commits lead to; what can be committed is "
                                  "marked")
                           : example(test_, model_, proposition_, options_.limits);
    return std::move(refusal_);
  }

  Answer justified(const causality::RuleSet& rules) const {
    auto with = options_;
    with.rule_set = rules;
    return oracle::Oracle(test_, model_, with).allows(proposition_);
  }

  const litmus::Test& test_;
  const cat::Plan& model_;
  const Proposition& proposition_;
  const oracle::Options& options_;
  executions::Options limits_;
  Refusal refusal_;
};

void add_names(const std::vector<Derivation>& derivations, std::set<std::string>& out) {
  for (const auto& each : derivations) {
    out.insert(each.step.relation);
    add_names(each.parts, out);
  }
}

/// The definitions that a refusal names and the model says something of, in the model's order.
std::vector<cat::Named> glosses_of(const Refusal& refusal, const cat::Plan& model) {
  std::set<std::string> named;
  for (const auto& broken : refusal.broken) add_names(broken.cycle, named);
  std::vector<cat::Named> out;
  for (const auto& each : model.names)
    if (!each.gloss.empty() && named.contains(each.name)) out.push_back(each);
  return out;
}

std::string text_of(const Step& step) {
  return fmt::format("{} {}{} {}", event_name(step.from), step.relation, step.reversed ? "^-1" : "",
                     event_name(step.to));
}

void describe(const Derivation& derivation, int depth, std::string& out) {
  out += fmt::format("{:{}}{}\n", "", 2 * depth, text_of(derivation.step));
  for (const auto& part : derivation.parts) describe(part, depth + 1, out);
}

std::string text_of(const Broken& broken) {
  std::string source = broken.source;
  while (source.ends_with('.')) source.pop_back();
  std::string out;
  if (broken.what == order_word)
    out = fmt::format("no order `{}` is possible{}", broken.axiom,
                      broken.cycle.empty() ? "" : ", since what it must contain goes around");
  else
    out = fmt::format("axiom {} ({}{}) fails", broken.axiom, broken.what,
                      source.empty() ? "" : ": " + source);
  for (const auto member : broken.members) out += " " + event_name(member);
  out += broken.cycle.empty() && broken.members.empty() ? "\n" : ":\n";
  for (const auto& derivation : broken.cycle) describe(derivation, 1, out);
  return out;
}

/// What the definitions mean that were named, as the model's comments have it.
std::string text_of(const std::vector<cat::Named>& glosses, std::size_t width) {
  std::string out;
  for (const auto& each : glosses) {
    const auto name = fmt::format("  {}:", each.name);
    out += name + text::wrapped(each.gloss, 4, name.size(), width) + "\n";
  }
  return out.empty() ? out : "where\n" + out;
}

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

Told told(const Refusal& refusal, std::size_t width) {
  Told out;
  switch (refusal.kind) {
  case Refusal::Kind::none: return {"allowed\n", ""};
  case Refusal::Kind::unknown: return {refusal.reason.text + "\n", ""};
  case Refusal::Kind::no_candidate:
    return {"no execution ends so, whatever reads return: the values rule it out\n", ""};
  case Refusal::Kind::axioms:
    if (refusal.decisive.size() > 1)
      out.words +=
          "any one of these axioms dropped would allow it: " + listed(refusal.decisive) + "\n";
    out.words += story_of(refusal, width);
    for (const auto& broken : refusal.broken) out.terms += text_of(broken);
    out.terms += text_of(refusal.glosses, width);
    return out;
  case Refusal::Kind::causality:
    out.words = "the axioms allow it, but no sequence of commits justifies it\n";
    if (refusal.obstacle) out.words += as_text(*refusal.obstacle, width);
    if (!refusal.decisive.empty())
      out.words += text::wrapped("any one of these rules dropped would allow it: " +
                                     listed(refusal.decisive),
                                 2, 2, width) +
                   "\n";
    return out;
  }
  return out;
}

std::string as_text(const Refusal& refusal) {
  const auto both = told(refusal, text::page_width);
  return both.words + both.terms;
}

Refusal why_not(const litmus::Test& test, const cat::Plan& model, const Proposition& proposition,
                const oracle::Options& options) {
  const oracle::Watched watch(options.limits);
  oracle::Options with = options;
  with.limits.watch = watch.get();
  const auto& named =
      test.is_java() ? numbered(test) : test; // so that events find their statements
  auto refusal = RefusalSearch(named, model, proposition, with).run();
  refusal.glosses = glosses_of(refusal, model);
  return refusal;
}

} // namespace thinair::explain
