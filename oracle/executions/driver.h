// Runs a search over all combinations of control paths of a program.
#pragma once

#include "oracle/executions/analysis.h"
#include "oracle/executions/search.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace thinair::executions {

class Driver {
 public:
  Driver(graph::ProgramPaths& program, const cat::Plan& plan, SearchSetup setup, Goal& goal,
         const Limits& limits);

  /// Looks at every combination, or until the goal is reached or the budget spent.
  void run();

  const Watch& watch() const { return *watch_; }
  const Budget& budget() const { return budget_; }
  const Remarks& remarks() const { return remarks_; }
  const Analysis& analysis() const { return analysis_; }
  const values::Statistics& values() const { return solver_.statistics(); }

 private:
  Watch* watch_of(const graph::ProgramPaths& program);
  void order_paths();
  void run_combinations();
  bool explore(); // one combination
  bool repeats() const;

  graph::ProgramPaths& program_;
  Analysis analysis_;
  SearchSetup setup_;
  Goal& goal_;
  Limits limits_;
  Watch own_watch_;
  Watch* watch_;
  Budget budget_;
  Remarks remarks_;
  values::Solver solver_;
  Skeleton skeleton_;
  std::vector<std::vector<std::uint32_t>> ranked_; // by thread: its paths as they are tried
  std::vector<std::uint32_t> rank_;                // by thread: place in ranked_
  std::vector<std::uint32_t> chosen_;              // by thread: the path there
  std::unique_ptr<Search<1>> small_;
  std::unique_ptr<Search<4>> large_;
};

} // namespace thinair::executions
