// Runs a model's expressions at compile time: functions are inlined, variants and `try` decided,
// and what remains are nodes of the plan.
#pragma once

#include "litmus/text/error.h"
#include "oracle/cat/node_graph.h"
#include "oracle/cat/scopes.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thinair::cat {

/// A name that nothing defines: the one thing wrong with a part of a model that its includer may
/// put right.
class UnboundName final : public InputError {
 public:
  explicit UnboundName(const InputError& e) : InputError(e) {}
};

struct EvaluatorOptions {
  /// None: every name that herd knows for some architecture (check_model).
  std::optional<Architecture> architecture;
  std::set<std::string, std::less<>> variants;
  std::uint64_t max_steps = 2'000'000;
  std::uint32_t max_depth = 1500;
};

class Evaluator {
 public:
  explicit Evaluator(EvaluatorOptions options) : options_(std::move(options)) {}

  Value evaluate(const ast::Expression& e, Context context);
  Value force(CellId cell);

  /// The value as a node of a type; `what` is blamed. Throws InputError, "expected a relation,
  /// found a set".
  NodeId as_node(const Value& value, Type expected, text::Span what, Context context);
  /// The value as a node of whatever type it has; a relation where that is open.
  NodeId as_node(const Value& value, text::Span what, Context context);

  /// Binds `let` (lazily) or `let rec`; returns the scope that sees the names.
  ScopeId bind(const std::vector<ast::Binding>& bindings, Context context);
  ScopeId bind_recursive(const std::vector<ast::Binding>& bindings, Context context);
  /// Binds a pattern to a value known already.
  ScopeId bind_value(const ast::Pattern& pattern, const Value& value, ScopeId scope,
                     text::Span blamed, Context context);

  bool holds(const ast::Condition& condition, Context context);
  std::optional<Value> predefined(std::string_view name);
  [[noreturn]] void fail_unbound(const std::string& name, text::Span span, Context context);
  Value value_of_name(const std::string& name, text::Span span, Context context);

  /// A value that only a run can know: `e` becomes a routine.
  Value run_time(const ast::Expression& e, Context context);

  static bool same(const Value& a, const Value& b);
  std::string describe(const Value& value) const;

  NodeGraph graph;
  Scopes scopes;
  std::vector<Function> functions;
  std::vector<Procedure> procedures;
  std::vector<Orders> orders;
  std::vector<Interpreted> routines;    // by Value::index
  std::vector<Interpreted> interpreted; // of the plan: those that became nodes or choices

  /// Where each variable of the graph is defined, for diagnostics; by Node::a.
  struct Origin {
    Context context;
    text::Span span;
  };
  std::vector<Origin> origins;

 private:
  struct Recursion {
    std::vector<CellId> cells;
    std::vector<const ast::Expression*> bodies;
    Context context;
  };

  EvaluatorOptions options_;
  std::vector<Recursion> recursions_;
  std::map<std::pair<std::uint32_t, Type>, NodeId> materialised_;
  std::map<std::string, NodeId, std::less<>> foreign_;
  std::uint64_t steps_ = 0;
  std::uint32_t depth_ = 0;

  NodeId foreign(std::string_view name, Type type);
  std::optional<NodeId> derived(std::string_view name);
  NodeId known_coherence();
  Value dispatch(const ast::Expression& e, Context context);
  Value literal_set(const ast::Expression& e, Context context);
  Value tuple(const ast::Expression& e, Context context);
  Value closure(const ast::Expression& e, Context context);
  Value apply(const ast::Expression& e, Context context);
  Value call(const Function& function, const Value& argument, const ast::Expression& e,
             Context context);
  Value apply_primitive(Primitive primitive, const Value& argument, const ast::Expression& e,
                        Context context);
  Value native_orders(Primitive primitive, const Value& argument, const ast::Expression& e,
                      Context context);
  Value try_(const ast::Expression& e, Context context);
  Value match_tag(const ast::Expression& e, Context context);
  Value match_set(const ast::Expression& e, Context context);
  Value force_waiting(CellId cell);

  Value unary(const ast::Expression& e, Context context);
  Value binary(const ast::Expression& e, Context context);
  Value lattice(const ast::Expression& e, Context context);
  Value lattice_of_nodes(const ast::Expression& e, const std::vector<Value>& operands,
                         Context context);
  Value lattice_of_sets(ast::Binary op, const std::vector<Value>& operands) const;
  Value compose(const ast::Expression& e, Context context);
  Value product(const ast::Expression& e, Context context);
  Value insert(const ast::Expression& e, Context context);

  void solve(std::uint32_t recursion);
  void try_solve(const Recursion& group, const std::vector<Type>& types);
  NodeId as_closure(NodeId variable, NodeId body);
  [[noreturn]] void fail(text::Span span, Context context, std::string_view message,
                         std::string_view hint = {}) const;
};

/// "a set", "a relation".
std::string_view describe(Type type);

} // namespace thinair::cat
