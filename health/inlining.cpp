// Thread inlining: what two threads do side by side, one of them may do one after the other.
#include "health/property.h"

#include <algorithm>

namespace thinair::health {
namespace {

using litmus::Expression;
using litmus::Program;
using litmus::RegisterId;
using litmus::Statement;

void shift(Expression& expression, std::uint32_t by) {
  if (expression.op == litmus::Operator::reg)
    expression.reg = RegisterId(expression.reg.value + by);
  for (auto& argument : expression.arguments) shift(argument, by);
}

void shift(litmus::Block& block, std::uint32_t by);

/// The statement of another thread whose registers come after `by` others.
void shift(Statement& statement, std::uint32_t by) {
  const auto moved = [by](RegisterId reg) { return RegisterId(reg.value + by); };
  if (auto* assign = std::get_if<litmus::Assign>(&statement.node)) {
    assign->target = moved(assign->target);
    shift(assign->value, by);
  } else if (auto* access = std::get_if<litmus::Access>(&statement.node)) {
    if (access->target) access->target = moved(*access->target);
    for (auto& argument : access->arguments) shift(argument, by);
  } else if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
    shift(branch->condition, by);
    shift(branch->then_block, by);
    shift(branch->else_block, by);
  } else if (auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
    shift(loop->condition, by);
    shift(loop->body, by);
  } else if (auto* external = std::get_if<litmus::ExternalStatement>(&statement.node)) {
    shift(external->value, by);
  }
}

void shift(litmus::Block& block, std::uint32_t by) {
  for (auto& statement : block) shift(statement, by);
}

/// Thread `second` behind thread `first`, which takes over its registers under new names; what is
/// left of it does nothing.
Variant inlined(const Program& program, std::size_t first, std::size_t second) {
  Variant out{program};
  auto& into = out.program.threads[first];
  auto& from = out.program.threads[second];
  const auto by = static_cast<std::uint32_t>(into.registers.size());
  for (const auto& reg : from.registers) {
    const std::string name = "t" + std::to_string(second) + "_" + reg.name;
    into.registers.push_back({name, reg.initial});
    out.moved.push_back({{litmus::ThreadId(static_cast<std::uint32_t>(second)), reg.name},
                         {litmus::ThreadId(static_cast<std::uint32_t>(first)), name}});
  }
  for (const auto& handle : from.handles)
    if (std::ranges::find(into.handles, handle.location, &litmus::Handle::location) ==
        into.handles.end())
      into.handles.push_back({"T" + std::to_string(second) + "_" + handle.name, handle.location});
  shift(from.body, by);
  into.body.insert(into.body.end(), from.body.begin(), from.body.end());
  from.body.clear();
  return out;
}

bool has_lifetimes(const Program& program) {
  const auto features = litmus::features(program);
  return features.thread_lifetime || features.monitors;
}

std::vector<Variant> inlinings(const Program& program) {
  std::vector<Variant> out;
  if (has_lifetimes(program)) return out;
  for (std::size_t a = 0; a < program.threads.size(); ++a)
    for (std::size_t b = 0; b < program.threads.size(); ++b)
      if (a != b) out.push_back(inlined(program, a, b));
  return out;
}

} // namespace

void add_inlining(std::vector<Property>& out, const Settings& /*settings*/) {
  out.push_back(
      {"inline-threads", "Threads", "two threads may be run by one of them, one after the other",
       "Manson, Pugh and Adve (POPL 2005); Sequentialization in Vafeiadis et al. (POPL 2015)",
       adds_nothing(inlinings), 2});
}

} // namespace thinair::health
