// Names, definitions, functions and control; the operators are in operators.cpp.
#include "oracle/cat/evaluator.h"

#include "oracle/cat/foreign.h"
#include "oracle/cat/routine_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cat {

using ast::Expression;
using Kind = ast::Expression::Kind;

namespace {

struct PrimitiveRow {
  std::string_view name;
  Primitive primitive;
};

constexpr auto primitives = std::to_array<PrimitiveRow>({
    {"domain", Primitive::domain},
    {"range", Primitive::range},
    {"linearisations", Primitive::linearisations},
    {"classes-loc", Primitive::classes_loc},
    {"classes", Primitive::classes},
});

/// The only components of a value that a pattern may take apart now.
bool fits(const ast::Pattern& pattern, const Value& value) {
  return value.kind == Value::Kind::tuple && value.items.size() == pattern.names.size();
}

std::string arity(std::size_t n) { return fmt::format("{} argument{}", n, n == 1 ? "" : "s"); }

} // namespace

void Evaluator::fail(text::Span span, Context context, std::string_view message,
                     std::string_view hint) const {
  throw InputError::at(*context.source, span, message, hint);
}

std::string_view describe(Type type) { return type == Type::set ? "a set" : "a relation"; }

std::string Evaluator::describe(const Value& value) const {
  switch (value.kind) {
  case Value::Kind::zero: return "the empty set";
  case Value::Kind::node: return std::string(cat::describe(graph.type(value.node)));
  case Value::Kind::function:
  case Value::Kind::primitive: return "a function";
  case Value::Kind::procedure: return "a procedure";
  case Value::Kind::tuple: return fmt::format("a tuple of {}", value.items.size());
  case Value::Kind::tag: return fmt::format("the tag '{}", value.tag);
  case Value::Kind::set:
    return fmt::format("a set whose elements are each {}", describe(value.items.front()));
  case Value::Kind::orders: return "a set of relations";
  case Value::Kind::routine: return "a value known only in an execution";
  }
  return {};
}

Value Evaluator::evaluate(const Expression& e, Context context) {
  if (++steps_ > options_.max_steps)
    throw LimitReached(Limit::model_steps,
                       fmt::format("{} steps of compiling the model", options_.max_steps));
  if (depth_ >= options_.max_depth)
    throw LimitReached(
        Limit::model_depth,
        fmt::format("{} nested calls and definitions of the model", options_.max_depth));
  ++depth_;
  struct Leave {
    std::uint32_t& depth;
    ~Leave() { --depth; }
  } leave{depth_};
  return dispatch(e, context);
}

Value Evaluator::dispatch(const Expression& e, Context context) {
  switch (e.kind) {
  case Kind::name: return value_of_name(e.name, e.span, context);
  case Kind::zero: return {};
  case Kind::universe: return Value::of_node(graph.universe());
  case Kind::tag: return {.kind = Value::Kind::tag, .tag = e.name};
  case Kind::set: return literal_set(e, context);
  case Kind::tuple: return tuple(e, context);
  case Kind::apply: return apply(e, context);
  case Kind::unary: return unary(e, context);
  case Kind::binary: return binary(e, context);
  case Kind::lambda: return closure(e, context);
  case Kind::let: return evaluate(*e.children[0], {context.source, bind(e.bindings, context)});
  case Kind::let_rec:
    return evaluate(*e.children[0], {context.source, bind_recursive(e.bindings, context)});
  case Kind::try_: return try_(e, context);
  case Kind::if_: return evaluate(*e.children[holds(*e.condition, context) ? 0 : 1], context);
  case Kind::match_tag: return match_tag(e, context);
  case Kind::match_set: return match_set(e, context);
  }
  return {};
}

Value Evaluator::run_time(const Expression& e, Context context) {
  routines.push_back(RoutineBuilder(*this).build(e, context));
  return {.kind = Value::Kind::routine, .index = static_cast<std::uint32_t>(routines.size() - 1)};
}

// ---- names ---------------------------------------------------------------------------------

std::optional<Value> Evaluator::predefined(std::string_view name) {
  for (const auto& row : primitives)
    if (row.name == name) return Value{.kind = Value::Kind::primitive, .primitive = row.primitive};
  for (const auto* each : graph::front_ends()) {
    const Architecture architecture(*each);
    if (options_.architecture.value_or(architecture) != architecture) continue;
    if (const auto input = graph::input_named(name, architecture))
      return Value::of_node(graph.input(*input));
  }
  if (auto node = derived(name)) return Value::of_node(*node);
  if (options_.architecture) return std::nullopt;
  if (is_foreign_function(name))
    return Value{.kind = Value::Kind::primitive, .primitive = Primitive::foreign};
  if (const auto type = foreign_type(name)) return Value::of_node(foreign(name, *type));
  return std::nullopt;
}

/// Nothing is known of it: a variable that nobody defines.
NodeId Evaluator::foreign(std::string_view name, Type type) {
  const auto [place, added] = foreign_.try_emplace(std::string(name), 0);
  if (added) {
    place->second = graph.variable(type);
    origins.emplace_back();
  }
  return place->second;
}

/// Names that herd predefines and that follow from others here, since accesses are not mixed in
/// size: events of one instruction, and of one single-copy atomic access; and what herd knows of
/// coherence beforehand, which is (as it is run by default) that initial writes are first and final
/// ones last.
std::optional<NodeId> Evaluator::derived(std::string_view name) {
  const NodeId id = graph.input(Input::id);
  const NodeId iico = graph.input(Input::iico);
  if (name == "sm" || name == "si") return id; // of parts of one access
  if (name == "same-instance") return graph.unite(std::array{id, iico, graph.inverse(iico)});
  if (name == "iico_data") return iico;
  if (name == "pco") return known_coherence();
  if (name == "iico_ctrl" || name == "iico_order") return graph.empty(Type::relation);
  return std::nullopt;
}

NodeId Evaluator::known_coherence() {
  const NodeId w = graph.input(Input::writes);
  const NodeId first = graph.input(Input::initial_writes), last = graph.input(Input::final_writes);
  const NodeId pairs = graph.unite(std::array{graph.product(first, graph.subtract(w, first)),
                                              graph.product(graph.subtract(w, last), last)});
  return graph.intersect(std::array{graph.input(Input::loc), pairs});
}

Value Evaluator::value_of_name(const std::string& name, text::Span span, Context context) {
  if (const auto cell = scopes.find(context.scope, name)) return force(*cell);
  if (auto value = predefined(name)) return *std::move(value);
  fail_unbound(name, span, context);
}

/// The architectures whose executions have a set or relation of that name: "x86 and AArch64".
std::string owners(std::string_view name) {
  std::string out;
  for (const auto* each : graph::front_ends())
    if (graph::input_named(name, Architecture(*each)))
      out += fmt::format("{}{}", out.empty() ? "" : " and ", each->name);
  return out;
}

void Evaluator::fail_unbound(const std::string& name, text::Span span, Context context) {
  const auto architecture = options_.architecture.value_or(Architecture::java);
  std::string hint;
  const auto others = options_.architecture ? owners(name) : "";
  if (!others.empty()) {
    hint = fmt::format("executions of {} programs have it, those of {} programs do not", others,
                       architecture->name);
  } else {
    auto candidates = scopes.names(context.scope);
    for (const auto word : graph::names(architecture)) candidates.push_back(word);
    for (const auto& row : primitives) candidates.push_back(row.name);
    if (const auto close = nearest(name, candidates))
      hint = fmt::format("did you mean '{}'?", *close);
  }
  throw UnboundName(
      InputError::at(*context.source, span, fmt::format("unbound name '{}'", name), hint));
}

Value Evaluator::force(CellId cell) {
  switch (scopes[cell].state) {
  case Cell::State::done: return scopes[cell].value;
  case Cell::State::failed: std::rethrow_exception(scopes[cell].error);
  case Cell::State::running:
    THINAIR_CHECK(false, "a definition that is not recursive reached itself");
    break;
  case Cell::State::waiting: break;
  }
  scopes[cell].state = Cell::State::running;
  try {
    Value value = force_waiting(cell);
    scopes[cell].state = Cell::State::done;
    scopes[cell].value = value;
    return value;
  } catch (...) {
    scopes[cell].state = Cell::State::failed;
    scopes[cell].error = std::current_exception();
    throw;
  }
}

Value Evaluator::force_waiting(CellId id) {
  const Cell cell = scopes[id];
  if (cell.recursion) {
    solve(*cell.recursion);
    return scopes[id].value;
  }
  if (!cell.tuple) return evaluate(*cell.expression, cell.context);
  const Value whole = force(*cell.tuple);
  if (whole.kind != Value::Kind::tuple || whole.items.size() != cell.components)
    fail(cell.expression->span, cell.context,
         fmt::format("expected a tuple of {}, found {}", cell.components, describe(whole)));
  return whole.items[cell.component];
}

ScopeId Evaluator::bind(const std::vector<ast::Binding>& bindings, Context context) {
  ScopeId scope = context.scope;
  for (const auto& binding : bindings) {
    Cell cell;
    cell.expression = binding.value.get();
    cell.context = context;
    const auto& names = binding.pattern.names;
    const CellId whole = scopes.add(cell);
    if (!binding.pattern.tuple) {
      if (!names[0].empty()) scope = scopes.bind(scope, names[0], whole);
      continue;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      cell.tuple = whole;
      cell.component = static_cast<std::uint32_t>(i);
      cell.components = static_cast<std::uint32_t>(names.size());
      if (!names[i].empty()) scope = scopes.bind(scope, names[i], scopes.add(cell));
    }
  }
  return scope;
}

ScopeId Evaluator::bind_value(const ast::Pattern& pattern, const Value& value, ScopeId scope,
                              text::Span blamed, Context context) {
  if (!pattern.tuple)
    return pattern.names[0].empty() ? scope
                                    : scopes.bind(scope, pattern.names[0], scopes.add(value));
  if (!fits(pattern, value)) {
    const auto found = value.kind == Value::Kind::tuple ? arity(value.items.size()) : arity(1);
    fail(blamed, context, fmt::format("expected {}, found {}", arity(pattern.names.size()), found));
  }
  for (std::size_t i = 0; i < pattern.names.size(); ++i)
    if (!pattern.names[i].empty())
      scope = scopes.bind(scope, pattern.names[i], scopes.add(value.items[i]));
  return scope;
}

// ---- values without operators --------------------------------------------------------------

Value Evaluator::literal_set(const Expression& e, Context context) {
  Value result;
  bool run_time_element = false;
  for (const auto& child : e.children) {
    Value item = evaluate(*child, context);
    run_time_element |= item.kind == Value::Kind::routine;
    result.kind = Value::Kind::set;
    if (std::ranges::none_of(result.items, [&](const Value& v) { return same(v, item); }))
      result.items.push_back(std::move(item));
  }
  return run_time_element ? run_time(e, context) : result;
}

Value Evaluator::tuple(const Expression& e, Context context) {
  Value result{.kind = Value::Kind::tuple};
  for (const auto& child : e.children) result.items.push_back(evaluate(*child, context));
  return result;
}

Value Evaluator::closure(const Expression& e, Context context) {
  functions.push_back({&e, context});
  return {.kind = Value::Kind::function, .index = static_cast<std::uint32_t>(functions.size() - 1)};
}

bool Evaluator::same(const Value& a, const Value& b) {
  return a.kind == b.kind && a.node == b.node && a.index == b.index && a.primitive == b.primitive &&
         a.tag == b.tag && std::ranges::equal(a.items, b.items, [](const Value& x, const Value& y) {
           return same(x, y);
         });
}

// ---- functions -----------------------------------------------------------------------------

Value Evaluator::apply(const Expression& e, Context context) {
  const Value function = evaluate(*e.children[0], context);
  const Value argument = evaluate(*e.children[1], context);
  if (function.kind == Value::Kind::function)
    return call(Function(functions[function.index]), argument, e, context);
  if (function.kind == Value::Kind::primitive)
    return apply_primitive(function.primitive, argument, e, context);
  if (function.kind == Value::Kind::routine) return run_time(e, context);
  fail(e.children[0]->span, context,
       fmt::format("expected a function, found {}", describe(function)));
}

Value Evaluator::call(const Function& function, const Value& argument, const Expression& e,
                      Context context) {
  const Expression& lambda = *function.lambda;
  if (lambda.pattern.tuple && argument.kind == Value::Kind::routine) return run_time(e, context);
  const ScopeId scope =
      bind_value(lambda.pattern, argument, function.context.scope, e.children[1]->span, context);
  return evaluate(*lambda.children[0], {function.context.source, scope});
}

Value Evaluator::apply_primitive(Primitive primitive, const Value& argument, const Expression& e,
                                 Context context) {
  const auto span = e.children[1]->span;
  switch (primitive) {
  case Primitive::domain:
    return Value::of_node(graph.domain(as_node(argument, Type::relation, span, context)));
  case Primitive::range:
    return Value::of_node(graph.range(as_node(argument, Type::relation, span, context)));
  case Primitive::classes_loc:
  case Primitive::classes: return run_time(e, context);
  case Primitive::linearisations:
  case Primitive::generate_orders:
  case Primitive::generate_cos: return native_orders(primitive, argument, e, context);
  case Primitive::foreign: return {};
  }
  return {};
}

Value Evaluator::native_orders(Primitive primitive, const Value& argument, const Expression& e,
                               Context context) {
  const auto span = e.children[1]->span;
  Orders result;
  result.kind = primitive == Primitive::linearisations ? Choice::Kind::linearisations
                                                       : Choice::Kind::linearisations_by_class;
  if (primitive == Primitive::generate_cos) {
    result.set = graph.input(Input::writes);
    result.order = as_node(argument, Type::relation, span, context);
  } else {
    if (argument.kind != Value::Kind::tuple || argument.items.size() != 2)
      fail(span, context, fmt::format("expected {}, found {}", arity(2), describe(argument)));
    result.set = as_node(argument.items[0], Type::set, span, context);
    result.order = as_node(argument.items[1], Type::relation, span, context);
  }
  orders.push_back(result);
  return {.kind = Value::Kind::orders, .index = static_cast<std::uint32_t>(orders.size() - 1)};
}

// ---- control -------------------------------------------------------------------------------

/// herd's `try` goes on with the second expression whatever is wrong with the first.
Value Evaluator::try_(const Expression& e, Context context) {
  try {
    return evaluate(*e.children[0], context);
  } catch (const InputError&) {
    return evaluate(*e.children[1], context);
  }
}

Value Evaluator::match_tag(const Expression& e, Context context) {
  const Value scrutinee = evaluate(*e.children[0], context);
  if (scrutinee.kind != Value::Kind::tag)
    fail(e.children[0]->span, context,
         fmt::format("expected a tag, found {}", describe(scrutinee)));
  for (const auto& clause : e.clauses)
    if (clause.tag == scrutinee.tag) return evaluate(*clause.value, context);
  if (e.children.size() > 1) return evaluate(*e.children[1], context);
  fail(e.span, context, fmt::format("no clause for the tag '{}", scrutinee.tag));
}

Value Evaluator::match_set(const Expression& e, Context context) {
  const Value scrutinee = evaluate(*e.children[0], context);
  const bool empty = scrutinee.kind == Value::Kind::zero ||
                     (scrutinee.kind == Value::Kind::node && graph.is_empty(scrutinee.node));
  if (empty) return evaluate(*e.children[1], context);
  switch (scrutinee.kind) {
  case Value::Kind::node:
  case Value::Kind::orders:
  case Value::Kind::routine: return run_time(e, context);
  case Value::Kind::set: break;
  case Value::Kind::zero:
  case Value::Kind::function:
  case Value::Kind::primitive:
  case Value::Kind::procedure:
  case Value::Kind::tuple:
  case Value::Kind::tag:
    fail(e.children[0]->span, context,
         fmt::format("expected a set, found {}", describe(scrutinee)));
  }
  Value parts{.kind = Value::Kind::tuple};
  if (e.pattern.names.size() == 3) parts.items.emplace_back(); // nothing before the first
  parts.items.push_back(scrutinee.items.front());
  Value rest = scrutinee;
  rest.items.erase(rest.items.begin());
  parts.items.push_back(rest.items.empty() ? Value{} : rest);
  const ScopeId scope = bind_value(e.pattern, parts, context.scope, e.span, context);
  return evaluate(*e.children[2], {context.source, scope});
}

bool Evaluator::holds(const ast::Condition& condition, Context context) {
  using Test = ast::Condition::Kind;
  switch (condition.kind) {
  case Test::variant: return options_.variants.contains(condition.variant);
  case Test::negation: return !holds(condition.operands[0], context);
  case Test::conjunction:
    return holds(condition.operands[0], context) && holds(condition.operands[1], context);
  case Test::disjunction:
    return holds(condition.operands[0], context) || holds(condition.operands[1], context);
  case Test::equal:
  case Test::subset:
  case Test::member: break;
  }
  const Value left = evaluate(*condition.sides[0], context);
  const Value right = evaluate(*condition.sides[1], context);
  const auto in_execution = [](const Value& v) {
    return v.kind == Value::Kind::node || v.kind == Value::Kind::orders ||
           v.kind == Value::Kind::routine;
  };
  if (in_execution(left) || in_execution(right))
    throw Unsupported("a comparison after 'if' of values that only an execution knows");
  const auto among = [](const Value& item, const Value& set) {
    return std::ranges::any_of(set.items, [&](const Value& v) { return same(v, item); });
  };
  if (condition.kind == Test::member) return among(left, right);
  const auto within = [&](const Value& a, const Value& b) {
    return std::ranges::all_of(a.items, [&](const Value& v) { return among(v, b); });
  };
  if (condition.kind == Test::subset) return within(left, right);
  return same(left, right) || (left.kind == Value::Kind::set && left.kind == right.kind &&
                               within(left, right) && within(right, left));
}

} // namespace thinair::cat
