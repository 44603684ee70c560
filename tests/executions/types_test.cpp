// Values of all types: one thread at a time against C++'s own integers.
#include "litmus/java/format.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "tests/support/draws.h"
#include "tests/support/random_types.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace thinair::executions {
namespace {

using litmus::Action;
using litmus::Expression;
using litmus::Operator;
using litmus::TypeKind;
using litmus::Value;

// ---- a naive interpreter ---------------------------------------------------------------------

template <class Number, class Bits>
Number number(Value bits) {
  return std::bit_cast<Number>(static_cast<Bits>(bits));
}
float as_float(Value bits) { return number<float, std::int32_t>(bits); }
double as_double(Value bits) { return number<double, std::int64_t>(bits); }
Value bits_of(float value) {
  return std::isnan(value) ? 0x7fc00000 : Value{std::bit_cast<std::int32_t>(value)};
}
Value bits_of(double value) {
  return std::isnan(value) ? 0x7ff8000000000000 : std::bit_cast<std::int64_t>(value);
}

/// JLS 5.1.3: the nearest integer of the type towards zero.
template <class Integer>
Integer whole(double value) {
  const double end = std::ldexp(1.0, 8 * sizeof(Integer) - 1);
  if (std::isnan(value)) return 0;
  if (value >= end) return std::numeric_limits<Integer>::max();
  if (value <= -end) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(std::trunc(value));
}

struct Typed {
  Value value;
  TypeKind kind = TypeKind::int_; // or another one that operands are promoted to
};

TypeKind promoted(TypeKind kind) {
  const bool own = kind == TypeKind::long_ || kind == TypeKind::float_ || kind == TypeKind::double_;
  return own ? kind : TypeKind::int_;
}

double real(Typed v) {
  if (v.kind == TypeKind::float_) return as_float(v.value);
  return v.kind == TypeKind::double_ ? as_double(v.value) : static_cast<double>(v.value);
}

/// Integers by C++20's own conversions, which are modulo 2^N.
Value converted(TypeKind to, Typed from) {
  const bool floats = from.kind == TypeKind::float_ || from.kind == TypeKind::double_;
  const Value v = !floats                 ? from.value
                  : to == TypeKind::long_ ? whole<std::int64_t>(real(from))
                                          : whole<std::int32_t>(real(from));
  switch (to) {
  case TypeKind::boolean: return v;
  case TypeKind::byte: return static_cast<std::int8_t>(v);
  case TypeKind::short_: return static_cast<std::int16_t>(v);
  case TypeKind::char_: return static_cast<std::uint16_t>(v);
  case TypeKind::int_: return static_cast<std::int32_t>(v);
  case TypeKind::long_: return v;
  case TypeKind::float_:
    if (from.kind == to) return from.value;
    return bits_of(floats ? static_cast<float>(real(from)) : static_cast<float>(from.value));
  case TypeKind::double_: return from.kind == to ? from.value : bits_of(real(from));
  case TypeKind::reference: break;
  }
  ADD_FAILURE();
  return 0;
}

/// JLS 15.17 to 15.21, for float and for double.
template <class Number>
Value computed_of(Operator op, Number a, Number b) {
  using enum Operator;
  if (op == add) return bits_of(a + b);
  if (op == subtract) return bits_of(a - b);
  if (op == multiply) return bits_of(a * b);
  if (op == divide) return bits_of(a / b);
  if (op == remainder) return bits_of(std::fmod(a, b));
  if (op == equal) return a == b;
  if (op == not_equal) return a != b;
  if (op == less) return a < b;
  if (op == less_equal) return a <= b;
  if (op == greater) return a > b;
  if (op == greater_equal) return a >= b;
  ADD_FAILURE();
  return 0;
}

/// JLS 15.17 to 15.22, for int and for long.
template <class Signed, class Unsigned>
Value computed(Operator op, Signed a, Signed b, Value distance) {
  using enum Operator;
  constexpr Value mask = sizeof(Signed) * 8 - 1;
  const auto x = static_cast<Unsigned>(a), y = static_cast<Unsigned>(b);
  switch (op) {
  case add: return static_cast<Signed>(x + y);
  case subtract: return static_cast<Signed>(x - y);
  case multiply: return static_cast<Signed>(x * y);
  case divide: return b == -1 ? static_cast<Signed>(Unsigned{0} - x) : a / b;
  case remainder: return b == -1 ? 0 : a % b;
  case bit_and:
  case logical_and: return a & b;
  case bit_or:
  case logical_or: return a | b;
  case bit_xor: return a ^ b;
  case equal: return a == b;
  case not_equal: return a != b;
  case less: return a < b;
  case less_equal: return a <= b;
  case greater: return a > b;
  case greater_equal: return a >= b;
  case shift_left: return static_cast<Signed>(x << (distance & mask));
  case shift_right: return a >> (distance & mask);
  case shift_right_unsigned: return static_cast<Signed>(x >> (distance & mask));
  case constant:
  case reg:
  case access:
  case negate:
  case bit_not:
  case logical_not:
  case cast: break; // of one operand or none
  }
  ADD_FAILURE();
  return 0;
}

class Naive {
 public:
  Naive(const litmus::Program& program, const litmus::Thread& thread)
      : program_(program), thread_(thread), registers(thread.registers.size()) {
    for (const auto& location : program.locations) memory.push_back(location.initial);
    for (const auto& statement : thread.body)
      std::visit([this](const auto& node) { run(node); }, statement.node);
  }

  Typed value(const Expression& e) {
    if (e.op == Operator::constant) return {e.constant, promoted(e.type.kind)};
    if (e.op == Operator::reg)
      return {registers[e.reg.value], promoted(thread_.registers[e.reg.value].type.kind)};
    const Typed a = value(e.arguments[0]);
    if (e.op == Operator::cast) return {converted(e.type.kind, a), promoted(e.type.kind)};
    if (e.op == Operator::logical_not) return {a.value == 0};
    if (e.op == Operator::bit_not) return {~a.value, a.kind};
    if (e.op == Operator::negate && a.kind == TypeKind::float_)
      return {bits_of(-as_float(a.value)), a.kind};
    if (e.op == Operator::negate && a.kind == TypeKind::double_)
      return {bits_of(-as_double(a.value)), a.kind};
    if (e.op == Operator::negate) return binary(Operator::subtract, {0, a.kind}, a);
    return binary(e.op, a, value(e.arguments[1]));
  }

  static Typed binary(Operator op, Typed a, Typed b) {
    const bool shifts = op == Operator::shift_left || op == Operator::shift_right ||
                        op == Operator::shift_right_unsigned;
    const auto either = [&](TypeKind kind) { return a.kind == kind || b.kind == kind; };
    const bool compares = op >= Operator::equal && op <= Operator::greater_equal;
    TypeKind in = TypeKind::int_;
    for (const TypeKind kind : {TypeKind::long_, TypeKind::float_, TypeKind::double_})
      if (either(kind)) in = kind;
    if (shifts) in = a.kind;
    Value v = 0;
    if (in == TypeKind::double_)
      v = computed_of<double>(op, as_double(converted(in, a)), as_double(converted(in, b)));
    else if (in == TypeKind::float_)
      v = computed_of<float>(op, as_float(converted(in, a)), as_float(converted(in, b)));
    else if (in == TypeKind::long_)
      v = computed<std::int64_t, std::uint64_t>(op, a.value, b.value, b.value);
    else
      v = computed<std::int32_t, std::uint32_t>(op, static_cast<std::int32_t>(a.value),
                                                static_cast<std::int32_t>(b.value), b.value);
    return {v, compares ? TypeKind::int_ : in};
  }

  void run(const litmus::Assign& node) {
    registers[node.target.value] = assigned(value(node.value), type_of(node.target));
  }
  TypeKind type_of(litmus::RegisterId reg) const { return thread_.registers[reg.value].type.kind; }
  /// JLS 5.2: what is wider as a float or double has other bits.
  static Value assigned(Typed v, TypeKind to) {
    return to == TypeKind::float_ || to == TypeKind::double_ ? converted(to, v) : v.value;
  }
  void run(const litmus::Access& node) {
    Value& cell = memory[node.location.value];
    const TypeKind type = program_.locations[node.location.value].type.kind;
    const Action action = litmus::info(node.method).action;
    std::vector<Value> given;
    for (const auto& argument : node.arguments) given.push_back(assigned(value(argument), type));
    const Value old = cell;
    Value result = old;
    switch (action) {
    case Action::get: break;
    case Action::set:
    case Action::get_and_set: cell = given[0]; break;
    case Action::get_and_add: cell = sum(type, old, given[0]); break;
    case Action::get_and_or: cell |= given[0]; break;
    case Action::get_and_and: cell &= given[0]; break;
    case Action::get_and_xor: cell ^= given[0]; break;
    case Action::compare_and_set:
    case Action::compare_and_exchange:
    case Action::weak_compare_and_set:
      if (action != Action::compare_and_exchange) result = old == given[0];
      if (old == given[0]) cell = given[1];
      break;
    }
    if (!node.target) return;
    const bool tells = action == Action::compare_and_set || action == Action::weak_compare_and_set;
    registers[node.target->value] =
        assigned({result, tells ? TypeKind::int_ : promoted(type)}, type_of(*node.target));
  }
  static Value sum(TypeKind type, Value a, Value b) {
    if (type == TypeKind::float_ || type == TypeKind::double_)
      return binary(Operator::add, {a, type}, {b, type}).value;
    return converted(
        type, {static_cast<Value>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)),
               TypeKind::long_});
  }
  template <class Other>
  void run(const Other&) {
    ADD_FAILURE();
  }

 private:
  const litmus::Program& program_;
  const litmus::Thread& thread_;

 public:
  std::vector<Value> registers, memory;
};

/// With floats or without.
class Types : public testing::TestWithParam<bool> {};

TEST_P(Types, AThreadAloneComputesAsCxxDoes) {
  const auto model = cat::load_model("sc", graph::Architecture::java);
  for (std::uint64_t seed = 0; seed < test::draws(3000); ++seed) {
    litmus::Random random(seed);
    litmus::Test test;
    test.program =
        test::RandomTypes(random, {.threads = 1, .statements = 8, .floats = GetParam()}).make();
    const auto& program = test.java();
    for (const auto& location : program.locations) test.locations.push_back({{}, location.name});
    Options options;
    options.all_registers = true;
    const auto found = behaviours(test, model, options);
    ASSERT_EQ(found.behaviours.size(), 1U) << litmus::java::print(program);
    const Naive naive(program, program.threads[0]);
    for (std::size_t i = 0; i < found.observables.size(); ++i) {
      const auto& o = found.observables[i];
      Value expected = 0;
      for (std::size_t r = 0; o.thread && r < naive.registers.size(); ++r)
        if (program.threads[0].registers[r].name == o.name) expected = naive.registers[r];
      for (std::size_t l = 0; !o.thread && l < naive.memory.size(); ++l)
        if (program.locations[l].name == o.name) expected = naive.memory[l];
      ASSERT_EQ(found.behaviours[0][i], expected) << litmus::to_string(o) << "\n"
                                                  << litmus::java::print(program);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Floats, Types, testing::Bool());

} // namespace
} // namespace thinair::executions
