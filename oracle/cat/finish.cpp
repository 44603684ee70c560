// Liveness, recursion, stages and polarities of a plan.
#include "oracle/cat/finish.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cat {
namespace {

constexpr std::uint32_t unvisited = 0xffffffff;

/// Strongly connected components, dependencies first (Tarjan), without recursion.
class Components {
 public:
  explicit Components(const Session& session) : session_(session), graph_(session.evaluator.graph) {
    number_.assign(graph_.size(), unvisited);
    low_.assign(graph_.size(), 0);
    on_stack_.assign(graph_.size(), false);
  }

  /// Visits what `root` depends on; `emit` receives each component, ids ascending.
  template <class Emit>
  void visit(NodeId root, Emit emit) {
    if (number_[root] != unvisited) return;
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next < frame.edges.size()) {
        const NodeId to = frame.edges[frame.next++];
        if (number_[to] == unvisited)
          enter(to);
        else if (on_stack_[to])
          low_[frame.node] = std::min(low_[frame.node], number_[to]);
        continue;
      }
      leave(emit);
    }
  }

  std::vector<NodeId> edges(NodeId id) const {
    const Node& node = graph_[id];
    const auto operands = operands_of(node);
    std::vector<NodeId> result(operands.begin(), operands.end());
    if (node.op == Op::variable) result.push_back(graph_.bodies()[node.a]);
    if (node.op == Op::interpreted) result = session_.evaluator.interpreted[node.a].operands;
    if (node.op == Op::choice) {
      const Choice& choice = session_.choices[node.a];
      if (choice.kind == Choice::Kind::interpreted)
        return session_.evaluator.interpreted[choice.interpreted].operands;
      result = {choice.set, choice.order};
    }
    return result;
  }

 private:
  struct Frame {
    NodeId node;
    std::vector<NodeId> edges;
    std::size_t next = 0;
  };
  const Session& session_;
  const NodeGraph& graph_;
  std::vector<std::uint32_t> number_, low_;
  std::vector<bool> on_stack_;
  std::vector<NodeId> stack_;
  std::vector<Frame> frames_;
  std::uint32_t count_ = 0;

  void enter(NodeId node) {
    number_[node] = low_[node] = count_++;
    stack_.push_back(node);
    on_stack_[node] = true;
    frames_.push_back({node, edges(node)});
  }

  template <class Emit>
  void leave(Emit& emit) {
    const NodeId node = frames_.back().node;
    frames_.pop_back();
    if (!frames_.empty())
      low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
    if (low_[node] != number_[node]) return;
    std::vector<NodeId> component;
    do {
      component.push_back(stack_.back());
      on_stack_[stack_.back()] = false;
      stack_.pop_back();
    } while (component.back() != node);
    std::ranges::sort(component);
    emit(component);
  }
};

Polarity join(Polarity a, Polarity b) {
  if (a == b || b == Polarity::none) return a;
  return a == Polarity::none ? b : Polarity::mixed;
}

Polarity flip(Polarity p) {
  if (p == Polarity::increasing) return Polarity::decreasing;
  return p == Polarity::decreasing ? Polarity::increasing : p;
}

/// Of what need not follow its operands in any direction.
Polarity blur(Polarity p) { return p == Polarity::none ? p : Polarity::mixed; }

/// Of a choice: a larger order or set leaves a larger choice; a smaller one, anything.
Polarity of_choice(Polarity p) { return p == Polarity::increasing ? p : blur(p); }

class Finisher {
 public:
  Finisher(const Session& session, Architecture architecture)
      : session_(session), graph_(session.evaluator.graph), components_(session) {
    plan_.name = session.title;
    plan_.content = session.content.hex();
    plan_.architecture = architecture;
    plan_.causality = session.causality.empty() ? "none" : session.causality;
    plan_.identity = session.identity;
    plan_.tearing = session.tearing;
    plan_.choices = session.choices;
    plan_.axioms = session.axioms;
    plan_.shows = session.shows;
    map_.assign(graph_.size(), unvisited);
    interpreted_.assign(session.evaluator.interpreted.size(), unvisited);
  }

  Plan run() {
    for (Choice& choice : plan_.choices) {
      choice.node = take(choice.node);
      if (choice.kind != Choice::Kind::interpreted) {
        choice.set = take(choice.set);
        choice.order = take(choice.order);
      }
    }
    for (Axiom& axiom : plan_.axioms) axiom.node = take(axiom.node);
    plan_.judged = static_cast<NodeId>(plan_.nodes.size());
    for (const Named& named : session_.names)
      if (map_[named.node] != unvisited)
        plan_.names.push_back({{named.name, map_[named.node]}, named.gloss});
    for (Shown& shown : plan_.shows) shown.node = take(shown.node);
    for (Axiom& axiom : plan_.axioms) axiom.prunes = prunes(axiom);
    for (NodeId id = 0; id < plan_.judged; ++id)
      plan_.orders_memory |=
          plan_.nodes[id].op == Op::input && plan_.nodes[id].input == Input::final_writes;
    plan_.meaning.known = known_to(plan_, session_.declared);
    if (!session_.declared) plan_.meaning.unnamed = unnamed(plan_);
    return std::move(plan_);
  }

 private:
  const Session& session_;
  const NodeGraph& graph_;
  Components components_;
  Plan plan_;
  std::vector<NodeId> map_; // from the graph's ids to the plan's
  std::vector<std::uint32_t> interpreted_;

  NodeId take(NodeId root) {
    components_.visit(root, [&](const std::vector<NodeId>& component) { emit(component); });
    return map_[root];
  }

  bool prunes(const Axiom& axiom) const {
    const Node& node = plan_.nodes[axiom.node];
    const auto grows = [](Polarity p) { return p == Polarity::none || p == Polarity::increasing; };
    return axiom.effect == Axiom::Effect::required && !axiom.negated && grows(node.in_rf) &&
           grows(node.in_choices) && grows(node.in_final);
  }

  void emit(const std::vector<NodeId>& component) {
    if (component.size() > 1) return emit_fixpoint(component);
    const NodeId id = component.front();
    if (graph_[id].op != Op::variable) {
      emit_node(id, -1);
      return;
    }
    const NodeId body = graph_.bodies()[graph_[id].a];
    map_[id] = body == id ? add({.op = Op::empty, .type = graph_.type(id)}) : map_[body];
  }

  NodeId add(const Node& node) {
    plan_.nodes.push_back(node);
    return static_cast<NodeId>(plan_.nodes.size() - 1);
  }

  void emit_node(NodeId id, std::int32_t fixpoint) {
    Node node = graph_[id];
    const auto operands = operands_of(node);
    if (!operands.empty()) node.a = map_[node.a];
    if (operands.size() > 1) node.b = map_[node.b];
    if (node.op == Op::interpreted) node.a = emit_interpreted(node.a);
    if (node.op == Op::choice) {
      Choice& choice = plan_.choices[node.a];
      if (choice.kind == Choice::Kind::interpreted)
        choice.interpreted = emit_interpreted(choice.interpreted);
    }
    node.fixpoint = fixpoint;
    map_[id] = add(node);
    summarise(id);
  }

  std::uint32_t emit_interpreted(std::uint32_t index) {
    if (interpreted_[index] == unvisited) {
      interpreted_[index] = static_cast<std::uint32_t>(plan_.interpreted.size());
      Interpreted copy = session_.evaluator.interpreted[index];
      for (NodeId& operand : copy.operands) operand = map_[operand];
      plan_.interpreted.push_back(std::move(copy));
    }
    return interpreted_[index];
  }

  /// Stage and polarities from what the node depends on; true when something changed.
  bool summarise(NodeId id) {
    Node& node = plan_.nodes[map_[id]];
    const Node before = node;
    if (node.op == Op::choice) {
      node.stage = Stage::choice;
      node.last_choice = std::max(node.last_choice, node.a + 1);
      node.in_choices = Polarity::increasing;
    } else if (node.op == Op::input) {
      node.in_rf = node.stage == Stage::rf ? Polarity::increasing : Polarity::none;
      node.in_final = node.stage == Stage::final ? Polarity::increasing : Polarity::none;
    } else if (node.op == Op::variable && before.last_choice == 0 && node.in_rf == Polarity::none) {
      node.stage = std::min(node.stage, Stage::choice);
    }
    const bool interpreted_choice =
        node.op == Op::choice && plan_.choices[node.a].kind == Choice::Kind::interpreted;
    const auto edges = components_.edges(id);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (map_[edges[i]] == unvisited) continue; // a later node of the same fixpoint
      const Node operand = plan_.nodes[map_[edges[i]]];
      node.stage = std::max(node.stage, operand.stage);
      node.last_choice = std::max(node.last_choice, operand.last_choice);
      const auto through = [&](Polarity p) {
        if (node.op == Op::interpreted || interpreted_choice) return blur(p);
        if (node.op == Op::choice) return of_choice(p);
        if (node.op == Op::complement || (node.op == Op::subtract && i == 1)) return flip(p);
        return p;
      };
      node.in_rf = join(node.in_rf, through(operand.in_rf));
      node.in_choices = join(node.in_choices, through(operand.in_choices));
      node.in_final = join(node.in_final, through(operand.in_final));
    }
    return node.stage != before.stage || node.last_choice != before.last_choice ||
           node.in_rf != before.in_rf || node.in_choices != before.in_choices ||
           node.in_final != before.in_final;
  }

  void emit_fixpoint(const std::vector<NodeId>& component) {
    check_monotone(component);
    const auto group = static_cast<std::int32_t>(plan_.fixpoints.size());
    Fixpoint fixpoint;
    std::vector<NodeId> variables;
    for (const NodeId id : component) {
      if (graph_[id].op != Op::variable) continue;
      Node node = graph_[id];
      node.a = static_cast<NodeId>(group);
      node.b = static_cast<NodeId>(variables.size());
      node.stage = Stage::path;
      node.fixpoint = group;
      map_[id] = add(node);
      variables.push_back(id);
      fixpoint.variables.push_back(map_[id]);
    }
    fixpoint.first = static_cast<NodeId>(plan_.nodes.size());
    for (const NodeId id : component)
      if (graph_[id].op != Op::variable) emit_member(id, group);
    fixpoint.last = static_cast<NodeId>(plan_.nodes.size());
    for (const NodeId id : variables)
      fixpoint.bodies.push_back(map_[graph_.bodies()[graph_[id].a]]);
    plan_.fixpoints.push_back(std::move(fixpoint));
    bool changed = true;
    while (changed) {
      changed = false;
      for (const NodeId id : component) changed |= summarise(id);
    }
  }

  /// A node of a fixpoint starts with the least stage: `summarise` raises it.
  void emit_member(NodeId id, std::int32_t group) {
    emit_node(id, group);
    Node& node = plan_.nodes[map_[id]];
    node.stage = Stage::path;
    node.last_choice = 0;
    node.in_rf = node.in_choices = node.in_final = Polarity::none;
  }

  void check_monotone(const std::vector<NodeId>& component) const {
    const auto inside = [&](NodeId id) { return std::ranges::binary_search(component, id); };
    for (const NodeId id : component) {
      const Node& node = graph_[id];
      if (node.op == Op::complement) fail_not_monotone(component, "complement");
      if (node.op == Op::subtract && inside(node.b)) fail_not_monotone(component, "difference");
      if (node.op == Op::interpreted)
        throw Unsupported("a recursive function over sets inside a recursive relation");
      if (node.op == Op::choice) fail_not_monotone(component, "'with'");
    }
  }

  [[noreturn]] void fail_not_monotone(const std::vector<NodeId>& component,
                                      std::string_view what) const {
    const auto variable =
        std::ranges::find_if(component, [&](NodeId id) { return graph_[id].op == Op::variable; });
    const auto& origin = session_.evaluator.origins[graph_[*variable].a];
    throw InputError::at(
        *origin.context.source, origin.span,
        fmt::format("this recursive definition goes through a {} of itself: it has "
                    "no least fixpoint",
                    what));
  }
};

} // namespace

Plan finish(const Session& session, Architecture architecture) {
  return Finisher(session, architecture).run();
}

} // namespace thinair::cat
