// Evaluation of routine terms; the operations on values are in machine_values.cpp.
#include "oracle/cat/machine.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::cat {

void Machine::count(std::uint64_t steps) {
  if (input_.watch != nullptr) input_.watch->demand(1 + steps);
  steps_ += steps;
  if (steps_ > input_.limits.steps)
    throw LimitReached(Limit::model_steps,
                       fmt::format("{} steps of the model in one execution", input_.limits.steps));
}

Machine::EnvironmentId Machine::bind_slot(EnvironmentId environment, std::uint32_t slot,
                                          ValueId value) {
  if (slot == no_slot) return environment;
  bindings_.push_back({slot, value, environment});
  return static_cast<EnvironmentId>(bindings_.size() - 1);
}

Machine::EnvironmentId Machine::bind(EnvironmentId environment,
                                     const std::vector<std::uint32_t>& slots, ValueId value) {
  if (slots.size() == 1) return bind_slot(environment, slots[0], value);
  const Value whole = values_[value];
  if (whole.kind != Value::Kind::tuple || whole.items.size() != slots.size())
    fail(fmt::format("a tuple of {}", slots.size()), whole.kind);
  for (std::size_t i = 0; i < slots.size(); ++i)
    environment = bind_slot(environment, slots[i], whole.items[i]);
  return environment;
}

Machine::ValueId Machine::look_up(EnvironmentId environment, std::uint32_t slot) const {
  while (bindings_[environment].slot != slot) {
    THINAIR_CHECK(environment != 0, "a routine uses a slot that nothing binds");
    environment = bindings_[environment].parent;
  }
  return bindings_[environment].value;
}

Machine::ValueId Machine::evaluate(std::uint32_t term, EnvironmentId environment) {
  if (++depth_ > input_.limits.depth)
    throw LimitReached(
        Limit::model_depth,
        fmt::format("{} nested calls of the model in one execution", input_.limits.depth));
  const ValueId result = loop(term, environment);
  --depth_;
  return result;
}

/// Calls in tail position, and bodies, take no stack.
Machine::ValueId Machine::loop(std::uint32_t id, EnvironmentId environment) {
  while (true) {
    count(1);
    const RoutineTerm& term = routine_.terms[id];
    switch (term.kind) {
    case Kind::operand:
    case Kind::local:
    case Kind::empty:
    case Kind::lambda: return leaf(term, environment);
    case Kind::apply: {
      const ValueId function = evaluate(term.children[0], environment);
      const ValueId argument = evaluate(term.children[1], environment);
      const Value& closure = values_[function];
      if (closure.kind != Value::Kind::closure) fail("a function", closure.kind);
      const RoutineTerm& lambda = routine_.terms[closure.a];
      environment = bind(closure.b, lambda.slots[0], argument);
      id = lambda.children[0];
      continue;
    }
    case Kind::let:
      environment = enter(term, environment);
      id = term.children.back();
      continue;
    case Kind::let_rec:
      environment = enter_recursive(term, environment);
      id = term.children.back();
      continue;
    case Kind::match_set: {
      const ValueId set = evaluate(term.children[0], environment);
      if (values_[set].kind == Value::Kind::empty) {
        id = term.children[1];
        continue;
      }
      const auto [first, rest] = split(set);
      const auto& slots = term.slots[0];
      if (slots.size() == 3) environment = bind_slot(environment, slots[0], add({}));
      environment = bind_slot(environment, slots[slots.size() - 2], first);
      environment = bind_slot(environment, slots.back(), rest);
      id = term.children[2];
      continue;
    }
    case Kind::unite:
    case Kind::intersect:
    case Kind::subtract:
    case Kind::compose:
    case Kind::product:
    case Kind::complement:
    case Kind::inverse:
    case Kind::plus:
    case Kind::star:
    case Kind::optional_:
    case Kind::identity_on:
    case Kind::domain:
    case Kind::range:
    case Kind::insert:
    case Kind::set_of:
    case Kind::tuple:
    case Kind::linearisations:
    case Kind::classes_loc:
    case Kind::classes: return operation(term, environment);
    }
  }
}

Machine::ValueId Machine::leaf(const RoutineTerm& term, EnvironmentId environment) {
  if (term.kind == Kind::local) return look_up(environment, term.index);
  if (term.kind == Kind::operand) {
    const RunValue& value = input_.operands[term.index];
    return value.type == graph::Type::set ? add_set(value.set) : add_relation(value.relation);
  }
  if (term.kind == Kind::empty) return add({});
  const auto here = static_cast<std::uint32_t>(&term - routine_.terms.data());
  return add({.kind = Value::Kind::closure, .a = here, .b = environment});
}

Machine::EnvironmentId Machine::enter(const RoutineTerm& term, EnvironmentId environment) {
  EnvironmentId inside = environment;
  for (std::size_t i = 0; i + 1 < term.children.size(); ++i)
    inside = bind(inside, term.slots[i], evaluate(term.children[i], environment));
  return inside;
}

/// Functions see each other; sets and relations start empty and grow until they are stable.
Machine::EnvironmentId Machine::enter_recursive(const RoutineTerm& term,
                                                EnvironmentId environment) {
  const std::size_t n = term.children.size() - 1;
  std::vector<ValueId> values;
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(add({}));
    environment = bind_slot(environment, term.slots[i][0], values.back());
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t child = term.children[i];
      if (routine_.terms[child].kind == Kind::lambda) {
        values_[values[i]] = {.kind = Value::Kind::closure, .a = child, .b = environment};
        continue;
      }
      const ValueId next = evaluate(child, environment);
      if (compare(next, values[i]) == std::strong_ordering::equal) continue;
      values_[values[i]] = Value(values_[next]);
      changed = true;
    }
  }
  return environment;
}

Machine::ValueId Machine::operation(const RoutineTerm& term, EnvironmentId environment) {
  std::vector<ValueId> operands;
  for (const std::uint32_t child : term.children) operands.push_back(evaluate(child, environment));
  switch (term.kind) {
  case Kind::unite:
  case Kind::intersect:
  case Kind::subtract: {
    ValueId result = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i)
      result = lattice(term.kind, result, operands[i]);
    return result;
  }
  case Kind::compose: {
    RunRelation result = as_relation(operands[0]);
    for (std::size_t i = 1; i < operands.size(); ++i)
      result = compose(result, as_relation(operands[i]));
    return add_relation(std::move(result));
  }
  case Kind::product: {
    RunRelation result(input_.events);
    const RunSet left = as_set(operands[0]), right = as_set(operands[1]);
    for (std::uint32_t e = 0; e < input_.events; ++e)
      if (left.contains(e)) result[e] = right;
    return add_relation(std::move(result));
  }
  case Kind::insert: return insert(operands[0], operands[1]);
  case Kind::set_of: return collect(std::move(operands));
  case Kind::tuple: return add({.kind = Value::Kind::tuple, .items = std::move(operands)});
  case Kind::linearisations: return linearisations(operands[0]);
  case Kind::classes_loc: return classes_loc(operands[0], input_.operands[term.index].relation);
  case Kind::classes: return classes(operands[0]);
  case Kind::complement:
  case Kind::inverse:
  case Kind::plus:
  case Kind::star:
  case Kind::optional_:
  case Kind::identity_on:
  case Kind::domain:
  case Kind::range: return of_relation(term.kind, operands[0]);
  case Kind::operand:
  case Kind::local:
  case Kind::empty:
  case Kind::lambda:
  case Kind::apply:
  case Kind::let:
  case Kind::let_rec:
  case Kind::match_set: break;
  }
  THINAIR_CHECK(false, "not an operation");
  return 0;
}

// ---- the interface --------------------------------------------------------------------------

RunValue interpret(const Routine& routine, const RunInput& input, graph::Type expected) {
  Machine machine(routine, input);
  const auto value = machine.run();
  RunValue result;
  result.type = expected;
  if (expected == graph::Type::set)
    result.set = machine.as_set(value);
  else
    result.relation = machine.as_relation(value);
  return result;
}

std::vector<RunRelation> interpret_choices(const Routine& routine, const RunInput& input) {
  Machine machine(routine, input);
  const Machine::Value value = machine[machine.run()];
  if (value.kind == Machine::Value::Kind::empty) return {};
  if (value.kind != Machine::Value::Kind::collection)
    Machine::fail("a set of relations", value.kind);
  std::vector<RunRelation> result;
  for (const auto item : value.items) result.push_back(machine.as_relation(item));
  return result;
}

} // namespace thinair::cat
