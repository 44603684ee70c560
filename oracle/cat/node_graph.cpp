// Laws of sets and relations, applied as nodes are made.
#include "oracle/cat/node_graph.h"

#include "litmus/text/error.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace thinair::cat {
namespace {

using graph::stage_of;
using graph::type_of;

struct Inclusion {
  Input small, large;
};

/// Between base sets, in every execution.
constexpr auto inclusions = std::to_array<Inclusion>({
    {Input::reads, Input::memory},
    {Input::writes, Input::memory},
    {Input::initial_writes, Input::writes},
    {Input::initial_writes, Input::memory},
    {Input::final_writes, Input::writes},
    {Input::final_writes, Input::memory},
    {Input::failed, Input::reads},
    {Input::failed, Input::memory},
    {Input::load_load, Input::fences},
    {Input::store_store, Input::fences},
    {Input::rmw_events, Input::reads},
    {Input::rmw_events, Input::writes},
    {Input::rmw_events, Input::memory},
});

bool symmetric(Input input) {
  return input == Input::id || input == Input::loc || input == Input::internal ||
         input == Input::external;
}

} // namespace

std::size_t operand_count(Op op) {
  switch (op) {
  case Op::input:
  case Op::empty:
  case Op::choice:
  case Op::variable:
  case Op::interpreted: return 0;
  case Op::complement:
  case Op::inverse:
  case Op::plus:
  case Op::star:
  case Op::optional_:
  case Op::identity_on:
  case Op::domain:
  case Op::range: return 1;
  case Op::unite:
  case Op::intersect:
  case Op::subtract:
  case Op::compose:
  case Op::product:
  case Op::restrict_domain:
  case Op::restrict_range: break;
  }
  return 2;
}

std::span<const NodeId> operands_of(const Node& node) {
  static_assert(offsetof(Node, b) == offsetof(Node, a) + sizeof(NodeId));
  return {&node.a, operand_count(node.op)};
}

NodeId NodeGraph::intern(const Node& node) {
  const Key key{node.op, node.type, node.input, node.a, node.b};
  const auto [place, added] = index_.try_emplace(key, static_cast<NodeId>(nodes_.size()));
  if (added) nodes_.push_back(node);
  return place->second;
}

NodeId NodeGraph::make(Op op, Type type, NodeId a, NodeId b) {
  Node node{.op = op, .type = type, .a = a, .b = b};
  for (const NodeId operand : operands_of(node))
    node.stage = std::max(node.stage, nodes_[operand].stage);
  return intern(node);
}

NodeId NodeGraph::input(Input input) {
  Node node{.op = Op::input, .type = type_of(input), .input = input, .stage = stage_of(input)};
  return intern(node);
}

NodeId NodeGraph::empty(Type type) { return make(Op::empty, type); }
NodeId NodeGraph::universe() { return input(Input::universe); }

bool NodeGraph::is_universe(NodeId id) const {
  if (is(id, Op::product)) return is_universe(nodes_[id].a) && is_universe(nodes_[id].b);
  return is_input(id, Input::universe);
}

void NodeGraph::flatten(NodeId id, Op op, std::vector<NodeId>& leaves) const {
  if (!is(id, op)) return leaves.push_back(id);
  flatten(nodes_[id].a, op, leaves);
  flatten(nodes_[id].b, op, leaves);
}

/// What is known early comes first, so that a chain's prefix is evaluated once a path.
void NodeGraph::sort_by_stage(std::vector<NodeId>& ids) const {
  std::ranges::sort(ids, {}, [&](NodeId id) { return std::pair(nodes_[id].stage, id); });
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

NodeId NodeGraph::unite(std::span<const NodeId> operands) {
  std::vector<NodeId> leaves;
  for (const NodeId operand : operands) flatten(operand, Op::unite, leaves);
  const Type type = nodes_[leaves.front()].type;
  if (const auto all = std::ranges::find_if(leaves, [&](NodeId id) { return is_universe(id); });
      all != leaves.end())
    return *all;
  std::erase_if(leaves, [&](NodeId id) { return is_empty(id); });
  if (leaves.empty()) return empty(type);
  sort_by_stage(leaves);
  NodeId result = leaves.front();
  for (std::size_t i = 1; i < leaves.size(); ++i) result = make(Op::unite, type, result, leaves[i]);
  return result;
}

NodeId NodeGraph::intersect(std::span<const NodeId> operands) {
  std::vector<NodeId> leaves;
  for (const NodeId operand : operands) flatten(operand, Op::intersect, leaves);
  const Type type = nodes_[leaves.front()].type;
  if (std::ranges::any_of(leaves, [&](NodeId id) { return is_empty(id); })) return empty(type);
  const NodeId first = leaves.front();
  std::erase_if(leaves, [&](NodeId id) { return is_universe(id); });
  if (leaves.empty()) return first;
  sort_by_stage(leaves);
  if (leaves.size() == 1) return leaves.front();
  if (type == Type::relation) return intersect_relations(std::move(leaves));
  drop_larger_sets(leaves);
  NodeId result = leaves.front();
  for (std::size_t i = 1; i < leaves.size(); ++i)
    result = make(Op::intersect, type, result, leaves[i]);
  return result;
}

void NodeGraph::drop_larger_sets(std::vector<NodeId>& leaves) const {
  const auto all = leaves;
  std::erase_if(leaves, [&](NodeId large) {
    return std::ranges::any_of(inclusions, [&](const Inclusion& row) {
      const auto is_small = [&](NodeId id) { return is_input(id, row.small); };
      return is_input(large, row.large) && std::ranges::any_of(all, is_small);
    });
  });
}

/// Products restrict and complements subtract; stage by stage, so that nothing early waits for
/// something late.
NodeId NodeGraph::intersect_relations(std::vector<NodeId> leaves) {
  const auto is_filter = [&](NodeId id) {
    return is(id, Op::product) || is(id, Op::complement) || is(id, Op::unite);
  };
  const auto base = std::ranges::find_if_not(leaves, is_filter);
  const auto product = std::ranges::find_if(leaves, [&](NodeId id) { return is(id, Op::product); });
  const auto start = base != leaves.end()      ? base
                     : product != leaves.end() ? product
                                               : leaves.begin();
  NodeId result = *start;
  leaves.erase(start);
  for (const NodeId leaf : leaves) {
    const Node node = nodes_[leaf];
    if (const auto united = distribute(result, leaf))
      result = *united;
    else if (node.op == Op::product)
      result = intersect_product(result, leaf);
    else if (node.op == Op::complement)
      result = subtract(result, node.a);
    else if (is_empty(result))
      return result;
    else
      result = make(Op::intersect, Type::relation, result, leaf);
  }
  return result;
}

/// r & (A * B) restricts r. A location has one final write, so that on relations within loc
/// (A \ FW) * FW is A * FW without the identity: which only grows with FW.
NodeId NodeGraph::intersect_product(NodeId relation, NodeId product) {
  const Node node = nodes_[product];
  const Node left = nodes_[node.a];
  const bool final_last = left.op == Op::subtract && is_input(left.b, Input::final_writes) &&
                          within_final_writes(node.b) && within_loc(relation);
  const NodeId domain = final_last ? left.a : node.a;
  const NodeId result = restrict_range(restrict_domain(relation, domain), node.b);
  return final_last ? subtract(result, input(Input::id)) : result;
}

/// r & (P | Q) is r & P | r & Q: worth it for products, which cost nothing as restrictions.
std::optional<NodeId> NodeGraph::distribute(NodeId base, NodeId unions) {
  if (!is(unions, Op::unite)) return std::nullopt;
  const auto parts = leaves(unions, Op::unite);
  if (!std::ranges::all_of(parts, [&](NodeId id) { return is(id, Op::product); }))
    return std::nullopt;
  std::vector<NodeId> results;
  for (const NodeId part : parts) results.push_back(intersect_product(base, part));
  return unite(results);
}

bool NodeGraph::within_loc(NodeId relation) const {
  const Node& node = nodes_[relation];
  const bool filters =
      node.op == Op::restrict_domain || node.op == Op::restrict_range || node.op == Op::subtract;
  if (filters) return within_loc(node.a);
  if (node.op == Op::intersect) return within_loc(node.a) || within_loc(node.b);
  return is_input(relation, Input::loc) || is_input(relation, Input::id);
}

bool NodeGraph::within_final_writes(NodeId set) const {
  const Node& node = nodes_[set];
  if (node.op == Op::subtract) return within_final_writes(node.a);
  if (node.op == Op::intersect) return within_final_writes(node.a) || within_final_writes(node.b);
  return is_input(set, Input::final_writes);
}

NodeId NodeGraph::subtract(NodeId a, NodeId b) {
  const Type type = nodes_[a].type;
  if (is_empty(a) || is_empty(b)) return a;
  if (a == b || is_universe(b)) return empty(type);
  if (is_universe(a)) return complement(b);
  if (is(b, Op::complement)) return intersect(std::array{a, nodes_[b].a});
  if (is(b, Op::intersect)) { // a \ (a & c) is a \ c
    auto others = leaves(b, Op::intersect);
    const auto own = leaves(a, Op::intersect);
    const auto is_own = [&](NodeId id) { return std::ranges::find(own, id) != own.end(); };
    const bool contains_a = std::ranges::all_of(
        own, [&](NodeId id) { return std::ranges::find(others, id) != others.end(); });
    std::erase_if(others, is_own);
    if (contains_a) return others.empty() ? empty(type) : subtract(a, intersect(others));
  }
  return make(Op::subtract, type, a, b);
}

NodeId NodeGraph::complement(NodeId a) {
  const Type type = nodes_[a].type;
  if (is(a, Op::complement)) return nodes_[a].a;
  if (is_universe(a)) return empty(type);
  if (is_empty(a)) return type == Type::set ? universe() : product(universe(), universe());
  return make(Op::complement, type, a);
}

NodeId NodeGraph::compose(NodeId a, NodeId b) {
  if (is_empty(a) || is_empty(b)) return empty(Type::relation);
  if (is_input(a, Input::id)) return b;
  if (is_input(b, Input::id)) return a;
  if (is(a, Op::identity_on)) return restrict_domain(b, nodes_[a].a);
  if (is(b, Op::identity_on)) return restrict_range(a, nodes_[b].a);
  return make(Op::compose, Type::relation, a, b);
}

NodeId NodeGraph::inverse(NodeId a) {
  const Node node = nodes_[a];
  if (node.op == Op::inverse) return node.a;
  if (is_empty(a) || node.op == Op::identity_on) return a;
  if (node.op == Op::input && symmetric(node.input)) return a;
  if (node.op == Op::product) return product(node.b, node.a);
  return make(Op::inverse, Type::relation, a);
}

NodeId NodeGraph::plus(NodeId a) {
  const bool transitive = is(a, Op::plus) || is(a, Op::star) || is(a, Op::identity_on) ||
                          is(a, Op::empty) || is_input(a, Input::po) || is_input(a, Input::id);
  if (transitive) return a;
  if (is(a, Op::optional_)) return star(nodes_[a].a);
  return make(Op::plus, Type::relation, a);
}

NodeId NodeGraph::star(NodeId a) {
  if (is_empty(a) || is(a, Op::identity_on) || is_input(a, Input::id)) return input(Input::id);
  if (is(a, Op::star)) return a;
  if (is(a, Op::plus) || is(a, Op::optional_)) return star(nodes_[a].a);
  return make(Op::star, Type::relation, a);
}

NodeId NodeGraph::optional(NodeId a) {
  if (is_empty(a) || is(a, Op::identity_on) || is_input(a, Input::id)) return input(Input::id);
  if (is(a, Op::star) || is(a, Op::optional_)) return a;
  if (is(a, Op::plus)) return star(nodes_[a].a);
  return make(Op::optional_, Type::relation, a);
}

NodeId NodeGraph::product(NodeId a, NodeId b) {
  if (is_empty(a) || is_empty(b)) return empty(Type::relation);
  return make(Op::product, Type::relation, a, b);
}

NodeId NodeGraph::identity_on(NodeId set) {
  if (is_empty(set)) return empty(Type::relation);
  if (is_universe(set)) return input(Input::id);
  return make(Op::identity_on, Type::relation, set);
}

NodeId NodeGraph::restrict_domain(NodeId relation, NodeId set) {
  if (is_empty(relation) || is_universe(set)) return relation;
  if (is_empty(set)) return empty(Type::relation);
  const Node node = nodes_[relation];
  if (is_input(relation, Input::id)) return identity_on(set);
  if (node.op == Op::identity_on) return identity_on(intersect(std::array{node.a, set}));
  if (node.op == Op::product) return product(intersect(std::array{node.a, set}), node.b);
  if (node.op == Op::restrict_domain)
    return restrict_domain(node.a, intersect(std::array{node.b, set}));
  if (node.op == Op::restrict_range) return restrict_range(restrict_domain(node.a, set), node.b);
  return make(Op::restrict_domain, Type::relation, relation, set);
}

NodeId NodeGraph::restrict_range(NodeId relation, NodeId set) {
  if (is_empty(relation) || is_universe(set)) return relation;
  if (is_empty(set)) return empty(Type::relation);
  const Node node = nodes_[relation];
  if (is_input(relation, Input::id)) return identity_on(set);
  if (node.op == Op::identity_on) return identity_on(intersect(std::array{node.a, set}));
  if (node.op == Op::product) return product(node.a, intersect(std::array{node.b, set}));
  if (node.op == Op::restrict_range)
    return restrict_range(node.a, intersect(std::array{node.b, set}));
  return make(Op::restrict_range, Type::relation, relation, set);
}

NodeId NodeGraph::domain(NodeId a) {
  if (is_empty(a)) return empty(Type::set);
  if (is(a, Op::identity_on)) return nodes_[a].a;
  if (is_input(a, Input::id)) return universe();
  if (is(a, Op::inverse)) return range(nodes_[a].a);
  return make(Op::domain, Type::set, a);
}

NodeId NodeGraph::range(NodeId a) {
  if (is_empty(a)) return empty(Type::set);
  if (is(a, Op::identity_on)) return nodes_[a].a;
  if (is_input(a, Input::id)) return universe();
  if (is(a, Op::inverse)) return domain(nodes_[a].a);
  return make(Op::range, Type::set, a);
}

NodeId NodeGraph::choice(std::uint32_t choice) {
  return intern(Node{.op = Op::choice, .a = choice, .stage = Stage::choice});
}

NodeId NodeGraph::interpreted(std::uint32_t index, Type type, Stage stage) {
  return intern(Node{.op = Op::interpreted, .type = type, .a = index, .stage = stage});
}

NodeId NodeGraph::variable(Type type) {
  const auto index = static_cast<NodeId>(bodies_.size());
  bodies_.push_back(0);
  const NodeId id =
      intern(Node{.op = Op::variable, .type = type, .a = index, .stage = Stage::choice});
  bodies_[index] = id;
  return id;
}

std::vector<NodeId> NodeGraph::leaves(NodeId node, Op op) const {
  std::vector<NodeId> result;
  flatten(node, op, result);
  return result;
}

/// Operands have smaller ids than their users, so only ids from `other` on can lead to it.
bool NodeGraph::depends_on(NodeId node, NodeId other) const {
  std::vector<bool> seen(node + 1);
  std::vector<NodeId> pending{node};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (id == other) return true;
    if (id < other || seen[id]) continue;
    seen[id] = true;
    for (const NodeId operand : operands_of(nodes_[id])) pending.push_back(operand);
  }
  return false;
}

void NodeGraph::define(NodeId variable, NodeId body) { bodies_[nodes_[variable].a] = body; }

} // namespace thinair::cat
