// Floats and doubles in the language: every value is written so that it reads back to its bits, and
// each refusal has its text.
#include "litmus/floating.h"
#include "litmus/java/floats.h"
#include "litmus/java/format.h"
#include "litmus/json.h"
#include "litmus/objects.h"
#include "litmus/outcome.h"
#include "litmus/random.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>

namespace thinair::litmus {
namespace {

Test parsed(const std::string& code, const std::string& state = "float x; double y; X=x; Y=y;",
            const std::string& question = "exists (true)") {
  return parse({"t", "Java T\n{ " + state + " }\nThread0 {\n" + code + "\n}\n" + question + "\n"});
}

std::string refusal(const std::string& code, const std::string& state, const std::string& asked) {
  try {
    parsed(code, state, asked);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}
std::string refusal(const std::string& code) {
  return refusal(code, "float x; double y; X=x; Y=y;", "exists (true)");
}

const Expression& value_of(const Test& test) {
  return std::get<Assign>(test.java().threads[0].body[0].node).value;
}

Value bits(float value) { return std::bit_cast<std::int32_t>(value); }
Value bits(double value) { return std::bit_cast<std::int64_t>(value); }

TEST(Floats, LiteralsAreJavas) {
  struct Row {
    const char* text;
    TypeKind kind;
    Value expected;
  };
  const std::vector<Row> rows{
      {"1.5", TypeKind::double_, bits(1.5)},
      {"1.5f", TypeKind::float_, bits(1.5F)},
      {"1F", TypeKind::float_, bits(1.0F)},
      {"2d", TypeKind::double_, bits(2.0)},
      {"1e3", TypeKind::double_, bits(1000.0)},
      {"25E-1f", TypeKind::float_, bits(2.5F)},
      {"1.25e+2", TypeKind::double_, bits(125.0)},
      {"-0.0", TypeKind::double_, bits(-0.0)},
      {"-0f", TypeKind::float_, bits(-0.0F)},
      {"0.0e999", TypeKind::double_, 0},
      {"0.1f", TypeKind::float_, bits(0.1F)},
      {"16777217f", TypeKind::float_, bits(16777216.0F)}, // ties to even
      {"16777219f", TypeKind::float_, bits(16777220.0F)},
      {"4.9e-324", TypeKind::double_, 1},
      {"1.4e-45f", TypeKind::float_, 1},
      {"3.4028235e38f", TypeKind::float_, 0x7f7fffff},
      {"Float.NaN", TypeKind::float_, 0x7fc00000},
      {"Double.NaN", TypeKind::double_, 0x7ff8000000000000},
      {"Float.POSITIVE_INFINITY", TypeKind::float_, 0x7f800000},
      {"Double.NEGATIVE_INFINITY", TypeKind::double_, Value{0x7ff0000000000000} + INT64_MIN},
      {"Float.intBitsToFloat(0xffc00001)", TypeKind::float_, static_cast<std::int32_t>(0xffc00001)},
      {"Float.intBitsToFloat(-1)", TypeKind::float_, -1},
      {"Double.longBitsToDouble(-1L)", TypeKind::double_, -1}};
  for (const auto& [text, kind, expected] : rows) {
    const auto test = parsed(fmt::format("r = {};", text));
    EXPECT_EQ(value_of(test).op, Operator::constant) << text;
    EXPECT_EQ(value_of(test).type.kind, kind) << text;
    EXPECT_EQ(value_of(test).constant, expected) << text;
  }
}

/// In code, as an initial value, and in a question, with the type that is there.
TEST(Floats, EachReadsBackToItsBits) {
  Random random(3);
  for (std::uint64_t i = 0; i < test::draws(4000); ++i) {
    const bool single = random.chance(1, 2);
    const TypeKind kind = single ? TypeKind::float_ : TypeKind::double_;
    auto drawn = static_cast<Value>(random.next());
    if (random.chance(1, 2)) drawn >>= random.below(64);
    if (random.chance(1, 8))
      drawn |= single ? Value{0x7f800000} : Value{0x7ff0000000000000}; // NaNs
    const Value value = narrowed(kind, drawn);
    const auto text = java::literal(kind, value);
    const auto word = info(kind).word;
    const auto test = parsed(fmt::format("{} r = {};", word, text),
                             fmt::format("{0} x = {1}; {0} 0:s = {1};", word, text),
                             fmt::format("exists (0:r={} /\\ [x]={} /\\ 0:s!={})", text,
                                         shown(Program(), kind, value), text));
    const auto& program = test.java();
    ASSERT_EQ(value_of(test).constant, value) << text;
    ASSERT_EQ(program.locations[0].initial, value) << text;
    ASSERT_EQ(program.threads[0].registers[0].initial, value) << text;
    for (const auto& atom : test.clauses[0].proposition.parts)
      ASSERT_EQ(atom.constant, value) << text;
    const auto again = print(test);
    ASSERT_EQ(print(parse({"t", again})), again);
    ASSERT_EQ(parse({"t", again}).java(), program) << again;
  }
}

TEST(Floats, WhatDoesNotFitIsRefused) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"int i = 1.5;", "expected an int, found a double"},
      {"double d = 1.5; int i = d;", "a cast drops the fraction, as `(int) r`"},
      {"float f = 1.5;", "a float ends in `f`, as `1.5f`"},
      {"X.set(1.0);", "expected a float, found a double"},
      {"double d = 0; X.set(d);", "a cast rounds, as `(float) r`"},
      {"long l = X.get();", "expected a long, found a float"},
      {"boolean b = 1.0f;", "a number is compared, as `r != 0`"},
      {"boolean b = true; float f = b;", "expected a float, found a boolean"},
      {"r = 1.5f & 1;", "expected two integers around `&`, found a float and an int"},
      {"r = 1 << 2.0;", "expected two integers around `<<`, found an int and a double"},
      {"r = 1.5f && true;", "around `&&`"},
      {"r = ~1.5;", "expected an integer after `~`, found a double"},
      {"r = !X.get();", "a number is compared, as `r == 0`"},
      {"if (X.get()) { }", "expected a condition, found a float"},
      {"X.getAndBitwiseOr(1.0f);", "expected a method that a float has"},
      {"r = 1.5g;", "expected a number, found `1.5g`"},
      {"r = 1.5g;", "a float ends in `f`, as `1.5f`"},
      {"r = 1e;", "expected a number, found `1e`"},
      {"r = 1e400;", "expected a value of type double, found `1e400`, which is out of its range"},
      {"r = 1e39f;", "a double has more digits and a wider range, without the `f`"},
      {"r = 1e-50f;", "out of its range"},
      {"r = Float.Nan;", "did you mean `NaN`?"},
      {"r = Double.intBitsToFloat(1);", "expected `NaN`"},
      {"r = Float.intBitsToFloat(4294967296);", "expected a value of type int"},
      {"r = 5.0L;", "expected a number, found `5.0L`"},
      {"r = 1 / 0;", "expected a divisor other than zero"},
      {"int Float = 1;", "found the reserved word `Float`"}};
  for (const auto& [code, text] : rows)
    EXPECT_NE(refusal(code).find(text), std::string::npos) << code << "\n" << refusal(code);
}

TEST(Floats, StatesAndQuestionsHaveThem) {
  const std::string code = "r = X.get();", asked = "exists (true)";
  EXPECT_NE(refusal(code, "x = 1.5; X=x;", asked).find("found `1.5`"), std::string::npos);
  EXPECT_NE(refusal(code, "x = 1.5; X=x;", asked).find("`double x = 1.5;`"), std::string::npos);
  EXPECT_NE(refusal(code, "x = Double.NaN; X=x;", asked).find("`double x = 1.5;`"),
            std::string::npos);
  EXPECT_NE(refusal(code, "float x = 1.5; X=x;", asked).find("as `1.5f`"), std::string::npos);
  EXPECT_NE(refusal(code, "int x = 2.0; X=x;", asked).find("type int"), std::string::npos);
  EXPECT_NE(refusal("int i = 1;", "float x; X=x;", "exists (0:i=1.5)").find("type int"),
            std::string::npos);
  EXPECT_NE(refusal(code, "float x; X=x;", "exists (0:r=true)").find("expected a float"),
            std::string::npos);
  EXPECT_NE(refusal(code, "float x; double y; X=x; Y=y;", "exists ([x]=[y])").find("of `double`"),
            std::string::npos);
  const auto atom = [&](const std::string& question) {
    return parsed(code, "float x = 1; X=x;", question).clauses[0].proposition;
  };
  EXPECT_EQ(atom("exists (0:r=1)").constant, bits(1.0F));
  EXPECT_EQ(atom("exists (0:r=0.1)").constant, bits(0.1F)) << "read as a float at once";
  EXPECT_EQ(atom("exists (0:r=-0.0)").constant, bits(-0.0F));
  EXPECT_EQ(to_string(atom("exists (0:r=0.10f)")), "0:r=0.1");
}

/// What is made of a behaviour has bits, which the text spells out.
TEST(Floats, OutcomesAreWrittenAsTheyAreRead) {
  auto test = parsed("r = X.get();");
  const std::vector<Observable> observables{{ThreadId(0), "r"}};
  const Behaviour behaviour{bits(2.5F)};
  const auto shown = to_string(test, observables, behaviour);
  EXPECT_EQ(shown, "0:r=2.5");
  EXPECT_EQ(outcome_of(test, shown, "t").constant, bits(2.5F));
  Clause clause;
  clause.proposition = exactly(observables, behaviour);
  test.clauses = {clause};
  const auto text = print(test);
  EXPECT_NE(text.find("exists (0:r=2.5)"), std::string::npos) << text;
  EXPECT_EQ(parse({"t", text}).clauses[0].proposition.constant, bits(2.5F));
}

TEST(Floats, JsonHasTheirText) {
  const auto json =
      to_json(parsed("r = 1.5f; s = Double.NaN;", "double x = -0.0; float 0:q = 0.5f; X=x;"));
  for (const char* part : {R"("value":"1.5","type":"float")", R"("value":"Double.NaN")",
                           R"("initial":"-0.0")", R"("initial":"0.5","type":"float")"})
    EXPECT_NE(json.find(part), std::string::npos) << part << "\n" << json;
}

/// JLS 5.1.2, 5.1.3, 15.20, 15.21: the cases that its text names.
TEST(Floats, AreConvertedAndComparedAsTheJlsSays) {
  using enum TypeKind;
  EXPECT_EQ(converted(float_, int_, 0x7fc00000), 0) << "NaN";
  EXPECT_EQ(converted(double_, int_, bits(1e10)), INT32_MAX);
  EXPECT_EQ(converted(double_, byte, bits(1e10)), -1) << "of an int";
  EXPECT_EQ(converted(float_, long_, bits(-1e30F)), INT64_MIN);
  EXPECT_EQ(converted(double_, int_, bits(-1.9)), -1);
  EXPECT_EQ(converted(float_, char_, bits(-1.0F)), 65535);
  EXPECT_EQ(converted(int_, float_, 16777217), bits(16777216.0F));
  EXPECT_EQ(converted(long_, float_, 0x4000004000000001), 0x5e800001) << "rounded once";
  EXPECT_EQ(converted(double_, float_, bits(1e-50)), 0);
  EXPECT_EQ(converted(float_, double_, static_cast<std::int32_t>(0xffc00001)), 0x7ff8000000000000)
      << "a conversion's NaN is canonical";
  EXPECT_TRUE(floating::equal(32, bits(0.0F), bits(-0.0F)));
  EXPECT_FALSE(floating::equal(64, 0x7ff8000000000000, 0x7ff8000000000000));
  EXPECT_FALSE(floating::less(32, bits(-0.0F), bits(0.0F)));
  EXPECT_FALSE(floating::less_equal(64, 0x7ff8000000000000, 0));
}

TEST(Floats, SumsThatMayBeNoNumberAreKnown) {
  const auto may = [](const std::string& code) {
    return java::may_add_to_nan(parsed(code).java());
  };
  EXPECT_FALSE(may("X.getAndAdd(1.0f); Y.getAndAdd(-1e18);"));
  EXPECT_FALSE(may("X.set(Float.NaN);")) << "nothing is added in memory";
  EXPECT_TRUE(may("X.getAndAdd(Float.NaN);"));
  EXPECT_TRUE(may("X.getAndAdd(1e30f);"));
  EXPECT_TRUE(may("r = X.get() * 2.0f; X.getAndAdd(r);"));
  EXPECT_TRUE(may("while (X.get() < 5) { X.getAndAdd(X.get()); }"));
}

} // namespace
} // namespace thinair::litmus
