// Draws an execution for each final state: any that the axioms allow, of states that the rules of
// causality allow, too.
#include "oracle/explain/examples.h"

#include "oracle/executions/enumerate.h"

#include <algorithm>
#include <set>

namespace thinair::explain {
namespace {

constexpr std::uint64_t bytes_a_node = 500; // of memory

/// Of the axioms alone.
Examples of_axioms(const litmus::Test& test, const cat::Plan& model, const oracle::Limits& limits) {
  std::vector<std::pair<litmus::Behaviour, Drawing>> found;
  std::set<litmus::Behaviour> seen;
  executions::Options chosen;
  chosen.limits = limits;
  const auto plan = also_showing(model, {"co", "fr"});
  const auto result = executions::witnesses(
      test, plan, chosen,
      [&](std::span<const litmus::Value> values, const executions::Witness& witness) {
        litmus::Behaviour behaviour(values.begin(), values.end());
        if (!seen.insert(behaviour).second) return;
        const auto n = witness.skeleton().size();
        limits.watch->demand(steps_a_node * (1 + n));
        limits.watch->demand_memory(bytes_a_node * (1 + n));
        found.emplace_back(std::move(behaviour), draw(test, witness, plan, ""));
      });
  Examples out;
  for (auto& [behaviour, drawing] : found)
    out.all.push_back({litmus::to_string(test, result.observables, behaviour), std::move(drawing)});
  std::ranges::sort(out.all, {}, &Examples::One::state);
  out.open = result.reason;
  return out;
}

Examples of_justified(const litmus::Test& test, const cat::Plan& model, oracle::Oracle& asked,
                      const oracle::Limits& limits) {
  const auto result = asked.behaviours();
  Examples out;
  out.open = result.reason;
  for (const auto& behaviour : result.behaviours) {
    if (!limits.watch->step(steps_a_node)) {
      out.open = limits.watch->reason();
      break;
    }
    auto state = litmus::to_string(test, result.observables, behaviour);
    if (auto drawing = example(test, model, litmus::exactly(result.observables, behaviour), limits))
      out.all.push_back({std::move(state), *std::move(drawing)});
    else
      out.open = "no execution that ends so was found before a limit was reached: " + state;
  }
  return out;
}

} // namespace

litmus::Test filtered(litmus::Test test, const litmus::Proposition& p) {
  std::vector<litmus::Proposition> parts;
  if (test.filter) parts.push_back(*std::move(test.filter));
  parts.push_back(p);
  test.filter = litmus::all_of(std::move(parts));
  return test;
}

std::optional<Drawing> example(const litmus::Test& test, const cat::Plan& model,
                               const litmus::Proposition& proposition,
                               const oracle::Limits& limits) {
  const auto plan = also_showing(model, {"co", "fr"});
  executions::Options with;
  with.limits = limits;
  std::optional<Drawing> drawing;
  executions::witnesses(filtered(test, proposition), plan, with,
                        [&](std::span<const litmus::Value>, const executions::Witness& w) {
                          if (!drawing) drawing = draw(test, w, plan, test.name);
                        });
  return drawing;
}

Examples examples(const litmus::Test& test, const cat::Plan& model,
                  const oracle::Options& options) {
  const oracle::Watched watch(options.limits);
  auto with = options;
  with.limits.watch = watch.get();
  oracle::Oracle asked(test, model, with);
  auto out = asked.rules().justified ? of_justified(test, model, asked, with.limits)
                                     : of_axioms(test, model, with.limits);
  for (auto& one : out.all) one.drawing.title = test.name + ": " + one.state;
  return out;
}

} // namespace thinair::explain
