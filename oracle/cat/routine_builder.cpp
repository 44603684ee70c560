// From syntax trees and compile-time values to routines.
#include "oracle/cat/routine_builder.h"

#include <algorithm>

namespace thinair::cat {

using ast::Expression;

Interpreted RoutineBuilder::build(const Expression& e, Context context) {
  Frame frame{context, {}};
  Term root = expression(e, frame);
  if (!definitions_.empty()) {
    std::vector<Term> children;
    std::vector<std::vector<std::uint32_t>> slots;
    for (const auto& [slot, body] : definitions_) {
      children.push_back(body);
      slots.push_back({slot});
    }
    children.push_back(root);
    root = add(Kind::let_rec, std::move(children));
    result_.routine.terms[root].slots = std::move(slots);
  }
  result_.routine.root = root;
  return std::move(result_);
}

RoutineBuilder::Term RoutineBuilder::add(Kind kind, std::vector<Term> children,
                                         std::uint32_t index) {
  result_.routine.terms.push_back(
      {.kind = kind, .index = index, .children = std::move(children), .slots = {}});
  return static_cast<Term>(result_.routine.terms.size() - 1);
}

RoutineBuilder::Term RoutineBuilder::operand(NodeId node) {
  const auto [place, added] =
      operands_.try_emplace(node, static_cast<std::uint32_t>(result_.operands.size()));
  if (added) result_.operands.push_back(node);
  return add(Kind::operand, {}, place->second);
}

std::vector<RoutineBuilder::Term>
RoutineBuilder::all(const std::vector<ast::ExpressionPtr>& children, Frame& frame) {
  std::vector<Term> result;
  for (const auto& child : children) result.push_back(expression(*child, frame));
  return result;
}

RoutineBuilder::Term RoutineBuilder::expression(const Expression& e, Frame& frame) {
  using E = Expression::Kind;
  switch (e.kind) {
  case E::name: return name(e, frame);
  case E::zero: return add(Kind::empty);
  case E::universe: return operand(evaluator_.graph.universe());
  case E::set:
    return e.children.empty() ? add(Kind::empty) : add(Kind::set_of, all(e.children, frame));
  case E::tuple: return add(Kind::tuple, all(e.children, frame));
  case E::apply: return apply(e, frame);
  case E::unary: return unary(e, frame);
  case E::binary: return binary(e, frame);
  case E::lambda: return lambda(e, frame);
  case E::let:
  case E::let_rec: return let(e, frame);
  case E::try_: return try_(e, frame);
  case E::if_:
    return expression(*e.children[evaluator_.holds(*e.condition, frame.context) ? 0 : 1], frame);
  case E::match_set: return match_set(e, frame);
  case E::tag:
  case E::match_tag: break;
  }
  throw Unsupported("tags in a part of a model that is evaluated in each execution");
}

RoutineBuilder::Term RoutineBuilder::name(const Expression& e, Frame& frame) {
  for (auto local = frame.locals.rbegin(); local != frame.locals.rend(); ++local)
    if (local->first == e.name) return add(Kind::local, {}, local->second);
  return value(evaluator_.value_of_name(e.name, e.span, frame.context));
}

RoutineBuilder::Term RoutineBuilder::apply(const Expression& e, Frame& frame) {
  const Expression& function = *e.children[0];
  const bool local = std::ranges::any_of(
      frame.locals, [&](const auto& binding) { return binding.first == function.name; });
  if (function.kind == Expression::Kind::name && !local) {
    const Value known = evaluator_.value_of_name(function.name, function.span, frame.context);
    if (known.kind == Value::Kind::primitive)
      return apply_primitive(known.primitive, expression(*e.children[1], frame));
  }
  return add(Kind::apply, all(e.children, frame));
}

RoutineBuilder::Term RoutineBuilder::unary(const Expression& e, Frame& frame) {
  const auto kind = [&] {
    switch (e.unary) {
    case ast::Unary::plus: return Kind::plus;
    case ast::Unary::star: return Kind::star;
    case ast::Unary::optional_: return Kind::optional_;
    case ast::Unary::inverse: return Kind::inverse;
    case ast::Unary::complement: return Kind::complement;
    case ast::Unary::identity_on: break;
    }
    return Kind::identity_on;
  }();
  return add(kind, all(e.children, frame));
}

RoutineBuilder::Term RoutineBuilder::binary(const Expression& e, Frame& frame) {
  const auto kind = [&] {
    switch (e.binary) {
    case ast::Binary::unite: return Kind::unite;
    case ast::Binary::insert: return Kind::insert;
    case ast::Binary::compose: return Kind::compose;
    case ast::Binary::subtract: return Kind::subtract;
    case ast::Binary::intersect: return Kind::intersect;
    case ast::Binary::product: break;
    }
    return Kind::product;
  }();
  return add(kind, all(e.children, frame));
}

std::vector<std::uint32_t> RoutineBuilder::bind(const ast::Pattern& pattern, Frame& frame) {
  std::vector<std::uint32_t> slots;
  for (const auto& bound : pattern.names) {
    slots.push_back(bound.empty() ? no_slot : fresh());
    if (!bound.empty()) frame.locals.emplace_back(bound, slots.back());
  }
  return slots;
}

RoutineBuilder::Term RoutineBuilder::lambda(const Expression& e, Frame& frame) {
  const auto outside = frame.locals.size();
  auto slots = bind(e.pattern, frame);
  const Term body = expression(*e.children[0], frame);
  frame.locals.resize(outside);
  const Term result = add(Kind::lambda, {body});
  result_.routine.terms[result].slots = {std::move(slots)};
  return result;
}

RoutineBuilder::Term RoutineBuilder::let(const Expression& e, Frame& frame) {
  const bool recursive = e.kind == Expression::Kind::let_rec;
  const auto outside = frame.locals.size();
  std::vector<std::vector<std::uint32_t>> slots;
  std::vector<Term> children;
  if (recursive)
    for (const auto& binding : e.bindings) slots.push_back(bind(binding.pattern, frame));
  for (const auto& binding : e.bindings) children.push_back(expression(*binding.value, frame));
  if (!recursive)
    for (const auto& binding : e.bindings) slots.push_back(bind(binding.pattern, frame));
  children.push_back(expression(*e.children[0], frame));
  frame.locals.resize(outside);
  const Term result = add(recursive ? Kind::let_rec : Kind::let, std::move(children));
  result_.routine.terms[result].slots = std::move(slots);
  return result;
}

/// A pattern of three has the elements before `e` first: there are none, as `e` is the first.
RoutineBuilder::Term RoutineBuilder::match_set(const Expression& e, Frame& frame) {
  const Term scrutinee = expression(*e.children[0], frame);
  const Term when_empty = expression(*e.children[1], frame);
  const auto outside = frame.locals.size();
  auto slots = bind(e.pattern, frame);
  const Term otherwise = expression(*e.children[2], frame);
  frame.locals.resize(outside);
  const Term result = add(Kind::match_set, {scrutinee, when_empty, otherwise});
  result_.routine.terms[result].slots = {std::move(slots)};
  return result;
}

/// What is wrong with the first expression shows when its names are resolved.
RoutineBuilder::Term RoutineBuilder::try_(const Expression& e, Frame& frame) {
  const auto locals = frame.locals;
  const auto functions = functions_;
  const auto definitions = definitions_;
  try {
    return expression(*e.children[0], frame);
  } catch (const InputError&) {
    frame.locals = locals;
    functions_ = functions;
    definitions_ = definitions;
    return expression(*e.children[1], frame);
  }
}

RoutineBuilder::Term RoutineBuilder::value(const Value& value) {
  switch (value.kind) {
  case Value::Kind::zero: return add(Kind::empty);
  case Value::Kind::node: return operand(value.node);
  case Value::Kind::function: return function(value.index);
  case Value::Kind::primitive: return primitive(value.primitive);
  case Value::Kind::tuple:
  case Value::Kind::set: {
    std::vector<Term> items;
    for (const auto& item : value.items) items.push_back(this->value(item));
    return add(value.kind == Value::Kind::set ? Kind::set_of : Kind::tuple, std::move(items));
  }
  case Value::Kind::orders: {
    const Orders orders = evaluator_.orders[value.index];
    if (orders.kind != Choice::Kind::linearisations) break;
    const Term set = operand(orders.set);
    return add(Kind::linearisations, {add(Kind::tuple, {set, operand(orders.order)})});
  }
  case Value::Kind::routine: return graft(Interpreted(evaluator_.routines[value.index]));
  case Value::Kind::procedure:
  case Value::Kind::tag: break;
  }
  throw Unsupported(evaluator_.describe(value) +
                    " in a part of a model that is evaluated in each execution");
}

/// A function of the model is defined once at the root of the routine, so that it may call itself.
RoutineBuilder::Term RoutineBuilder::function(std::uint32_t index) {
  const Function known = evaluator_.functions[index];
  const auto [place, added] =
      functions_.try_emplace({known.lambda, known.context.scope}, result_.routine.slot_count);
  const std::uint32_t slot = place->second;
  if (added) {
    fresh();
    Frame frame{known.context, {}};
    const Term body = lambda(*known.lambda, frame);
    definitions_.emplace_back(slot, body);
  }
  return add(Kind::local, {}, slot);
}

RoutineBuilder::Term RoutineBuilder::primitive(Primitive primitive) {
  const std::uint32_t slot = fresh();
  const Term body = apply_primitive(primitive, add(Kind::local, {}, slot));
  const Term result = add(Kind::lambda, {body});
  result_.routine.terms[result].slots = {{slot}};
  return result;
}

RoutineBuilder::Term RoutineBuilder::apply_primitive(Primitive primitive, Term argument) {
  switch (primitive) {
  case Primitive::domain: return add(Kind::domain, {argument});
  case Primitive::range: return add(Kind::range, {argument});
  case Primitive::linearisations: return add(Kind::linearisations, {argument});
  case Primitive::classes_loc: {
    const Term loc = operand(evaluator_.graph.input(Input::loc));
    return add(Kind::classes_loc, {argument}, result_.routine.terms[loc].index);
  }
  case Primitive::classes: return add(Kind::classes, {argument});
  case Primitive::foreign: return add(Kind::empty);
  case Primitive::generate_orders:
  case Primitive::generate_cos: break;
  }
  throw Unsupported("generate_orders and generate_cos inside a recursive function");
}

RoutineBuilder::Term RoutineBuilder::graft(const Interpreted& other) {
  const auto& terms = other.routine.terms;
  const auto offset = static_cast<Term>(result_.routine.terms.size());
  const std::uint32_t slot_offset = result_.routine.slot_count;
  result_.routine.slot_count += other.routine.slot_count;
  for (RoutineTerm term : terms) {
    for (Term& child : term.children) child += offset;
    for (auto& pattern : term.slots)
      for (auto& slot : pattern)
        if (slot != no_slot) slot += slot_offset;
    if (term.kind == Kind::local) term.index += slot_offset;
    if (term.kind == Kind::operand || term.kind == Kind::classes_loc) {
      const NodeId node = other.operands[term.index];
      const auto [place, added] =
          operands_.try_emplace(node, static_cast<std::uint32_t>(result_.operands.size()));
      if (added) result_.operands.push_back(node);
      term.index = place->second;
    }
    result_.routine.terms.push_back(std::move(term));
  }
  return offset + other.routine.root;
}

} // namespace thinair::cat
