// A compiled model and a few more nodes.
#include "oracle/causality/well_behaved.h"

#include "litmus/text/error.h"

#include <algorithm>

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

cat::Plan step_by_step(const cat::Plan& model) {
  cat::Plan plan = model;
  const auto unite = [&](cat::NodeId a, cat::NodeId b) {
    return add(plan, {.op = cat::Op::unite, .a = a, .b = b});
  };
  const auto po = add(plan, {.op = cat::Op::input, .input = graph::Input::po});
  const auto rf = add(plan, {.op = cat::Op::input, .input = graph::Input::rf});
  const auto id = add(plan, {.op = cat::Op::input, .input = graph::Input::id});
  const auto orders = unite(shown(model, "so"), shown(model, "hb"));
  const auto strict = add(plan, {.op = cat::Op::subtract, .a = orders, .b = id});
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
  return plan;
}

} // namespace thinair::causality
