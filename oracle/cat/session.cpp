// Statements of cat, and how files find each other.
#include "oracle/cat/session.h"

#include "models/library.h"
#include "oracle/cat/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>

namespace thinair::cat {

using ast::Statement;
using ast::Test;

namespace {

constexpr std::uint32_t max_include_depth = 32;
constexpr std::uint32_t calls_a_procedure = 15; // that its call counts as, towards its depth

EvaluatorOptions evaluator_options(std::optional<Architecture> architecture,
                                   const LoadOptions& options) {
  EvaluatorOptions result{.architecture = architecture, .variants = {}};
  result.variants.insert(options.variants.begin(), options.variants.end());
  result.max_steps = options.max_steps;
  result.max_depth = options.max_depth;
  return result;
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::optional<text::Source> read(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return text::Source{path.string(), {std::istreambuf_iterator<char>(in), {}}};
}

std::string_view keyword(Test::Kind kind) {
  switch (kind) {
  case Test::Kind::acyclic: return "acyclic";
  case Test::Kind::irreflexive: return "irreflexive";
  case Test::Kind::empty: break;
  }
  return "empty";
}

/// The relations that rules of causality speak of.
constexpr auto for_causality = std::to_array<const char*>({"so", "sw", "hb"});

Axiom::Kind axiom_kind(Test::Kind kind) {
  switch (kind) {
  case Test::Kind::acyclic: return Axiom::Kind::acyclic;
  case Test::Kind::irreflexive: return Axiom::Kind::irreflexive;
  case Test::Kind::empty: break;
  }
  return Axiom::Kind::empty;
}

} // namespace

Session::Session(std::optional<Architecture> architecture, const LoadOptions& options)
    : evaluator(evaluator_options(architecture, options)), options_(options) {}

void Session::run(const text::Source& model) {
  const Context nowhere{&add_file(model).source, 0};
  if (auto library = find("stdlib.cat", nowhere, {}); true) run_file(std::move(library));
  const File& file = files_.front();
  title = file.tree.title;
  causality = file.tree.causality.text;
  identity = file.tree.identity.text;
  read_tearing(file);
  if (file.tree.meaning) declared.emplace(*file.tree.meaning, file.source);
  block(file.tree.statements, file.source);
  show_for_causality();
  demand_for_causality();
  note_names();
  check_dropped();
  except_from_stages();
}

/// `(* tearing: long, double *)`: both types of 64 bits, or neither, as JLS 17.7 has it.
void Session::read_tearing(const File& file) {
  std::set<std::string> seen;
  for (const auto& word : file.tree.tearing) {
    if (word.text != "long" && word.text != "double")
      throw InputError::at(file.source, word.span,
                           fmt::format("'{}' is no type that may tear", word.text),
                           "there are long, double (JLS 17.7)");
    seen.insert(word.text);
  }
  tearing = !seen.empty();
  if (seen.size() == 1)
    throw InputError::at(file.source, file.tree.tearing.front().span,
                         "long and double tear together", "write: tearing: long, double");
}

// ---- files ---------------------------------------------------------------------------------

const Session::File& Session::add_file(text::Source source) {
  content.add(source.text);
  files_.push_back({std::move(source), {}});
  files_.back().tree = parse(files_.back().source);
  return files_.back();
}

void Session::run_file(text::Source source) {
  const File& file = add_file(std::move(source));
  block(file.tree.statements, file.source);
  if (file_name(file.source.name) == "cross.cat") use_native_orders(file.source);
}

/// Whatever way cross.cat computes them, these two are what the engine knows how to search.
void Session::use_native_orders(const text::Source&) {
  if (!options_.native_orders) return;
  const auto native = [&](const char* name, Primitive primitive) {
    if (evaluator.scopes.find(scope_, name))
      bind(name, {.kind = Value::Kind::primitive, .primitive = primitive});
  };
  native("generate_orders", Primitive::generate_orders);
  native("generate_cos", Primitive::generate_cos);
}

/// Include path, then the including file's directory, then the embedded library.
text::Source Session::find(std::string_view name, Context context, text::Span span) const {
  for (const auto& directory : options_.include_path)
    if (auto source = read(std::filesystem::path(directory) / name)) return *std::move(source);
  const auto here = std::filesystem::path(context.source->name).parent_path();
  if (!here.empty())
    if (auto source = read(here / name)) return *std::move(source);
  if (const auto file = models::find_include(name))
    return {std::string(name), std::string(file->text)};
  std::vector<std::string_view> known;
  for (const auto& file : models::files())
    known.push_back(file.name.substr(file.name.starts_with("library/") ? 8 : 0));
  const auto close = nearest(name, known);
  throw InputError::at(*context.source, span, fmt::format("no file '{}' to include", name),
                       close ? fmt::format("did you mean \"{}\"?", *close) : std::string());
}

void Session::include(const Statement& s, Context context) {
  if (include_depth_ >= max_include_depth)
    throw InputError::at(*context.source, s.span,
                         fmt::format("includes are nested more than {} deep", max_include_depth),
                         "does the file include itself?");
  ++include_depth_;
  run_file(find(s.name, context, s.span));
  --include_depth_;
}

// ---- statements ----------------------------------------------------------------------------

void Session::block(const ast::Block& statements, const text::Source& source) {
  for (const auto& s : statements) statement(s, {&source, scope_});
}

void Session::bind(const std::string& name, Value value) {
  scope_ = evaluator.scopes.bind(scope_, name, evaluator.scopes.add(std::move(value)));
}

void Session::statement(const Statement& s, Context context) {
  using Kind = Statement::Kind;
  switch (s.kind) {
  case Kind::let:
    note_glosses(s);
    scope_ = evaluator.bind(s.bindings, context);
    return;
  case Kind::let_rec:
    note_glosses(s);
    scope_ = evaluator.bind_recursive(s.bindings, context);
    if (s.test) test(*s.test, {context.source, scope_});
    return;
  case Kind::test: return test(*s.test, context);
  case Kind::show:
  case Kind::unshow: return show_names(s, context);
  case Kind::show_as: return show_as(s, context);
  case Kind::include: return include(s, context);
  case Kind::procedure:
    evaluator.procedures.push_back({&s, context});
    return bind(s.name, {.kind = Value::Kind::procedure,
                         .index = static_cast<std::uint32_t>(evaluator.procedures.size() - 1)});
  case Kind::call: return call(s, context);
  case Kind::forall: return for_all(s, context);
  case Kind::with_from: return with_from(s, context);
  case Kind::enumeration: return enumeration(s);
  case Kind::match: return match(s, context);
  case Kind::if_:
    return block(evaluator.holds(*s.condition, context) ? s.body : s.otherwise, *context.source);
  case Kind::debug:
  case Kind::events:
  case Kind::catdep: return; // say nothing about which executions are allowed
  }
}

void Session::test(const Test& test, Context context) {
  std::string name = !test.name.empty() ? test.name : call_name_;
  if (name.empty())
    name = fmt::format("{}@{}", keyword(test.kind),
                       text::position_of(*context.source, test.span.begin).line);
  names_.push_back(name);
  const Value value = evaluator.evaluate(*test.expression, context);
  Axiom axiom;
  axiom.kind = axiom_kind(test.kind);
  axiom.negated = test.negated;
  axiom.node = test.kind == Test::Kind::empty
                   ? evaluator.as_node(value, test.expression->span, context)
                   : evaluator.as_node(value, Type::relation, test.expression->span, context);
  drop_closure(axiom);
  axiom.name = name;
  axiom.source = test.comment;
  switch (test.effect) {
  case Test::Effect::required: axiom.effect = Axiom::Effect::required; break;
  case Test::Effect::flag: axiom.effect = Axiom::Effect::flag; break;
  case Test::Effect::undefined_unless: axiom.effect = Axiom::Effect::undefined_unless; break;
  case Test::Effect::assertion: has_assertions = true; return;
  }
  const auto& drop = options_.dropped_axioms;
  if (std::ranges::find(drop, name) != drop.end()) return dropped_.push_back(name);
  axioms.push_back(std::move(axiom));
}

/// A relation has a cycle when its closure has one, and when its closure is reflexive somewhere.
void Session::drop_closure(Axiom& axiom) const {
  const Node& node = evaluator.graph[axiom.node];
  if (node.op != Op::plus || axiom.kind == Axiom::Kind::empty) return;
  axiom.kind = Axiom::Kind::acyclic;
  axiom.node = node.a;
}

void Session::check_dropped() const {
  for (const auto& name : options_.dropped_axioms) {
    if (std::ranges::find(dropped_, name) != dropped_.end()) continue;
    const auto close = nearest(name, names_);
    throw InputError(
        fmt::format("{}: error: no axiom '{}' to drop{}", files_.front().source.name, name,
                    close ? fmt::format("\n  hint: did you mean '{}'?", *close) : std::string()));
  }
}

/// Marks the axioms that the model does not ask of a justification's stages.
void Session::except_from_stages() {
  const File& file = files_.front();
  for (const auto& word : file.tree.not_of_stages) {
    if (std::ranges::find(names_, word.text) == names_.end()) {
      const auto close = nearest(word.text, names_);
      throw InputError::at(file.source, word.span,
                           fmt::format("the model has no axiom '{}'", word.text),
                           close ? fmt::format("did you mean '{}'?", *close) : std::string());
    }
    for (auto& axiom : axioms)
      if (axiom.name == word.text) axiom.of_stages = false;
  }
}

void Session::with_from(const Statement& s, Context context) {
  const Value value = evaluator.evaluate(*s.expression, context);
  Choice choice;
  choice.name = s.name;
  if (value.kind == Value::Kind::orders) {
    const Orders& orders = evaluator.orders[value.index];
    choice.kind = orders.kind;
    choice.set = orders.set;
    choice.order = orders.order;
  } else {
    choice.kind = Choice::Kind::interpreted;
    choice.interpreted = routine_of_choices(value, s, context);
  }
  choice.node = evaluator.graph.choice(static_cast<std::uint32_t>(choices.size()));
  choices.push_back(choice);
  glosses_[s.name] = s.comment;
  bind(s.name, Value::of_node(choice.node));
}

/// The routine that enumerates what is no native set of orders.
std::uint32_t Session::routine_of_choices(const Value& value, const Statement& s, Context context) {
  if (value.kind == Value::Kind::routine) {
    evaluator.interpreted.push_back(evaluator.routines[value.index]);
    return static_cast<std::uint32_t>(evaluator.interpreted.size() - 1);
  }
  if (value.kind != Value::Kind::zero && value.kind != Value::Kind::set)
    throw InputError::at(
        *context.source, s.expression->span,
        fmt::format("expected a set of relations, found {}", evaluator.describe(value)));
  Interpreted result;
  RoutineTerm all{.kind = RoutineTerm::Kind::set_of, .index = 0, .children = {}, .slots = {}};
  for (const auto& item : value.items) {
    result.operands.push_back(evaluator.as_node(item, Type::relation, s.expression->span, context));
    all.children.push_back(static_cast<std::uint32_t>(result.routine.terms.size()));
    result.routine.terms.push_back({.kind = RoutineTerm::Kind::operand,
                                    .index = static_cast<std::uint32_t>(result.operands.size() - 1),
                                    .children = {},
                                    .slots = {}});
  }
  result.routine.root = static_cast<std::uint32_t>(result.routine.terms.size());
  result.routine.terms.push_back(std::move(all));
  evaluator.interpreted.push_back(std::move(result));
  return static_cast<std::uint32_t>(evaluator.interpreted.size() - 1);
}

// ---- show ----------------------------------------------------------------------------------

/// A name shown again replaces the older relation; sets are no edges.
void Session::show(std::string name, NodeId node) {
  std::erase_if(shows, [&](const Shown& s) { return s.name == name; });
  if (evaluator.graph.type(node) == Type::relation) shows.push_back({std::move(name), node});
}

/// herd looks at what is shown only when it draws: what is wrong with it is no error.
void Session::show_as(const Statement& s, Context context) {
  try {
    show(s.name, evaluator.as_node(evaluator.evaluate(*s.expression, context), s.expression->span,
                                   context));
  } catch (const InputError& error) {
    std::erase_if(shows, [&](const Shown& shown) { return shown.name == s.name; });
    warnings.push_back(fmt::format("{}\n  so that '{}' is not shown", error.what(), s.name));
  }
}

/// As in herd, a name that nothing defines is not shown and no error.
void Session::show_names(const Statement& s, Context context) {
  for (const auto& name : s.names) {
    const bool known = evaluator.scopes.find(scope_, name) || evaluator.predefined(name);
    if (s.kind == Statement::Kind::unshow || !known)
      std::erase_if(shows, [&](const Shown& shown) { return shown.name == name; });
    else
      show(name,
           evaluator.as_node(evaluator.value_of_name(name, s.span, context), s.span, context));
  }
}

/// What the causality rules speak of (JLS 17.4.4, 17.4.5), when the model defines it.
void Session::show_for_causality() {
  for (const char* name : for_causality) {
    const auto cell = evaluator.scopes.find(scope_, name);
    const bool shown = std::ranges::any_of(shows, [&](const Shown& s) { return s.name == name; });
    if (!cell || shown) continue;
    try {
      const Value value = evaluator.force(*cell);
      if (value.kind == Value::Kind::node) show(name, value.node);
      if (value.kind == Value::Kind::zero) show(name, evaluator.graph.empty(Type::relation));
    } catch (const InputError&) {
      continue; // defined, never used, and wrong: as if it were not there
    }
  }
}

/// The innermost definition of a name counts, and with it its comment, or that there is none.
void Session::note_glosses(const Statement& let) {
  for (const auto& binding : let.bindings)
    for (const auto& name : binding.pattern.names) glosses_[name] = let.comment;
}

/// A model that names rules of causality shows what they speak of.
void Session::demand_for_causality() const {
  const File& file = files_.front();
  if (causality.empty() || causality == "none") return;
  std::vector<std::string_view> missing;
  for (const char* name : for_causality)
    if (std::ranges::find(shows, name, &Shown::name) == shows.end()) missing.push_back(name);
  if (missing.empty()) return;
  throw InputError::at(
      file.source, file.tree.causality.span,
      fmt::format("the model names rules of causality and shows no {}", fmt::join(missing, ", ")),
      "they need 'show so, sw, hb'; a model without rules says '(* causality: "
      "none *)'");
}

/// What explanations call the nodes of top-level definitions; the innermost of a name.
void Session::note_names() {
  std::set<std::string_view> seen;
  for (const auto name : evaluator.scopes.names(scope_)) {
    if (!seen.insert(name).second) continue;
    const Cell& cell = evaluator.scopes[*evaluator.scopes.find(scope_, name)];
    if (cell.state == Cell::State::done && cell.value.kind == Value::Kind::node)
      names.push_back({{std::string(name), cell.value.node}, glosses_[std::string(name)]});
  }
  std::ranges::reverse(names);
}

// ---- procedures and control ----------------------------------------------------------------

void Session::call(const Statement& s, Context context) {
  const Value callee = evaluator.value_of_name(s.name, s.span, context);
  if (callee.kind != Value::Kind::procedure)
    throw InputError::at(
        *context.source, s.span,
        fmt::format("expected a procedure after 'call', found {}", evaluator.describe(callee)));
  if (const auto most = options_.max_depth / calls_a_procedure; call_depth_ >= most)
    throw LimitReached(Limit::model_depth,
                       fmt::format("{} nested procedure calls of the model", most));
  const Procedure procedure = evaluator.procedures[callee.index];
  const Value argument = evaluator.evaluate(*s.expression, context);
  const ScopeId caller = scope_;
  ScopeId inside = procedure.context.scope;
  if (procedure.statement->recursive)
    inside = evaluator.scopes.bind(inside, s.name, evaluator.scopes.add(callee));
  scope_ = evaluator.bind_value(procedure.statement->pattern, argument, inside, s.expression->span,
                                context);
  const std::string outer_name = call_name_;
  if (!s.names.empty()) call_name_ = s.names.front();
  ++call_depth_;
  block(procedure.statement->body, *procedure.context.source);
  --call_depth_;
  call_name_ = outer_name;
  scope_ = caller;
}

void Session::for_all(const Statement& s, Context context) {
  const Value over = evaluator.evaluate(*s.expression, context);
  if (over.kind != Value::Kind::zero && over.kind != Value::Kind::set)
    throw Unsupported("'forall' over a set that only an execution knows");
  const ScopeId outside = scope_;
  for (const auto& item : over.items) {
    bind(s.name, item);
    block(s.body, *context.source);
    scope_ = outside;
  }
}

void Session::match(const Statement& s, Context context) {
  const Value scrutinee = evaluator.evaluate(*s.expression, context);
  if (scrutinee.kind != Value::Kind::tag)
    throw InputError::at(*context.source, s.expression->span,
                         fmt::format("expected a tag, found {}", evaluator.describe(scrutinee)));
  for (const auto& clause : s.clauses)
    if (clause.tag == scrutinee.tag) return block(clause.body, *context.source);
  block(s.otherwise, *context.source);
}

void Session::enumeration(const Statement& s) {
  Value all{.kind = Value::Kind::set};
  for (const auto& tag : s.names) all.items.push_back({.kind = Value::Kind::tag, .tag = tag});
  bind(s.name, std::move(all));
}

} // namespace thinair::cat
