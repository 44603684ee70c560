// Executions whose values depend on themselves: whichever values satisfy every constraint at once.
#include "litmus/text/error.h"
#include "oracle/executions/search.h"

#include <algorithm>

namespace thinair::executions {

/// What reads-from and paths demand; `interest` becomes the terms of the final state.
template <std::size_t W>
values::Constraints Search<W>::constraints_of_cycle(std::vector<TermId>& interest) {
  auto& program = skeleton_->program();
  const auto events = skeleton_->events();
  values::Constraints constraints;
  const auto bits_of = [&](EventId read) {
    return program.location_bits[events[read].location.value];
  };
  for (const auto read : skeleton_->reads())
    constraints.variable_bits = std::max(constraints.variable_bits, bits_of(read));
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
  for (const auto read : skeleton_->reads()) {
    const auto value = program.terms.variable(events[read].read);
    constraints.equal.emplace_back(value, term_of(source(read)));
    if (const auto bits = bits_of(read); bits < constraints.variable_bits)
      constraints.nonzero.push_back(
          program.terms.make(graph::TermOp::equal, 64, value,
                             program.terms.make(graph::TermOp::sign_extend, bits, value)));
  }
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
  if (solutions.extent != values::Enumeration::Extent::complete)
    remarks_.open_values = solutions.reason;
  const std::vector<char> all_known(interest.size(), 1);
  for (auto& tuple : solutions.tuples) {
    const auto as_found = tuple;
    for (std::size_t i = 0; i < tuple.size(); ++i) tuple[i] = setup_.observed[i].shown(tuple[i]);
    const bool out = std::ranges::any_of(setup_.required, [&](const Predicate& p) {
      return p.evaluate(tuple, all_known) == Truth::no;
    });
    if (!out && (!one_each() || goal_.wants(tuple)))
      cycle_states_.push_back({std::move(tuple), as_found, {}});
    if (setup_.once_a_cycle && !cycle_states_.empty()) break;
  }
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
    if (solution.status == values::Status::unknown) remarks_.open_values = solution.reason;
    if (solution.status != values::Status::satisfiable) continue;
    cycle_states_.push_back({state, state, std::move(solution.assignment)});
  }
}

/// Values of all reads that end in the state: whoever looks at an execution is to see that one.
/// False: a limit was reached.
template <std::size_t W>
bool Search<W>::assign_values(std::size_t state) {
  cycle_at_ = state;
  auto& found = cycle_states_[state];
  if (!found.assignment.empty()) return true;
  auto& terms = skeleton_->program().terms;
  std::vector<TermId> interest;
  auto constraints = constraints_of_cycle(interest);
  std::vector<std::pair<TermId, TermId>> equal;
  for (std::size_t i = 0; i < interest.size(); ++i)
    equal.emplace_back(interest[i], terms.constant(found.values[i]));
  constraints.equal.insert(constraints.equal.begin(), equal.begin(), equal.end());
  auto solution = solver_.solve(terms, constraints);
  THINAIR_CHECK(solution.status != values::Status::unsatisfiable,
                "a final state that no values of the reads lead to");
  if (solution.status == values::Status::unknown) remarks_.open_values = solution.reason;
  found.assignment = std::move(solution.assignment);
  return solution.status == values::Status::satisfiable;
}

template class Search<1>;
template class Search<4>;

} // namespace thinair::executions
