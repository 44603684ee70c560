// Passes over expressions, constants and initial values.
#include "gen/passes.h"
#include "gen/walk.h"
#include "litmus/floating.h"

#include <algorithm>
#include <map>
#include <set>

namespace thinair::gen::pass {
namespace {

using litmus::Assign;
using litmus::Operator;

std::vector<Expression> all_expressions(const Program& program) {
  std::vector<Expression> all;
  each_expression(program, [&](ThreadId, const Expression& e) { all.push_back(e); });
  return all;
}

bool reads_register(const Expression& e, RegisterId reg) {
  return (e.op == Operator::reg && e.reg == reg) ||
         std::ranges::any_of(e.arguments,
                             [&](const Expression& a) { return reads_register(a, reg); });
}

/// What tells constants of equal numbers apart: bits of a float are no integer.
litmus::TypeKind kind_of(litmus::JavaType type) {
  return litmus::is_floating(type.kind) ? type.kind : litmus::TypeKind::int_;
}

/// Plainer constants than `value`, the plainest first; of floats 1.0 and 0.0.
std::vector<litmus::Value> smaller_constants(litmus::Value value, litmus::TypeKind kind) {
  if (litmus::is_floating(kind)) {
    const auto one = litmus::floating::of_integer(litmus::info(kind).bits, 1);
    if (value == one || value == 0) return {};
    return {one, 0};
  }
  if (value == 1) return {};
  if (value == 0) return {1};
  std::vector<litmus::Value> out{1, 0};
  if (value > 3) out.push_back(value / 2);
  if (value > 2) out.push_back(value - 1);
  return out;
}

} // namespace

/// `r = e;` goes, and `e` stands wherever `r` was read. For registers that only one statement
/// assigns.
Proposals inline_assignments(const Program& program) {
  std::map<std::pair<ThreadId, RegisterId>, int> assignments;
  std::vector<std::pair<ThreadId, Statement>> statements;
  each_statement(program, [&](ThreadId t, const Statement& statement) {
    statements.emplace_back(t, statement);
    if (const auto target = assigned(statement)) ++assignments[{t, *target}];
  });
  Proposals out;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto& [thread, statement] = statements[i];
    const auto* assign = std::get_if<Assign>(&statement.node);
    if (assign == nullptr || assignments[{thread, assign->target}] != 1 ||
        litmus::has_access(assign->value) || reads_register(assign->value, assign->target))
      continue;
    Program copy = with_statement(program, i, [](const Statement&) { return Block{}; });
    const RegisterId target = assign->target;
    const Expression value = assign->value;
    each_expression(copy, [&, t = thread](ThreadId other, Expression& e) {
      if (other == t && e.op == Operator::reg && e.reg == target) e = value;
    });
    if (value.op == Operator::reg)
      each_place(copy, [&, t = thread](ThreadId other, LocationId&, auto& field) {
        if (other == t && field && field->object == target) field->object = value.reg;
      });
    out.push_back(std::move(copy));
  }
  return out;
}

/// An expression to 0, to 1, or to one of its operands.
Proposals simplify_expressions(const Program& program) {
  Proposals out;
  const auto expressions = all_expressions(program);
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const auto& e = expressions[i];
    if (e.op == Operator::constant) continue;
    const auto put = [&](const Expression& simpler) {
      out.push_back(with_expression(program, i, [&](Expression& there) { there = simpler; }));
    };
    put(Expression::number(1));
    put(Expression::number(0));
    if (e.op == Operator::access) continue;
    for (const auto& operand : e.arguments) put(operand);
  }
  return out;
}

/// Every occurrence of one constant, initial values included, to a smaller one: values that belong
/// together stay equal.
Proposals rename_constants(const Program& program) {
  std::set<std::pair<litmus::Value, litmus::TypeKind>> constants;
  each_expression(program, [&](ThreadId, const Expression& e) {
    if (e.op == Operator::constant) constants.emplace(e.constant, kind_of(e.type));
  });
  Proposals out;
  for (const auto& [from, kind] : constants) {
    for (const litmus::Value to : smaller_constants(from, kind)) {
      Program copy = program;
      if (from != 0) // cells start from 0 by default: that stays
        for (auto& location : copy.locations)
          if (location.initial == from && kind_of(location.type) == kind) location.initial = to;
      each_expression(copy, [&, value = from, of = kind](ThreadId, Expression& e) {
        if (e.op == Operator::constant && e.constant == value && kind_of(e.type) == of)
          e.constant = to;
      });
      out.push_back(std::move(copy));
    }
  }
  return out;
}

Proposals shrink_constants(const Program& program) {
  Proposals out;
  const auto expressions = all_expressions(program);
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    if (expressions[i].op != Operator::constant) continue;
    for (const litmus::Value smaller :
         smaller_constants(expressions[i].constant, kind_of(expressions[i].type)))
      out.push_back(with_expression(program, i, [&](Expression& e) { e.constant = smaller; }));
  }
  return out;
}

Proposals zero_initial_values(const Program& program) {
  Proposals out;
  for (std::size_t l = 0; l < program.locations.size(); ++l) {
    if (program.locations[l].initial == 0) continue;
    Program copy = program;
    copy.locations[l].initial = 0;
    out.push_back(std::move(copy));
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (std::size_t r = 0; r < program.threads[t].registers.size(); ++r) {
      if (program.threads[t].registers[r].initial == 0) continue;
      Program copy = program;
      copy.threads[t].registers[r].initial = 0;
      out.push_back(std::move(copy));
    }
  }
  return out;
}

} // namespace thinair::gen::pass
