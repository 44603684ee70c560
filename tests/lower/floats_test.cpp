// Floats and doubles in machine code: their bits in integer registers do what the values do, and
// what computes with them is said by name.
#include "gen/generator.h"
#include "litmus/java/format.h"
#include "litmus/normal.h"
#include "litmus/objects.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "lower/floats.h"
#include "lower/lowered_test.h"
#include "lower/prepare.h"
#include "lower/scheme.h"
#include "lower/sequential.h"
#include "lower/target.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace thinair::lower {
namespace {

std::vector<litmus::Program> drawn(std::uint64_t count) {
  std::vector<litmus::Program> out;
  gen::Generator floats(gen::load_profile("floats"), 9, 0);
  while (out.size() < count) {
    auto program = floats.next().program;
    if (litmus::features(program).floats) out.push_back(std::move(program));
  }
  return out;
}

class LoweredFloats : public testing::TestWithParam<const char*> {};

/// Against the program with floats itself, whose `==` is of values.
TEST_P(LoweredFloats, AThreadAloneDoesWhatItsSourceDoes) {
  auto target = Target::named(GetParam());
  const auto programs = drawn(test::draws(200));
  const auto all = target.lower(programs, 4);
  std::uint64_t compared = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto* lowered = std::get_if<Lowered>(&all[i]);
    if (lowered == nullptr) continue;
    try {
      const auto difference = sequential_difference(litmus::normalise(programs[i]), *lowered, i);
      ASSERT_FALSE(difference) << *difference << "\n" << litmus::java::print(programs[i]);
      ++compared;
    } catch (const Unsupported& unsupported) { // RISC-V updates the word around a byte
      ASSERT_STREQ(unsupported.what(), "unsupported: code that accesses what is no location");
    }
  }
  EXPECT_GT(compared, test::draws(200) / 4);
}

std::string word_of(const testing::TestParamInfo<const char*>& info) {
  std::string out = info.param;
  std::ranges::replace_if(out, [](char c) { return c == ':' || c == '-'; }, '_');
  return out;
}

INSTANTIATE_TEST_SUITE_P(Target, LoweredFloats,
                         testing::Values("x86:table2", "x86:fenced", "aarch64:cxx",
                                         "aarch64:hotspot-c2-nolse", "riscv:zabha", "x86:llvm-O2",
                                         "aarch64:llvm-O2", "riscv:llvm-O2"),
                         word_of);

litmus::Program parsed(const std::string& code) {
  return litmus::parse({"t", "Java T\n{ float x; double y; X=x; Y=y; }\nThread0 { " + code +
                                 " }\nexists (true)\n"})
      .java();
}

std::string text_of(const std::string& code) {
  const auto program = comparing_bits(parsed(code));
  std::string out;
  for (const auto& statement : program.threads[0].body)
    out += litmus::java::to_string(statement, program, program.threads[0]) + " ";
  return out;
}

TEST(Floats, AreComparedByTheirBits) {
  EXPECT_EQ(text_of("X.setVolatile(1.5f);"), "X.setVolatile(1.5f); ");
  EXPECT_EQ(text_of("Y.set(1);"), "Y.set(1.0); ") << "a literal int is 1.0 there";
  EXPECT_EQ(text_of("Y.set(1.0 / 4);"), "Y.set(0.25); ") << "constants are known";
  EXPECT_EQ(text_of("float r = X.get(); int s = r == 2;"),
            "float r = X.get(); int s = r == 2.0f; ");
  EXPECT_EQ(text_of("double r = Y.get(); int s = -0.0 != r;"),
            "double r = Y.get(); int s = r != 0.0 & r != -0.0; ");
  EXPECT_EQ(text_of("double r = Y.get(); int s = r == 0;"),
            "double r = Y.get(); int s = r == 0.0 | r == -0.0; ");
  EXPECT_EQ(text_of("float r = X.get(); int s = r == Float.NaN; int t = Float.NaN != r;"),
            "float r = X.get(); int s = 0; int t = 1; ");
  EXPECT_EQ(text_of("int r = X.compareAndSet(-0.0f, Float.NaN);"),
            "int r = X.compareAndSet(-0.0f, Float.NaN); ");
}

TEST(Floats, AreNotComputedWith) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"float r = X.get(); X.set(r + 1);", "arithmetic of float values in machine code"},
      {"double r = Y.get(); int s = r < 1;", "arithmetic of double values in machine code"},
      {"double r = Y.get(); double q = -r;", "arithmetic of double values in machine code"},
      {"float r = X.get(); float q = X.get(); int s = r == q;", "arithmetic of float values"},
      {"float r = X.get(); int s = r == 1.5;", "arithmetic of double values in machine code"},
      {"int r = 1; int s = (float) r == 1.5f;", "arithmetic of float values in machine code"},
      {"float r = X.get(); int s = (int) r;", "arithmetic of float values in machine code"},
      {"float r = X.get(); double q = r;", "conversion of double values in machine code"},
      {"double q = X.get();", "conversion of double values in machine code"},
      {"int r = 1; X.set(r);", "conversion of float values in machine code"},
      {"double r = Y.compareAndSet(1.0, 2.0);", "conversion of double values in machine code"},
      {"Y.getAndAdd(1.0);", "getAndAdd of double values in machine code"}};
  for (const auto& [code, text] : rows) {
    try {
      prepared(parsed(code), 4);
      ADD_FAILURE() << code;
    } catch (const Unsupported& unsupported) {
      EXPECT_NE(std::string(unsupported.what()).find(text), std::string::npos)
          << code << "\n"
          << unsupported.what();
    }
  }
}

/// A scheme's rule for doubles makes the code of doubles, and of nothing else.
TEST(Floats, HaveTheRulesOfTheirType) {
  const auto scheme =
      parse_scheme({"mine.scheme", "scheme x86:mine like x86:table2\n\n"
                                   "setVolatile double {\n  mov tmp, arg\n  xchg [x], tmp\n}\n"});
  EXPECT_EQ(
      to_string(scheme.text().rule_for(litmus::Method::setVolatile, litmus::TypeKind::double_)),
      "setVolatile double");
  const auto code = [&](const std::string& text) {
    return annotated_assembly(lower_with(scheme, prepared(parsed(text), 4)));
  };
  EXPECT_NE(code("Y.setVolatile(1.0);").find("xchg"), std::string::npos);
  EXPECT_EQ(code("X.setVolatile(1.0f);").find("xchg"), std::string::npos);
}

} // namespace
} // namespace thinair::lower
