// The operators of cat on compile-time values, and the types they ask for.
#include "oracle/cat/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cat {

using ast::Expression;

NodeId Evaluator::as_node(const Value& value, Type expected, text::Span what, Context context) {
  switch (value.kind) {
  case Value::Kind::zero: return graph.empty(expected);
  case Value::Kind::node:
    if (graph.type(value.node) == expected) return value.node;
    break;
  case Value::Kind::routine: {
    const auto [place, added] = materialised_.try_emplace({value.index, expected}, 0);
    if (added) {
      auto stage = Stage::path;
      for (const NodeId operand : routines[value.index].operands)
        stage = std::max(stage, graph.stage(operand));
      const auto index = static_cast<std::uint32_t>(interpreted.size());
      interpreted.push_back(routines[value.index]);
      place->second = graph.interpreted(index, expected, stage);
    }
    return place->second;
  }
  case Value::Kind::function:
  case Value::Kind::primitive:
  case Value::Kind::procedure:
  case Value::Kind::tuple:
  case Value::Kind::tag:
  case Value::Kind::set:
  case Value::Kind::orders: break;
  }
  fail(what, context,
       fmt::format("expected {}, found {}", cat::describe(expected), describe(value)));
}

NodeId Evaluator::as_node(const Value& value, text::Span what, Context context) {
  return value.kind == Value::Kind::node ? value.node
                                         : as_node(value, Type::relation, what, context);
}

Value Evaluator::unary(const Expression& e, Context context) {
  const Value operand = evaluate(*e.children[0], context);
  const auto span = e.children[0]->span;
  if (e.unary == ast::Unary::complement) {
    if (operand.kind == Value::Kind::routine) return run_time(e, context);
    return Value::of_node(graph.complement(as_node(operand, span, context)));
  }
  if (e.unary == ast::Unary::identity_on)
    return Value::of_node(graph.identity_on(as_node(operand, Type::set, span, context)));
  const NodeId a = as_node(operand, Type::relation, span, context);
  switch (e.unary) {
  case ast::Unary::plus: return Value::of_node(graph.plus(a));
  case ast::Unary::star: return Value::of_node(graph.star(a));
  case ast::Unary::optional_: return Value::of_node(graph.optional(a));
  case ast::Unary::inverse:
  case ast::Unary::complement:
  case ast::Unary::identity_on: break;
  }
  return Value::of_node(graph.inverse(a));
}

Value Evaluator::binary(const Expression& e, Context context) {
  switch (e.binary) {
  case ast::Binary::unite:
  case ast::Binary::intersect:
  case ast::Binary::subtract: return lattice(e, context);
  case ast::Binary::compose: return compose(e, context);
  case ast::Binary::product: return product(e, context);
  case ast::Binary::insert: break;
  }
  return insert(e, context);
}

/// `|`, `&`, `\`: on sets of events, relations, and sets of anything else.
Value Evaluator::lattice(const Expression& e, Context context) {
  std::vector<Value> operands;
  for (const auto& child : e.children) operands.push_back(evaluate(*child, context));
  const auto any = [&](Value::Kind kind) {
    return std::ranges::any_of(operands, [&](const Value& v) { return v.kind == kind; });
  };
  if (any(Value::Kind::node)) return lattice_of_nodes(e, operands, context);
  if (any(Value::Kind::routine) || any(Value::Kind::orders)) return run_time(e, context);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto kind = operands[i].kind;
    if (kind != Value::Kind::zero && kind != Value::Kind::set)
      fail(e.children[i]->span, context,
           fmt::format("expected a set or a relation, found {}", describe(operands[i])));
  }
  return lattice_of_sets(e.binary, operands);
}

Value Evaluator::lattice_of_nodes(const Expression& e, const std::vector<Value>& operands,
                                  Context context) {
  const bool relation = std::ranges::any_of(operands, [&](const Value& v) {
    return v.kind == Value::Kind::node && graph.type(v.node) == Type::relation;
  });
  const Type type = relation ? Type::relation : Type::set;
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < operands.size(); ++i)
    nodes.push_back(as_node(operands[i], type, e.children[i]->span, context));
  if (e.binary == ast::Binary::unite) return Value::of_node(graph.unite(nodes));
  if (e.binary == ast::Binary::intersect) return Value::of_node(graph.intersect(nodes));
  return Value::of_node(graph.subtract(nodes[0], nodes[1]));
}

Value Evaluator::lattice_of_sets(ast::Binary op, const std::vector<Value>& operands) const {
  const auto among = [](const Value& item, const Value& set) {
    return std::ranges::any_of(set.items, [&](const Value& v) { return same(v, item); });
  };
  Value result{.kind = Value::Kind::set};
  if (op == ast::Binary::unite) {
    for (const auto& operand : operands)
      for (const auto& item : operand.items)
        if (!among(item, result)) result.items.push_back(item);
  } else {
    for (const auto& item : operands[0].items)
      if (among(item, operands[1]) == (op == ast::Binary::intersect)) result.items.push_back(item);
  }
  return result.items.empty() ? Value{} : result;
}

Value Evaluator::compose(const Expression& e, Context context) {
  std::vector<NodeId> nodes;
  for (const auto& child : e.children)
    nodes.push_back(as_node(evaluate(*child, context), Type::relation, child->span, context));
  NodeId result = nodes.front();
  for (std::size_t i = 1; i < nodes.size(); ++i) result = graph.compose(result, nodes[i]);
  return Value::of_node(result);
}

Value Evaluator::product(const Expression& e, Context context) {
  std::array<NodeId, 2> sides{};
  for (std::size_t i = 0; i < 2; ++i)
    sides[i] = as_node(evaluate(*e.children[i], context), Type::set, e.children[i]->span, context);
  return Value::of_node(graph.product(sides[0], sides[1]));
}

/// `e ++ S`: S with e as one more element.
Value Evaluator::insert(const Expression& e, Context context) {
  const Value item = evaluate(*e.children[0], context);
  Value set = evaluate(*e.children[1], context);
  const bool later = item.kind == Value::Kind::routine || set.kind == Value::Kind::routine ||
                     set.kind == Value::Kind::orders;
  if (later) return run_time(e, context);
  if (set.kind != Value::Kind::zero && set.kind != Value::Kind::set)
    fail(e.children[1]->span, context,
         fmt::format("expected a set of {}, found {}",
                     item.kind == Value::Kind::node && graph.type(item.node) == Type::relation
                         ? "relations"
                         : "values",
                     describe(set)));
  if (set.kind == Value::Kind::set && item.kind != Value::Kind::zero &&
      set.items.front().kind != Value::Kind::zero && item.kind != set.items.front().kind)
    fail(e.children[0]->span, context,
         fmt::format("expected {}, like the set's other elements, found {}",
                     describe(set.items.front()), describe(item)));
  set.kind = Value::Kind::set;
  if (std::ranges::none_of(set.items, [&](const Value& v) { return same(v, item); }))
    set.items.insert(set.items.begin(), item);
  return set;
}

} // namespace thinair::cat
