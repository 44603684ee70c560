// A row for each limit.
#include "cli/limits.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

namespace thinair::cli {

std::string_view way_out(Limit limit) {
  switch (limit) {
  case Limit::none: return "";
  case Limit::time: return "--timeout";
  case Limit::steps: return "--max-steps";
  case Limit::memory: return "--max-memory";
  case Limit::candidates: return "--max-candidates";
  case Limit::loop_bound: return "--unroll";
  case Limit::events: return "--max-events";
  case Limit::paths: return "--max-paths";
  case Limit::values: return "--max-values";
  case Limit::solver_effort: return "--solver-effort";
  case Limit::states: return "--max-states";
  case Limit::model_steps: return "--model-steps";
  case Limit::model_depth: return "--model-depth";
  case Limit::graphs: return "--max-graphs";
  case Limit::labellings: return "--identity index";
  case Limit::run_time: return "--time";
  case Limit::as_plain: return "--as-plain takes accesses for plain ones, and leaves fences out";
  case Limit::herd7: return "--herd7 names one";
  case Limit::engine: return "--engine builtin or herd7";
  }
  bug(__FILE__, __LINE__, "a limit that is none");
}

std::string shown(const Reason& reason) {
  const auto what = way_out(reason.limit);
  return what.empty() ? reason.text : fmt::format("{} ({})", reason.text, what);
}

} // namespace thinair::cli
