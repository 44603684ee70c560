// Executions whose values depend on themselves: whichever values satisfy every constraint at once.
#include "oracle/executions/search.h"

#include <algorithm>

namespace thinair::executions {

namespace {

constexpr std::string_view effort_option = " (--solver-effort)";

} // namespace

/// What reads-from and paths demand; `interest` becomes the terms of the final state.
template <std::size_t W>
values::Constraints Search<W>::constraints_of_cycle(std::vector<TermId>& interest) {
  auto& program = skeleton_->program();
  const auto events = skeleton_->events();
  values::Constraints constraints;
  if (program.architecture == graph::Architecture::x86) constraints.variable_bits = 64;
  for (std::size_t t = 0; t < skeleton_->threads(); ++t) {
    const auto& path = skeleton_->path(t);
    constraints.nonzero.insert(constraints.nonzero.end(), path.constraints.begin(),
                               path.constraints.end());
    constraints.defined.insert(constraints.defined.end(), path.must_divide.begin(),
                               path.must_divide.end());
  }
  const auto term_of = [&](EventId w) {
    return events[w].thread == no_thread
               ? program.terms.constant(program.initial[events[w].location.value])
               : events[w].written;
  };
  for (const auto read : skeleton_->reads())
    constraints.equal.emplace_back(program.terms.variable(events[read].read),
                                   term_of(source(read)));
  for (std::size_t i = 0; i < setup_.observed.size(); ++i) {
    const auto& o = setup_.observed[i];
    const auto cell = o.thread ? no_event : skeleton_->cell_of(LocationId(o.index));
    interest.push_back(o.thread           ? asked_[asked_of_[i]]
                       : cell == no_event ? program.terms.constant(program.initial[o.index])
                                          : term_of(final_write(cell)));
  }
  if (program.architecture == graph::Architecture::java) // x86 shows values otherwise
    for (const auto& p : setup_.required)
      constraints.nonzero.push_back(p.term(program.terms, interest));
  return constraints;
}

/// Fills in the final states that the execution at hand may have.
template <std::size_t W>
void Search<W>::solve_cycle() {
  cycle_solved_ = true;
  cycle_states_.clear();
  std::vector<TermId> interest;
  auto constraints = constraints_of_cycle(interest);
  const bool as_shown = skeleton_->program().architecture == graph::Architecture::java;
  if (goal_.listed() && as_shown)
    look_up_values(constraints, interest);
  else
    list_values(constraints, interest);
}

template <std::size_t W>
void Search<W>::list_values(values::Constraints& constraints, const std::vector<TermId>& interest) {
  auto& terms = skeleton_->program().terms;
  auto solutions = solver_.enumerate(terms, constraints, interest, setup_.values);
  if (solutions.extent == values::Enumeration::Extent::open)
    remarks_.open_values = solutions.reason + " (--max-values)";
  if (solutions.extent == values::Enumeration::Extent::unknown)
    remarks_.open_values = solutions.reason + std::string(effort_option);
  const std::vector<char> all_known(interest.size(), 1);
  for (auto& tuple : solutions.tuples) {
    for (std::size_t i = 0; i < tuple.size(); ++i) tuple[i] = setup_.observed[i].shown(tuple[i]);
    const bool out = std::ranges::any_of(setup_.required, [&](const Predicate& p) {
      return p.evaluate(tuple, all_known) == Truth::no;
    });
    if (!out && (!one_each() || goal_.wants(tuple))) cycle_states_.push_back(std::move(tuple));
    if (setup_.once_a_cycle && !cycle_states_.empty()) break;
  }
  if (!cycle_states_.empty()) cycle_assignment_ = solver_.solve(terms, constraints).assignment;
}

/// One question for each state that is asked about: with the final state given most values follow,
/// and the answer is exact where there are too many to list.
template <std::size_t W>
void Search<W>::look_up_values(values::Constraints& constraints,
                               const std::vector<TermId>& interest) {
  auto& terms = skeleton_->program().terms;
  observe();
  const auto general = constraints.equal;
  for (const auto& state : *goal_.listed()) {
    const auto agrees = [&](std::size_t i) { return !known_[i] || state_[i] == state[i]; };
    bool possible = true;
    for (std::size_t i = 0; i < state.size() && possible; ++i) possible = agrees(i);
    if (!possible) continue;
    constraints.equal.clear();
    for (std::size_t i = 0; i < state.size(); ++i)
      constraints.equal.emplace_back(interest[i], terms.constant(state[i]));
    constraints.equal.insert(constraints.equal.end(), general.begin(), general.end());
    auto solution = solver_.solve(terms, constraints);
    if (solution.status == values::Status::unknown)
      remarks_.open_values = solution.reason + std::string(effort_option);
    if (solution.status != values::Status::satisfiable) continue;
    cycle_states_.push_back(state);
    cycle_assignment_ = std::move(solution.assignment);
  }
}

template class Search<1>;
template class Search<4>;

} // namespace thinair::executions
