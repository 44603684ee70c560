// Value constraints: which values the reads of an execution may return, also where they depend on
// themselves (jMT §3).
#pragma once

#include "litmus/text/limit.h"
#include "oracle/graph/term.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace thinair::values {

using graph::TermId;
using graph::TermPool;
using graph::Value;

/// A conjunction over the variables of a TermPool. A solution gives each variable a value of
/// `variable_bits` bits, sign-extended.
struct Constraints {
  std::vector<TermId> nonzero;
  std::vector<std::pair<TermId, TermId>> equal;
  std::vector<TermId> defined;     // no division by zero
  std::vector<Value> hints;        // values worth trying, such as the constants of the program
  std::uint8_t variable_bits = 32; // Java's int; 64 where x86 reads as much
};

enum class Status : std::uint8_t { satisfiable, unsatisfiable, unknown };

struct Solution {
  Status status = Status::unknown;
  Reason reason;                 // of `unknown`: the limit that was reached
  std::vector<Value> assignment; // where satisfiable: by Variable, pool.variable_count() of them
};

/// The distinct values that terms take over all solutions.
struct Enumeration {
  enum class Extent : std::uint8_t {
    complete, // `tuples` is all there is
    open,     // there are more tuples than the limit; listed are those whose variables stay within
              // the small domain (see Solver)
    unknown,  // a resource limit was reached: `tuples` are solutions, there may be more
  } extent = Extent::complete;
  Reason reason;                          // of `open` and `unknown`
  std::vector<std::vector<Value>> tuples; // sorted
};

struct Limits {
  std::uint64_t assignments = 1U << 16; // looked at by one finite-domain search, or bit by bit;
                                        // none: z3 is asked at once
  std::uint32_t z3_effort = 20'000'000; // z3's resource units (`rlimit`) for one check: the same
                                        // answer on every machine, unlike a time limit
};

/// What the answers cost: who decided how many queries.
struct Statistics {
  std::uint64_t queries = 0;
  std::uint64_t by_substitution = 0;  // forward substitution left nothing to solve
  std::uint64_t by_finite_domain = 0; // small domains or bits gave a solution, or all, or a proof
                                      // that there is none
  std::uint64_t from_cache = 0;       // the same constraints up to names of variables
  std::uint64_t by_z3 = 0;
  std::uint64_t unknown = 0;
  std::uint64_t z3_checks = 0; // one query may need several (enumerations)

  Statistics& operator+=(const Statistics& more);
};

/// Decides Constraints: by forward substitution, then by search over small domains, then bit by
/// bit, then by z3.
///
/// The small domain of a variable holds 0, 1, -1, the hints, the first constants of the pool (they
/// are the program's), those of the constraints, and what the terms make of these, closed a bounded
/// number of times; a search over it proves the
/// absence of solutions only where the constraints themselves confine each variable to it.
///
/// One Solver serves one thread, any number of programs: its cache does not depend on a pool. z3 is
/// started when first needed. Terms are added to the pool by substitution.
class Solver {
 public:
  explicit Solver(const Limits& limits = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  Solution solve(TermPool& pool, const Constraints& constraints);

  /// `interest` terms are also required to be defined. At most `limit` tuples.
  Enumeration enumerate(TermPool& pool, const Constraints& constraints,
                        std::span<const TermId> interest, std::size_t limit);

  const Statistics& statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether `assignment` (by Variable) satisfies every constraint.
bool satisfies(const TermPool& pool, const Constraints& constraints,
               std::span<const Value> assignment);

} // namespace thinair::values
