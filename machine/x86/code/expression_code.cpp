// Generates code for expressions, the side that needs more registers first (there are no effects).
#include "machine/x86/code/expression_code.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "lower/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::lower::x86_code {
namespace {

using litmus::Expression;
using litmus::Operator;
using x86::ConditionCode;
using x86::Opcode;

/// How many registers a subtree needs (Sethi and Ullman); leaves that are operands need none.
unsigned pressure(const Expression& e) {
  if (e.arguments.empty()) return 0;
  if (e.arguments.size() == 1) return std::max(1U, pressure(e.arguments[0]));
  const unsigned left = pressure(e.arguments[0]), right = pressure(e.arguments[1]);
  return left == right ? left + 1 : std::max(left, right);
}

struct Row {
  Operator op;
  Opcode opcode;
};

constexpr auto arithmetic = std::to_array<Row>({
    {Operator::add, Opcode::add},
    {Operator::subtract, Opcode::sub},
    {Operator::multiply, Opcode::imul},
    {Operator::bit_and, Opcode::and_},
    {Operator::bit_or, Opcode::or_},
    {Operator::bit_xor, Opcode::xor_},
    {Operator::logical_and, Opcode::and_},
    {Operator::logical_or, Opcode::or_},
    {Operator::shift_left, Opcode::shl},
    {Operator::shift_right, Opcode::sar},
    {Operator::shift_right_unsigned, Opcode::shr},
    {Operator::bit_not, Opcode::not_},
    {Operator::negate, Opcode::neg},
});

struct Comparison {
  Operator op;
  ConditionCode condition;
};

constexpr auto comparisons = std::to_array<Comparison>({
    {Operator::equal, ConditionCode::e},
    {Operator::not_equal, ConditionCode::ne},
    {Operator::less, ConditionCode::l},
    {Operator::less_equal, ConditionCode::le},
    {Operator::greater, ConditionCode::g},
    {Operator::greater_equal, ConditionCode::ge},
    {Operator::logical_not, ConditionCode::e},
});

Opcode opcode_of(Operator op) {
  const auto found = std::ranges::find(arithmetic, op, &Row::op);
  if (found == arithmetic.end())
    throw Unsupported(fmt::format("\"{}\" of values that are not constants, in lowered code",
                                  litmus::info(op).symbol));
  return found->opcode;
}

bool is_register(const x86::Operand& operand) {
  return std::holds_alternative<x86::RegisterOperand>(operand);
}

} // namespace

bool is_immediate(litmus::Value value) { return value == static_cast<std::int32_t>(value); }

x86::Width ExpressionCode::width_of(litmus::RegisterId reg) const {
  return register_type(thread_.registers[reg.value].type).width;
}

x86::Width ExpressionCode::width_of(const Expression& e) const {
  return register_type(litmus::type_of(program_, thread_, e)).width;
}

/// In which its operands are put together; of a cast that of its operand.
x86::Width ExpressionCode::working_width(const Expression& e) const {
  const auto kind = [&](std::size_t i) {
    return kind_of(litmus::type_of(program_, thread_, e.arguments[i]));
  };
  const auto left = kind(0), right = e.arguments.size() < 2 ? left : kind(1);
  return register_type(litmus::working_type(e.op, left, right)).width;
}

Held ExpressionCode::in_register(Held held, x86::Width width) {
  return is_register(held.operand) ? held : own(held, width);
}

Held ExpressionCode::own(Held held, x86::Width width) {
  if (held.owned) return held;
  const x86::Register reg = code_.take();
  code_.emit(Opcode::mov, {full(reg, width), held.operand}, width);
  return {full(reg, width), true};
}

void ExpressionCode::release(const Held& held) {
  if (held.owned) code_.release(std::get<x86::RegisterOperand>(held.operand).reg);
}

Held ExpressionCode::value(const Expression& e) {
  const x86::Width width = width_of(e);
  if (const auto constant = constant_value(e)) {
    const Held held{x86::Immediate{*constant}};
    return is_immediate(*constant) ? held : in_register(held, width);
  }
  if (e.op == Operator::reg) {
    if (const auto* reg = std::get_if<x86::Register>(&home(e.reg))) return {full(*reg, width)};
    const x86::Register scratch = code_.take();
    const x86::Memory cell{std::get<litmus::LocationId>(home(e.reg))};
    code_.emit(Opcode::mov, {full(scratch, width), cell}, width);
    return {full(scratch, width), true};
  }
  THINAIR_CHECK(e.op != Operator::access, "an access inside an expression reached lowering");
  if (e.op == Operator::cast) return casted(e);
  if (is_comparison(e.op)) return compared(e);
  if (is_shift(e.op)) return shift(e);
  return e.arguments.size() == 1 ? unary(e) : binary(e);
}

Held ExpressionCode::value(const Expression& e, x86::Width width) {
  if (const auto constant = constant_value(e); constant && width == x86::Width::l)
    return {x86::Immediate{litmus::narrowed(litmus::TypeKind::int_, *constant)}};
  Held held = value(e);
  auto* reg = std::get_if<x86::RegisterOperand>(&held.operand);
  if (reg == nullptr || reg->width == width) return held;
  if (width < reg->width) { // its low half
    reg->width = width;
    return held;
  }
  held = own(held, x86::Width::l);
  auto& whole = std::get<x86::RegisterOperand>(held.operand);
  code_.extend(whole.reg, {x86::Width::l, true}, width);
  whole.width = width;
  return held;
}

ExpressionCode::Pair ExpressionCode::both(const Expression& e, x86::Width width,
                                          x86::Width of_right) {
  Pair pair;
  if (pressure(e.arguments[1]) > pressure(e.arguments[0])) {
    pair.right = value(e.arguments[1], of_right);
    pair.left = value(e.arguments[0], width);
  } else {
    pair.left = value(e.arguments[0], width);
    pair.right = value(e.arguments[1], of_right);
  }
  return pair;
}

Held ExpressionCode::binary(const Expression& e) {
  const Opcode opcode = opcode_of(e.op);
  const x86::Width width = working_width(e);
  const Pair pair = both(e, width, width);
  const Held result = own(pair.left, width);
  code_.emit(opcode, {result.operand, pair.right.operand}, width);
  release(pair.right);
  return result;
}

Held ExpressionCode::unary(const Expression& e) {
  const x86::Width width = working_width(e);
  const Held result = own(value(e.arguments[0], width), width);
  code_.emit(opcode_of(e.op), {result.operand}, width);
  return result;
}

/// JLS 5.1.3: the low bits, and as a smaller type extended again.
Held ExpressionCode::casted(const Expression& e) {
  const auto type = cell_type(e.type);
  const x86::Width width = register_type(e.type).width;
  Held held = value(e.arguments[0], width);
  if (type.width >= x86::Width::l || e.type.kind == litmus::TypeKind::boolean) return held;
  held = own(held, width);
  code_.extend(std::get<x86::RegisterOperand>(held.operand).reg, type);
  return held;
}

Held ExpressionCode::shift(const Expression& e) {
  const x86::Width width = working_width(e);
  const Pair pair = both(e, width, x86::Width::l);
  const Held result = own(pair.left, width);
  if (const auto* count = std::get_if<x86::Immediate>(&pair.right.operand)) {
    const x86::Immediate low{count->value & (bits_of(width) - 1)};
    code_.emit(opcode_of(e.op), {result.operand, low}, width);
  } else {
    code_.emit(Opcode::mov, {full(x86::Register::rcx), pair.right.operand});
    code_.emit(opcode_of(e.op), {result.operand, full(x86::Register::rcx, x86::Width::b)}, width);
  }
  release(pair.right);
  return result;
}

ConditionCode ExpressionCode::compare(const Expression& e) {
  const x86::Width width = working_width(e);
  if (e.op == Operator::logical_not) {
    const Held operand = in_register(value(e.arguments[0], width), width);
    code_.emit(Opcode::test, {operand.operand, operand.operand}, width);
    release(operand);
  } else {
    Pair pair = both(e, width, width);
    pair.left = in_register(pair.left, width);
    code_.emit(Opcode::cmp, {pair.left.operand, pair.right.operand}, width);
    release(pair.left);
    release(pair.right);
  }
  return std::ranges::find(comparisons, e.op, &Comparison::op)->condition;
}

Held ExpressionCode::compared(const Expression& e) {
  const ConditionCode condition = compare(e);
  const x86::Register reg = code_.take();
  code_.set(condition, reg);
  return {full(reg), true};
}

void ExpressionCode::assign(litmus::RegisterId target, const Expression& e) {
  const x86::Width width = width_of(target);
  const Held held = value(e, width);
  assign(target, held.operand, width);
  release(held);
}

void ExpressionCode::assign(litmus::RegisterId target, const x86::Operand& from, x86::Width width) {
  const x86::Width wanted = width_of(target);
  if (const auto* reg = std::get_if<x86::Register>(&home(target))) {
    code_.move(full(*reg, width), from, width);
    code_.extend(*reg, {width, true}, wanted);
    return;
  }
  const x86::Memory cell{std::get<litmus::LocationId>(home(target))};
  if (width >= wanted) {
    code_.emit(Opcode::mov, {cell, from}, wanted);
    return;
  }
  const Held held = own({from}, width);
  const auto reg = std::get<x86::RegisterOperand>(held.operand).reg;
  code_.extend(reg, {width, true}, wanted);
  code_.emit(Opcode::mov, {cell, full(reg, wanted)}, wanted);
  release(held);
}

void ExpressionCode::jump_unless(const Expression& condition, const std::string& label) {
  if (!constant_value(condition) && is_comparison(condition.op)) {
    code_.jump(negation(compare(condition)), label);
    return;
  }
  const x86::Width width = width_of(condition);
  const Held operand = in_register(value(condition), width);
  code_.emit(Opcode::test, {operand.operand, operand.operand}, width);
  release(operand);
  code_.jump(ConditionCode::e, label);
}

} // namespace thinair::lower::x86_code
