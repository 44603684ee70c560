// Leaves of floats what bits are enough for, statement by statement.
#include "lower/floats.h"

#include "litmus/floating.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "lower/constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace thinair::lower {
namespace {

using litmus::Expression;
using litmus::Operator;
using litmus::TypeKind;

Expression constant(TypeKind kind, litmus::Value value) {
  auto e = Expression::number(value);
  e.type = kind;
  return e;
}

class BitsAlone {
 public:
  explicit BitsAlone(litmus::Program program) : program_(std::move(program)) {}

  litmus::Program run() {
    for (auto& thread : program_.threads) {
      thread_ = &thread;
      block(thread.body);
    }
    return std::move(program_);
  }

 private:
  [[noreturn]] static void refuse(std::string_view what, TypeKind kind) {
    throw Unsupported(
        fmt::format("{} of {} values in machine code", what, litmus::info(kind).word));
  }
  litmus::JavaType type_of(const Expression& e) const {
    return litmus::type_of(program_, *thread_, e);
  }
  TypeKind type_of(litmus::RegisterId reg) const { return thread_->registers[reg.value].type.kind; }

  void block(litmus::Block& statements) {
    for (auto& statement : statements)
      std::visit([this](auto& node) { visit(node); }, statement.node);
  }
  void visit(litmus::Assign& node) { place(node.value, type_of(node.target)); }
  void visit(litmus::Access& node) {
    const auto type = litmus::type_of(program_, *thread_, node.location, node.field);
    const auto action = litmus::info(node.method).action;
    const bool floats = litmus::is_floating(type.kind);
    if (floats && action == litmus::Action::get_and_add) refuse("getAndAdd", type.kind);
    const bool indexed = litmus::element_index(node) != nullptr;
    for (std::size_t i = 0; i < node.arguments.size(); ++i)
      place(node.arguments[i], indexed && i == 0 ? TypeKind::int_ : type.kind);
    if (!node.target) return;
    const bool tells =
        action == litmus::Action::compare_and_set || action == litmus::Action::weak_compare_and_set;
    const TypeKind got = tells ? TypeKind::int_ : type.kind, into = type_of(*node.target);
    if (got != into && (litmus::is_floating(got) || litmus::is_floating(into)))
      refuse("conversion", litmus::is_floating(into) ? into : got);
  }
  void visit(litmus::If& node) {
    place(node.condition, TypeKind::int_);
    block(node.then_block);
    block(node.else_block);
  }
  void visit(litmus::Loop& node) {
    place(node.condition, TypeKind::int_);
    block(node.body);
  }
  void visit(litmus::New& node) { block(node.body); }
  void visit(litmus::ExternalStatement& node) {
    if (litmus::is_floating(type_of(node.value).kind)) node.value = Expression::number(0);
    place(node.value, TypeKind::int_);
  }
  template <class Other>
  void visit(Other&) {}

  /// Where a value of the type goes.
  void place(Expression& e, TypeKind wanted) {
    if (wanted == TypeKind::reference) return;
    if (const auto known = litmus::is_floating(wanted) ? constant_of(e) : std::nullopt) {
      e = constant(wanted, litmus::converted(known->type, wanted, known->value));
      return;
    }
    if (!litmus::is_floating(wanted)) return inside(e);
    const TypeKind type = type_of(e).kind;
    if (type != wanted) refuse("conversion", wanted);
    if (e.op != Operator::reg) refuse("arithmetic", wanted);
  }

  static std::optional<litmus::TypedValue> constant_of(const Expression& e) {
    if (!constant_value(e)) return std::nullopt;
    return litmus::evaluate(e, {});
  }

  /// Of an expression that is no float itself.
  void inside(Expression& e) {
    if (e.arguments.empty()) return;
    if (const auto known = constant_of(e)) {
      e = constant(known->type, known->value);
      return;
    }
    const auto floats = [&](const Expression& a) {
      const auto type = type_of(a);
      return !type.refers() && litmus::is_floating(type.kind);
    };
    const auto found = std::ranges::find_if(e.arguments, floats);
    if (found == e.arguments.end()) {
      for (auto& argument : e.arguments) inside(argument);
    } else if (e.op == Operator::equal || e.op == Operator::not_equal) {
      e = equality(e);
    } else {
      refuse("arithmetic", type_of(*found).kind);
    }
  }

  /// A register with a constant: bits tell, but that both zeros are one, and no NaN is equal.
  Expression equality(const Expression& e) const {
    const bool second = constant_value(e.arguments[1]).has_value();
    const Expression& reg = e.arguments[second ? 0 : 1];
    const auto known = constant_of(e.arguments[second ? 1 : 0]);
    const TypeKind kind = type_of(reg).kind;
    const bool fits = known && (!litmus::is_floating(known->type) || known->type == kind);
    if (!fits || reg.op != Operator::reg || !litmus::is_floating(kind))
      refuse("arithmetic", type_of(e.arguments[0]).kind == TypeKind::double_ ||
                                   type_of(e.arguments[1]).kind == TypeKind::double_
                               ? TypeKind::double_
                               : TypeKind::float_);
    const unsigned bits = litmus::info(kind).bits;
    const litmus::Value value = litmus::converted(known->type, kind, known->value);
    if (litmus::floating::is_nan(bits, value))
      return Expression::number(e.op == Operator::not_equal ? 1 : 0);
    if (!litmus::floating::equal(bits, value, litmus::floating::of_integer(bits, 0)))
      return Expression::binary(e.op, reg, constant(kind, value));
    const auto with = [&](litmus::Value zero) {
      return Expression::binary(e.op, reg, constant(kind, zero));
    };
    const auto minus_zero = litmus::floating::negation(bits, 0);
    return Expression::binary(e.op == Operator::equal ? Operator::bit_or : Operator::bit_and,
                              with(0), with(minus_zero));
  }

  litmus::Program program_;
  const litmus::Thread* thread_ = nullptr;
};

} // namespace

litmus::Program comparing_bits(litmus::Program program) {
  return BitsAlone(std::move(program)).run();
}

} // namespace thinair::lower
