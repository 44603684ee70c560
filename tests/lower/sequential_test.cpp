// What a thread does alone: whether it ends.
#include "gen/generator.h"
#include "litmus/test.h"
#include "lower/prepare.h"
#include "lower/sequential.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <string>

namespace thinair::lower {
namespace {

bool ends(const std::string& text, unsigned times) {
  constexpr std::uint32_t rounds = 64;
  return ends_alone(prepared(litmus::parse({"t", "Java t\n" + text}).java(), rounds), times);
}

TEST(EndsAlone, NotWhoWaitsForAnother) {
  EXPECT_FALSE(ends("{ X=x; }\nThread0 { while (X.get() == 0) { } }\nThread1 { X.set(1); }\n", 0));
  EXPECT_FALSE(
      ends("{ class A { int f; } A p = null; P=p; }\n"
           "Thread0 { A a = new A(); int r = 0; do { r = a.f.getOpaque(); } while (r == 0); }\n",
           0));
  EXPECT_TRUE(
      ends("{ X=x; }\nThread0 { int r = 0; do { r = X.getAndAdd(1); } while (r < 5); }\n", 4));
}

/// A second call finds what the first one left.
TEST(EndsAlone, NotWhoWaitsForWhatACallBeforeHasTakenAway) {
  const std::string once = "{ X=x; }\nThread0 { while (X.get() != 0) { } X.set(1); }\n";
  EXPECT_TRUE(ends(once, 0));
  EXPECT_TRUE(ends(once, 1));
  EXPECT_FALSE(ends(once, 2));
  const std::string each_other = "{ class A { int f; } A p = null; P=p; }\n"
                                 "Thread0 { A a = new A { a.f = 1; }; P.set(a); }\n"
                                 "Thread1 { A b = P.get(); int r = 0; if (b != null) {\n"
                                 "  do { r = b.f; } while (r == 1); } }\n";
  EXPECT_TRUE(ends(each_other, 0));
  EXPECT_FALSE(ends(each_other, 1));
}

/// Null and an index that is out of bounds end a thread, within a loop as well.
TEST(EndsAlone, WhoThrows) {
  EXPECT_TRUE(ends("{ class A { int f; } A p = null; P=p; }\n"
                   "Thread0 { A a = P.get(); int r = 0; while (r == 0) { r = a.f; } }\n",
                   0));
  EXPECT_TRUE(ends("{ X=x; }\nThread0 { int[] a = new int[2]; int r = 0; int i = 0;\n"
                   "  while (r == 0) { r = a[i]; i = i + 1; } }\n",
                   4));
}

/// Whoever has no loop ends.
TEST(EndsAlone, WhoeverHasNoLoop) {
  for (const char* name : {"varhandle", "objects", "arrays", "widths"}) {
    gen::Generator drawn(gen::load_profile(name), 7, 0);
    for (std::uint64_t i = 0; i < test::draws(50); ++i)
      EXPECT_TRUE(ends_alone(prepared(drawn.next().program, 2), 3)) << name << i;
  }
}

} // namespace
} // namespace thinair::lower
