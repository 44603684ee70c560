// Values of all types: one thread at a time against C++'s own integers.
#include "litmus/java/format.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "tests/support/draws.h"
#include "tests/support/random_types.h"

#include <gtest/gtest.h>

#include <string>

namespace thinair::executions {
namespace {

using litmus::Action;
using litmus::Expression;
using litmus::Operator;
using litmus::TypeKind;
using litmus::Value;

// ---- a naive interpreter ---------------------------------------------------------------------

/// By C++20's own conversions, which are modulo 2^N.
Value converted(TypeKind to, Value v) {
  switch (to) {
  case TypeKind::boolean: return v;
  case TypeKind::byte: return static_cast<std::int8_t>(v);
  case TypeKind::short_: return static_cast<std::int16_t>(v);
  case TypeKind::char_: return static_cast<std::uint16_t>(v);
  case TypeKind::int_: return static_cast<std::int32_t>(v);
  case TypeKind::long_: return v;
  case TypeKind::float_:
  case TypeKind::double_:
  case TypeKind::reference: break;
  }
  ADD_FAILURE();
  return 0;
}

struct Typed {
  Value value;
  bool is_long;
};

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
    if (e.op == Operator::constant) return {e.constant, e.type.kind == TypeKind::long_};
    if (e.op == Operator::reg)
      return {registers[e.reg.value], thread_.registers[e.reg.value].type.kind == TypeKind::long_};
    const Typed a = value(e.arguments[0]);
    if (e.op == Operator::cast)
      return {converted(e.type.kind, a.value), e.type.kind == TypeKind::long_};
    if (e.op == Operator::logical_not) return {a.value == 0, false};
    if (e.op == Operator::bit_not) return {~a.value, a.is_long};
    if (e.op == Operator::negate)
      return {binary(Operator::subtract, {0, a.is_long}, a).value, a.is_long};
    return binary(e.op, a, value(e.arguments[1]));
  }

  Typed binary(Operator op, Typed a, Typed b) const {
    const bool shifts = op == Operator::shift_left || op == Operator::shift_right ||
                        op == Operator::shift_right_unsigned;
    const bool is_long = shifts ? a.is_long : a.is_long || b.is_long;
    const bool compares = op >= Operator::equal && op <= Operator::greater_equal;
    const Value v =
        is_long
            ? computed<std::int64_t, std::uint64_t>(op, a.value, b.value, b.value)
            : computed<std::int32_t, std::uint32_t>(op, static_cast<std::int32_t>(a.value),
                                                    static_cast<std::int32_t>(b.value), b.value);
    return {v, is_long && !compares};
  }

  void run(const litmus::Assign& node) { registers[node.target.value] = value(node.value).value; }
  void run(const litmus::Access& node) {
    Value& cell = memory[node.location.value];
    const TypeKind type = program_.locations[node.location.value].type.kind;
    const Action action = litmus::info(node.method).action;
    std::vector<Value> given;
    for (const auto& argument : node.arguments) given.push_back(value(argument).value);
    const Value old = cell;
    Value result = old;
    switch (action) {
    case Action::get: break;
    case Action::set:
    case Action::get_and_set: cell = given[0]; break;
    case Action::get_and_add:
      cell = converted(type, static_cast<Value>(static_cast<std::uint64_t>(old) +
                                                static_cast<std::uint64_t>(given[0])));
      break;
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
    if (node.target) registers[node.target->value] = result;
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

TEST(Types, AThreadAloneComputesAsCxxDoes) {
  const auto model = cat::load_model("sc", graph::Architecture::java);
  for (std::uint64_t seed = 0; seed < test::draws(3000); ++seed) {
    litmus::Random random(seed);
    litmus::Test test;
    test.program = test::RandomTypes(random, {.threads = 1, .statements = 8}).make();
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

} // namespace
} // namespace thinair::executions
