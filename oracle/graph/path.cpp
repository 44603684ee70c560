// What building a path means for Java and x86 alike.
#include "oracle/graph/path.h"

#include "litmus/text/error.h"
#include "oracle/graph/decisions.h"

#include <variant>

namespace thinair::graph {

void PathBuilder::add(const PathEvent& event) {
  if (path_.events.size() == limits_.events_per_path)
    throw LimitReached("events of a thread", "--max-events");
  path_.events.push_back(event);
}

void PathBuilder::require(TermId condition, bool is_branch) {
  if (terms_.constant_value(condition).value_or(0) != 0) return;
  path_.constraints.push_back(condition);
  if (is_branch)
    path_.branches.push_back({condition, static_cast<std::uint32_t>(path_.events.size())});
}

bool PathBuilder::decide(TermId condition, bool is_branch) {
  if (const auto known = terms_.constant_value(condition)) return *known != 0;
  const bool holds = decisions_.choose(2) == 0;
  require(holds ? condition : terms_.make(TermOp::logical_not, 64, condition), is_branch);
  return holds;
}

void too_many_paths() { throw LimitReached("control paths of a thread", "--max-paths"); }

ProgramPaths paths_of(const litmus::Test& test, const PathLimits& limits) {
  return std::visit([&](const auto& program) { return paths_of(program, limits); }, test.program);
}

} // namespace thinair::graph
