// A compiled model and three more nodes.
#include "oracle/causality/well_behaved.h"

#include "litmus/text/error.h"

#include <algorithm>

namespace thinair::causality {

cat::Plan well_behaved(const cat::Plan& model) {
  const auto hb = std::ranges::find(model.shows, "hb", &cat::Shown::name);
  THINAIR_CHECK(hb != model.shows.end(), "a model without happens-before");
  cat::Plan plan = model;
  const auto add = [&plan](const cat::Node& node) {
    plan.nodes.push_back(node);
    return static_cast<cat::NodeId>(plan.nodes.size() - 1);
  };
  const auto rf = add({.op = cat::Op::input, .input = graph::Input::rf});
  const auto races = add({.op = cat::Op::subtract, .a = rf, .b = hb->node});
  cat::Axiom none;
  none.kind = cat::Axiom::Kind::empty;
  none.node = races;
  none.name = "well-behaved";
  plan.axioms.push_back(std::move(none));
  return plan;
}

} // namespace thinair::causality
