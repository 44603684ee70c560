// Looks at every statement.
#include "campaign/program_rules.h"

#include "litmus/steps.h"
#include "litmus/walk.h"
#include "lower/operation.h"
#include "lower/runtime.h"

#include <set>

namespace thinair::campaign {

std::vector<std::size_t> rules_of(const litmus::Program& program) {
  using lower::RuntimeAction;
  std::set<std::size_t> out;
  const auto add = [&](RuntimeAction action) { out.insert(lower::index_of(action)); };
  for (const auto& thread : program.threads) {
    for (const auto& step : litmus::steps_of(thread)) out.insert(lower::index_of(step.what));
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      if (const auto* monitor = std::get_if<litmus::MonitorStatement>(&statement.node))
        add(lower::action_of(*monitor));
      const auto* made = std::get_if<litmus::New>(&statement.node);
      if (made != nullptr && lower::freezes(program, made->object)) add(RuntimeAction::freeze);
      const auto* other = std::get_if<litmus::ThreadStatement>(&statement.node);
      if (other == nullptr) return;
      const auto action = lower::action_of(*other);
      add(action);
      add(action == RuntimeAction::start ? RuntimeAction::begin : RuntimeAction::end);
    });
  }
  return {out.begin(), out.end()};
}

} // namespace thinair::campaign
