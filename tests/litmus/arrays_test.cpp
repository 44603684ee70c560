// Arrays in the language: what is printed reads back, names and types, what is refused and where.
#include "litmus/canonical.h"
#include "litmus/language.h"
#include "litmus/normal.h"
#include "litmus/objects.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/typed.h"
#include "tests/support/draws.h"
#include "tests/support/random_objects.h"

#include <gtest/gtest.h>

#include <string>

namespace thinair::litmus {
namespace {

litmus::Test read(const std::string& text) { return parse({"t", text}); }

litmus::Test with(const std::string& code, const std::string& question = "") {
  return read("Java T\n{ class A { int x; final int[] of; } int[] p; A[] q = null; int n;\n"
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

TEST(Arrays, WhatIsPrintedReadsBack) {
  Random random(20, 2);
  std::size_t arrays = 0;
  for (std::uint64_t i = 0; i < test::draws(3000); ++i) {
    litmus::Test test;
    test.name = "T";
    test.program = RandomObjects(random, {.threads = 1 + static_cast<std::uint32_t>(i) % 3,
                                          .depth = 2,
                                          .objects = 6,
                                          .arrays = true})
                       .make();
    const auto text = print(test);
    SCOPED_TRACE(text);
    ASSERT_TRUE(well_typed(test.java()));
    const litmus::Test again = read(text);
    ASSERT_EQ(print(again), text);
    ASSERT_EQ(again.java(), test.java());
    ASSERT_EQ(content_hash(again.java()), content_hash(test.java()));
    ASSERT_EQ(canonical(canonical(test.java())), canonical(test.java()));
    ASSERT_TRUE(is_normal(normalise(test.java())));
    for (const Object& object : test.java().objects) arrays += object.length > 0 ? 1 : 0;
  }
  EXPECT_GT(arrays, test::draws(3000) / 2);
}

TEST(Arrays, AreReadInEverySpelling) {
  const auto test =
      with("int[] a = new int[3]; int i = 1; a[0] = 7; a[i + 1] = a[0]; int r = a[i];\n"
           "a[a[i]].setVolatile(2); r = a[2].compareAndExchange(0, 1); P.set(a);\n"
           "A[] b = new A[1]; A c = b[0]; b[0] = null; int[] d = P.get(); d = c.of;\n"
           "byte[] e = new byte[2]; e[0] = 5; a[3 - 1].getAndAdd(1);");
  EXPECT_TRUE(well_typed(test.java()));
  const auto text = print(test);
  for (const auto* part :
       {"int[] a = new int[3];", "a[i + 1] = a[0];", "int r = a[i];", "a[a[i]].setVolatile(2);",
        "r = a[2].compareAndExchange(0, 1);", "A c = b[0];", "b[0] = null;", "A[] b = new A[1];",
        "byte[] e = new byte[2];", "a[3 - 1].getAndAdd(1);", "int[] p = null;", "A[] q = null;",
        "final int[] of;"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(read(text).java(), test.java());
}

/// Array types have no row in the text; their order in the program follows from their elements.
TEST(Arrays, HaveTypesWhoseOrderIsTheirElements) {
  const auto names = [](const Program& program) {
    std::string all;
    for (const Class& each : program.classes) all += each.name + " ";
    return all;
  };
  EXPECT_EQ(names(read("Java T\n{ class A { int x; } class B { long[] y; } B[] p; P=p; }\n"
                       "Thread0 { A[] a = null; int[] i = null; B[] b = P.get(); B c = b[0];\n"
                       "byte[] u = null; }\n")
                      .java()),
            "A B int[] A[] B[] byte[] long[] ");
}

TEST(Arrays, HaveAHashOfTheirOwn) {
  const auto hash = [](const std::string& code) { return content_hash(with(code).java()); };
  EXPECT_NE(hash("int[] a = new int[2]; P.set(a);"), hash("int[] a = new int[3]; P.set(a);"));
  EXPECT_NE(hash("int[] a = new int[2]; P.set(a); int r = a[0];"),
            hash("int[] a = new int[2]; P.set(a); int r = a[1];"));
  EXPECT_NE(hash("int[] a = P.get(); int i = 0; int r = a[i];"),
            hash("int[] a = P.get(); int i = 0; int r = a[0];"));
  EXPECT_EQ(hash("int[] a = P.get(); int r = a[0];"), hash("int[] b = P.get(); int s = b[0];"));
}

TEST(Arrays, AreNamedInQuestions) {
  const auto test = read("Java T\n{ int[] p; P=p; }\n"
                         "Thread1 { int[] a = P.get(); }\n"
                         "Thread0 { int[] a = new int[1]; int[] b = new int[2]; P.set(b); }\n"
                         "exists (1:a=int[].2 /\\ 0:a!=int[].2 /\\ [p]=int[].2)\n");
  EXPECT_EQ(object_name(test.java(), ObjectId{1}), "int[].2");
  EXPECT_EQ(place_name(test.java(), ObjectId{1}, 1), "int[].2[1]");
  EXPECT_NE(print(test).find("(1:a=int[].2 /\\ 0:a!=int[].2 /\\ [p]=int[].2)"), std::string::npos)
      << print(test);
  EXPECT_EQ(print(read(print(test))), print(test));
  EXPECT_EQ(to_string(test, {{ThreadId{1}, "a"}, {ThreadId{0}, "a"}}, {2, 0}),
            "1:a=int[].2; 0:a=null");
}

TEST(Arrays, HaveATypeEverywhere) {
  const auto says = [](const std::string& code, const std::string& what,
                       const std::string& question = "") {
    const auto said = error_of(code, question);
    EXPECT_NE(said.find(what), std::string::npos) << code << question << "\n" << said;
  };
  says("int r = P.get();", "expected an int, found a reference to `int[]`");
  says("int[] r = Q.get();", "expected a reference to `int[]`, found a reference to `A[]`");
  says("int[] r = new byte[2];", "expected a reference to `int[]`, found a reference to `byte[]`");
  says("int[] r = null; int s = r[null];", "expected an int, found `null`");
  says("int[] r = null; long l = 1L; int s = r[l];", "expected an int, found a long");
  says("int[] r = null; r[0] = null;", "expected an int, found `null`");
  says("A[] r = null; r[0] = 1;", "expected a reference to `A`, found an int");
  says("A[] r = null; int s = r[0].x;", "expected an access method, found `x`");
  says("A[] r = null; int s = r[0][0];", "read the reference into a register before its element");
  says("A[] r = null; int s = r[0].getAndAdd(null);", "expected a method that references have");
  says("int[] r = null; int s = r.length;", "the length of an array is that of its `new`");
  says("int[] r = null; int s = r.x;", "as `r[0]`");
  says("int r = 0; int s = r[0];", "expected an array before `[`");
  says("int s = r[0];", "expected a register that was assigned before, found `r`");
  says("P[0] = 1;", "`P` is a VarHandle");
  says("r[0] = 1;", "expected a register that was assigned before, found `r`");
  says("int[] r = new int[-1];", "expected a length that is not negative");
  says("int n = 2; int[] r = new int[n];", "expected a length, found `n`");
  says("int[] r = new int[63];", "expected a length up to 62");
  says("int[] r = new int[2][2];", "elements are values, or references");
  says("int[][] r = null;", "elements are values, or references");
  says("int[] r = new int[2] { r[0] = 1; };", "write them one by one");
  says("int[] r = new C[2];", "expected a type of elements, found `C`");
  says("int[] r = new int[2]; r[2] = 1;", "found 2, which is out of bounds of each `int[]`");
  says("int[] r = new int[0]; int s = r[0];", "found 0, which is out of bounds");
  says("int[] r = null; int s = r[-1];", "found -1, which is out of bounds");
  says("int[] r = new int[2]; int s = r[0].set(1);", "which returns none");
  says("int[] r = new int[2]; r[0].set();", "expected 1 argument of `set`, found 0");
  says("int[] r = new int[2]; r[0] + 1;", "expected `=`, or `.` and an access method");
  says("int[] r = new int[2]; if (r) {}", "expected an int, found a reference to `int[]`");
  says("int[] r = new int[2];", "expected `null`, int[].1, found `int[].2`",
       "exists (0:r=int[].2)");
  says("float f = 1.0f; int[] r = null; int s = r[f];", "expected an int, found a float");
  EXPECT_EQ(error_of("int[] r = new int[2]; int[] s = new int[3]; s[2] = 1; r[1] = 1;"), "");
  EXPECT_EQ(error_of("int[] r = P.get(); r[7] = 1;"), ""); // null whatever happens
}

TEST(Arrays, AreRefusedByName) {
  const auto test = with("int[] r = new int[1];");
  try {
    for_herd(test);
    FAIL();
  } catch (const Unsupported& no) {
    EXPECT_STREQ(no.what(), "unsupported: arrays in herd7");
  }
}

TEST(Arrays, StandInJson) {
  const auto test = with("int[] r = new int[2]; r[1].setRelease(4);");
  const auto json = java_language.json(test);
  for (
      const auto* part :
      {R"("object":"int[].1","body":[],"length":2)",
       R"("object":"r","index":{"op":"constant","value":1},"arguments":[{"op":"constant","value":4}])",
       R"("name":"p","initial":0,"final":false,"type":"int[]")"})
    EXPECT_NE(json.find(part), std::string::npos) << part << "\n" << json;
}

} // namespace
} // namespace thinair::litmus
