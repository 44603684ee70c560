// Each pass of the reducer: an edit that it alone proposes, and that the reducer needs it for.
#include "gen/measure.h"
#include "gen/reduce.h"
#include "gen/tidy.h"
#include "litmus/test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

namespace thinair::gen {
namespace {

struct Edit {
  std::string_view pass, before, after; // threads; what is before them is the same for all
  std::string_view initial_before = "x = 0;", initial_after = "x = 0;";
};

void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.pass; }

constexpr auto edits = std::to_array<Edit>({
    {"drop-threads", "Thread0 { X.set(1); } Thread1 { int r1 = X.get(); int r2 = X.get(); }",
     "Thread0 { X.set(1); }"},
    {"merge-threads", "Thread0 { X.set(1); } Thread1 { int r1 = X.get(); }",
     "Thread0 { X.set(1); int r1 = X.get(); }"},
    {"drop-statements", "Thread0 { X.set(1); Y.set(1); int r1 = X.get(); int r2 = Y.get(); }",
     "Thread0 { X.set(1); int r1 = X.get(); int r2 = Y.get(); }"},
    {"flatten-branches", "Thread0 { int r1 = X.get(); if (r1 == 1) { Y.set(1); } }",
     "Thread0 { int r1 = X.get(); Y.set(1); }"},
    {"merge-locations", "Thread0 { X.set(1); int r1 = Y.get(); }",
     "Thread0 { X.set(1); int r1 = X.get(); }"},
    {"drop-allocations",
     "Thread0 { Box r1 = new Box { r1.x = 1; }; r1.x = 1; X.set(r1); } Thread1 { Box r1 = X.get(); "
     "int r2 = r1.x; }",
     "Thread0 { X.set(null); } Thread1 { Box r1 = X.get(); int r2 = r1.x; }",
     "class Box { int x; } Box x = null;", "class Box { int x; } Box x = null;"},
    {"drop-fields",
     "Thread0 { Box r1 = new Box { r1.x = 1; r1.y = 1; }; X.set(r1); } Thread1 { Box r1 = X.get(); "
     "int r2 = r1.x; int r3 = r1.y; }",
     "Thread0 { Box r1 = new Box { r1.x = 1; }; X.set(r1); } Thread1 { Box r1 = X.get(); "
     "int r2 = r1.x; }",
     "class Box { int x; int y; } Box x = null;", "class Box { int x; } Box x = null;"},
    {"drop-freezes", "Thread0 { Box r1 = new Box { r1.x = 1; }; X.set(r1); }",
     "Thread0 { Box r1 = new Box { r1.x = 1; }; X.set(r1); }",
     "class Box { final int x; } Box x = null;", "class Box { int x; } Box x = null;"},
    {"ints-for-references", "Thread0 { Box r1 = new Box { r1.x = 1; }; X.set(r1); }",
     "Thread0 { int r1 = 1; X.set(1); Y.set(r1); }", "class Box { int x; } Box x = null;",
     "x = 0;"},
    {"shorten-arrays", "Thread0 { int[] r1 = new int[2]; r1[0] = 1; X.set(r1); }",
     "Thread0 { int[] r1 = new int[1]; r1[0] = 1; X.set(r1); }", "int[] x = null;",
     "int[] x = null;"},
    {"simplify-actions", "Thread0 { int r1 = X.getAndAdd(1); }",
     "Thread0 { int r1 = X.getVolatile(); }"},
    {"drop-results", "Thread0 { int r1 = X.getVolatile(); Y.set(1); }",
     "Thread0 { X.getVolatile(); Y.set(1); }"},
    {"inline-assignments", "Thread0 { int r1 = X.get(); int r2 = r1 + 1; Y.set(r2); }",
     "Thread0 { int r1 = X.get(); Y.set(r1 + 1); }"},
    {"simplify-expressions", "Thread0 { int r1 = X.get(); Y.set(r1 + 2); }",
     "Thread0 { int r1 = X.get(); Y.set(r1); }"},
    {"weaken-modes", "Thread0 { X.setVolatile(1); }", "Thread0 { X.setOpaque(1); }"},
    {"lower-choices", "Thread0 { @2 X.setVolatile(1); }", "Thread0 { X.setVolatile(1); }"},
    {"weaken-fences", "Thread0 { X.set(1); fullFence(); Y.set(1); }",
     "Thread0 { X.set(1); storeStoreFence(); Y.set(1); }"},
    {"rename-constants", "Thread0 { X.set(2); Y.set(2); }", "Thread0 { X.set(1); Y.set(1); }"},
    {"shrink-constants", "Thread0 { X.set(2); X.getAndAdd(2); }",
     "Thread0 { X.set(1); X.getAndAdd(2); }"},
    {"narrow-types", "Thread0 { long r1 = X.get(); }", "Thread0 { int r1 = X.get(); }",
     "long x = 0;", "x = 0;"},
    {"zero-initial-values", "Thread0 { int r1 = X.get(); }", "Thread0 { int r1 = X.get(); }",
     "x = 1;", "x = 0;"},
    {"initial-values-for-writes", "Thread0 { X.set(1); int r1 = X.get(); }",
     "Thread0 { int r1 = X.get(); }", "x = 0;", "x = 1;"},
    {"drop-monitors", "Thread0 { lock(m); X.set(1); unlock(m); }", "Thread0 { X.set(1); }"},
    {"join-sections",
     "Thread0 { lock(m); X.set(1); unlock(m); lock(m); int r1 = Y.get(); unlock(m); }",
     "Thread0 { lock(m); X.set(1); int r1 = Y.get(); unlock(m); }"},
    {"merge-monitors",
     "Thread0 { lock(m); X.set(1); unlock(m); lock(n); int r1 = Y.get(); unlock(n); }",
     "Thread0 { lock(m); X.set(1); unlock(m); lock(m); int r1 = Y.get(); unlock(m); }"},
    {"strength-for-statements", "Thread0 { int r1 = X.get(); acquireFence(); int r2 = Y.get(); }",
     "Thread0 { int r1 = X.getVolatile(); int r2 = Y.get(); }"},
});

litmus::Program program(std::string_view initial, std::string_view threads) {
  return tidy(litmus::parse({"t", "Java t\n{ " + std::string(initial) + " X=x; Y=y; }\n" +
                                      std::string(threads) + "\nexists (y=0)\n"})
                  .java());
}

std::string text(const litmus::Program& program) {
  litmus::Test test;
  test.name = "t";
  test.program = program;
  return litmus::print(test);
}

bool proposes(const Pass& pass, const litmus::Program& before, const litmus::Program& after) {
  return std::ranges::any_of(
      pass.propose(before), [&](const litmus::Program& p) { return text(tidy(p)) == text(after); });
}

TEST(Passes, HaveAnExampleEach) {
  std::set<std::string_view> shown, there;
  for (const auto& edit : edits) shown.insert(edit.pass);
  for (const auto& pass : passes()) there.insert(pass.name);
  EXPECT_EQ(there, shown);
}

class EachPass : public ::testing::TestWithParam<Edit> {};

TEST_P(EachPass, ProposesWhatNoOtherDoes) {
  const auto before = program(GetParam().initial_before, GetParam().before);
  const auto after = program(GetParam().initial_after, GetParam().after);
  EXPECT_LT(measure(after), measure(before));
  for (const auto& pass : passes())
    EXPECT_EQ(proposes(pass, before, after), pass.name == GetParam().pass) << pass.name;
}

/// Where the two programs alone are interesting, the reducer gets from one to the other.
TEST_P(EachPass, IsWhatAReductionNeeds) {
  const auto before = program(GetParam().initial_before, GetParam().before);
  const auto after = program(GetParam().initial_after, GetParam().after);
  const auto reduction = reduce(before, [&](const litmus::Program& p) {
    return text(p) == text(before) || text(p) == text(after) ? Interest::yes : Interest::no;
  });
  EXPECT_EQ(text(reduction.program), text(after));
  EXPECT_EQ(reduction.steps, 1U);
}

INSTANTIATE_TEST_SUITE_P(All, EachPass, ::testing::ValuesIn(edits));

} // namespace
} // namespace thinair::gen
