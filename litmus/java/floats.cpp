// Bits of floats in Java code.
#include "litmus/java/floats.h"

#include "litmus/floating.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::litmus::java {
namespace {

/// How large the values of a program may become.
class Growth {
 public:
  explicit Growth(const Program& program) : program_(program) {
    for (const Location& location : program.locations) number(location.type.kind, location.initial);
    for (const Thread& thread : program.threads) {
      thread_ = &thread;
      for (const Register& reg : thread.registers) number(reg.type.kind, reg.initial);
      for_each_statement(thread.body, [&](const Statement& statement) {
        loops_ |= std::holds_alternative<Loop>(statement.node);
        for_each_expression(statement, [&](const Expression& e) { look_at(e); });
        if (const auto* access = std::get_if<Access>(&statement.node))
          look_at(access->method, type_of(program, thread, access->location, access->field));
      });
    }
  }

  /// Each sum at most doubles what there is, and floats end at 2^128.
  bool may_add_to_nan() const {
    constexpr std::size_t most_sums = 60;
    return adds_ && (loops_ || large_ || sums_ > most_sums);
  }

 private:
  void number(TypeKind kind, Value value) {
    if (!is_floating(kind)) return;
    constexpr unsigned bits = 64;
    const Value wide = converted(kind, TypeKind::double_, value);
    const Value bound = floating::of_integer(bits, Value{1} << 62);
    const bool small = floating::less_equal(bits, wide, bound) &&
                       floating::less_equal(bits, floating::negation(bits, bound), wide);
    large_ |= !small; // a NaN, too
  }

  void look_at(const Expression& e) {
    for (const Expression& argument : e.arguments) look_at(argument);
    if (e.op == Operator::constant) return number(e.type.kind, e.constant);
    if (e.op == Operator::access)
      return look_at(e.method, type_of(program_, *thread_, e.location, e.field));
    if (e.op == Operator::reg || !is_floating(type_of(program_, *thread_, e).kind)) return;
    if (e.op == Operator::add || e.op == Operator::subtract)
      ++sums_;
    else
      large_ |= e.op != Operator::negate && e.op != Operator::cast;
  }

  void look_at(Method method, JavaType type) {
    if (info(method).action != Action::get_and_add || !is_floating(type.kind)) return;
    adds_ = true;
    ++sums_;
  }

  const Program& program_;
  const Thread* thread_ = nullptr;
  bool adds_ = false, loops_ = false, large_ = false;
  std::size_t sums_ = 0;
};

} // namespace

std::string canonical(TypeKind kind, const std::string& code) {
  return kind == TypeKind::float_
             ? fmt::format("Float.intBitsToFloat(Float.floatToIntBits({}))", code)
             : fmt::format("Double.longBitsToDouble(Double.doubleToLongBits({}))", code);
}

std::string bits_of(TypeKind kind, const std::string& variable) {
  if (!is_floating(kind)) return variable;
  return fmt::format(
      "{}({})", kind == TypeKind::float_ ? "Float.floatToRawIntBits" : "Double.doubleToRawLongBits",
      variable);
}

bool may_add_to_nan(const Program& program) { return Growth(program).may_add_to_nan(); }

void refuse_sums_to_nan(const Program& program) {
  if (may_add_to_nan(program))
    throw Unsupported("getAndAdd of floats and doubles that may make a NaN, in Java source: its "
                      "bits are open");
}

} // namespace thinair::litmus::java
