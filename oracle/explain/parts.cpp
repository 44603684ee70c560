// Leaves parts of a model out.
#include "oracle/explain/parts.h"

#include <algorithm>

namespace thinair::explain {
namespace {

using cat::Op;

/// A basic relation by another name, or the other way round: `let invrf = rf^-1`.
bool is_basic(const cat::Plan& plan, const cat::Node& node) {
  return node.op == Op::input || (node.op == Op::inverse && plan.nodes[node.a].op == Op::input);
}

} // namespace

std::string_view name(ModelPart::Kind kind) {
  switch (kind) {
  case ModelPart::Kind::definition: return "definition";
  case ModelPart::Kind::axiom: return "axiom";
  case ModelPart::Kind::rules: break;
  }
  return "rules of causality";
}

bool can_be_emptied(const cat::Plan& plan, cat::NodeId id) {
  const auto& node = plan.nodes[id];
  return node.type == graph::Type::relation && node.fixpoint < 0 && node.op != Op::variable &&
         node.op != Op::choice && !is_basic(plan, node);
}

cat::Plan without_definition(const cat::Plan& plan, cat::NodeId node) {
  cat::Plan fewer = plan;
  fewer.nodes[node].op = Op::empty;
  return fewer;
}

cat::Plan without_axiom(const cat::Plan& plan, std::size_t axiom) {
  cat::Plan fewer = plan;
  fewer.axioms.erase(fewer.axioms.begin() + static_cast<std::ptrdiff_t>(axiom));
  return fewer;
}

cat::Plan without(const cat::Plan& plan, const ModelPart& part) {
  if (part.kind == ModelPart::Kind::definition) {
    const auto found = std::ranges::find(plan.names, part.name, &cat::Shown::name);
    if (found != plan.names.end() && can_be_emptied(plan, found->node))
      return without_definition(plan, found->node);
  } else if (part.kind == ModelPart::Kind::axiom) {
    const auto found = std::ranges::find(plan.axioms, part.name, &cat::Axiom::name);
    if (found != plan.axioms.end())
      return without_axiom(plan, static_cast<std::size_t>(found - plan.axioms.begin()));
  }
  return plan;
}

} // namespace thinair::explain
