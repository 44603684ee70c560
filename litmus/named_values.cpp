// Collects constants.
#include "litmus/named_values.h"

#include "litmus/walk.h"

#include <utility>

namespace thinair::litmus {
namespace {

void add_constants(const Expression& e, std::set<Value>& values) {
  if (e.op == Operator::constant) values.insert(e.constant);
  for (const auto& argument : e.arguments) add_constants(argument, values);
}

void add_constants(const Proposition& p, std::set<Value>& values) {
  const bool compares =
      (p.kind == Proposition::Kind::equal || p.kind == Proposition::Kind::not_equal) && !p.right;
  if (compares) values.insert(p.constant);
  for (const auto& part : p.parts) add_constants(part, values);
}

} // namespace

std::set<Value> named_values(const Program& program, const Proposition& proposition) {
  std::set<Value> values;
  for (const auto& location : program.locations) values.insert(location.initial);
  for (const auto& thread : program.threads)
    for_each_statement(thread.body, [&](const Statement& statement) {
      for_each_expression(statement, [&](const Expression& e) { add_constants(e, values); });
    });
  add_constants(proposition, values);
  return values;
}

} // namespace thinair::litmus
