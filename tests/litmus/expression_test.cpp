// Java's int arithmetic and the operator table.
#include "litmus/expression.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>

namespace thinair::litmus {
namespace {

constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t greatest = std::numeric_limits<std::int32_t>::max();
using enum Operator;

TEST(Arithmetic, WrapsAt32Bits) {
  EXPECT_EQ(apply(add, greatest, 1), least);
  EXPECT_EQ(apply(subtract, least, 1), greatest);
  EXPECT_EQ(apply(multiply, 65536, 65536), 0);
  EXPECT_EQ(apply(negate, least), least);
}

TEST(Arithmetic, DivisionTruncatesAndTheLeastIntByMinusOneIsItself) {
  EXPECT_EQ(apply(divide, -7, 2), -3);
  EXPECT_EQ(apply(remainder, -7, 2), -1);
  EXPECT_EQ(apply(divide, least, -1), least);
  EXPECT_EQ(apply(remainder, least, -1), 0);
}

TEST(Arithmetic, DivisionByZeroHasNoValue) {
  EXPECT_EQ(apply(divide, 1, 0), std::nullopt);
  EXPECT_EQ(apply(remainder, 1, 0), std::nullopt);
  const auto inside = Expression::binary(
      multiply, Expression::number(0),
      Expression::binary(divide, Expression::number(1), Expression::of(RegisterId{0})));
  const std::int32_t zero[] = {0};
  const std::int32_t two[] = {2};
  EXPECT_EQ(evaluate(inside, zero), std::nullopt);
  EXPECT_EQ(evaluate(inside, two), 0);
}

TEST(Arithmetic, ShiftsByTheLowFiveBits) {
  EXPECT_EQ(apply(shift_left, 1, 33), 2);
  EXPECT_EQ(apply(shift_right, -8, 1), -4);
  EXPECT_EQ(apply(shift_right_unsigned, -1, 28), 15);
  EXPECT_EQ(apply(shift_right, -1, -1), -1);
}

TEST(Arithmetic, LogicalOperatorsAreBitwiseAsInHerd) {
  EXPECT_EQ(apply(logical_and, 2, 1), 0);
  EXPECT_EQ(apply(logical_or, 2, 1), 3);
  EXPECT_EQ(apply(logical_not, 2), 0);
  EXPECT_EQ(apply(logical_not, 0), 1);
}

TEST(Arithmetic, ComparisonsAreSigned) {
  EXPECT_EQ(apply(less, -1, 0), 1);
  EXPECT_EQ(apply(greater_equal, least, greatest), 0);
  EXPECT_EQ(apply(equal, 3, 3), 1);
  EXPECT_EQ(apply(not_equal, 3, 3), 0);
}

TEST(OperatorTable, BinarySymbolsAreDistinctAndUnaryBindTightest) {
  std::set<std::string_view> binary;
  for (const OperatorInfo& row : operators()) {
    EXPECT_EQ(&info(row.op), &row);
    if (row.unary) {
      EXPECT_EQ(row.precedence, 13);
    } else {
      EXPECT_TRUE(binary.insert(row.symbol).second) << row.symbol;
      EXPECT_LT(row.precedence, 13);
    }
  }
  EXPECT_EQ(binary.size(), 19U);
}

TEST(Expressions, AnAccessIsFoundAtAnyDepth) {
  const auto access = Expression::of(Method::get, LocationId{0}, {});
  EXPECT_TRUE(has_access(Expression::unary(negate, access)));
  EXPECT_FALSE(has_access(Expression::of(RegisterId{3})));
}

} // namespace
} // namespace thinair::litmus
