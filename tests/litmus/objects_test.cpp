// Objects in the language: what is printed reads back, names and types, and who refuses them.
#include "litmus/canonical.h"
#include "litmus/language.h"
#include "litmus/normal.h"
#include "litmus/objects.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "tests/support/random_objects.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace thinair::litmus {
namespace {

litmus::Test read(const std::string& text) { return parse({"t", text}); }

litmus::Test with(const std::string& code, const std::string& question = "") {
  return read("Java T\n{ class A { final int x; B b; } class B { int y; } A p; B q; int n;\n"
              "P=p; Q=q; N=n; }\nThread0 {" +
              code + "}\n" + question);
}

std::string error_of(const std::string& code, const std::string& question = "") {
  try {
    with(code, question);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Objects, WhatIsPrintedReadsBack) {
  Random random(20, 1);
  std::size_t objects = 0;
  for (int i = 0; i < 3000; ++i) {
    litmus::Test test;
    test.name = "T";
    test.program =
        RandomObjects(random,
                      {.threads = 1 + static_cast<std::uint32_t>(i) % 3, .depth = 2, .objects = 6})
            .make();
    const auto text = print(test);
    SCOPED_TRACE(text);
    const litmus::Test again = read(text);
    ASSERT_EQ(print(again), text);
    ASSERT_EQ(content_hash(again.java()), content_hash(test.java()));
    ASSERT_EQ(canonical(again.java()), canonical(test.java()));
    ASSERT_EQ(canonical(canonical(test.java())), canonical(test.java()));
    ASSERT_EQ(again.java().classes, test.java().classes);
    ASSERT_EQ(again.java().objects, test.java().objects);
    for (std::size_t t = 0; t < test.java().threads.size(); ++t)
      ASSERT_EQ(again.java().threads[t], test.java().threads[t]);
    objects += test.java().objects.size();
  }
  EXPECT_GT(objects, 3000U);
}

TEST(Objects, TheHashTellsFinalFromNormalFields) {
  const auto hash = [](const std::string& field) {
    return content_hash(read("Java T\n{ class A { " + field +
                             " } A p; P=p; }\nThread0 { A a = new A(); P.set(a); int r = a.x; }\n")
                            .java());
  };
  EXPECT_NE(hash("int x;"), hash("final int x;"));
  EXPECT_NE(hash("int x;"), hash("int y; int x;"));
  EXPECT_EQ(hash("int x;"), hash("int x ;"));
}

TEST(Objects, AreCountedByClassInTheOrderOfThreads) {
  const auto test = read("Java T\n{ class A { int x; } class B { int y; } }\n"
                         "Thread1 { A a = new A(); B b = new B(); }\n"
                         "Thread0 { B b = new B(); A a = new A(1); A c = new A { a.x = 2; }; }\n"
                         "exists (0:b=B.1 /\\ 0:a=A.1 /\\ 0:c=A.2 /\\ 1:a=A.3 /\\ 1:b=B.2)\n");
  const auto& p = test.java();
  ASSERT_EQ(p.objects.size(), 5U);
  EXPECT_EQ(object_name(p, ObjectId{3}), "A.3");
  EXPECT_EQ(
      to_string(test, {{ThreadId{1}, "a"}, {ThreadId{0}, "a"}, {ThreadId{0}, "b"}}, {4, 0, 1}),
      "1:a=A.3; 0:a=null; 0:b=B.1");
  EXPECT_NE(print(test).find("(0:b=B.1 /\\ 0:a=A.1 /\\ 0:c=A.2 /\\ 1:a=A.3 /\\ 1:b=B.2)"),
            std::string::npos);
}

TEST(Objects, AConstructorInParenthesesIsOneInBraces) {
  EXPECT_EQ(with("B b = new B(3); A a = new A(N.get() + 1, b);").java(),
            with("B b = new B { b.y = 3; }; A a = new A { a.x = N.get() + 1; a.b = b; };").java());
}

TEST(Objects, HaveATypeEverywhere) {
  const auto says = [](const std::string& code, const std::string& what,
                       const std::string& question = "") {
    const auto said = error_of(code, question);
    EXPECT_NE(said.find(what), std::string::npos) << code << question << "\n" << said;
  };
  says("int r = P.get();", "expected an int, found a reference to `A`");
  says("A r = 1;", "expected a reference to `A`, found an int");
  says("A r = Q.get();", "expected a reference to `A`, found a reference to `B`");
  says("A r = null; int s = r == 0;",
       "expected two values of one type, found a reference to `A` and an int");
  says("A r = null; B t = null; int s = r == t;",
       "found a reference to `A` and a reference to `B`");
  says("A r = null; int s = r + 1;", "expected two ints around `+`");
  says("A r = null; if (r) {}", "expected an int, found a reference to `A`");
  says("A r = null; print(r);", "expected an int, found a reference to `A`");
  says("P.set(7);", "expected a reference to `A`, found an int");
  says("A r = P.getAndAdd(null);", "expected a method that references have");
  says("A r = null; int r = 1;", "which is one for `A`");
  says("r = null;", "expected a value whose type is known");
  says("int r = 0; int s = r.x;", "expected a reference before `.`");
  says("A r = null; int s = r.z;", "expected a field of `A`, found `z`");
  says("A r = null; int s = r.b.y;", "read the reference into a register");
  says("A r = new A(); r.x = 1;", "as `x` is final");
  says("A r = new A { r.x.setVolatile(1); };",
       "expected an access that only reads the final field `x`");
  says("A r = new A { r = null; };", "expected a register whose object is complete");
  says("A r = new A(1);", "expected 2 values, one for each field of `A`");
  says("A r = null; r = new A(r.x, null);", "without the register that is assigned");
  says("A r = new C();", "expected a class, found `C`");
  says("int s = new A();", "found a reference to `A`");
  says("A r = null;", "expected `null`, or another reference", "exists (0:r=1)");
  says("A r = new A();", "expected `null`, A.1, found `A.2`", "exists (0:r=A.2)");
  says("A r = null; B s = null;", "expected a value of type `A`, found one of `B`",
       "exists (0:r=0:s)");
}

TEST(Objects, AreRefusedByName) {
  const auto test = with("A r = new A();");
  EXPECT_THROW(for_herd(test), Unsupported);
  try {
    refuse_objects(test.java(), "in lowered code");
    FAIL();
  } catch (const Unsupported& no) {
    EXPECT_NE(std::string(no.what()).find("objects in lowered code"), std::string::npos);
  }
}

TEST(ObjectsPage, ExamplesAreTestsInTheLayoutOfThePrinter) {
  std::ifstream file(std::string(THINAIR_SOURCE_DIR) + "/docs/objects.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  std::size_t examples = 0;
  for (auto at = page.find("```\nJava "); at != std::string::npos;
       at = page.find("```\nJava ", at + 1)) {
    const auto example = page.substr(at + 4, page.find("```", at + 4) - at - 4);
    EXPECT_EQ(print(read(example)), example);
    ++examples;
  }
  EXPECT_EQ(examples, 2U);
}

} // namespace
} // namespace thinair::litmus
