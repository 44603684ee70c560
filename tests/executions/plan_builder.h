// Plans written by hand, for tests that must not depend on the .cat compiler.
#pragma once

#include "oracle/cat/plan.h"

#include <string>
#include <utility>
#include <vector>

namespace thinair::cat {

class PlanBuilder {
 public:
  explicit PlanBuilder(Architecture architecture) { plan.architecture = architecture; }

  NodeId input(Input i) {
    const auto id = add(Op::input, graph::type_of(i));
    plan.nodes[id].input = i;
    return id;
  }
  NodeId unite(NodeId a, NodeId b) { return add(Op::unite, type_of(a), a, b); }
  NodeId unite(NodeId a, NodeId b, NodeId c) { return unite(unite(a, b), c); }
  NodeId intersect(NodeId a, NodeId b) { return add(Op::intersect, type_of(a), a, b); }
  NodeId subtract(NodeId a, NodeId b) { return add(Op::subtract, type_of(a), a, b); }
  NodeId complement(NodeId a) { return add(Op::complement, type_of(a), a); }
  NodeId compose(NodeId a, NodeId b) { return add(Op::compose, Type::relation, a, b); }
  NodeId compose(NodeId a, NodeId b, NodeId c) { return compose(compose(a, b), c); }
  NodeId inverse(NodeId a) { return add(Op::inverse, Type::relation, a); }
  NodeId plus(NodeId a) { return add(Op::plus, Type::relation, a); }
  NodeId star(NodeId a) { return add(Op::star, Type::relation, a); }
  NodeId optional(NodeId a) { return add(Op::optional_, Type::relation, a); }
  NodeId product(NodeId a, NodeId b) { return add(Op::product, Type::relation, a, b); }
  NodeId on(NodeId set) { return add(Op::identity_on, Type::relation, set); }
  NodeId from(NodeId set, NodeId r) { return add(Op::restrict_domain, Type::relation, r, set); }
  NodeId to(NodeId r, NodeId set) { return add(Op::restrict_range, Type::relation, r, set); }
  NodeId domain(NodeId a) { return add(Op::domain, Type::set, a); }
  NodeId range(NodeId a) { return add(Op::range, Type::set, a); }

  NodeId choose(Choice::Kind kind, NodeId set, NodeId order) {
    const auto id = add(Op::choice, Type::relation, static_cast<NodeId>(plan.choices.size()));
    plan.choices.push_back({kind, "choice", set, order, id, 0});
    return id;
  }

  /// `let rec x = body(x)`; the variable and what `body` adds form the group.
  template <class Body>
  NodeId recursive(Body&& body) {
    const auto index = static_cast<NodeId>(plan.fixpoints.size());
    plan.fixpoints.emplace_back();
    const auto variable = add(Op::variable, Type::relation, index);
    const auto first = static_cast<NodeId>(plan.nodes.size());
    const auto result = body(variable);
    plan.fixpoints[index] = {{variable}, {result}, first, static_cast<NodeId>(plan.nodes.size())};
    return variable;
  }

  void require(Axiom::Kind kind, NodeId node, std::string name, bool negated = false) {
    Axiom axiom;
    axiom.kind = kind;
    axiom.node = node;
    axiom.name = std::move(name);
    axiom.negated = negated;
    plan.axioms.push_back(std::move(axiom));
  }
  void acyclic(NodeId node, std::string name) {
    require(Axiom::Kind::acyclic, node, std::move(name));
  }

  Plan plan;

 private:
  NodeId add(Op op, Type type, NodeId a = 0, NodeId b = 0) {
    Node node;
    node.op = op;
    node.type = type;
    node.a = a;
    node.b = b;
    plan.nodes.push_back(node);
    return static_cast<NodeId>(plan.nodes.size() - 1);
  }
  Type type_of(NodeId a) const { return plan.nodes[a].type; }
};

} // namespace thinair::cat
