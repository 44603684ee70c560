// Arithmetic and conversions of floats and doubles, on random bits, against a JVM's.
#include "litmus/expression.h"
#include "litmus/floating.h"
#include "litmus/random.h"
#include "oracle/graph/term.h"
#include "runners/jcstress/jvm.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace thinair::runners {
namespace {

using graph::TermOp;
using litmus::Operator;
using litmus::TypeKind;
using litmus::Value;

/// For each line "a b": the results for them as doubles, as floats, and as longs.
constexpr std::string_view source = R"(import java.nio.file.*;
public class Floats {
  static long d(double v) { return Double.doubleToLongBits(v); }
  static long f(float v) { return Float.floatToIntBits(v); }
  static long t(boolean v) { return v ? 1 : 0; }
  public static void main(String[] args) throws Exception {
    StringBuilder out = new StringBuilder();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      long p = Long.parseLong(line.split(" ")[0]), q = Long.parseLong(line.split(" ")[1]);
      double a = Double.longBitsToDouble(p), b = Double.longBitsToDouble(q);
      float x = Float.intBitsToFloat((int) p), y = Float.intBitsToFloat((int) q);
      long[] all = {
        d(a + b), d(a - b), d(a * b), d(a / b), d(a % b), t(a == b), t(a < b), t(a <= b),
        t(a != b), t(a > b), t(a >= b), d(-a),
        f(x + y), f(x - y), f(x * y), f(x / y), f(x % y), t(x == y), t(x < y), t(x <= y),
        t(x != y), t(x > y), t(x >= y), f(-x),
        (byte) a, (short) a, (char) a, (int) a, (long) a, f((float) a),
        (byte) x, (short) x, (char) x, (int) x, (long) x, d((double) x),
        f((float) p), d((double) p), f((float) (int) p), d((double) (int) p), f((float) (byte) p)};
      for (long v : all) out.append(v).append(' ');
      out.append('\n');
    }
    System.out.print(out);
  }
}
)";

/// Bits where rules change, near each other, or any.
Value drawn(litmus::Random& random) {
  const auto any = static_cast<Value>(random.next());
  const auto small = static_cast<Value>(random.below(2000)) - 1000;
  switch (random.below(12)) {
  case 0: return litmus::floating::canonical_nan(64);
  case 1: return Value{0x7ff0000000000000} + (random.chance(1, 2) ? 0 : INT64_MIN); // infinities
  case 2: return random.chance(1, 2) ? 0 : INT64_MIN;
  case 3: return litmus::floating::of_integer(64, small);
  case 4: return litmus::floating::of_integer(32, small);
  case 5: return litmus::floating::of_integer(64, any);
  case 6: return litmus::floating::of_integer(64, any >> random.below(64));
  case 7:
    return static_cast<Value>(random.below(1U << 24)) + 0x7f000000; // about the largest floats
  case 8: return static_cast<Value>(random.below(1U << 24)) << 29;  // denormal, or nearly
  case 9: return any >> random.below(64);
  default: return any;
  }
}

struct Computed {
  std::string what;
  Value by_terms, by_expressions;
};

Value typed(TypeKind kind, Value bits) { return litmus::narrowed(kind, bits); }

void arithmetic(TypeKind kind, Value p, Value q, std::vector<Computed>& out) {
  const auto bits = litmus::info(kind).bits;
  const Value a = typed(kind, p), b = typed(kind, q);
  const auto both = [&](TermOp term, Operator op, Value x, Value y, bool negated) {
    const auto value = *graph::apply(term, bits, x, y);
    out.push_back({fmt::format("{} {}", litmus::info(kind).word, litmus::info(op).symbol),
                   negated ? Value{value == 0} : value, *litmus::apply(op, kind, a, b)});
  };
  both(TermOp::float_add, Operator::add, a, b, false);
  both(TermOp::float_subtract, Operator::subtract, a, b, false);
  both(TermOp::float_multiply, Operator::multiply, a, b, false);
  both(TermOp::float_divide, Operator::divide, a, b, false);
  both(TermOp::float_remainder, Operator::remainder, a, b, false);
  both(TermOp::float_equal, Operator::equal, a, b, false);
  both(TermOp::float_less, Operator::less, a, b, false);
  both(TermOp::float_less_equal, Operator::less_equal, a, b, false);
  both(TermOp::float_equal, Operator::not_equal, a, b, true);
  both(TermOp::float_less, Operator::greater, b, a, false);
  both(TermOp::float_less_equal, Operator::greater_equal, b, a, false);
  const Value minus_zero = bits == 32 ? Value{INT32_MIN} : Value{INT64_MIN};
  out.push_back({"-", *graph::apply(TermOp::float_subtract, bits, minus_zero, a),
                 litmus::apply(Operator::negate, kind, a)});
}

/// `by_terms` of what has a term of its own.
void conversion(TypeKind from, TypeKind to, Value p, std::vector<Computed>& out) {
  const Value value = typed(from, p), expected = litmus::converted(from, to, value);
  auto by_terms = expected;
  const auto bits = litmus::info(to).bits;
  if (litmus::is_floating(to))
    by_terms = *graph::apply(
        litmus::is_floating(from) ? TermOp::float_resize : TermOp::float_of_integer, bits, value);
  else if (to == TypeKind::int_ || to == TypeKind::long_)
    by_terms = *graph::apply(
        TermOp::float_to_integer, bits,
        from == TypeKind::double_ ? value : *graph::apply(TermOp::float_resize, 64, value));
  out.push_back(
      {fmt::format("({}) {}", litmus::info(to).word, litmus::info(from).word), by_terms, expected});
}

std::vector<Computed> computed(Value p, Value q) {
  using enum TypeKind;
  std::vector<Computed> out;
  arithmetic(double_, p, q, out);
  arithmetic(float_, p, q, out);
  for (const auto to : {byte, short_, char_, int_, long_, float_}) conversion(double_, to, p, out);
  for (const auto to : {byte, short_, char_, int_, long_, double_}) conversion(float_, to, p, out);
  for (const auto from : {long_, int_})
    for (const auto to : {float_, double_}) conversion(from, to, p, out);
  conversion(byte, float_, p, out);
  return out;
}

TEST(FloatsOnAJvm, AreComputedAlike) {
  const auto jvms = jcstress::installed_jvms();
  const auto found = std::ranges::find_if(jvms, [](const auto& j) { return j.javac && !j.zero; });
  if (found == jvms.end()) GTEST_SKIP() << "no JDK";
  const TemporaryDirectory directory;
  litmus::Random random(5);
  std::vector<std::pair<Value, Value>> operands;
  std::string lines;
  for (std::uint64_t i = 0; i < test::draws(20000); ++i) {
    const Value p = drawn(random);
    operands.emplace_back(p, random.chance(1, 8) ? p : drawn(random));
    lines += fmt::format("{} {}\n", p, operands.back().second);
  }
  directory.write("operands", lines);
  directory.write("Floats.java", source);
  const auto ran = run({.argv = {found->java(), "Floats.java", "operands"},
                        .directory = directory.path(),
                        .seconds = 120});
  ASSERT_EQ(ran.end, Outcome::End::exited) << describe(ran) << ran.error;
  ASSERT_EQ(ran.code, 0) << ran.error;
  std::istringstream results(ran.out);
  for (const auto& [p, q] : operands)
    for (const auto& [what, by_terms, by_expressions] : computed(p, q)) {
      Value expected = 0;
      ASSERT_TRUE(results >> expected);
      ASSERT_EQ(by_terms, expected) << what << " of " << p << " and " << q;
      ASSERT_EQ(by_expressions, expected) << what << " of " << p << " and " << q;
    }
}

} // namespace
} // namespace thinair::runners
