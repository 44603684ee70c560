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

litmus::Test array_publication(std::uint64_t i) {
  litmus::Random random(22, i);
  litmus::Test test;
  test.name = fmt::format("arrays{}", i);
  test.program = gen::draw_publication(gen::load_profile("arrays"), random);
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

/// One thread alone does what the oracle says, on every sample: fields, elements, identity, null
/// and constructors come out right, and so do indices.
void compare_one_thread(bool arrays) {
  const auto jdk = real();
  if (!jdk) GTEST_SKIP() << "no JDK, or no jcstress (scripts/get-jcstress)";
  const auto model = cat::load_model("sc", cat::Architecture::java);
  const auto wanted = test::draws(60);
  const litmus::ObjectShape shape{
      .threads = 1, .statements = 5, .depth = 2, .objects = 4, .arrays = arrays};
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
  if (wanted < 40) return; // too few to expect anything of
  EXPECT_GT(threw, 0U);
  EXPECT_GT(shown, wanted / 4);
}

TEST(JcstressObjectsReal, OneThreadDoesWhatTheOracleSays) { compare_one_thread(false); }
TEST(JcstressObjectsReal, OneThreadWithArraysDoesWhatTheOracleSays) { compare_one_thread(true); }

/// What a JVM shows of racing threads is within the model.
void compare_races(litmus::Test (*drawn)(std::uint64_t)) {
  const auto jdk = real();
  if (!jdk) GTEST_SKIP() << "no JDK, or no jcstress (scripts/get-jcstress)";
  const auto model = cat::load_model("java", cat::Architecture::java);
  const auto wanted = test::draws(40);
  const Batch batch(many(wanted, drawn), jdk->jvm, jdk->jars);
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

TEST(JcstressObjectsReal, RacesStayWithinTheModel) { compare_races(publication); }
TEST(JcstressObjectsReal, RacesOnArraysStayWithinTheModel) { compare_races(array_publication); }

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

/// Arrays of every kind, each access by its VarHandle, on whatever JVM there is.
TEST(JavaArrays, RunAsTheyAreWritten) {
  const auto jvms = installed_jvms();
  const auto jvm = std::ranges::find_if(jvms, [](const Jvm& each) { return each.javac; });
  if (jvm == jvms.end()) GTEST_SKIP() << "no JDK";
  const TemporaryDirectory directory;
  const auto run_it = [&](const std::string& code, const std::string& question) {
    const auto test =
        read("Java alone\n{ class A { int x; final int[] of; } int[] f = null; n = 1; "
             "0:F=f; 0:N=n; }\nThread0 { " +
             code + " }\n" + question);
    const auto file =
        directory.write(litmus::java::source_file_name(test), litmus::java::plain_source(test));
    const Outcome done = runners::run({.argv = {jvm->java(), file, "2"}, .seconds = 60});
    EXPECT_EQ(describe(done), "exit status 0") << done.error << litmus::java::plain_source(test);
    return done.out;
  };
  const auto all = run_it(
      "int i = N.get(); int[] a = new int[2]; a[1] = 3; int j = a[i].getAndAdd(4); int k = a[1]; "
      "A p = new A { int[] e = new int[1]; e[0] = 8; p.of = e; p.x = 9; }; A[] o = new A[1]; "
      "o[0] = p; A q = o[i - 1].getAndSet(null); int l = q.x; A r = o[0]; int[] s = q.of; "
      "int m = s[0]; byte[] b = new byte[2]; b[i] = (byte) 130; int c = b[1]; "
      "char[] d = new char[1]; boolean[] t = new boolean[1]; "
      "int u = t[0].compareAndSet(false, true); boolean v = t[0]; long[] w = new long[1]; "
      "w[0].setVolatile(5000000000L); int x = w[0].getAcquire() == 5000000000L; F.setRelease(a);",
      "required (0:j=3 /\\ 0:k=7 /\\ 0:q=A.1 /\\ 0:r=null /\\ 0:l=9 /\\ 0:m=8 /\\ 0:c=-126 "
      "/\\ 0:u=1 /\\ 0:v=true /\\ 0:x=1 /\\ f=int[].1)\n");
  EXPECT_NE(all.find("required"), std::string::npos) << all;
  EXPECT_EQ(all.find("exception"), std::string::npos) << all;
  for (const char* code : {"int i = N.get(); int[] a = new int[1]; a[i] = 1;",
                           "int i = N.get(); int[] a = new int[2]; int j = a[0 - i];",
                           "int[] a = F.get(); int j = a[0].getVolatile();"})
    EXPECT_NE(run_it(code, "exists (n=1)\n").find("  an exception: no final state\n"),
              std::string::npos)
        << code;
}

TEST(JcstressObjects, ArraysHaveAVarHandleForEachType) {
  expect_parts(
      source("Java arrays\n{ class A { int x; } A[] f = null; int n; 0:F=f; 0:N=n; }\n"
             "Thread0 { int[] a = new int[2]; A[] b = new A[1]; F.set(b); "
             "int i = N.get(); a[i + 1].setRelease(4); int r = a[0]; "
             "int c = b[0].compareAndSet(null, null); }\nexists (0:r=1 /\\ 0:b=A[].1)\n"),
      {"      INT_ARRAY = MethodHandles.arrayElementVarHandle(int[].class);\n",
       "      A_ARRAY = MethodHandles.arrayElementVarHandle(A_c[].class);\n",
       "      int[] a = new int[2];\n      made1 = a;\n",
       "      A_c[] b = new A_c[1];\n      made2 = b;\n",
       "    INT_ARRAY.setRelease(a, i + 1, 4);\n", "    int r1 = (int) INT_ARRAY.get(a, 0);\n",
       "A_ARRAY.compareAndSet(b, 0, (A_c) null, (A_c) null)",
       "catch (ArithmeticException | NullPointerException | IndexOutOfBoundsException e)"});
}

} // namespace
} // namespace thinair::runners::jcstress
