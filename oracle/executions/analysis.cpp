// Dependencies and directions by propagation through the plan's nodes.
#include "oracle/executions/analysis.h"

#include "litmus/text/error.h"
#include "oracle/cat/node_graph.h"

#include <algorithm>

namespace thinair::executions {
namespace {

using cat::NodeId;
using cat::Op;
using graph::Input;

class Annotate {
 public:
  Annotate(const cat::Plan& plan, std::vector<Wire>& wires) : plan_(plan), wires_(wires) {}

  /// Operands come before who reads them, but for the variables of fixpoints.
  void run() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (NodeId w = 0; w < wires_.size(); ++w) changed |= annotate(w);
      changed = changed && !plan_.fixpoints.empty();
    }
  }

 private:
  struct Directions {
    Deps deps = 0, rising = d_all, falling = d_all;
  };

  Directions of(NodeId w) const { return {wires_[w].deps, wires_[w].rising, falling_[w]}; }
  static Directions both(const Directions& a, const Directions& b) {
    return {a.deps | b.deps, a.rising & b.rising, a.falling & b.falling};
  }
  static Directions decided(Deps bit) { return {bit, d_all, ~bit}; }
  static Directions flipped(const Directions& a) { return {a.deps, a.falling, a.rising}; }

  Directions directions(NodeId w) const;
  bool annotate(NodeId w);

  const cat::Plan& plan_;
  std::vector<Wire>& wires_;
  std::vector<Deps> falling_ = std::vector<Deps>(wires_.size(), d_all);
};

Annotate::Directions Annotate::directions(NodeId w) const {
  const auto& node = wires_[w];
  switch (node.op) {
  case Op::input:
    if (node.input == Input::rf) return decided(d_rf);
    return node.input == Input::final_writes ? decided(d_final) : Directions{};
  case Op::empty: return {};
  case Op::unite:
  case Op::intersect:
  case Op::compose:
  case Op::restrict_domain:
  case Op::restrict_range: return both(of(node.a), of(node.b));
  case Op::product: return node.final_product ? decided(d_final) : both(of(node.a), of(node.b));
  case Op::subtract: return both(of(node.a), flipped(of(node.b)));
  case Op::complement: return flipped(of(node.a));
  case Op::inverse:
  case Op::plus:
  case Op::star:
  case Op::optional_:
  case Op::identity_on:
  case Op::domain:
  case Op::range: return of(node.a);
  case Op::choice: return decided(d_choice(node.a));
  case Op::variable: {
    const auto& group = plan_.fixpoints[node.a];
    const auto at = std::ranges::find(group.variables, w) - group.variables.begin();
    return of(group.bodies[static_cast<std::size_t>(at)]);
  }
  case Op::interpreted: {
    Directions all;
    for (const auto operand : plan_.interpreted[node.a].operands) all = both(all, of(operand));
    return {all.deps, ~all.deps, ~all.deps};
  }
  }
  return {};
}

bool Annotate::annotate(NodeId w) {
  const auto now = directions(w);
  auto& wire = wires_[w];
  const bool changed =
      now.deps != wire.deps || now.rising != wire.rising || now.falling != falling_[w];
  wire.deps = now.deps;
  wire.rising = now.rising;
  falling_[w] = now.falling;
  return changed;
}

bool is_input(const Wire& wire, Input input) { return wire.op == Op::input && wire.input == input; }

/// Nodes that are operands of nothing but intersections with `loc`, directly or through unions.
std::vector<char> only_on_one_location(const cat::Plan& plan, const std::vector<Wire>& wires) {
  std::vector<char> local(wires.size(), 1);
  const auto escapes = [&](NodeId w) { local[w] = 0; };
  for (const auto& axiom : plan.axioms) escapes(axiom.node);
  for (const auto& shown : plan.shows) escapes(shown.node);
  for (const auto& choice : plan.choices) escapes(choice.order), escapes(choice.set);
  for (const auto& group : plan.fixpoints)
    for (const auto body : group.bodies) escapes(body);
  for (const auto& i : plan.interpreted)
    for (const auto operand : i.operands) escapes(operand);
  for (auto w = static_cast<NodeId>(wires.size()); w-- > 0;) {
    const auto& user = wires[w];
    if (user.op == Op::input || user.op == Op::empty || user.op == Op::choice ||
        user.op == Op::variable || user.op == Op::interpreted)
      continue;
    const bool keeps = user.op == Op::unite && local[w];
    const auto with_loc = [&](NodeId other) {
      return user.op == Op::intersect && is_input(wires[other], Input::loc);
    };
    if (!keeps && !with_loc(user.b)) escapes(user.a);
    if (!keeps && !with_loc(user.a)) escapes(user.b);
  }
  return local;
}

void mark_final_products(const cat::Plan& plan, std::vector<Wire>& wires) {
  const auto local = only_on_one_location(plan, wires);
  for (NodeId w = 0; w < wires.size(); ++w) {
    auto& product = wires[w];
    if (product.op != Op::product || !local[w]) continue;
    if (!is_input(wires[product.b], Input::final_writes)) continue;
    const auto& left = wires[product.a];
    product.final_product = left.op == Op::subtract &&
                            is_input(wires[left.b], Input::final_writes) &&
                            wires[left.a].op == Op::input && wires[left.a].input != Input::rf &&
                            wires[left.a].input != Input::final_writes;
  }
}

bool is_empty(const std::vector<Wire>& wires, NodeId w) { return wires[w].op == Op::empty; }

/// Whether the value is empty as an operand is.
bool becomes_empty(const std::vector<Wire>& wires, const Wire& wire) {
  switch (wire.op) {
  case Op::intersect:
  case Op::compose:
  case Op::product:
  case Op::restrict_domain:
  case Op::restrict_range: return is_empty(wires, wire.a) || is_empty(wires, wire.b);
  case Op::unite: return is_empty(wires, wire.a) && is_empty(wires, wire.b);
  case Op::subtract:
  case Op::inverse:
  case Op::plus:
  case Op::identity_on:
  case Op::domain:
  case Op::range: return is_empty(wires, wire.a);
  case Op::input:
  case Op::empty:
  case Op::complement:
  case Op::star:
  case Op::optional_:
  case Op::choice:
  case Op::variable:
  case Op::interpreted: break;
  }
  return false;
}

/// What nothing reads any more is empty as well.
void drop_unread(const cat::Plan& plan, std::vector<Wire>& wires) {
  std::vector<char> read(wires.size(), 0);
  for (const auto& axiom : plan.axioms) read[axiom.node] = 1;
  for (const auto& shown : plan.shows) read[shown.node] = 1;
  for (const auto& choice : plan.choices)
    if (choice.kind != cat::Choice::Kind::interpreted) read[choice.set] = read[choice.order] = 1;
  for (const auto& routine : plan.interpreted)
    for (const auto operand : routine.operands) read[operand] = 1;
  for (auto w = static_cast<NodeId>(wires.size()); w-- > 0;) {
    auto& wire = wires[w];
    if (read[w] == 0 && wire.op != Op::choice) wire.op = Op::empty;
    if (wire.op == Op::empty) continue;
    for (const auto operand : cat::operands_of(plan.nodes[w])) read[operand] = 1;
  }
}

/// Plans with fixpoints keep their nodes: they are worked out in groups.
void drop_absent(const cat::Plan& plan, std::span<const Input> absent, std::vector<Wire>& wires) {
  if (absent.empty() || !plan.fixpoints.empty()) return;
  bool any = false;
  for (auto& wire : wires) {
    const bool is = wire.op == Op::input && std::ranges::find(absent, wire.input) != absent.end();
    any = any || is;
    if (is || becomes_empty(wires, wire)) wire.op = Op::empty;
  }
  if (any) drop_unread(plan, wires);
}

} // namespace

Analysis::Analysis(const cat::Plan& p, std::span<const Input> absent)
    : plan(p), group(p.nodes.size(), -1) {
  if (plan.choices.size() > max_choices)
    throw Unsupported("a model with more than 24 `with` choices");
  wires.reserve(plan.nodes.size());
  for (const auto& node : plan.nodes) {
    Wire wire;
    wire.op = node.op;
    wire.type = node.type;
    wire.input = node.input;
    wire.a = node.a;
    wire.b = node.b;
    wire.rising = d_all;
    wires.push_back(wire);
  }
  for (const auto& routine : plan.interpreted)
    for (const auto operand : routine.operands)
      THINAIR_CHECK(operand < wires.size(), "a routine reads what the plan does not have");
  for (std::size_t f = 0; f < plan.fixpoints.size(); ++f)
    for (NodeId w = plan.fixpoints[f].first; w < plan.fixpoints[f].last; ++w)
      group[w] = static_cast<std::int32_t>(f);
  drop_absent(plan, absent, wires);
  mark_final_products(plan, wires);
  Annotate(plan, wires).run();
  exact = std::ranges::all_of(wires, &Wire::exact);
}

} // namespace thinair::executions
