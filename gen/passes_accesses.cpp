// Passes over single accesses and fences: simpler actions, no results, weaker modes.
#include "gen/measure.h"
#include "gen/methods.h"
#include "gen/passes.h"
#include "gen/walk.h"
#include "litmus/choices.h"

#include <algorithm>
#include <functional>

namespace thinair::gen::pass {
namespace {

using litmus::Access;
using litmus::Action;
using litmus::Fence;
using litmus::FenceStatement;
using litmus::Method;
using litmus::Operator;

/// Of an access its method, and what that takes: the index of an element stays.
using Change = std::function<void(Method&, std::vector<Expression>&)>;

template <class Node> // an Access or an Expression
void apply(const Change& change, Node& node) {
  const auto* index = litmus::element_index(node);
  if (index == nullptr) return change(node.method, node.arguments);
  std::vector<Expression> all{*index};
  node.arguments.erase(node.arguments.begin());
  change(node.method, node.arguments);
  all.insert(all.end(), node.arguments.begin(), node.arguments.end());
  node.arguments = std::move(all);
}

/// For each access, wherever it stands, the copies that `edit` makes of the program through
/// `change`.
void each_access(const Program& program,
                 const std::function<std::vector<Change>(Method, std::size_t arguments)>& edits,
                 Proposals& out) {
  std::vector<Statement> statements;
  each_statement(program, [&](ThreadId, const Statement& s) { statements.push_back(s); });
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto* access = std::get_if<Access>(&statements[i].node);
    if (access == nullptr) continue;
    for (const auto& change : edits(access->method, litmus::operands_of(*access).size())) {
      Access changed = *access;
      apply(change, changed);
      if (!litmus::reads(info(changed.method).action)) changed.target.reset();
      out.push_back(
          with_statement(program, i, [&](const Statement& s) { return Block{{changed, s.span}}; }));
    }
  }
  std::vector<Expression> expressions;
  each_expression(program, [&](ThreadId, const Expression& e) { expressions.push_back(e); });
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    if (expressions[i].op != Operator::access) continue;
    for (const auto& change :
         edits(expressions[i].method, litmus::operands_of(expressions[i]).size())) {
      auto copy = with_expression(program, i, [&](Expression& e) { apply(change, e); });
      auto after = expressions[i];
      apply(change, after);
      if (litmus::reads(info(after.method).action))
        out.push_back(std::move(copy)); // a set has no value
    }
  }
}

/// To `action`, keeping the arguments at `kept`.
Change to_action(Action action, std::vector<std::size_t> kept) {
  return [action, kept = std::move(kept)](Method& method, std::vector<Expression>& arguments) {
    method = with_action(method, action);
    std::vector<Expression> chosen;
    for (const auto i : kept) chosen.push_back(arguments[i]);
    arguments = std::move(chosen);
  };
}

std::vector<Change> simpler_actions(Method method) {
  switch (info(method).action) {
  case Action::get:
  case Action::set: return {};
  case Action::get_and_set: return {to_action(Action::get, {}), to_action(Action::set, {0})};
  case Action::get_and_add:
  case Action::get_and_or:
  case Action::get_and_and:
  case Action::get_and_xor:
    return {to_action(Action::get, {}), to_action(Action::set, {0}),
            to_action(Action::get_and_set, {0})};
  case Action::compare_and_set:
  case Action::compare_and_exchange:
  case Action::weak_compare_and_set:
    return {to_action(Action::get, {}), to_action(Action::set, {1}),
            to_action(Action::get_and_set, {1})};
  }
  return {};
}

} // namespace

/// A read-modify-write to one of its halves, or to a simpler one.
Proposals simplify_actions(const Program& program) {
  Proposals out;
  each_access(program, [](Method method, std::size_t) { return simpler_actions(method); }, out);
  return out;
}

/// An access whose result nobody keeps.
Proposals drop_results(const Program& program) {
  Proposals out;
  std::vector<Statement> statements;
  each_statement(program, [&](ThreadId, const Statement& s) { statements.push_back(s); });
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto* access = std::get_if<Access>(&statements[i].node);
    if (access == nullptr || !access->target) continue;
    Access changed = *access;
    changed.target.reset();
    out.push_back(
        with_statement(program, i, [&](const Statement& s) { return Block{{changed, s.span}}; }));
  }
  return out;
}

/// The same action in a weaker mode, the weakest first.
Proposals weaken_modes(const Program& program) {
  const auto weaker = [](Method method, std::size_t) {
    std::vector<Change> changes;
    for (const Method other : methods_by_strength(info(method).action))
      if (strength(info(other)) < strength(info(method)))
        changes.push_back([other](Method& m, std::vector<Expression>&) { m = other; });
    return changes;
  };
  Proposals out;
  each_access(program, weaker, out);
  return out;
}

Proposals weaken_fences(const Program& program) {
  std::vector<Fence> order;
  for (const auto& row : litmus::fences()) order.push_back(row.fence);
  std::ranges::stable_sort(order, {}, [](Fence f) { return strength(f); });
  std::vector<Statement> statements;
  each_statement(program, [&](ThreadId, const Statement& s) { statements.push_back(s); });
  Proposals out;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto* fence = std::get_if<FenceStatement>(&statements[i].node);
    if (fence == nullptr) continue;
    for (const Fence other : order)
      if (strength(other) < strength(fence->fence))
        out.push_back(with_statement(program, i, [&](const Statement& s) {
          return Block{{FenceStatement{other, fence->by}, s.span}};
        }));
  }
  return out;
}

/// All by the first scheme of a mix; each access and fence by each earlier one.
Proposals lower_choices(const Program& program) {
  std::vector<litmus::Choice> choices;
  Program copy = program;
  const auto note = [&](auto, litmus::Choice& by) { choices.push_back(by); };
  litmus::each_choice(copy, note, note);
  Proposals out{litmus::without_choices(program)};
  for (std::size_t i = 0; i < choices.size(); ++i)
    for (litmus::Choice lower = 0; lower < choices[i]; ++lower) {
      Program changed = program;
      std::size_t at = 0;
      const auto set = [&](auto, litmus::Choice& by) {
        if (at++ == i) by = lower;
      };
      litmus::each_choice(changed, set, set);
      out.push_back(std::move(changed));
    }
  return out;
}

} // namespace thinair::gen::pass
