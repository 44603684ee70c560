// Terms: arithmetic, sharing, and folding that changes no value.
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "oracle/graph/term.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace thinair::graph {
namespace {

using litmus::Random;

constexpr Value int_min = std::numeric_limits<std::int32_t>::min();
constexpr Value int_max = std::numeric_limits<std::int32_t>::max();
constexpr Value long_min = std::numeric_limits<std::int64_t>::min();

struct Sum {
  TermOp op;
  int bits;
  Value a, b;
  std::optional<Value> expected;
};

TEST(Apply, FollowsJavaAndTwosComplement) {
  const std::vector<Sum> sums = {
      {TermOp::add, 32, int_max, 1, int_min},
      {TermOp::add, 8, 127, 1, -128},
      {TermOp::add, 16, 32767, 2, -32767},
      {TermOp::add, 64, long_min, -1, std::numeric_limits<std::int64_t>::max()},
      {TermOp::subtract, 32, int_min, 1, int_max},
      {TermOp::multiply, 32, 65536, 65536, 0},
      {TermOp::multiply, 32, 46341, 46341, -2147479015},
      {TermOp::divide, 32, -7, 2, -3},
      {TermOp::divide, 32, int_min, -1, int_min},
      {TermOp::divide, 64, long_min, -1, long_min},
      {TermOp::divide, 8, -128, -1, -128},
      {TermOp::divide, 32, 1, 0, std::nullopt},
      {TermOp::remainder, 32, -7, 2, -1},
      {TermOp::remainder, 32, 7, -2, 1},
      {TermOp::remainder, 32, int_min, -1, 0},
      {TermOp::remainder, 32, 1, 0, std::nullopt},
      {TermOp::bit_not, 32, 0, 0, -1},
      {TermOp::negate, 32, int_min, 0, int_min},
      {TermOp::shift_left, 32, 1, 31, int_min},
      {TermOp::shift_left, 32, 1, 32, 1},
      {TermOp::shift_left, 32, 1, -1, int_min},
      {TermOp::shift_right, 32, int_min, 31, -1},
      {TermOp::shift_right_unsigned, 32, int_min, 31, 1},
      {TermOp::shift_right_unsigned, 32, -1, 0, -1},
      {TermOp::shift_right_unsigned, 64, -1, 63, 1},
      {TermOp::less, 32, -1, 0, 1},
      {TermOp::below, 32, -1, 0, 0},
      {TermOp::below_equal, 32, 5, 5, 1},
      {TermOp::less_equal, 64, long_min, 0, 1},
      {TermOp::equal, 32, 3, 3, 1},
      {TermOp::logical_not, 32, 0, 0, 1},
      {TermOp::logical_not, 32, -4, 0, 0},
      {TermOp::sign_extend, 8, 255, 0, -1},
      {TermOp::zero_extend, 8, -1, 0, 255},
      {TermOp::zero_extend, 32, -1, 0, 4294967295},
  };
  for (const auto& s : sums)
    EXPECT_EQ(apply(s.op, static_cast<std::uint8_t>(s.bits), s.a, s.b), s.expected)
        << "operator " << static_cast<int>(s.op) << " at " << s.bits << ": " << s.a << ", " << s.b;
  EXPECT_EQ(apply(TermOp::select, 32, 2, 10, 20), 10);
  EXPECT_EQ(apply(TermOp::select, 32, 0, 10, 20), 20);
}

TEST(TermPool, SharesEqualTerms) {
  TermPool pool;
  const auto x = pool.variable({0}), y = pool.variable({1});
  EXPECT_EQ(pool.make(TermOp::add, 32, x, y), pool.make(TermOp::add, 32, y, x));
  EXPECT_NE(pool.make(TermOp::add, 32, x, y), pool.make(TermOp::add, 64, x, y));
  EXPECT_NE(pool.make(TermOp::subtract, 32, x, y), pool.make(TermOp::subtract, 32, y, x));
  EXPECT_EQ(pool.constant(7), pool.constant(7));
  EXPECT_EQ(pool.variable_count(), 2U);
  EXPECT_EQ(pool.fresh_variable(), Variable{2});
}

TEST(TermPool, DropsFalseDependencies) {
  TermPool pool;
  const auto x = pool.variable({0}), y = pool.variable({1});
  const auto zero = pool.constant(0), one = pool.constant(1), ones = pool.constant(-1);
  const auto make = [&pool](TermOp op, TermId a, TermId b = {}) { return pool.make(op, 32, a, b); };
  for (const auto term : {
           make(TermOp::subtract, x, x),
           make(TermOp::bit_xor, x, x),
           make(TermOp::multiply, x, zero),
           make(TermOp::bit_and, zero, x),
           make(TermOp::less, x, x),
           make(TermOp::remainder, x, one),
           make(TermOp::below, x, zero),
           make(TermOp::less, pool.constant(int_max), x),
           make(TermOp::shift_left, zero, x),
       })
    EXPECT_EQ(pool.constant_value(term), 0);
  for (const auto term : {
           make(TermOp::equal, x, x),
           make(TermOp::less_equal, x, x),
           make(TermOp::less_equal, x, pool.constant(int_max)),
           make(TermOp::below_equal, zero, x),
       })
    EXPECT_EQ(pool.constant_value(term), 1);
  const auto truth = make(TermOp::less, x, y);
  for (const auto& [term, expected] : {
           std::pair{make(TermOp::add, x, zero), x},
           {make(TermOp::multiply, one, x), x},
           {make(TermOp::divide, x, one), x},
           {make(TermOp::bit_and, x, ones), x},
           {make(TermOp::bit_or, x, ones), ones},
           {make(TermOp::bit_xor, make(TermOp::bit_xor, x, y), x), y},
           {make(TermOp::subtract, make(TermOp::add, x, y), y), x},
           {make(TermOp::add, make(TermOp::subtract, x, y), y), x},
           {make(TermOp::add, make(TermOp::add, x, one), ones), x},
           {make(TermOp::negate, make(TermOp::negate, x)), x},
           {make(TermOp::bit_not, make(TermOp::bit_not, x)), x},
           {make(TermOp::logical_not, make(TermOp::logical_not, truth)), truth},
           {make(TermOp::equal, truth, one), truth},
           {make(TermOp::equal, truth, zero), make(TermOp::logical_not, truth)},
           {pool.make(TermOp::select, 32, x, y, y), y},
           {pool.make(TermOp::select, 32, one, x, y), x},
           {pool.make(TermOp::select, 32, truth, one, zero), truth},
       })
    EXPECT_EQ(term, expected);
  EXPECT_NE(make(TermOp::logical_not, make(TermOp::logical_not, x)), x) << "2 is not 1";
}

/// Whether the low part of an exclusive or is 0 is the comparison that an update of a byte makes.
TEST(TermPool, TestsForZeroAreTheComparisonsThatTheyAskFor) {
  TermPool pool;
  const auto x = pool.variable({0}), y = pool.variable({1}), zero = pool.constant(0);
  const auto differ = pool.make(TermOp::bit_xor, 32, x, y);
  EXPECT_EQ(pool.make(TermOp::equal, 32, differ, zero), pool.make(TermOp::equal, 32, x, y));
  EXPECT_EQ(pool.make(TermOp::equal, 64, differ, zero), pool.make(TermOp::equal, 32, x, y));
  for (const std::uint8_t bits : {8, 16}) {
    const auto mask = pool.constant((Value{1} << bits) - 1);
    const auto low = pool.make(TermOp::bit_and, 32, differ, mask);
    EXPECT_EQ(pool.make(TermOp::equal, 32, low, zero), pool.make(TermOp::equal, bits, x, y));
    EXPECT_NE(pool.make(TermOp::equal, 32, low, zero), pool.make(TermOp::equal, 32, x, y));
  }
  const auto odd = pool.make(TermOp::bit_and, 32, differ, pool.constant(127));
  EXPECT_EQ(pool[pool.make(TermOp::equal, 32, odd, zero)].a, odd) << "seven bits are no width";
}

/// Tests for zero at widths of their own, of values that are equal in their low part now and then.
TEST(TermPoolProperty, TestsForZeroKeepTheirValue) {
  Random random(7);
  constexpr std::array<std::uint8_t, 4> widths{8, 16, 32, 64};
  constexpr std::array<unsigned, 6> masked{7, 8, 16, 31, 32, 40};
  for (int i = 0; i < 20'000; ++i) {
    TermPool pool;
    const auto inner = widths[random.below(4)], outer = widths[random.below(4)];
    const auto x = pool.variable({0}), y = pool.variable({1});
    const Value a = static_cast<Value>(random.next());
    const Value b = random.chance(1, 2) ? static_cast<Value>(random.next())
                                        : a ^ (Value{1} << random.below(64));
    const Value mask = (Value{1} << masked[random.below(masked.size())]) - 1;
    const bool masks = random.chance(1, 2);
    auto tested = pool.make(TermOp::bit_xor, inner, x, y);
    Value value = *apply(TermOp::bit_xor, inner, a, b);
    if (masks) {
      tested = pool.make(TermOp::bit_and, inner, tested, pool.constant(mask));
      value = *apply(TermOp::bit_and, inner, value, mask);
    }
    const auto zero = pool.make(TermOp::equal, outer, tested, pool.constant(0));
    EXPECT_EQ(pool.evaluate(zero, std::array<Value, 2>{a, b}),
              apply(TermOp::equal, outer, value, 0));
  }
}

TEST(TermPool, KeepsDivisionByZero) {
  TermPool pool;
  const auto x = pool.variable({0}), zero = pool.constant(0);
  for (const auto op : {TermOp::divide, TermOp::remainder}) {
    const auto constant = pool.make(op, 32, pool.constant(1), zero);
    EXPECT_EQ(pool[constant].op, op);
    EXPECT_EQ(pool.evaluate(constant, {}), std::nullopt);
    const auto quotient = pool.make(op, 32, zero, x);
    EXPECT_EQ(pool.evaluate(quotient, std::array<Value, 1>{0}), std::nullopt);
    EXPECT_EQ(pool.evaluate(quotient, std::array<Value, 1>{5}), 0);
  }
}

TEST(TermPool, SelectLooksAtTheChosenOperandOnly) {
  TermPool pool;
  const auto x = pool.variable({0});
  const auto quotient = pool.make(TermOp::divide, 32, pool.constant(6), x);
  const auto guarded = pool.make(TermOp::select, 32, x, quotient, pool.constant(9));
  EXPECT_EQ(pool.evaluate(guarded, std::array<Value, 1>{0}), 9);
  EXPECT_EQ(pool.evaluate(guarded, std::array<Value, 1>{2}), 3);
}

TEST(TermPool, KnowsVariables) {
  TermPool pool;
  const auto x = pool.variable({4}), y = pool.variable({1});
  const auto sum = pool.make(TermOp::add, 32, x, pool.make(TermOp::multiply, 32, y, x));
  const auto below = pool.variables_of(sum);
  EXPECT_EQ(std::vector(below.begin(), below.end()), (std::vector{Variable{1}, Variable{4}}));
  EXPECT_TRUE(pool.variables_of(pool.constant(3)).empty());
}

TEST(TermPool, EvaluatesTermsThatShareMuch) {
  TermPool pool;
  auto term = pool.variable({0});
  for (int i = 0; i < 40; ++i) { // 2^40 leaves as a tree
    const auto shifted = pool.make(TermOp::bit_xor, 32, term, pool.constant(i + 1));
    term = pool.make(TermOp::multiply, 32, term, shifted);
  }
  Value expected = 3;
  for (int i = 0; i < 40; ++i)
    expected = *apply(TermOp::multiply, 32, expected, expected ^ (i + 1));
  EXPECT_EQ(pool.evaluate(term, std::array<Value, 1>{3}), expected);

  auto deep = pool.variable({0});
  for (int i = 0; i < 100'000; ++i)
    deep = pool.make(i % 2 ? TermOp::bit_not : TermOp::negate, 32, deep);
  EXPECT_EQ(pool.evaluate(deep, std::array<Value, 1>{3}), 3 - 50'000);
}

TEST(TermPool, RefusesOddWidths) {
  TermPool pool;
  const auto x = pool.variable({0});
  EXPECT_THROW(pool.make(TermOp::add, 31, x, x), Bug);
  EXPECT_THROW(pool.make(TermOp::constant, 32, x), Bug);
}

/// A term written out, evaluated without a pool: the twin of folding.
struct Tree {
  TermOp op = TermOp::constant;
  std::uint8_t bits = 32;
  Value leaf = 0; // constant, or number of the variable
  std::vector<Tree> operands;
};

constexpr std::size_t variables_of_a_width = 2;

std::size_t width_index(std::uint8_t bits) {
  return bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
}

Value interesting(Random& random, std::uint8_t bits) {
  const std::array<Value, 8> values = {0, 1,        -1,        2,
                                       3, long_min, ~long_min, static_cast<Value>(random.next())};
  const Value v = values[random.below(8)];
  const Value clipped = v == long_min || v == ~long_min ? v >> (64 - bits) : v;
  return *apply(TermOp::sign_extend, bits, clipped);
}

class Grower {
 public:
  explicit Grower(std::uint64_t seed) : random_(seed) {}

  /// A tree whose value fits `bits`.
  Tree grow(std::uint8_t bits, std::uint32_t depth) {
    if (depth == 0 || random_.chance(15, 100)) return leaf(bits);
    if (spare_ && spare_bits_ == bits && random_.chance(20, 100)) return *spare_;
    Tree tree = random_.chance(10, 100) ? conversion(bits, depth) : operation(bits, depth);
    if (random_.chance(30, 100)) remember(tree, bits);
    return tree;
  }

  std::vector<Value> assignment() {
    std::vector<Value> values;
    for (const std::uint8_t bits : {8, 16, 32, 64})
      for (std::size_t i = 0; i < variables_of_a_width; ++i)
        values.push_back(interesting(random_, bits));
    return values;
  }

 private:
  void remember(const Tree& tree, std::uint8_t bits) {
    spare_ = tree;
    spare_bits_ = bits;
  }

  Tree leaf(std::uint8_t bits) {
    if (random_.chance(50, 100)) return {TermOp::constant, bits, interesting(random_, bits), {}};
    const auto first = static_cast<Value>(width_index(bits) * variables_of_a_width);
    return {TermOp::variable, bits, first + random_.between(0, variables_of_a_width - 1), {}};
  }

  Tree conversion(std::uint8_t bits, std::uint32_t depth) {
    const std::array<std::uint8_t, 4> widths = {8, 16, 32, 64};
    const auto index = width_index(bits);
    if (bits == 64 && random_.chance(50, 100)) {
      const auto from = widths[random_.below(3)];
      return {TermOp::zero_extend, from, 0, {grow(from, depth - 1)}};
    }
    const auto wider = widths[index + random_.below(4 - index)];
    return {TermOp::sign_extend, bits, 0, {grow(wider, depth - 1)}};
  }

  Tree operation(std::uint8_t bits, std::uint32_t depth) {
    const auto count =
        static_cast<std::uint32_t>(TermOp::select) - static_cast<std::uint32_t>(TermOp::add) + 1;
    TermOp op = TermOp::sign_extend;
    while (op == TermOp::sign_extend || op == TermOp::zero_extend)
      op = static_cast<TermOp>(static_cast<std::uint32_t>(TermOp::add) + random_.below(count));
    Tree tree{op, bits, 0, {}};
    for (std::uint32_t i = 0; i < arity(op); ++i) tree.operands.push_back(grow(bits, depth - 1));
    return tree;
  }

  Random random_;
  std::optional<Tree> spare_; // grown before, to be used again
  std::uint8_t spare_bits_ = 0;
};

TermId plant(TermPool& pool, const Tree& tree) {
  if (tree.op == TermOp::constant) return pool.constant(tree.leaf);
  if (tree.op == TermOp::variable) return pool.variable({static_cast<std::uint32_t>(tree.leaf)});
  std::array<TermId, 3> ids{};
  for (std::size_t i = 0; i < tree.operands.size(); ++i) ids[i] = plant(pool, tree.operands[i]);
  return pool.make(tree.op, tree.bits, ids[0], ids[1], ids[2]);
}

std::optional<Value> walk(const Tree& tree, std::span<const Value> assignment) {
  if (tree.op == TermOp::constant) return tree.leaf;
  if (tree.op == TermOp::variable) return assignment[static_cast<std::size_t>(tree.leaf)];
  const auto a = walk(tree.operands[0], assignment);
  if (!a) return std::nullopt;
  if (tree.op == TermOp::select) return walk(tree.operands[*a != 0 ? 1 : 2], assignment);
  if (tree.operands.size() == 1) return apply(tree.op, tree.bits, *a);
  const auto b = walk(tree.operands[1], assignment);
  if (!b) return std::nullopt;
  return apply(tree.op, tree.bits, *a, *b);
}

TEST(TermPoolProperty, FoldingChangesNoValue) {
  std::size_t compared = 0, folded = 0;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    Grower grower(seed);
    TermPool pool;
    const std::array<std::uint8_t, 4> widths = {8, 16, 32, 64};
    const Tree tree = grower.grow(widths[seed % 4], 4);
    const TermId term = plant(pool, tree);
    folded += pool[term].op != tree.op;
    for (int i = 0; i < 20; ++i) {
      const auto assignment = grower.assignment();
      const auto expected = walk(tree, assignment);
      if (!expected) continue; // folding may drop an unused division
      ++compared;
      ASSERT_EQ(pool.evaluate(term, assignment), expected) << "seed " << seed;
    }
  }
  EXPECT_GT(compared, 200'000U);
  EXPECT_GT(folded, 2'000U);
}

TEST(TermPoolProperty, SharedEvaluationAgrees) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Grower grower(seed);
    TermPool pool;
    const Tree tree = grower.grow(32, 9);
    const TermId term = plant(pool, tree);
    const auto assignment = grower.assignment();
    const auto expected = walk(tree, assignment);
    if (!expected) continue;
    ASSERT_EQ(pool.evaluate(term, assignment), expected) << "seed " << seed;
  }
}

} // namespace
} // namespace thinair::graph
