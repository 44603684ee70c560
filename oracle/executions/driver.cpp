// The product of the threads' paths, each combination searched at the width that it needs.
#include "oracle/executions/driver.h"

#include "litmus/text/error.h"
#include "oracle/executions/symmetry.h"
#include "oracle/graph/meaning.h"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <span>

namespace thinair::executions {

namespace {

/// What fills no base set or relation: of objects, and of a machine's tags.
std::vector<graph::Input> absent_from(const graph::ProgramPaths& program) {
  using graph::Input;
  std::vector<Input> out;
  if (!program.uses.has(litmus::Construct::final_fields))
    out = {Input::freeze, Input::final_, Input::frozen};
  if (program.object_names.empty()) out.insert(out.end(), {Input::dereferences, Input::passes});
  const auto sets = program.architecture->sets;
  for (std::size_t row = 0; row < sets.size(); ++row)
    if ((sets[row].tags & program.tags) == 0) out.push_back(graph::tag_input(row));
  return out;
}

/// With what the model gives a meaning to.
graph::ProgramPaths& understood(graph::ProgramPaths& program, const cat::Plan& plan) {
  graph::demand(program, plan.meaning);
  return program;
}

} // namespace

Driver::Driver(graph::ProgramPaths& program, const cat::Plan& plan, SearchSetup setup, Goal& goal,
               const Limits& limits)
    : program_(understood(program, plan)), analysis_(plan, absent_from(program)),
      setup_(std::move(setup)), goal_(goal), limits_(limits), own_watch_(watch_limits(limits)),
      watch_(watch_of(program)), budget_(limits.candidates, *watch_),
      solver_({.z3_effort = limits.solver_effort}) {
  setup_.values = limits.values;
  // A routine of the model may look at events in the order of their threads.
  const bool alike = !setup_.every_execution && plan.interpreted.empty();
  if (alike) setup_.twins = twins_of(program_, setup_.observed);
  const auto own = std::views::iota(0U, static_cast<std::uint32_t>(setup_.twins.size()));
  if (std::ranges::equal(setup_.twins, own)) setup_.twins.clear();
}

/// The same paths were chosen before, by threads that have changed places since.
bool Driver::repeats() const {
  for (std::size_t t = 0; t < setup_.twins.size(); ++t)
    for (std::size_t earlier = setup_.twins[t]; earlier < t; ++earlier)
      if (setup_.twins[earlier] == setup_.twins[t] && chosen_[earlier] > chosen_[t]) return true;
  return false;
}

/// The watch of whoever made the paths; where nobody watches, this search does.
Watch* Driver::watch_of(const graph::ProgramPaths& program) {
  if (program.terms.is_watched()) return &program.terms.watch();
  return limits_.watch != nullptr ? limits_.watch : &own_watch_;
}

bool Driver::explore() {
  skeleton_.assign(program_, chosen_);
  if (setup_.grant) skeleton_.grant(setup_.grant(skeleton_));
  const auto n = skeleton_.size();
  if (n > limits_.events || n > graph::EventSet<4>::capacity) throw LimitReached(Limit::events);
  if (n <= graph::EventSet<1>::capacity) {
    if (!small_)
      small_ = std::make_unique<Search<1>>(analysis_, setup_, goal_, budget_, solver_, remarks_);
    return small_->explore(skeleton_);
  }
  if (!large_)
    large_ = std::make_unique<Search<4>>(analysis_, setup_, goal_, budget_, solver_, remarks_);
  return large_->explore(skeleton_);
}

/// By thread, its paths: as they come, or the short ones first where the search ends when it has
/// found what it looks for. Runs that spin in loops are many, and show little that short ones do
/// not.
void Driver::order_paths() {
  ranked_.clear();
  for (const auto& thread : program_.threads) {
    auto& ranks = ranked_.emplace_back(thread.paths.size());
    std::iota(ranks.begin(), ranks.end(), 0U);
    if (setup_.every_execution) continue;
    std::ranges::stable_sort(ranks, {},
                             [&](std::uint32_t path) { return thread.paths[path].events.size(); });
  }
}

void Driver::run() {
  rank_.assign(program_.threads.size(), 0);
  chosen_.assign(program_.threads.size(), 0);
  for (const auto& thread : program_.threads)
    if (thread.paths.empty()) return;
  order_paths();
  try {
    run_combinations();
  } catch (const LimitReached&) { // what has been found stays found
    if (!watch_->stopped()) throw;
    budget_.go_on(0);
  }
}

void Driver::run_combinations() {
  for (;;) {
    if (!budget_.go_on(chosen_.size())) return;
    for (std::size_t t = 0; t < rank_.size(); ++t) chosen_[t] = ranked_[t][rank_[t]];
    if (graph::compatible(program_, chosen_) && !repeats() && !explore()) return;
    std::size_t t = 0;
    while (t < rank_.size() && ++rank_[t] == ranked_[t].size()) rank_[t++] = 0;
    if (t == rank_.size()) return;
  }
}

} // namespace thinair::executions
