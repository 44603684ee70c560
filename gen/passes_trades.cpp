// Passes that take something away and change another thing at the same time: what single removals
// and weakenings cannot reach.
#include "gen/methods.h"
#include "gen/passes.h"
#include "gen/walk.h"

#include <optional>

namespace thinair::gen::pass {
namespace {

using litmus::Access;
using litmus::FenceStatement;

struct Numbered {
  std::size_t index = 0;
  ThreadId thread;
  const Access* access = nullptr; // or a fence
};

/// Accesses and fences with their numbers as statements.
std::vector<Numbered> actions_of(const Program& program) {
  std::vector<Numbered> found;
  std::size_t index = 0;
  each_statement(program, [&](ThreadId thread, const Statement& statement) {
    const auto* access = std::get_if<Access>(&statement.node);
    if (access != nullptr || std::holds_alternative<FenceStatement>(statement.node))
      found.push_back({index, thread, access});
    ++index;
  });
  return found;
}

/// A read in the strongest mode; absent where it has that. Writes are left alone: stronger reads
/// are the same code on most targets, a stronger write is another mismatch.
std::optional<Statement> strengthened(const Access& access) {
  if (info(access.method).action != litmus::Action::get) return std::nullopt;
  Access strong = access;
  strong.method = methods_by_strength(info(access.method).action).back();
  if (strong.method == access.method) return std::nullopt;
  return Statement{strong, {}};
}

} // namespace

Proposals initial_values_for_writes(const Program& program) {
  Proposals proposals;
  for (const auto& action : actions_of(program)) {
    if (action.access == nullptr || info(action.access->method).action != litmus::Action::set)
      continue;
    const Expression& value = action.access->arguments.front();
    if (value.op != litmus::Operator::constant || action.access->field) continue;
    auto without = with_statement(program, action.index, [](const Statement&) { return Block{}; });
    without.locations[action.access->location.value].initial = value.constant;
    proposals.push_back(std::move(without));
  }
  return proposals;
}

Proposals strength_for_statements(const Program& program) {
  Proposals proposals;
  const auto actions = actions_of(program);
  for (const auto& dropped : actions) {
    for (const auto& kept : actions) {
      if (kept.thread != dropped.thread || kept.index == dropped.index || !kept.access) continue;
      const auto strong = strengthened(*kept.access);
      if (!strong) continue;
      const auto stronger =
          with_statement(program, kept.index, [&](const Statement&) { return Block{*strong}; });
      proposals.push_back(
          with_statement(stronger, dropped.index, [](const Statement&) { return Block{}; }));
    }
  }
  return proposals;
}

} // namespace thinair::gen::pass
