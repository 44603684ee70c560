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

} // namespace

cat::Plan well_behaved(const cat::Plan& model) {
  const auto hb = shown(model, "hb");
  cat::Plan plan = model;
  const auto rf = add(plan, {.op = cat::Op::input, .input = graph::Input::rf});
  cat::Axiom none;
  none.kind = cat::Axiom::Kind::empty;
  none.node = add(plan, {.op = cat::Op::subtract, .a = rf, .b = hb});
  none.name = "well-behaved";
  plan.axioms.push_back(std::move(none));
  return plan;
}

} // namespace thinair::causality
