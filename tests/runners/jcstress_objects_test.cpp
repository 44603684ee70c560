// Objects on JVMs: classes with a constructor for each `new`, references read back by identity,
// threads that end in exceptions, and random programs against the oracle.
#include "gen/profile.h"
#include "gen/publication.h"
#include "litmus/java/source.h"
#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "runners/jcstress/batch.h"
#include "runners/jcstress/expect.h"
#include "runners/jcstress/membership.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"
#include "tests/support/draws.h"
#include "tests/support/random_objects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace thinair::runners::jcstress {
namespace {

using Status = Record::Status;

litmus::Test read(const std::string& text) { return litmus::parse({"test", text}); }

std::string source(const std::string& text) { return source_of(prepare(read(text)), {}); }

void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

const char* const nested = R"(Java nested
{ class A { final int x; A next; final A never; } class B { int v; }
  A f = null; B g = null; 0:F=f; 0:G=g; 1:F=f; }
Thread0 {
  int e = 0;
  A p = new A {
    e = 5;
    p.x = e;
    F.set(p);
    p.next.setRelease(null);
    B q = new B { q.v = 7; G.set(q); };
  };
}
Thread1 { A r = F.get(); int none = r == null; }
exists (1:r=A.1 /\ f=null)
)";

TEST(JcstressObjects, ClassesHaveAConstructorForEachNew) {
  expect_parts(source(nested),
               {"      A_X = lookup.findVarHandle(A_c.class, \"x\", int.class);\n",
                "  A_c f;\n  B_c g;\n  A_c t0_p;\n  B_c t0_q;\n  A_c t1_r1;\n",
                "  static class A_c {\n    final int x;\n    A_c next;\n    final A_c never;\n\n"
                "    A_c(nested_t state, New1 left1, int e, B_c q) {\n"
                "      B_c made2 = null;\n"
                "      e = 5;\n"
                "      this.x = e;\n"
                "      F.set(state, this);\n"
                "      A_NEXT.setRelease(this, (A_c) null);\n"
                "      q = new B_c(state, (New2) null);\n"
                "      made2 = q;\n"
                "      this.never = null;\n"
                "      left1.e = e;\n"
                "      left1.q = q;\n"
                "      left1.made2 = made2;\n"
                "    }\n  }\n",
                "    B_c(nested_t state, New2 left2) {\n"
                "      B_V.set(this, 7);\n"
                "      G.set(state, this);\n    }\n",
                "    final New1 left1 = new New1();\n"
                "    A_c p = new A_c(this, left1, e, q);\n"
                "    e = left1.e;\n"
                "    q = left1.q;\n"
                "    made2 = left1.made2;\n"
                "    made1 = p;\n",
                "    t0_p = p;\n    t0_q = q;\n    this.made1 = made1;\n    this.made2 = made2;\n",
                "    r.r6 = number(f);\n    r.r2 = number(t0_p);\n", "    r.r5 = number(t1_r1);\n",
                "    int none = r1 == null ? 1 : 0;\n"});
}

/// Which `new` made an object is asked when all threads are done, in nothing that they touch.
TEST(JcstressObjects, OutcomesNameThem) {
  const auto test = prepare(read(nested));
  ASSERT_EQ(test.slots.size(), 6U) << "`this` is never null";
  const auto seen = behaviour_of(test, "5, 1, 2, 1, 0, 1");
  ASSERT_TRUE(seen);
  EXPECT_EQ(litmus::to_string(test.test, observables_of(test), *seen),
            "0:e=5; 0:p=A.1; 0:q=B.1; 1:none=1; 1:r=null; [f]=A.1");
}

const char* const dereference = R"(Java dereference
{ class A { int x; } A f = null; 0:F=f; 1:F=f; }
Thread0 { A p = new A { p.x = 3; }; F.set(p); }
Thread1 { A r = F.get(); int i = r.x; }
exists (1:i=3)
)";

TEST(JcstressObjects, AnExceptionIsNoFinalState) {
  const auto test = prepare(read(dereference));
  expect_parts(source_of(test, {}),
               {"    } catch (ArithmeticException | NullPointerException e) {\n"
                "      threw = true;\n    }\n",
                "    r.r4 = threw ? 1 : 0;\n    if (threw) r.r1 = r.r2 = r.r3 = 0;\n"});
  EXPECT_EQ(exception_outcome(test), "0, 0, 0, 1");
  EXPECT_EQ(outcome_of(test, {1, 3, 1}), "1, 3, 1, 0");
  EXPECT_EQ(behaviour_of(test, "1, 3, 1, 0"), (litmus::Behaviour{1, 3, 1}));
  for (const char* wrong : {"0, 0, 0, 1", "1, 3, 1", "1, 3, 2, 0", "-1, 3, 1, 0", "1, 3, 1, 0, 0"})
    EXPECT_FALSE(behaviour_of(test, wrong)) << wrong;
  const auto expected =
      expect(test, cat::load_model("java", cat::Architecture::java), "java").grades;
  const auto found = std::ranges::find(expected, "0, 0, 0, 1", &Grade::outcome);
  ASSERT_NE(found, expected.end());
  EXPECT_TRUE(found->acceptable);
}

TEST(JcstressObjects, OthersHaveNoColumnForIt) {
  EXPECT_EQ(source("Java T\n{ 0:a=0; }\nThread0 { int b = a / 2; }\n").find("threw"),
            std::string::npos);
  EXPECT_NE(source("Java T\n{ 0:a=0; }\nThread0 { int b = 2 / a; }\n").find("threw"),
            std::string::npos);
}

TEST(JcstressObjects, WhatJavacRefusesIsUnsupported) {
  const auto refusal = [](const std::string& body) -> std::string {
    try {
      source("Java T\n{ class A { final int x; int y; } 0:a=0; }\nThread0 { " + body + " }\n");
      return "";
    } catch (const Unsupported& lacking) {
      return lacking.what();
    }
  };
  const std::string written = "unsupported: a final field that is written ";
  EXPECT_EQ(refusal("A p = new A { p.x = 1; p.x = 2; };"), written + "twice, in Java source: `x`");
  EXPECT_EQ(refusal("A p = new A { if (a == 0) { p.x = 1; } };"),
            written + "in one branch only, in Java source: `x`");
  EXPECT_EQ(refusal("A p = new A { while (a == 1) { p.x = 1; } };"),
            written + "in a loop or in another object's constructor, in Java source: `x`");
  EXPECT_EQ(refusal("A p = new A { A q = new A { p.x = 1; }; };"),
            written + "in a loop or in another object's constructor, in Java source: `x`");
  EXPECT_EQ(refusal("while (a == 0) { A p = new A { p.y = 1; }; a = 1; }"),
            "unsupported: a `new` in a loop, in Java source");
  EXPECT_EQ(refusal("A p = new A { if (a == 0) { p.x = 1; } else { p.x = 2; } };"), "");
  EXPECT_EQ(refusal("A p = new A { };"), "");
}

struct Real {
  Jvm jvm;
  Jars jars;
};

std::optional<Real> real() {
  for (const Jvm& jvm : installed_jvms()) {
    if (!jvm.javac || !jvm.c2) continue;
    try {
      return Real{jvm, find_jcstress()};
    } catch (const InputError&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

litmus::Test drawn(std::uint64_t i, const litmus::ObjectShape& shape) {
  litmus::Random random(20, i);
  litmus::Test test;
  test.name = fmt::format("drawn{}", i);
  test.program = litmus::RandomObjects(random, shape).make();
  return test;
}

litmus::Test publication(std::uint64_t i) {
  litmus::Random random(21, i);
  litmus::Test test;
  test.name = fmt::format("publication{}", i);
  test.program = gen::draw_publication(gen::load_profile(i % 2 == 0 ? "objects" : "final"), random);
  return test;
}

/// As many that have a form in Java source.
template <class Draw>
std::vector<Prepared> many(std::uint64_t wanted, Draw&& draw) {
  std::vector<Prepared> out;
  for (std::uint64_t i = 0; out.size() < wanted; ++i) {
    const litmus::Test test_drawn = draw(i);
    std::vector<litmus::Observable> memory;
    for (const auto& location : test_drawn.java().locations) memory.push_back({{}, location.name});
    auto test = prepare(test_drawn, memory);
    try {
      source_of(test, {});
      out.push_back(std::move(test));
    } catch (const Unsupported&) { // a field is written twice, or so
    }
  }
  return out;
}

/// One thread alone does what the oracle says, on every sample: fields, identity, null and
/// constructors come out right.
TEST(JcstressObjectsReal, OneThreadDoesWhatTheOracleSays) {
  const auto jdk = real();
  if (!jdk) GTEST_SKIP() << "no JDK, or no jcstress (scripts/get-jcstress)";
  const auto model = cat::load_model("sc", cat::Architecture::java);
  const auto wanted = test::draws(60);
  const litmus::ObjectShape shape{.threads = 1, .statements = 5, .depth = 2, .objects = 4};
  const Batch batch(many(wanted, [&](auto i) { return drawn(i, shape); }), jdk->jvm, jdk->jars);
  const auto runs = batch.run(jdk->jvm, {.mode = Mode::tiered, .milliseconds = 5});
  std::uint64_t threw = 0, shown = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const litmus::Test& test = batch[i].test;
    ASSERT_EQ(runs[i].status, Status::ok) << runs[i].reason.text << source_of(batch[i], {});
    litmus::Test asked = drawn(0, {});
    asked.program = test.program;
    asked.locations = observables_of(batch[i]);
    for (auto& thread : std::get<litmus::Program>(asked.program).threads)
      for (auto& reg : thread.registers) reg.initial = 0;
    const auto expected = oracle::Oracle(asked, model).behaviours();
    std::set<litmus::Behaviour> all(expected.behaviours.begin(), expected.behaviours.end());
    if (all.empty()) {
      ++threw;
      EXPECT_EQ(runs[i].thrown, runs[i].samples) << litmus::print(test);
      continue;
    }
    EXPECT_EQ(runs[i].thrown, 0U) << litmus::print(test);
    for (const auto& [behaviour, count] : runs[i].outcomes) {
      EXPECT_TRUE(all.contains(behaviour))
          << litmus::print(test) << litmus::to_string(test, asked.locations, behaviour);
      shown += std::ranges::any_of(behaviour, [](auto v) { return v != 0; }) ? 1 : 0;
    }
  }
  EXPECT_TRUE(threw > 0 || wanted < 40);
  EXPECT_GT(shown, wanted / 4);
}

/// What a JVM shows of racing threads is within the model.
TEST(JcstressObjectsReal, RacesStayWithinTheModel) {
  const auto jdk = real();
  if (!jdk) GTEST_SKIP() << "no JDK, or no jcstress (scripts/get-jcstress)";
  const auto model = cat::load_model("java", cat::Architecture::java);
  const auto wanted = test::draws(40);
  const Batch batch(many(wanted, publication), jdk->jvm, jdk->jars);
  const auto runs = batch.run(jdk->jvm, {.milliseconds = 30});
  std::uint64_t several = 0, decided = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ASSERT_EQ(runs[i].status, Status::ok) << runs[i].reason.text << source_of(batch[i], {});
    several += runs[i].outcomes.size() > 1 ? 1 : 0;
    Membership membership(batch[i], model);
    for (const auto& [behaviour, count] : runs[i].outcomes) {
      const auto answer = membership.allows(behaviour);
      EXPECT_NE(answer, oracle::Answer::forbidden)
          << litmus::print(batch[i].test)
          << litmus::to_string(batch[i].test, observables_of(batch[i]), behaviour);
      decided += answer == oracle::Answer::allowed ? 1 : 0;
    }
  }
  EXPECT_TRUE(several > wanted / 8 || wanted < 20);
  EXPECT_GT(decided, wanted / 2);
}

/// The file for bug reports counts the same.
TEST(JcstressObjectsReal, PlainSourceNamesObjects) {
  const auto jdk = real();
  if (!jdk) GTEST_SKIP() << "no JDK";
  const TemporaryDirectory directory;
  const auto test = read(dereference);
  const auto file =
      directory.write(litmus::java::source_file_name(test), litmus::java::plain_source(test));
  const Outcome done = runners::run({.argv = {jdk->jvm.java(), file, "3"}, .seconds = 60});
  ASSERT_EQ(describe(done), "exit status 0") << done.error << done.out;
  EXPECT_NE(done.out.find("  an exception: no final state\n"), std::string::npos) << done.out;
  const auto alone = read("Java alone\n{ class A { int x; } A f = null; 0:F=f; }\n"
                          "Thread0 { A p = new A { p.x = 3; }; F.set(p); int i = p.x; A q = null; }"
                          "\nforbidden (0:p=A.1 /\\ 0:i=3)\nrequired (0:q=A.1 \\/ f=null)\n");
  const auto other =
      directory.write(litmus::java::source_file_name(alone), litmus::java::plain_source(alone));
  const Outcome ran = runners::run({.argv = {jdk->jvm.java(), other, "1"}, .seconds = 60});
  ASSERT_EQ(describe(ran), "exit status 0") << ran.error << ran.out;
  EXPECT_NE(ran.out.find("10000  0:i=3; 0:p=A.1; 0:q=null; [f]=A.1  <-- forbidden"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("0 of 10000: required"), std::string::npos) << ran.out;
}

} // namespace
} // namespace thinair::runners::jcstress
