// A compiled model and a few more nodes.
#include "oracle/causality/well_behaved.h"

#include "litmus/text/error.h"
#include "oracle/cat/node_graph.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace thinair::causality {
namespace {

cat::NodeId shown(const cat::Plan& model, const char* name) {
  const auto at = std::ranges::find(model.shows, name, &cat::Shown::name);
  THINAIR_CHECK(at != model.shows.end(), "a model that does not show what causality needs");
  return at->node;
}

cat::NodeId add(cat::Plan& plan, const cat::Node& node) {
  plan.nodes.push_back(node);
  return static_cast<cat::NodeId>(plan.nodes.size() - 1);
}

/// Reads see what is within `allowed`, a node of the plan.
void confine(cat::Plan& plan, cat::NodeId allowed) {
  const auto rf = add(plan, {.op = cat::Op::input, .input = graph::Input::rf});
  cat::Axiom none;
  none.kind = cat::Axiom::Kind::empty;
  none.node = add(plan, {.op = cat::Op::subtract, .a = rf, .b = allowed});
  none.name = "well-behaved";
  plan.axioms.push_back(std::move(none));
}

/// The nodes that axioms, choices and what is shown need, by what they need themselves.
std::vector<char> used_nodes(const cat::Plan& plan) {
  std::vector<char> used(plan.nodes.size(), 0);
  std::vector<cat::NodeId> open;
  const auto use = [&](cat::NodeId node) {
    if (std::exchange(used[node], char{1}) == 0) open.push_back(node);
  };
  for (const auto& axiom : plan.axioms) use(axiom.node);
  for (const auto& shown : plan.shows) use(shown.node);
  while (!open.empty()) {
    const cat::Node node = plan.nodes[open.back()];
    open.pop_back();
    for (const auto operand : cat::operands_of(node)) use(operand);
    if (node.op == cat::Op::variable)
      for (const auto body : plan.fixpoints[node.a].bodies) use(body);
    if (node.op == cat::Op::interpreted)
      for (const auto operand : plan.interpreted[node.a].operands) use(operand);
    if (node.op != cat::Op::choice) continue;
    const auto& choice = plan.choices[node.a];
    if (choice.kind == cat::Choice::Kind::interpreted) {
      for (const auto operand : plan.interpreted[choice.interpreted].operands) use(operand);
    } else {
      use(choice.set);
      use(choice.order);
    }
  }
  return used;
}

/// Takes away choices that nothing depends on, and what only they, or nobody, needed. Plans with
/// fixpoints keep their nodes: they are worked out in groups.
void drop_unused(cat::Plan& plan) {
  if (!plan.fixpoints.empty()) return;
  const auto used = used_nodes(plan);
  std::vector<cat::Choice> choices;
  std::vector<std::uint32_t> now(plan.choices.size(), 0);
  for (std::size_t c = 0; c < plan.choices.size(); ++c) {
    now[c] = static_cast<std::uint32_t>(choices.size());
    if (used[plan.choices[c].node] != 0) choices.push_back(plan.choices[c]);
  }
  plan.choices = std::move(choices);
  plan.orders_memory = false;
  for (cat::NodeId id = 0; id < plan.nodes.size(); ++id) {
    auto& node = plan.nodes[id];
    if (used[id] == 0) node = {.op = cat::Op::empty, .type = node.type};
    if (node.op == cat::Op::choice) node.a = now[node.a];
    plan.orders_memory = plan.orders_memory ||
                         (node.op == cat::Op::input && node.input == graph::Input::final_writes);
  }
}

} // namespace

cat::Plan well_behaved(const cat::Plan& model) {
  cat::Plan plan = model;
  confine(plan, shown(model, "hb"));
  return plan;
}

cat::Plan well_behaved_but_granted(const cat::Plan& model) {
  cat::Plan plan = model;
  const auto granted = add(plan, {.op = cat::Op::input, .input = graph::Input::granted});
  confine(plan, add(plan, {.op = cat::Op::unite, .a = shown(model, "hb"), .b = granted}));
  return plan;
}

cat::Plan in_order(const cat::Plan& model) {
  cat::Plan plan = model;
  const auto unite = [&](cat::NodeId a, cat::NodeId b) {
    return add(plan, {.op = cat::Op::unite, .a = a, .b = b});
  };
  const auto po = add(plan, {.op = cat::Op::input, .input = graph::Input::po});
  const auto rf = add(plan, {.op = cat::Op::input, .input = graph::Input::rf});
  const auto id = add(plan, {.op = cat::Op::input, .input = graph::Input::id});
  const auto hb = shown(model, "hb");
  const auto strict = add(plan, {.op = cat::Op::subtract, .a = hb, .b = id});
  cat::Axiom none;
  none.kind = cat::Axiom::Kind::acyclic;
  none.node = unite(unite(po, rf), strict);
  none.name = "in-order";
  plan.axioms.push_back(std::move(none));
  return plan;
}

bool asks_less_of_stages(const cat::Plan& model) {
  return !std::ranges::all_of(model.axioms, &cat::Axiom::of_stages);
}

cat::Plan of_stages(const cat::Plan& model) {
  cat::Plan plan = model;
  std::erase_if(plan.axioms, [](const cat::Axiom& axiom) { return !axiom.of_stages; });
  std::erase_if(plan.shows, [](const cat::Shown& shown) {
    return shown.name != "so" && shown.name != "sw" && shown.name != "hb";
  });
  drop_unused(plan);
  return plan;
}

} // namespace thinair::causality
