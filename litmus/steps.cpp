// Collects accesses and fences.
#include "litmus/steps.h"

#include "litmus/walk.h"

namespace thinair::litmus {
namespace {

/// In the order of evaluation: arguments first.
void add(const Expression& e, std::size_t number, std::vector<Step>& out) {
  for (const auto& argument : e.arguments) add(argument, number, out);
  if (e.op == Operator::access) out.push_back({e.method, e.location, number, e.field});
}

} // namespace

std::vector<Step> steps_of(const Thread& thread) {
  std::vector<Step> out;
  std::size_t number = 0;
  for_each_statement(thread.body, [&](const Statement& statement) {
    for_each_expression(statement, [&](const Expression& e) { add(e, number, out); });
    if (const auto* access = std::get_if<Access>(&statement.node))
      out.push_back({access->method, access->location, number, access->field});
    else if (const auto* fence = std::get_if<FenceStatement>(&statement.node))
      out.push_back({fence->fence, {}, number, {}});
    ++number;
  });
  return out;
}

} // namespace thinair::litmus
