// Counts what a thread uses.
#include "lower/survey.h"

#include "litmus/text/error.h"
#include "lower/constants.h"

#include <algorithm>

namespace thinair::lower {
namespace {

using litmus::Expression;

class Surveyor {
 public:
  Surveyor(const litmus::Program& program, const RuntimeWords& words, std::size_t number)
      : program_(program), words_(words) {
    const auto& thread = program.threads[number];
    survey_.uses.resize(thread.registers.size());
    survey_.assigned.resize(thread.registers.size());
    survey_.locations.resize(program.locations.size() + words.size());
    if (const auto word = words.started(number)) runtime(RuntimeAction::begin, *word);
    block(thread.body);
    if (const auto word = words.ended(number)) runtime(RuntimeAction::end, *word);
  }
  Survey take() { return std::move(survey_); }

 private:
  void block(const litmus::Block& statements) {
    for (const auto& statement : statements)
      std::visit([this](const auto& node) { visit(node); }, statement.node);
  }
  void expression(const Expression& e) {
    if (e.op == litmus::Operator::reg) ++survey_.uses[e.reg.value];
    for (const auto& argument : e.arguments) expression(argument);
  }
  void whole(const Expression& e) {
    expression(e);
    survey_.shifts_by_register |= shifts_by_register(e);
  }
  void write(litmus::RegisterId reg) {
    ++survey_.uses[reg.value];
    survey_.assigned[reg.value] = true;
  }
  void operation(Operation operation) { survey_.operations[index_of(operation)] = true; }
  void runtime(RuntimeAction action, litmus::LocationId word) {
    survey_.locations[word.value] = true;
    operation(action);
  }

  void visit(const litmus::Assign& node) {
    write(node.target);
    whole(node.value);
  }
  void visit(const litmus::Access& node) {
    if (node.target) write(*node.target);
    for (const auto& argument : node.arguments) whole(argument);
    if (node.field)
      ++survey_.uses[node.field->object.value];
    else
      survey_.locations[node.location.value] = true;
    operation(node.method);
  }
  void visit(const litmus::FenceStatement& node) { operation(node.fence); }
  void visit(const litmus::If& node) {
    whole(node.condition);
    block(node.then_block);
    block(node.else_block);
  }
  void visit(const litmus::Cut&) { survey_.cuts = true; }
  void visit(const litmus::New& node) {
    write(node.target);
    survey_.locations[words_.of(node.object).value] = true;
    block(node.body);
    if (freezes(program_, node.object)) operation(RuntimeAction::freeze);
  }
  void visit(const litmus::Loop&) { throw Unsupported("loops in lowered code"); }
  void visit(const litmus::MonitorStatement& node) { runtime(action_of(node), words_.of(node)); }
  void visit(const litmus::ThreadStatement& node) { runtime(action_of(node), words_.of(node)); }
  void visit(const litmus::ExternalStatement& node) { whole(node.value); }

  const litmus::Program& program_;
  const RuntimeWords& words_;
  Survey survey_;
};

} // namespace

std::vector<std::uint32_t> Survey::by_uses() const {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < uses.size(); ++i)
    if (uses[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, std::greater<>(), [&](auto i) { return uses[i]; });
  return order;
}

Survey survey(const litmus::Program& program, const RuntimeWords& words, std::size_t thread) {
  return Surveyor(program, words, thread).take();
}

} // namespace thinair::lower
