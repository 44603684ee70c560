// Floating-point terms in the solver: z3 computes them as evaluation does, and nothing takes them
// for arithmetic of integers.
#include "litmus/floating.h"
#include "litmus/random.h"
#include "oracle/values/bitvectors.h"
#include "oracle/values/solver.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>

namespace thinair::values {
namespace {

using graph::TermOp;

constexpr std::array operators{TermOp::float_add,        TermOp::float_subtract,
                               TermOp::float_multiply,   TermOp::float_divide,
                               TermOp::float_equal,      TermOp::float_less,
                               TermOp::float_less_equal, TermOp::float_of_integer,
                               TermOp::float_to_integer, TermOp::float_resize};

Value drawn(litmus::Random& random, unsigned bits) {
  using namespace litmus::floating;
  const auto any = static_cast<Value>(random.next());
  switch (random.below(8)) {
  case 0: return canonical_nan(bits);
  case 1: return quotient(bits, of_integer(bits, random.chance(1, 2) ? 1 : -1), 0);
  case 2: return negation(bits, 0);
  case 3: return of_integer(bits, any >> random.below(64));
  case 4: return bits == 32 ? static_cast<std::int32_t>(any) : any;
  default:
    return quotient(bits, of_integer(bits, static_cast<Value>(random.below(64))),
                    of_integer(bits, 8));
  }
}

/// Under the operands' values the term has its value, and no other.
TEST(FloatingValues, Z3ComputesAsEvaluationDoes) {
  Bitvectors z3(50'000'000);
  litmus::Random random(11);
  for (std::uint64_t i = 0; i < test::draws(300); ++i) {
    TermPool pool;
    const auto op = operators[random.below(operators.size())];
    const std::uint8_t bits = random.chance(1, 2) ? 32 : 64;
    const unsigned of_operand = op == TermOp::float_to_integer || op == TermOp::float_of_integer
                                    ? 64
                                : op == TermOp::float_resize ? 96U - bits
                                                             : bits;
    std::vector<Value> values{drawn(random, of_operand), drawn(random, of_operand)};
    if (random.chance(1, 8)) values[1] = values[0];
    const auto a = pool.variable({0}), b = pool.variable({1});
    const auto term = graph::arity(op) == 1 ? pool.make(op, bits, a) : pool.make(op, bits, a, b);
    const auto expected = pool.evaluate(term, values);
    ASSERT_TRUE(expected);
    Residue residue;
    residue.variable_bits = 64;
    residue.nonzero = {pool.make(TermOp::equal, 64, a, pool.constant(values[0])),
                       pool.make(TermOp::equal, 64, b, pool.constant(values[1]))};
    const auto same = pool.make(TermOp::equal, 64, term, pool.constant(*expected));
    const std::vector variables{graph::Variable{0}, graph::Variable{1}};
    for (const bool differs : {false, true}) {
      auto asked = residue;
      asked.nonzero.push_back(differs ? pool.make(TermOp::logical_not, 64, same) : same);
      const auto answer =
          z3.each(pool, asked, variables, {}, {}, [](const auto&) { return false; });
      ASSERT_EQ(answer, differs ? Status::unsatisfiable : Status::satisfiable)
          << "operator " << static_cast<int>(op) << " at " << int{bits} << " of " << values[0]
          << " and " << values[1] << ", not " << *expected;
    }
  }
}

/// A remainder is no operator of z3's: such a question is open, unless a value happens to be found.
TEST(FloatingValues, RemaindersAreUnknownToZ3) {
  Bitvectors z3(1'000'000);
  TermPool pool;
  const auto a = pool.variable({0});
  Residue residue;
  residue.nonzero = {pool.make(TermOp::float_remainder, 32, a, pool.constant(0x40400000))};
  const std::vector variables{graph::Variable{0}};
  EXPECT_EQ(z3.each(pool, residue, variables, {}, {}, [](const auto&) { return false; }),
            Status::unknown);
}

struct Asked {
  TermPool pool;
  Solver solver{{.z3_effort = 3'000'000}};
  Constraints constraints;

  TermId number(float value) { return pool.constant(std::bit_cast<std::int32_t>(value)); }
  TermId make(TermOp op, TermId a, TermId b) { return pool.make(op, 32, a, b); }
  Status equal(TermId a, TermId b) {
    Constraints asked = constraints;
    asked.equal.emplace_back(a, b);
    return solver.solve(pool, asked).status;
  }
};

/// What no integer does: x = x + 1 has solutions, x = x - x has one, x != x another.
TEST(FloatingValues, AreNoIntegers) {
  Asked f;
  const auto x = f.pool.variable({0});
  EXPECT_NE(f.equal(x, f.make(TermOp::float_add, x, f.number(1))), Status::unsatisfiable);
  EXPECT_EQ(f.equal(x, f.make(TermOp::float_subtract, x, x)), Status::satisfiable);
  EXPECT_NE(f.equal(f.make(TermOp::float_equal, x, x), f.pool.constant(0)), Status::unsatisfiable);
  EXPECT_EQ(f.equal(f.make(TermOp::float_less, x, x), f.pool.constant(1)), Status::unsatisfiable);
  // -0.0 is the value, whose bits are not those of 0.0
  const auto sum = f.make(TermOp::float_add, x, x);
  EXPECT_NE(f.equal(sum, f.number(-0.0F)), Status::unsatisfiable);
  EXPECT_NE(f.equal(f.make(TermOp::float_multiply, x, f.number(0)), f.number(-0.0F)),
            Status::unsatisfiable);
}

/// Whatever a value is found for has one: constraints that an assignment satisfies.
TEST(FloatingValues, WhatHoldsIsNotRefuted) {
  std::size_t satisfiable = 0;
  for (std::uint64_t seed = 0; seed < test::draws(150); ++seed) {
    litmus::Random random(seed);
    TermPool pool;
    Solver solver({.z3_effort = 300'000});
    const auto small = [&] { return litmus::floating::of_integer(32, random.below(3)); };
    const std::vector<Value> assignment{drawn(random, 32), small(), small()};
    const auto leaf = [&] {
      const auto n = static_cast<std::uint32_t>(random.below(4));
      return n == 3 ? pool.constant(small()) : pool.variable({n});
    };
    Constraints constraints;
    for (int i = 0; i < 3; ++i) {
      auto term = leaf();
      for (std::uint64_t depth = random.below(3); depth > 0; --depth)
        term = pool.make(operators[random.below(7)], 32, term, leaf());
      const auto value = pool.constant(*pool.evaluate(term, assignment));
      if (random.chance(1, 2))
        constraints.equal.emplace_back(term, value);
      else
        constraints.nonzero.push_back(pool.make(TermOp::equal, 32, term, value));
    }
    pool.variable({2});
    ASSERT_TRUE(satisfies(pool, constraints, assignment));
    const auto found = solver.solve(pool, constraints);
    ASSERT_NE(found.status, Status::unsatisfiable) << "seed " << seed;
    if (found.status != Status::satisfiable) continue;
    ++satisfiable;
    ASSERT_TRUE(satisfies(pool, constraints, found.assignment)) << "seed " << seed;
  }
  EXPECT_GT(satisfiable, test::draws(50));
}

} // namespace
} // namespace thinair::values
