// Generates code for expressions, the side that needs more registers first (there are no effects).
#include "machine/x86/code/expression_code.h"

#include "litmus/text/error.h"

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

Held ExpressionCode::in_register(Held held) {
  if (is_register(held.operand)) return held;
  const x86::Register reg = code_.take();
  code_.emit(Opcode::mov, {full(reg), held.operand});
  return {full(reg), true};
}

Held ExpressionCode::own(Held held) {
  if (held.owned) return held;
  const x86::Register reg = code_.take();
  code_.emit(Opcode::mov, {full(reg), held.operand});
  return {full(reg), true};
}

void ExpressionCode::release(const Held& held) {
  if (held.owned) code_.release(std::get<x86::RegisterOperand>(held.operand).reg);
}

Held ExpressionCode::value(const Expression& e) {
  if (const auto constant = constant_value(e)) return {x86::Immediate{*constant}};
  if (e.op == Operator::reg) {
    if (const auto* reg = std::get_if<x86::Register>(&home(e.reg))) return {full(*reg)};
    const x86::Register scratch = code_.take();
    code_.emit(Opcode::mov,
               {full(scratch), x86::Memory{std::get<litmus::LocationId>(home(e.reg))}});
    return {full(scratch), true};
  }
  THINAIR_CHECK(e.op != Operator::access, "an access inside an expression reached lowering");
  if (is_comparison(e.op)) return compared(e);
  if (is_shift(e.op)) return shift(e);
  return e.arguments.size() == 1 ? unary(e) : binary(e);
}

ExpressionCode::Pair ExpressionCode::both(const Expression& e) {
  Pair pair;
  if (pressure(e.arguments[1]) > pressure(e.arguments[0])) {
    pair.right = value(e.arguments[1]);
    pair.left = value(e.arguments[0]);
  } else {
    pair.left = value(e.arguments[0]);
    pair.right = value(e.arguments[1]);
  }
  return pair;
}

Held ExpressionCode::binary(const Expression& e) {
  const Opcode opcode = opcode_of(e.op);
  const Pair pair = both(e);
  const Held result = own(pair.left);
  code_.emit(opcode, {result.operand, pair.right.operand});
  release(pair.right);
  return result;
}

Held ExpressionCode::unary(const Expression& e) {
  const Held result = own(value(e.arguments[0]));
  code_.emit(opcode_of(e.op), {result.operand});
  return result;
}

Held ExpressionCode::shift(const Expression& e) {
  const Pair pair = both(e);
  const Held result = own(pair.left);
  if (const auto* count = std::get_if<x86::Immediate>(&pair.right.operand)) {
    code_.emit(opcode_of(e.op), {result.operand, x86::Immediate{count->value & 31}});
  } else {
    code_.emit(Opcode::mov, {full(x86::Register::rcx), pair.right.operand});
    code_.emit(opcode_of(e.op), {result.operand, full(x86::Register::rcx, x86::Width::b)});
  }
  release(pair.right);
  return result;
}

ConditionCode ExpressionCode::compare(const Expression& e) {
  if (e.op == Operator::logical_not) {
    const Held operand = in_register(value(e.arguments[0]));
    code_.emit(Opcode::test, {operand.operand, operand.operand});
    release(operand);
  } else {
    Pair pair = both(e);
    pair.left = in_register(pair.left);
    code_.emit(Opcode::cmp, {pair.left.operand, pair.right.operand});
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

void ExpressionCode::assign(litmus::RegisterId target, const x86::Operand& from) {
  if (const auto* reg = std::get_if<x86::Register>(&home(target))) {
    code_.move(full(*reg), from);
  } else {
    code_.emit(Opcode::mov, {x86::Memory{std::get<litmus::LocationId>(home(target))}, from});
  }
}

void ExpressionCode::jump_unless(const Expression& condition, const std::string& label) {
  if (!constant_value(condition) && is_comparison(condition.op)) {
    code_.jump(negation(compare(condition)), label);
    return;
  }
  const Held operand = in_register(value(condition));
  code_.emit(Opcode::test, {operand.operand, operand.operand});
  release(operand);
  code_.jump(ConditionCode::e, label);
}

} // namespace thinair::lower::x86_code
