// Visits every statement and every expression of a program.
#pragma once

#include "litmus/program.h"

#include <variant>

namespace thinair::litmus {

/// Calls `visit(statement)` for every statement of the block and of the blocks inside, in the order
/// of the text.
template <class Visit>
void for_each_statement(const Block& block, Visit&& visit) {
  for (const Statement& statement : block) {
    visit(statement);
    if (const auto* branch = std::get_if<If>(&statement.node)) {
      for_each_statement(branch->then_block, visit);
      for_each_statement(branch->else_block, visit);
    } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      for_each_statement(loop->body, visit);
    } else if (const auto* made = std::get_if<New>(&statement.node)) {
      for_each_statement(made->body, visit);
    }
  }
}

/// Calls `visit(expression)` for the expressions that stand in the statement itself (not in its
/// blocks), outermost only, in the order of evaluation.
template <class Visit>
void for_each_expression(const Statement& statement, Visit&& visit) {
  std::visit(
      [&](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, Assign> || std::is_same_v<Node, ExternalStatement>) {
          visit(node.value);
        } else if constexpr (std::is_same_v<Node, Access>) {
          for (const Expression& argument : node.arguments) visit(argument);
        } else if constexpr (std::is_same_v<Node, If> || std::is_same_v<Node, Loop>) {
          visit(node.condition);
        }
      },
      statement.node);
}

} // namespace thinair::litmus
