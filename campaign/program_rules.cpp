// Looks at every statement.
#include "campaign/program_rules.h"

#include "litmus/objects.h"
#include "litmus/walk.h"
#include "lower/runtime.h"

namespace thinair::campaign {

using lower::RuleName;

namespace {

/// Of the runtime: monitors, threads, ends of constructors.
std::set<lower::Operation> actions_in(const litmus::Program& program) {
  using lower::RuntimeAction;
  std::set<lower::Operation> out;
  for (const auto& thread : program.threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      if (const auto* monitor = std::get_if<litmus::MonitorStatement>(&statement.node))
        out.insert(lower::action_of(*monitor));
      const auto* made = std::get_if<litmus::New>(&statement.node);
      if (made != nullptr && lower::freezes(program, made->object))
        out.insert(RuntimeAction::freeze);
      const auto* other = std::get_if<litmus::ThreadStatement>(&statement.node);
      if (other == nullptr) return;
      const auto action = lower::action_of(*other);
      out.insert(action);
      out.insert(action == RuntimeAction::start ? RuntimeAction::begin : RuntimeAction::end);
    });
  return out;
}

} // namespace

RuleName rule_of(const lower::SchemeText& scheme, const litmus::Program& program,
                 const litmus::Thread& thread, const litmus::Step& step) {
  const auto* method = std::get_if<litmus::Method>(&step.what);
  if (method == nullptr) return std::get<litmus::Fence>(step.what);
  return scheme.rule_for(*method, litmus::type_of(program, thread, step.location, step.field).kind);
}

std::set<lower::Operation> operations_in(const litmus::Program& program) {
  auto out = actions_in(program);
  for (const auto& thread : program.threads)
    for (const auto& step : litmus::steps_of(thread))
      std::visit([&](auto what) { out.insert(what); }, step.what);
  return out;
}

std::vector<RuleName> rules_of(const lower::SchemeText& scheme, const litmus::Program& program) {
  std::set<RuleName> out;
  for (const auto& action : actions_in(program)) out.insert(action);
  for (const auto& thread : program.threads)
    for (const auto& step : litmus::steps_of(thread))
      out.insert(rule_of(scheme, program, thread, step));
  return {out.begin(), out.end()};
}

} // namespace thinair::campaign
