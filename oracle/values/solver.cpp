// The order in which engines are asked, and the memory of their answers.
#include "oracle/values/solver.h"

#include "litmus/text/error.h"
#include "oracle/values/bits.h"
#include "oracle/values/bitvectors.h"
#include "oracle/values/canonical.h"
#include "oracle/values/finite.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace thinair::values {
namespace {

constexpr std::size_t largest_cache = 1U << 16;

struct Remembered {
  Status status = Status::unknown;
  std::vector<Value> values; // of Canonical::variables
};

/// Whether some term of interest is a variable that no condition restrains, so that its values
/// alone are more than `limit`.
bool unbounded(const TermPool& pool, const Residue& residue, std::span<const TermId> interest,
               std::size_t limit) {
  if (residue.variable_bits < 64 && limit >> residue.variable_bits != 0) return false;
  const auto conditioned = residue.variables(pool);
  return std::any_of(interest.begin(), interest.end(), [&](TermId id) {
    const auto& t = pool[id];
    return t.op == graph::TermOp::variable &&
           !std::binary_search(conditioned.begin(), conditioned.end(), t.variable);
  });
}

/// Variables of the conditions and of the terms of interest, ascending.
std::vector<Variable> variables_of(const TermPool& pool, const Residue& residue,
                                   std::span<const TermId> interest) {
  auto variables = residue.variables(pool);
  for (const auto id : interest) {
    const auto below = pool.variables_of(id);
    variables.insert(variables.end(), below.begin(), below.end());
  }
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

std::vector<Value> evaluated(const TermPool& pool, std::span<const TermId> interest,
                             std::span<const Value> assignment) {
  std::vector<Value> tuple;
  for (const auto id : interest) {
    const auto value = pool.evaluate(id, assignment);
    THINAIR_CHECK(value.has_value(), "a term of interest that divides by zero");
    tuple.push_back(*value);
  }
  return tuple;
}

/// Whether there are more than `limit` tuples that differ from the first one found in the small
/// domain by a small value of one variable: they need not be listed one by one then.
bool plenty(const TermPool& pool, const Residue& residue, std::span<const TermId> interest,
            std::size_t limit, std::uint64_t assignments) {
  if (residue.variable_bits < 32) return false;
  auto line = domains_of(pool, residue, interest);
  std::vector<Value> first;
  search(pool, residue.nonzero, line, assignments, [&](std::span<const Value> assignment) {
    first.assign(assignment.begin(), assignment.end());
    return false;
  });
  if (first.empty()) return false;
  for (std::size_t i = 0; i < line.variables.size(); ++i)
    line.values[i] = {first[line.variables[i].value]};
  std::vector<Value> small;
  const auto most = static_cast<Value>(std::min<std::size_t>(limit, 1U << 16U));
  for (Value v = -most - 1; v <= most + 1; ++v) small.push_back(v);
  for (auto& values : line.values) {
    std::swap(values, small);
    std::set<std::vector<Value>> tuples;
    search(pool, residue.nonzero, line, assignments, [&](std::span<const Value> assignment) {
      tuples.insert(evaluated(pool, interest, assignment));
      return tuples.size() <= limit;
    });
    std::swap(values, small);
    if (tuples.size() > limit) return true;
  }
  return false;
}

} // namespace

struct Solver::State {
  explicit State(const Limits& l) : limits(l) {}

  Bitvectors& z3() {
    if (!bitvectors) bitvectors = std::make_unique<Bitvectors>(limits.z3_effort);
    return *bitvectors;
  }

  const Remembered& answer(const TermPool& pool, const Residue& residue, const Canonical& name);
  Remembered decide(const TermPool& pool, const Residue& residue, const Canonical& name);
  Enumeration list(const TermPool& pool, const Residue& residue, std::span<const TermId> interest,
                   std::size_t limit);
  Enumeration list_rest(const TermPool& pool, const Residue& residue,
                        std::span<const TermId> interest, std::size_t limit,
                        std::set<std::vector<Value>> tuples);
  void list_by_z3(const TermPool& pool, const Residue& residue,
                  const std::vector<Variable>& variables, std::span<const TermId> interest,
                  std::size_t limit, std::set<std::vector<Value>> tuples, Enumeration& result);

  Limits limits;
  Statistics statistics;
  std::unique_ptr<Bitvectors> bitvectors;
  std::unordered_map<std::string, Remembered> answers;
  std::unordered_map<std::string, Enumeration> enumerations;
};

const Remembered& Solver::State::answer(const TermPool& pool, const Residue& residue,
                                        const Canonical& name) {
  if (const auto known = answers.find(name.key); known != answers.end()) {
    ++statistics.from_cache;
    return known->second;
  }
  if (answers.size() >= largest_cache) answers.clear();
  return answers.emplace(name.key, decide(pool, residue, name)).first->second;
}

Remembered Solver::State::decide(const TermPool& pool, const Residue& residue,
                                 const Canonical& name) {
  Remembered result;
  const auto domains = domains_of(pool, residue, {});
  const auto keep = [&](std::span<const Value> assignment) {
    result.status = Status::satisfiable;
    for (const auto v : name.variables) result.values.push_back(assignment[v.value]);
    return false;
  };
  const auto outcome = search(pool, residue.nonzero, domains, limits.assignments, keep);
  if (outcome.exhausted && domains.confined) result.status = Status::unsatisfiable;
  if (result.status == Status::unknown) {
    const auto bits = search_bits(pool, residue.nonzero, residue.variables(pool),
                                  residue.variable_bits, limits.assignments, keep);
    if (bits.exhausted) result.status = Status::unsatisfiable;
  }
  if (result.status != Status::unknown) {
    ++statistics.by_finite_domain;
    return result;
  }
  ++statistics.by_z3;
  result.status = z3().each(pool, residue, name.variables, {}, {}, [&](const auto& values) {
    result.values = values;
    return false;
  });
  if (result.status == Status::unknown) ++statistics.unknown;
  return result;
}

/// What the small domain gives, then a look for more.
Enumeration Solver::State::list(const TermPool& pool, const Residue& residue,
                                std::span<const TermId> interest, std::size_t limit) {
  Enumeration result;
  std::set<std::vector<Value>> tuples;
  const auto domains = domains_of(pool, residue, interest);
  const auto outcome = search(pool, residue.nonzero, domains, limits.assignments,
                              [&](std::span<const Value> assignment) {
                                tuples.insert(evaluated(pool, interest, assignment));
                                return tuples.size() <= limit;
                              });
  if (tuples.size() > limit) {
    tuples.erase(std::prev(tuples.end()));
    result.extent = Enumeration::Extent::open;
  } else if (unbounded(pool, residue, interest, limit) && !tuples.empty()) {
    result.extent = Enumeration::Extent::open;
  } else if (!outcome.exhausted || !domains.confined) {
    return list_rest(pool, residue, interest, limit, std::move(tuples));
  }
  ++statistics.by_finite_domain;
  result.tuples.assign(tuples.begin(), tuples.end());
  return result;
}

/// Whether the tuples outside of the small domain make more than `limit`, and if not, which they
/// are: bit by bit, or else by z3.
Enumeration Solver::State::list_rest(const TermPool& pool, const Residue& residue,
                                     std::span<const TermId> interest, std::size_t limit,
                                     std::set<std::vector<Value>> tuples) {
  Enumeration result;
  result.tuples.assign(tuples.begin(), tuples.end());
  if (plenty(pool, residue, interest, limit, limits.assignments)) {
    ++statistics.by_finite_domain;
    result.extent = Enumeration::Extent::open;
    return result;
  }
  const auto variables = variables_of(pool, residue, interest);
  const auto bits = search_bits(pool, residue.nonzero, variables, residue.variable_bits,
                                limits.assignments, [&](std::span<const Value> assignment) {
                                  tuples.insert(evaluated(pool, interest, assignment));
                                  return tuples.size() <= limit;
                                });
  if (!bits.limited) {
    ++statistics.by_finite_domain;
    if (bits.exhausted)
      result.tuples.assign(tuples.begin(), tuples.end());
    else // what the search happened to find is no answer
      result.extent = Enumeration::Extent::open;
    return result;
  }
  tuples = {result.tuples.begin(), result.tuples.end()};
  list_by_z3(pool, residue, variables, interest, limit, std::move(tuples), result);
  return result;
}

void Solver::State::list_by_z3(const TermPool& pool, const Residue& residue,
                               const std::vector<Variable>& variables,
                               std::span<const TermId> interest, std::size_t limit,
                               std::set<std::vector<Value>> tuples, Enumeration& result) {
  ++statistics.by_z3;
  std::vector<Value> assignment(pool.variable_count());
  const auto status =
      z3().each(pool, residue, variables, interest, result.tuples, [&](const auto& values) {
        for (std::size_t i = 0; i < variables.size(); ++i)
          assignment[variables[i].value] = values[i];
        tuples.insert(evaluated(pool, interest, assignment));
        return tuples.size() <= limit;
      });
  if (status == Status::satisfiable) { // more than `limit`: what z3 happened to find is no answer
    result.extent = Enumeration::Extent::open;
    return;
  }
  result.tuples.assign(tuples.begin(), tuples.end());
  if (status == Status::unsatisfiable) return;
  ++statistics.unknown;
  result.extent = Enumeration::Extent::unknown;
  result.reason = Reason::reached(Limit::solver_effort);
}

Statistics& Statistics::operator+=(const Statistics& more) {
  queries += more.queries;
  by_substitution += more.by_substitution;
  by_finite_domain += more.by_finite_domain;
  from_cache += more.from_cache;
  by_z3 += more.by_z3;
  unknown += more.unknown;
  z3_checks += more.z3_checks;
  return *this;
}

Solver::Solver(const Limits& limits) : state_(std::make_unique<State>(limits)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;
const Statistics& Solver::statistics() const {
  if (state_->bitvectors) state_->statistics.z3_checks = state_->bitvectors->checks();
  return state_->statistics;
}

Solution Solver::solve(TermPool& pool, const Constraints& constraints) {
  auto& s = *state_;
  ++s.statistics.queries;
  std::vector<TermId> none;
  const auto residue = substitute(pool, constraints, none);
  Solution solution;
  solution.status = residue.contradictory ? Status::unsatisfiable : Status::satisfiable;
  if (residue.contradictory || residue.nonzero.empty()) ++s.statistics.by_substitution;
  if (residue.contradictory) return solution;

  solution.assignment.assign(pool.variable_count(), 0);
  if (!residue.nonzero.empty()) {
    const auto name = canonical(pool, residue, {});
    const auto& known = s.answer(pool, residue, name);
    solution.status = known.status;
    if (solution.status == Status::unknown) solution.reason = Reason::reached(Limit::solver_effort);
    if (solution.status != Status::satisfiable) {
      solution.assignment.clear();
      return solution;
    }
    for (std::size_t i = 0; i < name.variables.size(); ++i)
      solution.assignment[name.variables[i].value] = known.values[i];
  }
  complete(pool, residue, solution.assignment);
  return solution;
}

Enumeration Solver::enumerate(TermPool& pool, const Constraints& constraints,
                              std::span<const TermId> interest, std::size_t limit) {
  auto& s = *state_;
  ++s.statistics.queries;
  std::vector<TermId> terms(interest.begin(), interest.end());
  const auto residue = substitute(pool, constraints, terms);
  Enumeration result;
  const bool constant = std::all_of(terms.begin(), terms.end(), [&pool](TermId id) {
    return pool.constant_value(id).has_value();
  });
  if (residue.contradictory || (residue.nonzero.empty() && constant)) {
    ++s.statistics.by_substitution;
    if (!residue.contradictory) result.tuples.push_back(evaluated(pool, terms, {}));
    return result;
  }
  if (constant) {
    const auto status = s.answer(pool, residue, canonical(pool, residue, {})).status;
    if (status == Status::satisfiable) result.tuples.push_back(evaluated(pool, terms, {}));
    if (status == Status::unknown)
      result = {Enumeration::Extent::unknown, Reason::reached(Limit::solver_effort), {}};
    return result;
  }
  auto key = canonical(pool, residue, terms).key;
  key += '/' + std::to_string(limit);
  for (const auto hint : residue.hints) key += ',' + std::to_string(hint);
  auto known = s.enumerations.find(key);
  if (known != s.enumerations.end()) {
    ++s.statistics.from_cache;
  } else {
    if (s.enumerations.size() >= largest_cache) s.enumerations.clear();
    known = s.enumerations.emplace(key, s.list(pool, residue, terms, limit)).first;
  }
  result = known->second;
  if (result.extent == Enumeration::Extent::open)
    result.reason = {"more values than can be listed: those among the program's constants are",
                     Limit::values};
  return result;
}

bool satisfies(const TermPool& pool, const Constraints& constraints,
               std::span<const Value> assignment) {
  const auto holds = [&](TermId id) { return pool.evaluate(id, assignment).value_or(0) != 0; };
  const auto agree = [&](const auto& sides) {
    const auto a = pool.evaluate(sides.first, assignment);
    return a && a == pool.evaluate(sides.second, assignment);
  };
  const auto defined = [&](TermId id) { return pool.evaluate(id, assignment).has_value(); };
  return std::all_of(constraints.nonzero.begin(), constraints.nonzero.end(), holds) &&
         std::all_of(constraints.equal.begin(), constraints.equal.end(), agree) &&
         std::all_of(constraints.defined.begin(), constraints.defined.end(), defined);
}

} // namespace thinair::values
