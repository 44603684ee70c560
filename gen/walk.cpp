// The walks over statements and expressions.
#include "gen/walk.h"

#include <utility>

namespace thinair::gen {
namespace {

using litmus::Access;
using litmus::Assign;
using litmus::ExternalStatement;
using litmus::If;
using litmus::Loop;
using litmus::New;

/// Calls `f` for each block inside the statement.
template <class S, class F>
void inner_blocks(S& statement, F&& f) {
  if (auto* branch = std::get_if<If>(&statement.node)) {
    f(branch->then_block);
    f(branch->else_block);
  } else if (auto* loop = std::get_if<Loop>(&statement.node)) {
    f(loop->body);
  } else if (auto* made = std::get_if<New>(&statement.node)) {
    f(made->body);
  }
}

template <class B, class F>
void walk_block(B& block, F&& f) {
  for (auto& statement : block) {
    f(statement);
    inner_blocks(statement, [&](auto& inner) { walk_block(inner, f); });
  }
}

template <class P, class F>
void walk_statements(P& program, F&& f) {
  for (std::uint32_t t = 0; t < program.threads.size(); ++t)
    walk_block(program.threads[t].body, [&](auto& statement) { f(ThreadId(t), statement); });
}

template <class E, class F>
void walk_expression(E& expression, F&& f) {
  f(expression);
  for (auto& argument : expression.arguments) walk_expression(argument, f);
}

template <class S, class F>
void own_expressions(S& statement, F&& f) {
  if (auto* assign = std::get_if<Assign>(&statement.node)) {
    walk_expression(assign->value, f);
  } else if (auto* access = std::get_if<Access>(&statement.node)) {
    for (auto& argument : access->arguments) walk_expression(argument, f);
  } else if (auto* branch = std::get_if<If>(&statement.node)) {
    walk_expression(branch->condition, f);
  } else if (auto* loop = std::get_if<Loop>(&statement.node)) {
    walk_expression(loop->condition, f);
  } else if (auto* external = std::get_if<ExternalStatement>(&statement.node)) {
    walk_expression(external->value, f);
  }
}

template <class P, class F>
void walk_expressions(P& program, F&& f) {
  walk_statements(program, [&](ThreadId thread, auto& statement) {
    own_expressions(statement, [&](auto& expression) { f(thread, expression); });
  });
}

template <class P, class F>
void walk_places(P& program, F&& f) {
  walk_statements(program, [&](ThreadId thread, auto& statement) {
    if (auto* access = std::get_if<Access>(&statement.node))
      f(thread, access->location, access->field);
    own_expressions(statement, [&](auto& e) {
      if (e.op == litmus::Operator::access) f(thread, e.location, e.field);
    });
  });
}

/// Replaces statement number `index` of what is left; false when the block ended before it.
bool replace_in(Block& block, std::size_t& index, const std::function<Block(const Statement&)>& f) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (index-- == 0) {
      Block made = f(block[i]);
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i),
                   std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
      return true;
    }
    bool done = false;
    inner_blocks(block[i], [&](Block& inner) { done = done || replace_in(inner, index, f); });
    if (done) return true;
  }
  return false;
}

} // namespace

void each_statement(const Program& program,
                    const std::function<void(ThreadId, const Statement&)>& f) {
  walk_statements(program, f);
}

void each_statement(Program& program, const std::function<void(ThreadId, Statement&)>& f) {
  walk_statements(program, f);
}

void each_expression(const Program& program,
                     const std::function<void(ThreadId, const Expression&)>& f) {
  walk_expressions(program, f);
}

void each_expression(Program& program, const std::function<void(ThreadId, Expression&)>& f) {
  walk_expressions(program, f);
}

void each_place(
    const Program& program,
    const std::function<void(ThreadId, LocationId, const std::optional<litmus::FieldOf>&)>& f) {
  walk_places(program, f);
}

void each_place(
    Program& program,
    const std::function<void(ThreadId, LocationId&, std::optional<litmus::FieldOf>&)>& f) {
  walk_places(program, f);
}

std::size_t count_statements(const Program& program) {
  std::size_t count = 0;
  walk_statements(program, [&](ThreadId, const Statement&) { ++count; });
  return count;
}

Program with_statement(const Program& program, std::size_t index,
                       const std::function<Block(const Statement&)>& f) {
  Program copy = program;
  for (auto& thread : copy.threads)
    if (replace_in(thread.body, index, f)) break;
  return copy;
}

Program with_expression(const Program& program, std::size_t index,
                        const std::function<void(Expression&)>& f) {
  Program copy = program;
  std::size_t at = 0;
  Expression* chosen = nullptr;
  walk_expressions(copy, [&](ThreadId, Expression& expression) {
    if (at++ == index) chosen = &expression;
  });
  if (chosen != nullptr) f(*chosen);
  return copy;
}

std::optional<RegisterId> assigned(const Statement& statement) {
  if (const auto* assign = std::get_if<Assign>(&statement.node)) return assign->target;
  if (const auto* access = std::get_if<Access>(&statement.node)) return access->target;
  if (const auto* made = std::get_if<New>(&statement.node)) return made->target;
  return std::nullopt;
}

} // namespace thinair::gen
