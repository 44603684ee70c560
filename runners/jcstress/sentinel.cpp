// Definite assignment (JLS 16) of registers, over the paths that the text has.
#include "runners/jcstress/sentinel.h"

#include "litmus/walk.h"

#include <set>

namespace thinair::runners::jcstress {
namespace {

using namespace litmus;

using Registers = std::vector<bool>;

class Assignment {
 public:
  explicit Assignment(const Thread& thread)
      : assigned_(thread.registers.size()), read_early_(thread.registers.size()) {
    visit(thread.body);
  }

  bool seen_unwritten(std::size_t reg) const { return !assigned_[reg] && !read_early_[reg]; }

 private:
  void visit(const Block& block) {
    for (const Statement& statement : block) visit(statement);
  }

  void visit(const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop && !loop->test_first) visit(loop->body);
    for_each_expression(statement, [this](const Expression& e) { read(e); });
    if (const auto* assign = std::get_if<Assign>(&statement.node))
      assigned_[assign->target.value] = true;
    if (const auto* call = std::get_if<Access>(&statement.node); call && call->target)
      assigned_[call->target->value] = true;
    if (const auto* made = std::get_if<New>(&statement.node)) visit(made->body);
    if (const auto* branch = std::get_if<If>(&statement.node)) visit(*branch);
    if (loop && loop->test_first) {
      const Registers before = assigned_;
      visit(loop->body);
      assigned_ = before; // it may not run
    }
  }

  void visit(const If& branch) {
    const Registers before = assigned_;
    visit(branch.then_block);
    const Registers after_then = assigned_;
    assigned_ = before;
    visit(branch.else_block);
    for (std::size_t r = 0; r < assigned_.size(); ++r) assigned_[r] = assigned_[r] && after_then[r];
  }

  void read(const Expression& e) {
    if (e.op == Operator::reg && !assigned_[e.reg.value]) read_early_[e.reg.value] = true;
    for (const Expression& argument : e.arguments) read(argument);
  }

  Registers assigned_, read_early_;
};

void constants_of(const Expression& e, std::set<litmus::Value>& into) {
  if (e.op == Operator::constant) into.insert(e.constant);
  for (const Expression& argument : e.arguments) constants_of(argument, into);
}

/// A number that is easy to see in a table and that the program does not mention.
litmus::Value unused_value(const Program& program) {
  std::set<litmus::Value> used;
  for (const Location& location : program.locations) used.insert(location.initial);
  for (const Thread& thread : program.threads) {
    for (const Register& reg : thread.registers) used.insert(reg.initial);
    for_each_statement(thread.body, [&](const Statement& s) {
      for_each_expression(s, [&](const Expression& e) { constants_of(e, used); });
    });
  }
  litmus::Value value = -99999;
  while (used.contains(value)) --value;
  return value;
}

} // namespace

Sentinels with_sentinels(const Program& program) {
  Sentinels out{program, unused_value(program), {}};
  for (Thread& thread : out.program.threads) {
    const Assignment assignment(thread);
    auto& marked = out.marked.emplace_back(thread.registers.size());
    for (std::size_t r = 0; r < thread.registers.size(); ++r) {
      marked[r] = assignment.seen_unwritten(r) && !thread.registers[r].type.refers() &&
                  narrowed(thread.registers[r].type.kind, out.value) == out.value;
      if (marked[r]) thread.registers[r].initial = out.value;
    }
  }
  return out;
}

} // namespace thinair::runners::jcstress
