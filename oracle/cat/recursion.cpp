// `let rec`: functions close over themselves; sets and relations become variables of a least
// fixpoint, whose types are found by trying.
#include "oracle/cat/evaluator.h"

#include <algorithm>

namespace thinair::cat {

ScopeId Evaluator::bind_recursive(const std::vector<ast::Binding>& bindings, Context context) {
  Recursion group;
  std::vector<std::pair<CellId, const ast::Expression*>> closures;
  ScopeId scope = context.scope;
  for (const auto& binding : bindings) {
    if (binding.pattern.tuple)
      fail(binding.pattern.span, context, "expected a name after 'let rec', found a tuple");
    Cell cell;
    cell.expression = binding.value.get();
    cell.context = context;
    if (binding.value->kind == ast::Expression::Kind::lambda) {
      closures.emplace_back(scopes.add(cell), cell.expression);
      if (!binding.pattern.names[0].empty())
        scope = scopes.bind(scope, binding.pattern.names[0], closures.back().first);
      continue;
    }
    cell.recursion = static_cast<std::uint32_t>(recursions_.size());
    group.cells.push_back(scopes.add(cell));
    group.bodies.push_back(cell.expression);
    scope = scopes.bind(scope, binding.pattern.names[0], group.cells.back());
  }
  group.context = {context.source, scope};
  for (const auto& [cell, lambda] : closures) {
    scopes[cell].value = closure(*lambda, group.context);
    scopes[cell].state = Cell::State::done;
  }
  recursions_.push_back(std::move(group));
  return scope;
}

/// Finds types for which the bodies agree with their variables: relations first, as they are what
/// recursion is mostly about. Large groups are all of one type.
void Evaluator::solve(std::uint32_t recursion) {
  const Recursion group = recursions_[recursion];
  constexpr std::size_t mixed_up_to = 6;
  const std::size_t n = group.cells.size();
  const std::size_t attempts = n <= mixed_up_to ? std::size_t{1} << n : 2;
  std::exception_ptr first_error;
  for (std::size_t attempt = 0; attempt < attempts; ++attempt) {
    std::vector<Type> types;
    for (std::size_t i = 0; i < n; ++i) {
      const bool set = n <= mixed_up_to ? ((attempt >> i) & 1U) != 0 : attempt == 1;
      types.push_back(set ? Type::set : Type::relation);
    }
    try {
      return try_solve(group, types);
    } catch (const InputError&) {
      if (!first_error) first_error = std::current_exception();
    }
  }
  for (const CellId cell : group.cells) // the next cell that is asked for finds the same error
    scopes[cell].state = Cell::State::waiting;
  std::rethrow_exception(first_error);
}

void Evaluator::try_solve(const Recursion& group, const std::vector<Type>& types) {
  std::vector<NodeId> variables;
  for (std::size_t i = 0; i < group.cells.size(); ++i) {
    variables.push_back(graph.variable(types[i]));
    origins.push_back({group.context, group.bodies[i]->span});
    scopes[group.cells[i]].value = Value::of_node(variables.back());
    scopes[group.cells[i]].state = Cell::State::done;
  }
  std::vector<NodeId> bodies;
  for (std::size_t i = 0; i < group.cells.size(); ++i) {
    const auto& body = *group.bodies[i];
    bodies.push_back(as_node(evaluate(body, group.context), types[i], body.span, group.context));
  }
  if (variables.size() == 1) bodies[0] = as_closure(variables[0], bodies[0]);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    graph.define(variables[i], bodies[i]);
    if (variables.size() == 1 && !graph.depends_on(bodies[0], variables[0]))
      scopes[group.cells[0]].value = Value::of_node(bodies[0]);
  }
}

/// `x = r | x;x`, `x = r | r;x` and `x = r | x;r` are r's transitive closure.
NodeId Evaluator::as_closure(NodeId variable, NodeId body) {
  std::vector<NodeId> leaves = graph.leaves(body, Op::unite);
  std::vector<NodeId> steps;
  std::erase_if(leaves, [&](NodeId leaf) {
    const bool step = graph.depends_on(leaf, variable);
    if (step && leaf != variable) steps.push_back(leaf);
    return step;
  });
  if (steps.empty())
    return leaves.empty() ? graph.empty(graph.type(variable)) : graph.unite(leaves);
  if (leaves.empty() || graph.type(variable) == Type::set) return body;
  const NodeId base = graph.unite(leaves);
  const auto extends = [&](NodeId step) {
    const Node& node = graph[step];
    const auto is_part = [&](NodeId id) { return id == variable || id == base; };
    return node.op == Op::compose && is_part(node.a) && is_part(node.b);
  };
  return std::ranges::all_of(steps, extends) ? graph.plus(base) : body;
}

} // namespace thinair::cat
