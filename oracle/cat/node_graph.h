// Builds the nodes of a plan: equal expressions are one node, and what is equal by the laws of sets
// and relations becomes so where that is cheap to see.
#pragma once

#include "oracle/cat/plan.h"

#include <compare>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace thinair::cat {

/// Nodes in order of creation; operands come before users, except that a variable's body comes
/// after it.
class NodeGraph {
 public:
  NodeId input(Input input);
  NodeId empty(Type type);
  NodeId universe(); // the set

  NodeId unite(std::span<const NodeId> operands);
  NodeId intersect(std::span<const NodeId> operands);
  NodeId subtract(NodeId a, NodeId b);
  NodeId complement(NodeId a);
  NodeId compose(NodeId a, NodeId b);
  NodeId inverse(NodeId a);
  NodeId plus(NodeId a);
  NodeId star(NodeId a);
  NodeId optional(NodeId a);
  NodeId product(NodeId a, NodeId b);
  NodeId identity_on(NodeId set);
  NodeId restrict_domain(NodeId relation, NodeId set);
  NodeId restrict_range(NodeId relation, NodeId set);
  NodeId domain(NodeId a);
  NodeId range(NodeId a);

  NodeId choice(std::uint32_t choice);
  NodeId interpreted(std::uint32_t index, Type type, Stage stage);
  /// A variable whose body comes later.
  NodeId variable(Type type);
  void define(NodeId variable, NodeId body);

  Type type(NodeId id) const { return nodes_[id].type; }
  Stage stage(NodeId id) const { return nodes_[id].stage; }
  bool is_empty(NodeId id) const { return nodes_[id].op == Op::empty; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }

  bool depends_on(NodeId node, NodeId other) const;
  /// The operands of a chain of one operator.
  std::vector<NodeId> leaves(NodeId node, Op op) const;

  /// By Node::a of the variable.
  std::span<const NodeId> bodies() const { return bodies_; }

 private:
  struct Key {
    Op op;
    Type type;
    Input input;
    NodeId a, b;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  std::vector<Node> nodes_;
  std::vector<NodeId> bodies_;
  std::map<Key, NodeId> index_;

  NodeId make(Op op, Type type, NodeId a = 0, NodeId b = 0);
  NodeId intern(const Node& node);
  bool is(NodeId id, Op op) const { return nodes_[id].op == op; }
  bool is_input(NodeId id, Input input) const {
    return is(id, Op::input) && nodes_[id].input == input;
  }
  bool is_universe(NodeId id) const;
  void flatten(NodeId id, Op op, std::vector<NodeId>& leaves) const;
  void sort_by_stage(std::vector<NodeId>& ids) const;
  void drop_larger_sets(std::vector<NodeId>& leaves) const;
  NodeId intersect_relations(std::vector<NodeId> leaves);
  NodeId intersect_product(NodeId relation, NodeId product);
  std::optional<NodeId> distribute(NodeId base, NodeId unions);
  bool within_loc(NodeId relation) const;
  bool within_final_writes(NodeId set) const;
};

/// The two nodes that a node refers to as operands: 0, 1 or 2 of {a, b}.
std::span<const NodeId> operands_of(const Node& node);

} // namespace thinair::cat
