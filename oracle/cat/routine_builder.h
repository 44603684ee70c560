// Turns an expression that only an execution can evaluate into a routine: names are resolved,
// functions become definitions of its own, nodes become operands.
#pragma once

#include "oracle/cat/evaluator.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace thinair::cat {

class RoutineBuilder {
 public:
  explicit RoutineBuilder(Evaluator& evaluator) : evaluator_(evaluator) {}

  /// Throws InputError for unbound names, Unsupported for what routines lack.
  Interpreted build(const ast::Expression& e, Context context);

 private:
  using Kind = RoutineTerm::Kind;
  using Term = std::uint32_t;

  /// Where a name is looked up: run-time slots first, then the compile-time scope.
  struct Frame {
    Context context;
    std::vector<std::pair<std::string, std::uint32_t>> locals;
  };

  Evaluator& evaluator_;
  Interpreted result_;
  std::map<NodeId, std::uint32_t> operands_;
  std::map<std::pair<const ast::Expression*, ScopeId>, std::uint32_t> functions_; // to slots
  std::vector<std::pair<std::uint32_t, Term>> definitions_;

  Term add(Kind kind, std::vector<Term> children = {}, std::uint32_t index = 0);
  std::uint32_t fresh() { return result_.routine.slot_count++; }
  Term operand(NodeId node);
  Term expression(const ast::Expression& e, Frame& frame);
  Term name(const ast::Expression& e, Frame& frame);
  Term apply(const ast::Expression& e, Frame& frame);
  Term binary(const ast::Expression& e, Frame& frame);
  Term unary(const ast::Expression& e, Frame& frame);
  Term lambda(const ast::Expression& e, Frame& frame);
  Term let(const ast::Expression& e, Frame& frame);
  Term match_set(const ast::Expression& e, Frame& frame);
  Term try_(const ast::Expression& e, Frame& frame);
  Term value(const Value& value);
  Term function(std::uint32_t index);
  Term primitive(Primitive primitive);
  Term apply_primitive(Primitive primitive, Term argument);
  Term graft(const Interpreted& other);
  std::vector<Term> all(const std::vector<ast::ExpressionPtr>& children, Frame& frame);
  std::vector<std::uint32_t> bind(const ast::Pattern& pattern, Frame& frame);
};

} // namespace thinair::cat
