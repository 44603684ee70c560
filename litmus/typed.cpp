// Types, statement by statement (docs/objects.md has the rules).
#include "litmus/typed.h"

#include "litmus/objects.h"
#include "litmus/walk.h"

#include <algorithm>
#include <span>
#include <vector>

namespace thinair::litmus {
namespace {

class Typing {
 public:
  explicit Typing(const Program& program)
      : program_(program), made_(program.objects.size(), false) {}

  bool run() {
    for (const Thread& thread : program_.threads) {
      thread_ = &thread;
      if (!block(thread.body)) return false;
    }
    return true;
  }

 private:
  static bool is_null(const Expression& e) { return e.op == Operator::constant && e.constant == 0; }
  JavaType type(RegisterId reg) const { return thread_->registers[reg.value].type; }
  bool constructs(RegisterId reg) const {
    return std::ranges::find(constructed_, reg) != constructed_.end();
  }

  /// Of what may be computed with.
  bool is_number(const Expression& e) { return fits(e, JavaType()); }

  bool fits(const Expression& e, JavaType wanted) {
    const JavaType found = type_of(program_, *thread_, e);
    if (!value(e)) return false;
    return wanted.refers() ? found == wanted || is_null(e) : !found.refers();
  }

  bool value(const Expression& e) {
    if (e.op == Operator::constant || e.op == Operator::reg) return true;
    if (e.op == Operator::access) return access(e.method, e.location, e.field, e.arguments);
    if (e.op != Operator::equal && e.op != Operator::not_equal)
      return std::ranges::all_of(e.arguments, [&](const Expression& a) { return is_number(a); });
    const auto& a = e.arguments.at(0);
    const auto& b = e.arguments.at(1);
    const JavaType left = type_of(program_, *thread_, a), right = type_of(program_, *thread_, b);
    if (!value(a) || !value(b)) return false;
    if (!left.refers() && !right.refers()) return true;
    return left == right || (left.refers() && is_null(b)) || (right.refers() && is_null(a));
  }

  bool access(Method method, LocationId location, const std::optional<FieldOf>& field,
              const std::vector<Expression>& arguments) {
    if (field && !this->field(*field, method)) return false;
    const JavaType of = type_of(program_, *thread_, location, field);
    if (of.refers() && computes(info(method).action)) return false;
    const std::size_t index = field && field->element ? 1 : 0;
    if (index > arguments.size() || (index == 1 && !this->index(*field, arguments[0])))
      return false;
    return std::ranges::all_of(std::span(arguments).subspan(index),
                               [&](const Expression& a) { return fits(a, of); });
  }

  /// An int (JLS 15.10.3).
  bool index(const FieldOf& field, const Expression& e) {
    if (!is_number(e) || type_of(program_, *thread_, e).kind == TypeKind::long_) return false;
    return e.op != Operator::constant || may_index(program_, type(field.object).of, e.constant);
  }

  bool field(const FieldOf& field, Method method) const {
    const JavaType of = type(field.object);
    if (!of.refers() || field.field >= program_.classes[of.of.value].fields.size()) return false;
    if (field.element != program_.classes[of.of.value].is_array) return false;
    const bool is_final = program_.classes[of.of.value].fields[field.field].is_final;
    if (!is_final || !writes(info(method).action)) return true;
    return method == Method::set && constructs(field.object);
  }

  static bool computes(Action action) {
    switch (action) {
    case Action::get:
    case Action::set:
    case Action::get_and_set:
    case Action::compare_and_set:
    case Action::compare_and_exchange:
    case Action::weak_compare_and_set: return false;
    case Action::get_and_add:
    case Action::get_and_or:
    case Action::get_and_and:
    case Action::get_and_xor: return true;
    }
    return true;
  }

  bool visit(const Assign& node) {
    return !constructs(node.target) && fits(node.value, type(node.target));
  }
  bool visit(const Access& node) {
    if (!access(node.method, node.location, node.field, node.arguments)) return false;
    if (!node.target) return true;
    const Action action = info(node.method).action;
    const bool tells = action == Action::compare_and_set || action == Action::weak_compare_and_set;
    const JavaType result =
        tells ? JavaType() : type_of(program_, *thread_, node.location, node.field);
    const JavaType into = type(*node.target);
    const bool alike = into.refers() || result.refers() ? into == result : true;
    return alike && !constructs(*node.target);
  }
  bool visit(const If& node) {
    return is_number(node.condition) && block(node.then_block) && block(node.else_block);
  }
  bool visit(const Loop& node) { return is_number(node.condition) && block(node.body); }
  bool visit(const ExternalStatement& node) { return is_number(node.value); }
  bool visit(const New& node) {
    const Object& made = program_.objects[node.object.value];
    if (type(node.target) != JavaType(made.of) || constructs(node.target) ||
        made_[node.object.value])
      return false;
    if (program_.classes[made.of.value].is_array && !node.body.empty()) return false;
    made_[node.object.value] = true;
    constructed_.push_back(node.target);
    const bool holds = block(node.body);
    constructed_.pop_back();
    return holds;
  }
  static bool visit(const FenceStatement&) { return true; }
  static bool visit(const MonitorStatement&) { return true; }
  static bool visit(const ThreadStatement&) { return true; }
  static bool visit(const Cut&) { return true; }

  bool block(const Block& statements) {
    return std::ranges::all_of(statements, [&](const Statement& statement) {
      return std::visit([&](const auto& node) { return visit(node); }, statement.node);
    });
  }

  const Program& program_;
  const Thread* thread_ = nullptr;
  std::vector<bool> made_;              // by object
  std::vector<RegisterId> constructed_; // whose constructors are around
};

} // namespace

bool well_typed(const Program& program) { return Typing(program).run(); }

} // namespace thinair::litmus
