// What a program uses, and how large it is.
#include "litmus/program.h"

#include "litmus/walk.h"

#include <algorithm>
#include <numeric>

namespace thinair::litmus {
namespace {

std::size_t accesses_in(const Expression& e) {
  return std::transform_reduce(e.arguments.begin(), e.arguments.end(),
                               std::size_t{e.op == Operator::access ? 1U : 0U}, std::plus<>(),
                               accesses_in);
}

bool has_floats(const Expression& e) {
  return is_floating(e.type.kind) || std::ranges::any_of(e.arguments, has_floats);
}

/// Whether it has a literal or a cast of another type than int.
bool is_typed(const Expression& e) {
  return !e.type.is_int() || std::ranges::any_of(e.arguments, is_typed);
}

} // namespace

Features features(const Program& program) {
  Features found;
  found.final_fields = std::ranges::any_of(program.locations, &Location::is_final);
  found.objects = !program.classes.empty();
  found.arrays = std::ranges::any_of(program.classes, &Class::is_array);
  const auto typed = [](const auto& each) { return !each.type.is_int() && !each.type.refers(); };
  const auto floats = [](const auto& each) { return is_floating(each.type.kind); };
  found.types = std::ranges::any_of(program.locations, typed);
  found.floats = std::ranges::any_of(program.locations, floats);
  for (const Class& each : program.classes) {
    found.final_fields |= std::ranges::any_of(each.fields, &Field::is_final);
    found.types |= std::ranges::any_of(each.fields, typed);
    found.floats |= std::ranges::any_of(each.fields, floats);
  }
  for (const Thread& thread : program.threads) {
    found.types |= std::ranges::any_of(thread.registers, typed);
    found.floats |= std::ranges::any_of(thread.registers, floats);
    for_each_statement(thread.body, [&](const Statement& statement) {
      for_each_expression(statement, [&](const Expression& e) {
        found.types |= is_typed(e);
        found.floats |= found.types && has_floats(e);
      });
      found.loops |= std::holds_alternative<Loop>(statement.node);
      found.monitors |= std::holds_alternative<MonitorStatement>(statement.node);
      found.thread_lifetime |= std::holds_alternative<ThreadStatement>(statement.node);
      found.external_actions |= std::holds_alternative<ExternalStatement>(statement.node);
    });
  }
  return found;
}

std::size_t count_accesses(const Block& block) {
  std::size_t count = 0;
  for_each_statement(block, [&](const Statement& statement) {
    count += std::holds_alternative<Access>(statement.node) ? 1 : 0;
    for_each_expression(statement, [&](const Expression& e) { count += accesses_in(e); });
  });
  return count;
}

std::size_t count_accesses(const Program& program) {
  std::size_t count = 0;
  for (const Thread& thread : program.threads) count += count_accesses(thread.body);
  return count;
}

} // namespace thinair::litmus
