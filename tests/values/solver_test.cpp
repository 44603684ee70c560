// The value solver: known cycles, its engines against each other and against brute force.
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "oracle/values/bitvectors.h"
#include "oracle/values/finite.h"
#include "oracle/values/solver.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <set>

namespace thinair::values {
namespace {

using graph::TermOp;
using Extent = Enumeration::Extent;

struct Fixture {
  TermPool pool;
  Solver solver;
  Constraints constraints;

  TermId variable(std::uint32_t n) { return pool.variable({n}); }
  TermId number(Value v) { return pool.constant(v); }
  TermId make(TermOp op, TermId a, TermId b = {}) { return pool.make(op, 32, a, b); }
  void equal(TermId a, TermId b) { constraints.equal.emplace_back(a, b); }
  void nonzero(TermId a) { constraints.nonzero.push_back(a); }
  Status status() { return solver.solve(pool, constraints).status; }
  Enumeration values(const std::vector<TermId>& interest, std::size_t limit = 16) {
    return solver.enumerate(pool, constraints, interest, limit);
  }
};

using Tuples = std::vector<std::vector<Value>>;

TEST(Solver, SubstitutesForward) {
  Fixture f; // r0 = 1; r1 = r0 + 1; r2 = r1 * r0
  const auto r0 = f.variable(0), r1 = f.variable(1), r2 = f.variable(2);
  f.equal(r0, f.number(1));
  f.equal(r1, f.make(TermOp::add, r0, f.number(1)));
  f.equal(r2, f.make(TermOp::multiply, r1, r0));
  f.nonzero(f.make(TermOp::less, r0, r2));
  EXPECT_EQ(f.solver.solve(f.pool, f.constraints).assignment, (std::vector<Value>{1, 2, 2}));
  EXPECT_EQ(f.values({r1, r2}).tuples, (Tuples{{2, 2}}));
  f.nonzero(f.make(TermOp::equal, r2, f.number(3)));
  EXPECT_EQ(f.status(), Status::unsatisfiable);
  EXPECT_EQ(f.solver.statistics().by_substitution, 3U);
  EXPECT_EQ(f.solver.statistics().z3_checks, 0U);
}

TEST(Solver, SolvesLbOdd) {
  Fixture f; // b = a | 1; a = c; c = b (jMT §3): any odd value
  const auto a = f.variable(0), c = f.variable(1);
  const auto b = f.make(TermOp::bit_or, a, f.number(1));
  f.equal(a, c);
  f.equal(c, b);
  EXPECT_EQ(f.status(), Status::satisfiable);
  EXPECT_EQ(f.solver.statistics().z3_checks, 0U) << "1 is in the small domain";
  const auto all = f.values({a, b, c});
  EXPECT_EQ(all.extent, Extent::open);
  EXPECT_NE(std::find(all.tuples.begin(), all.tuples.end(), std::vector<Value>{1, 1, 1}),
            all.tuples.end());
  for (const auto& tuple : all.tuples) EXPECT_NE(tuple[0] % 2, 0);
  for (const Value v : {5, 4}) {
    auto asked = f.constraints;
    asked.equal.emplace_back(a, f.number(v));
    EXPECT_EQ(f.solver.solve(f.pool, asked).status,
              v == 5 ? Status::satisfiable : Status::unsatisfiable);
  }
}

TEST(Solver, ValuesOutOfThinAirAreOpen) {
  Fixture f; // r1 = x; y = r1 || r2 = y; x = r2
  const auto r1 = f.variable(0), r2 = f.variable(1);
  f.equal(r1, r2);
  f.equal(r2, r1);
  f.constraints.hints = {42};
  const auto all = f.values({r1, r2});
  EXPECT_EQ(all.extent, Extent::open);
  EXPECT_FALSE(all.reason.empty());
  EXPECT_EQ(all.tuples, (Tuples{{-1, -1}, {0, 0}, {1, 1}, {42, 42}}));
  EXPECT_EQ(f.solver.statistics().z3_checks, 0U);
  f.nonzero(f.make(TermOp::less, r1, f.number(2)));
  f.nonzero(f.make(TermOp::less, f.number(-2), r1));
  const auto few = f.values({r1});
  EXPECT_EQ(few.extent, Extent::complete);
  EXPECT_EQ(few.tuples, (Tuples{{-1}, {0}, {1}}));
}

TEST(Solver, ProvesAbsenceWithoutZ3WhereValuesAreConfined) {
  Fixture f; // r1 = (r2 == 1); r2 = !r1
  const auto r1 = f.variable(0), r2 = f.variable(1);
  f.equal(r1, f.make(TermOp::equal, r2, f.number(1)));
  f.equal(r2, f.make(TermOp::logical_not, r1));
  EXPECT_EQ(f.status(), Status::unsatisfiable);
  EXPECT_EQ(f.solver.statistics().z3_checks, 0U);
}

TEST(Solver, RefutesByLowBits) {
  Fixture f; // r + 1 == r * r has no solution modulo 2^32: r * r - r is even
  const auto r = f.variable(0);
  f.nonzero(
      f.make(TermOp::equal, f.make(TermOp::add, r, f.number(1)), f.make(TermOp::multiply, r, r)));
  EXPECT_EQ(f.status(), Status::unsatisfiable);
  Fixture g; // r = s + 1; s = r + 2: a cycle that counts up
  const auto a = g.variable(0), b = g.variable(1);
  g.equal(a, g.make(TermOp::add, b, g.number(1)));
  g.equal(b, g.make(TermOp::add, a, g.number(2)));
  EXPECT_EQ(g.status(), Status::unsatisfiable);
  EXPECT_EQ(f.solver.statistics().z3_checks + g.solver.statistics().z3_checks, 0U);
}

/// What compares low bits says nothing of the others: for each comparison there is a value that
/// it holds of, and that is larger.
TEST(Solver, LowBitsAreNotAll) {
  for (const std::uint8_t bits : {8, 16})
    for (const Value low : {0, 1, 5})
      for (const bool negated : {false, true}) {
        if (negated && low != 0) continue;
        Fixture f; // r is larger than 100,000, and its low bits are these
        const auto r = f.variable(0);
        f.nonzero(negated ? f.pool.make(TermOp::logical_not, bits, r)
                          : f.pool.make(TermOp::equal, bits, r, f.number(low)));
        f.nonzero(f.make(TermOp::less, f.number(100'000), r));
        const auto found = f.solver.solve(f.pool, f.constraints);
        ASSERT_EQ(found.status, Status::satisfiable) << int{bits} << " bits, " << low;
        EXPECT_TRUE(satisfies(f.pool, f.constraints, found.assignment));
        // and r and s agree in these bits alone
        Fixture g;
        const auto a = g.variable(0), b = g.variable(1);
        g.nonzero(g.pool.make(TermOp::equal, bits, a, b));
        g.nonzero(g.make(TermOp::less, a, b));
        EXPECT_EQ(g.status(), Status::satisfiable) << int{bits};
      }
}

TEST(Solver, FindsFarValuesBitByBit) {
  Fixture f; // 3r = 5
  const auto r = f.variable(0);
  f.equal(f.make(TermOp::multiply, r, f.number(3)), f.number(5));
  const auto all = f.values({r});
  EXPECT_EQ(all.extent, Extent::complete);
  EXPECT_EQ(all.tuples, (Tuples{{1431655767}}));
  EXPECT_EQ(f.solver.statistics().z3_checks, 0U);
}

TEST(Solver, DoesNotListWhatIsPlentyOneByOne) {
  Fixture f; // r >= 1, and of these 100
  const auto r = f.variable(0);
  f.nonzero(f.make(TermOp::less_equal, f.number(1), r));
  EXPECT_EQ(f.values({r}, 256).extent, Extent::open);
  EXPECT_EQ(f.solver.statistics().z3_checks, 0U);
  f.nonzero(f.make(TermOp::less_equal, r, f.number(100)));
  const auto all = f.values({r}, 256);
  EXPECT_EQ(all.extent, Extent::complete);
  EXPECT_EQ(all.tuples.size(), 100U);
}

TEST(Solver, CountsFreeBitsWithoutZ3) {
  Fixture f; // r = r | 1: more values than anybody lists
  const auto r = f.variable(0);
  f.equal(r, f.make(TermOp::bit_or, r, f.number(1)));
  const auto some = f.values({r}, 256);
  EXPECT_EQ(some.extent, Extent::open);
  EXPECT_LT(some.tuples.size(), 64U) << "those of the small domain only";
  f.nonzero(f.make(TermOp::equal, f.make(TermOp::bit_and, r, f.number(-8)), f.number(64)));
  EXPECT_EQ(f.values({r}, 256).tuples, (Tuples{{65}, {67}, {69}, {71}}));
  EXPECT_EQ(f.solver.statistics().z3_checks, 0U);
}

TEST(Solver, AsksZ3WhereNothingElseDecides) {
  Fixture f; // r / 3 == 1000000 has three solutions, far from all constants
  const auto r = f.variable(0);
  f.equal(f.make(TermOp::divide, r, f.number(3)), f.number(1'000'000));
  EXPECT_EQ(f.values({r}).tuples, (Tuples{{3'000'000}, {3'000'001}, {3'000'002}}));
  EXPECT_EQ(f.solver.statistics().by_z3, 1U);
}

TEST(Solver, DivisionMustHaveAValue) {
  Fixture f;
  const auto r = f.variable(0), s = f.variable(1);
  f.equal(s, f.make(TermOp::divide, f.number(6), r));
  f.equal(r, f.number(0));
  EXPECT_EQ(f.status(), Status::unsatisfiable);
  f.constraints.equal.pop_back();
  const auto solution = f.solver.solve(f.pool, f.constraints);
  ASSERT_EQ(solution.status, Status::satisfiable);
  EXPECT_TRUE(satisfies(f.pool, f.constraints, solution.assignment));

  Fixture guarded; // r != 0 ? 6 / r : 9 has a value everywhere
  const auto q = guarded.variable(0);
  const auto term = guarded.pool.make(
      TermOp::select, 32, q, guarded.make(TermOp::divide, guarded.number(6), q), guarded.number(9));
  guarded.constraints.defined.push_back(term);
  guarded.equal(q, guarded.number(0));
  EXPECT_EQ(guarded.values({term}).tuples, (Tuples{{9}}));
}

TEST(Solver, NoTermOfInterestAsksForSatisfiability) {
  Fixture f;
  const auto r = f.variable(0);
  f.equal(r, f.make(TermOp::bit_or, r, f.number(1)));
  EXPECT_EQ(f.values({}).tuples, Tuples{{}});
  EXPECT_EQ(f.values({f.number(7)}).tuples, (Tuples{{7}}));
  EXPECT_EQ(f.values({}).extent, Extent::complete);
  EXPECT_EQ(f.solver.statistics().z3_checks, 0U);
  f.equal(r, f.number(2));
  EXPECT_TRUE(f.values({}).tuples.empty());
}

TEST(Solver, RemembersUpToNames) {
  Solver solver;
  for (const std::uint32_t first : {0U, 7U}) {
    TermPool pool;
    const auto x = pool.variable({first}), y = pool.variable({first + 1});
    Constraints c;
    c.nonzero.push_back(pool.make(TermOp::less, 32, x, y));
    c.nonzero.push_back(pool.make(TermOp::less, 32, pool.constant(3), x));
    const auto solution = solver.solve(pool, c);
    ASSERT_EQ(solution.status, Status::satisfiable);
    EXPECT_TRUE(satisfies(pool, c, solution.assignment));
  }
  EXPECT_EQ(solver.statistics().from_cache, 1U);
  EXPECT_EQ(solver.statistics().queries, 2U);
  EXPECT_EQ(solver.statistics().by_finite_domain, 1U);
}

TEST(Solver, SaysWhenALimitWasReached) {
  TermPool pool;
  Solver solver({.assignments = 10, .z3_effort = 1'000});
  const auto p = pool.variable({0}), q = pool.variable({1});
  Constraints c; // a product of two primes near 2^31, factors to be found
  c.variable_bits = 64;
  c.nonzero.push_back(pool.make(TermOp::equal, 64, pool.make(TermOp::multiply, 64, p, q),
                                pool.constant(2147483647LL * 2147483629LL)));
  for (const auto v : {p, q}) {
    c.nonzero.push_back(pool.make(TermOp::less, 64, pool.constant(1), v));
    c.nonzero.push_back(pool.make(TermOp::less, 64, v, pool.constant(1LL << 32)));
  }
  const auto solution = solver.solve(pool, c);
  EXPECT_EQ(solution.status, Status::unknown);
  EXPECT_FALSE(solution.reason.empty());
  EXPECT_EQ(solver.enumerate(pool, c, std::vector{p}, 4).extent, Extent::unknown);
  EXPECT_EQ(solver.statistics().unknown, 2U);
}

/// Wherever a watch stops a question, nothing of it is left for the next.
TEST(Solver, IsAsGoodAsNewAfterAWatchHasStopped) {
  Solver solver({.assignments = 0});
  std::size_t stopped = 0, solved = 0;
  for (std::uint64_t steps = 1; steps < 40'000; steps += 1001) {
    Watch watch({.steps = steps});
    TermPool pool(&watch);
    try {
      const auto x = pool.variable({0});
      const auto square = pool.make(TermOp::multiply, 32, x, x);
      Constraints constraints; // a square is 0, 1 or 4 modulo 8; another number each time
      constraints.nonzero = {pool.make(TermOp::equal, 32, square,
                                       pool.constant(static_cast<Value>(8 * steps + steps % 2)))};
      const auto solution = solver.solve(pool, constraints);
      const auto fresh = Solver({.assignments = 0}).solve(pool, constraints);
      EXPECT_EQ(solution.status, fresh.status) << steps;
      ++solved;
    } catch (const LimitReached&) {
      ++stopped;
    }
  }
  EXPECT_GT(stopped, 0U);
  EXPECT_GT(solved, 5U);
}

TEST(Solver, EnumerationStopsAtItsLimit) {
  Fixture f;
  const auto r = f.variable(0);
  f.nonzero(f.make(TermOp::less, f.number(0), r));
  f.nonzero(f.make(TermOp::less, r, f.number(100)));
  EXPECT_EQ(f.values({r}, 99).extent, Extent::complete);
  EXPECT_EQ(f.values({r}, 99).tuples.size(), 99U);
  EXPECT_EQ(f.values({r}, 98).extent, Extent::open);
}

std::vector<TermOp> every_operator() {
  std::vector<TermOp> all;
  for (auto op = static_cast<int>(TermOp::add); op <= static_cast<int>(TermOp::logical_not); ++op)
    all.push_back(static_cast<TermOp>(op));
  return all;
}

/// Random constraints over two variables; those of 8 bits are few enough to try all values.
class RandomConstraints {
 public:
  explicit RandomConstraints(std::uint64_t seed, std::uint8_t bits = 8,
                             std::vector<TermOp> operators = every_operator())
      : random_(seed), bits_(bits), operators_(std::move(operators)) {}

  Constraints make(TermPool& pool) {
    Constraints c;
    c.variable_bits = bits_;
    pool.variable({1});
    const auto count = random_.between(1, 3);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto a = term(pool, 3), b = term(pool, 2);
      if (random_.chance(1, 2)) {
        c.equal.emplace_back(a, b);
      } else {
        constexpr TermOp conditions[] = {TermOp::less, TermOp::equal, TermOp::equal,
                                         TermOp::logical_not};
        const auto op = conditions[random_.below(4)];
        // some look at the low bits alone
        const auto bits =
            static_cast<std::uint8_t>(random_.chance(1, 3) && bits_ > 8 ? bits_ / 2 : bits_);
        c.nonzero.push_back(pool.make(op, bits, a, graph::arity(op) == 2 ? b : TermId{}));
      }
    }
    if (random_.chance(1, 4)) c.defined.push_back(term(pool, 2));
    return c;
  }

  TermId term(TermPool& pool, int depth) {
    if (depth == 0 || random_.chance(1, 5)) {
      if (random_.chance(1, 3)) return pool.constant(random_.between(-3, 4));
      return pool.variable({static_cast<std::uint32_t>(random_.below(2))});
    }
    const auto op = operators_[random_.below(operators_.size())];
    if (random_.chance(1, 10)) { // drawn in this order, whatever the compiler
      const auto c = term(pool, depth - 1), b = term(pool, depth - 1),
                 condition = term(pool, depth - 1);
      return pool.make(TermOp::select, bits_, condition, b, c);
    }
    const auto a = term(pool, depth - 1);
    return pool.make(op, bits_, a, graph::arity(op) == 2 ? term(pool, depth - 1) : TermId{});
  }

 private:
  litmus::Random random_;
  std::uint8_t bits_;
  std::vector<TermOp> operators_;
};

std::set<std::vector<Value>> all_by_brute_force(const TermPool& pool, const Constraints& c,
                                                TermId interest) {
  std::set<std::vector<Value>> values;
  std::vector<Value> assignment(pool.variable_count());
  for (assignment[0] = -128; assignment[0] < 128; ++assignment[0])
    for (assignment[1] = -128; assignment[1] < 128; ++assignment[1]) {
      const auto v = pool.evaluate(interest, assignment);
      if (v && satisfies(pool, c, assignment)) values.insert({*v});
    }
  return values;
}

TEST(SolverProperty, AgreesWithBruteForce) {
  Solver solver;
  std::size_t satisfiable = 0, open = 0;
  const auto programs = test::draws(60);
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    RandomConstraints random(seed);
    TermPool pool;
    auto c = random.make(pool);
    const auto interest = random.term(pool, 2);
    const auto expected = all_by_brute_force(pool, c, interest);
    const auto found = solver.enumerate(pool, c, std::vector{interest}, 300);
    ASSERT_EQ(found.extent == Extent::open, false) << seed;
    ASSERT_EQ(std::set(found.tuples.begin(), found.tuples.end()), expected) << "seed " << seed;
    c.defined.push_back(interest);
    const auto one = solver.solve(pool, c);
    ASSERT_EQ(one.status == Status::satisfiable, !expected.empty()) << "seed " << seed;
    if (one.status == Status::satisfiable) {
      ++satisfiable;
      ASSERT_TRUE(satisfies(pool, c, one.assignment)) << "seed " << seed;
    }
    const auto few = solver.enumerate(pool, c, std::vector{interest}, 3);
    ASSERT_EQ(few.extent == Extent::open, expected.size() > 3) << "seed " << seed;
    open += few.extent == Extent::open;
    for (const auto& tuple : few.tuples) ASSERT_TRUE(expected.contains(tuple)) << "seed " << seed;
  }
  EXPECT_GT(satisfiable, programs / 4);
  EXPECT_GE(open, programs / 20);
}

struct Compared {
  std::size_t complete = 0, open = 0, satisfiable = 0;
  Statistics fast, slow;
};

/// Java's width: whatever decides, z3 would have decided alike.
Compared compare_with_z3(std::uint64_t programs, const std::vector<TermOp>& operators) {
  Compared count;
  Solver fast, slow({.assignments = 0, .z3_effort = 100'000});
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    SCOPED_TRACE(seed);
    RandomConstraints random(seed, 32, operators);
    TermPool pool;
    const auto c = random.make(pool);
    const std::vector interest{random.term(pool, 1)};
    const auto a = fast.enumerate(pool, c, interest, 3), b = slow.enumerate(pool, c, interest, 3);
    if (a.extent != Extent::unknown && b.extent != Extent::unknown) {
      EXPECT_EQ(a.extent, b.extent);
      ++(a.extent == Extent::open ? count.open : count.complete);
      if (a.extent == Extent::complete) {
        EXPECT_EQ(a.tuples, b.tuples);
      }
    }
    const auto one = fast.solve(pool, c), other = slow.solve(pool, c);
    if (one.status == Status::unknown || other.status == Status::unknown) continue;
    EXPECT_EQ(one.status, other.status);
    if (one.status != Status::satisfiable) continue;
    ++count.satisfiable;
    EXPECT_TRUE(satisfies(pool, c, one.assignment));
  }
  count.fast = fast.statistics();
  count.slow = slow.statistics();
  return count;
}

TEST(SolverProperty, FastPathsAgreeWithZ3OnArithmetic) {
  constexpr std::uint64_t programs = 200; // fewer show little
  const auto count =
      compare_with_z3(programs, {TermOp::add, TermOp::subtract, TermOp::bit_and, TermOp::bit_or,
                                 TermOp::bit_xor, TermOp::bit_not, TermOp::negate});
  EXPECT_GT(count.complete, programs / 4);
  EXPECT_GT(count.open, programs / 5);
  EXPECT_GT(count.satisfiable, programs / 4);
  EXPECT_GT(count.slow.by_z3, 3 * count.fast.by_z3);
}

TEST(SolverProperty, FastPathsAgreeWithZ3OnAnything) {
  const auto count = compare_with_z3(test::draws(60), every_operator());
  EXPECT_GT(count.complete, test::draws(15));
  EXPECT_GE(count.open, test::draws(60) / 20);
  EXPECT_GT(count.slow.by_z3, count.fast.by_z3);
}

TEST(SolverProperty, FiniteDomainsAgreeWithZ3) {
  Bitvectors z3(20'000'000);
  std::size_t solved = 0, refuted = 0;
  for (std::uint64_t seed = 1; seed <= test::draws(2'000); ++seed) {
    RandomConstraints random(seed);
    TermPool pool;
    std::vector<TermId> none;
    const auto residue = substitute(pool, random.make(pool), none);
    if (residue.contradictory || residue.nonzero.empty()) continue;
    const auto domains = domains_of(pool, residue, {});
    bool found = false;
    const auto outcome = search(pool, residue.nonzero, domains, 1U << 14, [&](auto) {
      found = true;
      return false;
    });
    const auto variables = residue.variables(pool);
    std::vector<Value> model;
    const auto answer = z3.each(pool, residue, variables, {}, {}, [&](const auto& values) {
      model = values;
      return false;
    });
    if (found) {
      ++solved;
      ASSERT_EQ(answer, Status::satisfiable) << "seed " << seed;
    } else if (outcome.exhausted && domains.confined) {
      ++refuted;
      ASSERT_EQ(answer, Status::unsatisfiable) << "seed " << seed;
    }
    if (answer != Status::satisfiable) continue;
    std::vector<Value> assignment(pool.variable_count());
    for (std::size_t i = 0; i < variables.size(); ++i) assignment[variables[i].value] = model[i];
    for (const auto id : residue.nonzero)
      ASSERT_NE(pool.evaluate(id, assignment).value_or(0), 0) << "seed " << seed;
  }
  EXPECT_GT(solved, test::draws(300));
  EXPECT_GE(refuted, test::draws(2'000) / 400);
}

} // namespace
} // namespace thinair::values
