// Counts what a reduction wants less of.
#include "gen/measure.h"

#include "gen/types.h"
#include "gen/walk.h"

namespace thinair::gen {
namespace {

using litmus::Access;
using litmus::Action;
using litmus::Assign;
using litmus::Fence;
using litmus::FenceStatement;
using litmus::If;
using litmus::Loop;
using litmus::Mode;
using litmus::Operator;

enum Place : std::size_t {
  threads,
  accesses,
  other_actions,
  branches,
  statements,
  complexities,
  finals,
  fields,
  references,
  locations,
  registers,
  nodes,
  strengths,
  constants,
  choices,
  types,
};

std::uint64_t size_of(litmus::Value constant) {
  const auto bits = static_cast<std::uint64_t>(constant);
  return constant < 0 ? 2 * (0 - bits) + 1 : 2 * bits;
}

/// In code 1 is the plainest constant, since memory starts from 0; then 0, 2, 3, ..
std::uint64_t size_in_code(litmus::Value constant) {
  if (constant == 1) return 0;
  return constant == 0 ? 1 : 1 + size_of(constant);
}

void count_access(Measure& m, litmus::Method method) {
  ++m[accesses];
  m[complexities] += complexity(info(method).action);
  m[strengths] += strength(info(method));
}

/// A top-of-thread `int r = 0;` is how a register is declared, not something to reduce.
bool declares_zero(const Statement& statement) {
  const auto* assign = std::get_if<Assign>(&statement.node);
  return assign != nullptr && assign->declares && assign->value == Expression::number(0);
}

void count_statement(Measure& m, const Statement& statement) {
  if (!declares_zero(statement)) ++m[statements];
  if (const auto* access = std::get_if<Access>(&statement.node)) {
    count_access(m, access->method);
    m[choices] += access->by;
  } else if (const auto* fence = std::get_if<FenceStatement>(&statement.node)) {
    ++m[other_actions];
    m[strengths] += strength(fence->fence);
    m[choices] += fence->by;
  } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
    ++m[branches];
    m[branches] +=
        1 + loop->bound.value_or(64); // a loop is worse than an if, a longer one worse still
  } else if (std::holds_alternative<If>(statement.node)) {
    ++m[branches];
  } else if (!std::holds_alternative<Assign>(statement.node)) {
    ++m[other_actions];
  }
}

} // namespace

Measure measure(const litmus::Program& program) {
  Measure m{};
  m[threads] = program.threads.size();
  m[types] = count_types(program);
  m[locations] = program.locations.size() + program.monitors.size();
  const auto refers = [&](const auto& variable) { return variable.type.refers() ? 1U : 0U; };
  for (const auto& of : program.classes)
    for (const auto& field : of.fields) {
      ++m[fields];
      m[finals] += field.is_final ? 1 : 0;
      m[references] += refers(field);
    }
  for (const auto& object : program.objects) m[fields] += object.length;
  for (const auto& location : program.locations) {
    m[constants] += size_of(location.initial);
    m[references] += refers(location);
  }
  for (const auto& thread : program.threads) {
    m[registers] += thread.registers.size();
    for (const auto& reg : thread.registers) {
      m[constants] += size_of(reg.initial);
      m[references] += refers(reg);
    }
  }
  each_statement(program,
                 [&](ThreadId, const Statement& statement) { count_statement(m, statement); });
  each_expression(program, [&](ThreadId, const Expression& e) {
    ++m[nodes];
    if (e.op == Operator::access) count_access(m, e.method);
    m[constants] += e.op == Operator::constant ? size_in_code(e.constant) : 2;
  });
  return m;
}

std::uint32_t strength(Mode mode) {
  switch (mode) {
  case Mode::plain: return 0;
  case Mode::opaque: return 1;
  case Mode::acquire:
  case Mode::release: return 2;
  case Mode::volatile_: return 3;
  }
  return 0;
}

std::uint32_t strength(const litmus::MethodInfo& method) {
  const std::uint32_t read = litmus::reads(method.action) ? strength(method.read) : 0;
  const std::uint32_t write = litmus::writes(method.action) ? strength(method.write) : 0;
  return read + write;
}

std::uint32_t strength(Fence fence) {
  switch (fence) {
  case Fence::full: return 3;
  case Fence::acquire:
  case Fence::release: return 2;
  case Fence::load_load:
  case Fence::store_store: return 1;
  }
  return 0;
}

std::uint32_t complexity(Action action) {
  switch (action) {
  case Action::get:
  case Action::set: return 0;
  case Action::get_and_set: return 1;
  case Action::get_and_add:
  case Action::get_and_or:
  case Action::get_and_and:
  case Action::get_and_xor: return 2;
  case Action::weak_compare_and_set:
  case Action::compare_and_set:
  case Action::compare_and_exchange: return 3;
  }
  return 0;
}

} // namespace thinair::gen
