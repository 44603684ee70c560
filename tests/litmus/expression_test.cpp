// Java's int arithmetic and the operator table.
#include "litmus/expression.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>

namespace thinair::litmus {
namespace {

constexpr Value least = std::numeric_limits<std::int32_t>::min();
constexpr Value greatest = std::numeric_limits<std::int32_t>::max();
using enum Operator;

TEST(Arithmetic, WrapsAt32Bits) {
  EXPECT_EQ(apply(add, TypeKind::int_, greatest, 1), least);
  EXPECT_EQ(apply(subtract, TypeKind::int_, least, 1), greatest);
  EXPECT_EQ(apply(multiply, TypeKind::int_, 65536, 65536), 0);
  EXPECT_EQ(apply(negate, TypeKind::int_, least), least);
}

TEST(Arithmetic, DivisionTruncatesAndTheLeastIntByMinusOneIsItself) {
  EXPECT_EQ(apply(divide, TypeKind::int_, -7, 2), -3);
  EXPECT_EQ(apply(remainder, TypeKind::int_, -7, 2), -1);
  EXPECT_EQ(apply(divide, TypeKind::int_, least, -1), least);
  EXPECT_EQ(apply(remainder, TypeKind::int_, least, -1), 0);
}

TEST(Arithmetic, DivisionByZeroHasNoValue) {
  EXPECT_EQ(apply(divide, TypeKind::int_, 1, 0), std::nullopt);
  EXPECT_EQ(apply(remainder, TypeKind::int_, 1, 0), std::nullopt);
  const auto inside = Expression::binary(
      multiply, Expression::number(0),
      Expression::binary(divide, Expression::number(1), Expression::of(RegisterId{0})));
  const TypedValue zero[] = {{0}};
  const TypedValue two[] = {{2}};
  EXPECT_FALSE(evaluate(inside, zero));
  EXPECT_EQ(evaluate(inside, two)->value, 0);
}

TEST(Arithmetic, ShiftsByTheLowFiveBits) {
  EXPECT_EQ(apply(shift_left, TypeKind::int_, 1, 33), 2);
  EXPECT_EQ(apply(shift_right, TypeKind::int_, -8, 1), -4);
  EXPECT_EQ(apply(shift_right_unsigned, TypeKind::int_, -1, 28), 15);
  EXPECT_EQ(apply(shift_right, TypeKind::int_, -1, -1), -1);
}

TEST(Arithmetic, ALongWrapsAt64BitsAndShiftsByTheLowSix) {
  constexpr auto most = std::numeric_limits<Value>::max();
  EXPECT_EQ(apply(add, TypeKind::long_, most, 1), std::numeric_limits<Value>::min());
  EXPECT_EQ(apply(shift_left, TypeKind::long_, 1, 33), Value{1} << 33);
  EXPECT_EQ(apply(shift_left, TypeKind::long_, 1, 65), 2);
  EXPECT_EQ(apply(shift_right_unsigned, TypeKind::long_, -1, 60), 15);
  EXPECT_EQ(apply(divide, TypeKind::long_, std::numeric_limits<Value>::min(), -1),
            std::numeric_limits<Value>::min());
}

/// JLS 5.6: of two operands the wider type, and int at least; a shift has its left operand's.
TEST(Arithmetic, OperandsArePromoted) {
  using enum TypeKind;
  EXPECT_EQ(working_type(add, byte, char_), int_);
  EXPECT_EQ(working_type(add, int_, long_), long_);
  EXPECT_EQ(working_type(shift_left, int_, long_), int_);
  EXPECT_EQ(working_type(shift_left, long_, byte), long_);
  EXPECT_EQ(working_type(bit_and, boolean, boolean), boolean);
  EXPECT_EQ(working_type(multiply, long_, float_), float_);
  EXPECT_EQ(result_type(less, long_), int_);
  EXPECT_EQ(result_type(bit_xor, long_), long_);
}

/// JLS 5.1.3.
TEST(Arithmetic, CastsKeepTheLowBits) {
  using enum TypeKind;
  const auto cast_to = [](TypeKind type, Value value) {
    auto e = Expression::unary(cast, Expression::number(value));
    e.arguments[0].type = long_;
    e.type = type;
    return evaluate(e, {})->value;
  };
  EXPECT_EQ(cast_to(byte, 200), -56);
  EXPECT_EQ(cast_to(char_, -1), 65535);
  EXPECT_EQ(cast_to(short_, 65535), -1);
  EXPECT_EQ(cast_to(int_, Value{1} << 32), 0);
  EXPECT_EQ(cast_to(long_, -7), -7);
}

TEST(ValueTypes, HoldWhatTheyNarrowTo) {
  for (const ValueTypeInfo& row : value_types()) {
    EXPECT_EQ(type_named(row.word), row.kind);
    if (is_floating(row.kind)) continue;
    EXPECT_EQ(narrowed(row.kind, least_of(row.kind)), least_of(row.kind)) << row.word;
    EXPECT_EQ(narrowed(row.kind, greatest_of(row.kind)), greatest_of(row.kind)) << row.word;
    EXPECT_LE(least_of(row.kind), 0);
    if (row.kind != TypeKind::long_) {
      EXPECT_EQ(narrowed(row.kind, greatest_of(row.kind) + 1), least_of(row.kind)) << row.word;
    }
  }
  EXPECT_EQ(greatest_of(TypeKind::char_), 65535);
  EXPECT_EQ(least_of(TypeKind::byte), -128);
  EXPECT_EQ(greatest_of(TypeKind::long_), std::numeric_limits<Value>::max());
}

TEST(Arithmetic, LogicalOperatorsAreBitwiseAsInHerd) {
  EXPECT_EQ(apply(logical_and, TypeKind::int_, 2, 1), 0);
  EXPECT_EQ(apply(logical_or, TypeKind::int_, 2, 1), 3);
  EXPECT_EQ(apply(logical_not, TypeKind::int_, 2), 0);
  EXPECT_EQ(apply(logical_not, TypeKind::int_, 0), 1);
}

TEST(Arithmetic, ComparisonsAreSigned) {
  EXPECT_EQ(apply(less, TypeKind::int_, -1, 0), 1);
  EXPECT_EQ(apply(greater_equal, TypeKind::int_, least, greatest), 0);
  EXPECT_EQ(apply(equal, TypeKind::int_, 3, 3), 1);
  EXPECT_EQ(apply(not_equal, TypeKind::int_, 3, 3), 0);
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
