// Arrays: elements are locations of their own, indices are addresses, exceptions end an execution,
// and what a final field refers to is seen as the constructor left it (JLS 10.4, 15.10, 17.5).
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "oracle/graph/path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace thinair::executions {
namespace {

cat::Plan model(const std::string& name) {
  return cat::load_model(name, graph::Architecture::java);
}

litmus::Test test_of(const std::string& threads, const std::string& outcome) {
  return litmus::parse({"t", "Java T\n{ class A { final int[] of; int[] other; } A f; int[] p; "
                             "int[] q; A[] all; int n; F=f; P=p; Q=q; ALL=all; N=n; }\n" +
                                 threads + "exists (" + outcome + ")\n"});
}

bool allows(const std::string& threads, const std::string& outcome,
            const std::string& name = "java") {
  const auto test = test_of(threads, outcome);
  const auto answer = exists(test, model(name), test.clauses[0].proposition);
  EXPECT_NE(answer, oracle::Answer::unknown) << threads;
  return answer == oracle::Answer::allowed;
}

std::size_t states(const std::string& code) {
  return behaviours(test_of("Thread0 { int i = 0; " + code + " }\n", "0:i=0"), model("java"))
      .behaviours.size();
}

TEST(Arrays, AreFreshAndZero) {
  const std::string one = "Thread0 { int[] a = new int[2]; int[] b = new int[2]; A[] c = new A[1]; "
                          "int i = a[1]; A o = c[0]; a[0] = 1; int j = b[0]; int k = a[1]; "
                          "int[] d = a; d[0] = 2; int l = a[0]; int same = a == b; }\n";
  EXPECT_TRUE(allows(one, "0:i=0 /\\ 0:j=0 /\\ 0:k=0 /\\ 0:l=2 /\\ 0:o=null /\\ 0:same=0"));
  EXPECT_FALSE(allows(one, "0:i!=0 \\/ 0:j!=0 \\/ 0:k!=0 \\/ 0:l!=2 \\/ 0:o!=null \\/ 0:same!=0"));
}

/// JLS 15.10.4, 15.7.4: the reference and the index come first, exceptions behind all operands.
TEST(Arrays, ThrowOutOfBounds) {
  EXPECT_EQ(states("int[] a = new int[2]; i = 1; i = a[i];"), 1U);
  EXPECT_EQ(states("int[] a = new int[2]; i = 2; i = a[i];"), 0U);
  EXPECT_EQ(states("int[] a = new int[2]; i = 0 - 1; i = a[i];"), 0U);
  EXPECT_EQ(states("int[] a = new int[0]; i = a[i];"), 0U);
  EXPECT_EQ(states("int[] a = P.get(); a[i] = 1;"), 0U);
  EXPECT_EQ(states("int[] a = new int[2]; i = 2; a[i].compareAndSet(0, 1);"), 0U);
  EXPECT_EQ(states("int[] a = new int[1]; int[] b = new int[2]; b[1] = 1; i = b[1];"), 1U);
  EXPECT_EQ(states("int[] a = new int[1]; int[] b = new int[2]; a[1] = 1;"), 0U);
}

/// An index that some thread may write ends those executions only in which it is read.
TEST(Arrays, ThrowWhereTheIndexIsRead) {
  const std::string two = "Thread0 { N.set(5); }\nThread1 { int[] a = new int[2]; int i = N.get(); "
                          "a[i] = 7; int r = a[0]; }\n";
  EXPECT_TRUE(allows(two, "1:i=0 /\\ 1:r=7"));
  EXPECT_FALSE(allows(two, "1:i=5"));
}

TEST(Arrays, HaveElementsOfTheirOwn) {
  const std::string racy =
      "Thread0 { int[] a = new int[2]; P.setVolatile(a); a[0] = 1; a[1] = 1; }\n"
      "Thread1 { int[] a = P.getVolatile(); int i = 7; int j = 7; "
      "if (a != null) { i = a[1]; j = a[0]; } }\n";
  EXPECT_TRUE(allows(racy, "1:i=1 /\\ 1:j=0"));
  EXPECT_FALSE(allows(racy, "1:i=1 /\\ 1:j=0", "sc"));
  const std::string ordered =
      "Thread0 { int[] a = new int[2]; P.setVolatile(a); a[0] = 1; a[1].setVolatile(1); }\n"
      "Thread1 { int[] a = P.getVolatile(); int i = 7; int j = 7; "
      "if (a != null) { i = a[1].getVolatile(); j = a[0]; } }\n";
  EXPECT_FALSE(allows(ordered, "1:i=1 /\\ 1:j=0"));
  EXPECT_TRUE(allows(ordered, "1:i=0 /\\ 1:j=0"));
}

TEST(Arrays, AreUpdatedByElement) {
  const std::string both = "Thread0 { int[] a = new int[2]; P.setVolatile(a); "
                           "int i = a[1].compareAndSet(0, 1); int k = a[1].getAndAdd(2); }\n"
                           "Thread1 { int[] a = P.getVolatile(); int i = 7; if (a != null) { "
                           "i = a[1].compareAndSet(0, 2); } }\n";
  EXPECT_FALSE(allows(both, "0:i=1 /\\ 1:i=1"));
  EXPECT_FALSE(allows(both, "0:i=0 /\\ 1:i=0"));
  EXPECT_TRUE(allows(both, "0:i=0 /\\ 1:i=1 /\\ 0:k=2"));
}

/// 17.5: "completely up-to-date … any object or array referenced by those final fields".
TEST(Arrays, AreSeenThroughAFinalField) {
  const auto written = [](const std::string& before, const std::string& after,
                          const std::string& field, const std::string& index = "1") {
    return "Thread0 { A a = new A { int[] e = new int[2]; " + before + " a." + field + " = e; }; " +
           after + " F.set(a); }\nThread1 { A r = F.get(); int k = " + index +
           "; int i = 7; if (r != null) { int[] t = r." + field +
           "; if (t != null) { i = t[k]; } } }\n";
  };
  EXPECT_FALSE(allows(written("e[1] = 4;", "", "of"), "1:i=0"));
  EXPECT_TRUE(allows(written("e[1] = 4;", "", "of"), "1:i=4"));
  EXPECT_FALSE(allows(written("e[1] = 4;", "", "of"), "1:r!=null /\\ 1:i=7"));
  EXPECT_TRUE(allows(written("", "e[1] = 4;", "of"), "1:i=0")); // behind the freeze
  EXPECT_TRUE(allows(written("e[1] = 4;", "", "other"), "1:i=0"));
  EXPECT_TRUE(allows(written("e[1] = 4;", "", "of", "0"), "1:i=0")); // the one that nobody writes
}

/// An object that an element refers to is reached through the array, and so through the field.
TEST(Arrays, LeadFromAFinalFieldToObjects) {
  const auto test = litmus::parse(
      {"t", "Java T\n{ class A { final B[] of; } class B { int x; } A f; F=f; }\n"
            "Thread0 { A a = new A { B[] e = new B[1]; B b = new B(3); e[0] = b; a.of = e; }; "
            "F.set(a); }\n"
            "Thread1 { A r = F.get(); int i = 7; if (r != null) { B[] t = r.of; B s = t[0]; "
            "i = s.x; } }\nforbidden \"a\" (1:i=0)\nrequired \"b\" (1:r!=null)\n"});
  EXPECT_EQ(exists(test, model("java"), test.clauses[0].proposition), oracle::Answer::forbidden);
  EXPECT_EQ(exists(test, model("java"), test.clauses[1].proposition), oracle::Answer::allowed);
}

/// The address of an element is from the reads of the reference and of the index.
TEST(Arrays, DependOnReferenceAndIndexByAddress) {
  const auto test = test_of("Thread0 { int[] a = new int[2]; P.set(a); }\n"
                            "Thread1 { int[] a = P.get(); int i = N.get(); int r = a[i ^ 1]; }\n",
                            "1:r=0");
  const auto paths = graph::paths_of(test.java());
  std::size_t looked_at = 0;
  for (const auto& path : paths.threads[1].paths) {
    ASSERT_EQ(path.events.size(), 3U);
    const auto from = paths.sets[path.events[2].address];
    ASSERT_EQ(from.size(), 2U);
    EXPECT_EQ(from[0], path.events[0].read);
    EXPECT_EQ(from[1], path.events[1].read);
    EXPECT_TRUE(path.branches.empty());
    ++looked_at;
  }
  EXPECT_EQ(looked_at, 2U); // an element each
  EXPECT_EQ(std::ranges::count(paths.location_names, "int[].1[1]"), 1);
}

} // namespace
} // namespace thinair::executions
