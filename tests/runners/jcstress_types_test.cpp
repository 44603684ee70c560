// Values of all types on JVMs: what is written, what is read back, and what a real JVM computes.
#include "litmus/java/floats.h"
#include "litmus/java/format.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "runners/jcstress/batch.h"
#include "runners/jcstress/emit.h"
#include "tests/runners/real_jvm.h"
#include "tests/support/draws.h"
#include "tests/support/random_types.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace thinair::runners::jcstress {
namespace {

litmus::Test read(const std::string& types, const std::string& body) {
  return litmus::parse(
      {"t", fmt::format("Java t\n{{ {} }}\nThread0 {{ {} }}\nexists (true)\n", types, body)});
}

TEST(JcstressTypes, FieldsHandlesAndResultsHaveTheirs) {
  const auto test = prepare(read("long x = -5; char c = 65535; X=x; C=c;",
                                 "long r = X.getAndAdd(1L); boolean b = r == 2L; "
                                 "char d = C.get();"));
  const std::string source = source_of(test, {});
  for (const char* line :
       {"lookup.findVarHandle(t_t.class, \"x\", long.class);", "  long x = -5L;\n",
        "  char c = 65535;\n", "long r1 = (long) X.getAndAdd(this, 1L);",
        "public void thread0(L3 r) {", "r.r1 = b ? 1 : 0;", "r.r2 = d;"})
    EXPECT_NE(source.find(line), std::string::npos) << line << "\n" << source;
  EXPECT_EQ(result_class(test), "L3");
  const std::string result = result_source(test).value();
  EXPECT_NE(result.find("public long r1, r2, r3;"), std::string::npos) << result;
  EXPECT_NE(result.find("private long[] values()"), std::string::npos) << result;
  const auto narrow = prepare(read("byte x; X=x;", "byte r = X.get();"));
  EXPECT_EQ(result_class(narrow), "I_Result") << "an int holds a byte";
  EXPECT_FALSE(result_source(narrow));
}

TEST(JcstressTypes, OutcomesAreReadBackAtTheirRange) {
  const auto test =
      prepare(read("long x; byte y; X=x; Y=y;", "byte a = Y.get(); long b = X.get();"));
  EXPECT_EQ(behaviour_of(test, "-128, -9223372036854775808"), (litmus::Behaviour{-128, INT64_MIN}));
  for (const char* wrong : {"128, 0", "0, 9223372036854775808", "true, 1"})
    EXPECT_FALSE(behaviour_of(test, wrong)) << wrong;
}

/// No value tells a boolean or a byte that was not written from one that was.
TEST(JcstressTypes, SentinelsAreOfTypesThatHoldThem) {
  const auto test = prepare(read("X=x;", "long a = 0; byte b = 0; if (X.get() == 1) { a = 2; "
                                         "long c = 3; byte d = 4; }"));
  for (const Slot& slot : test.slots)
    EXPECT_EQ(slot.sentinel.has_value(), slot.observable.name == "c")
        << litmus::to_string(slot.observable);
}

/// With floats or without.
class JcstressTyped : public testing::TestWithParam<bool> {};

/// Random threads, alone on a JVM, compute what interleavings of one thread do.
TEST_P(JcstressTyped, AThreadAloneDoesOnAJvmWhatTheModelSays) {
  const auto jdk = real();
  if (!jdk) GTEST_SKIP() << "no JDK, or no jcstress (scripts/get-jcstress)";
  const auto sc = cat::load_model("sc", cat::Architecture::java);
  std::vector<Prepared> tests;
  std::vector<litmus::Behaviour> expected;
  for (std::uint64_t seed = 0; seed < test::draws(60); ++seed) {
    litmus::Random random(seed);
    litmus::Test test;
    test.name = fmt::format("t{}", seed);
    test.program =
        test::RandomTypes(random, {.threads = 1, .statements = 8, .floats = GetParam()}).make();
    if (litmus::java::may_add_to_nan(test.java())) continue;
    for (const auto& location : test.java().locations)
      test.locations.push_back({std::nullopt, location.name});
    tests.push_back(prepare(test, test.locations));
    test.locations = observables_of(tests.back());
    const auto found = oracle::Oracle(test, sc).behaviours();
    ASSERT_EQ(found.behaviours.size(), 1U) << litmus::print(test);
    ASSERT_EQ(found.observables, test.locations);
    expected.push_back(found.behaviours.front());
  }
  const Batch batch(std::move(tests), jdk->jvm, jdk->jars);
  const auto runs = batch.run(jdk->jvm, {.mode = Mode::interpreted, .milliseconds = 10});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ASSERT_EQ(runs[i].status, Record::Status::ok) << runs[i].reason.text << "\n"
                                                  << source_of(batch[i], {});
    ASSERT_EQ(runs[i].outcomes.size(), 1U) << source_of(batch[i], {});
    EXPECT_EQ(runs[i].outcomes.begin()->first, expected[i]) << source_of(batch[i], {});
  }
}

INSTANTIATE_TEST_SUITE_P(Floats, JcstressTyped, testing::Bool());

} // namespace
} // namespace thinair::runners::jcstress
