// Arrays in compiled code: recorded listings show what the scheme shows, and what installed
// compilers make of random programs is lifted and judged; loops beside fields and elements.
#include "litmus/text/error.h"
#include "lower/jit/inside.h"
#include "tests/runners/jit_judging.h"
#include "tests/support/draws.h"
#include "tests/support/needs_llvm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace thinair::runners::jit {
namespace {

/// An index that is read, in bounds or not; arrays of two lengths, of references and of bytes; one
/// behind a final field.
std::vector<litmus::Test> recorded_tests() {
  constexpr std::string_view texts[] = {
      R"(Java handed_over
{ int[] f = null; n = 0; 0:F=f; 0:N=n; 1:F=f; 1:N=n; }
Thread0 { int[] a = new int[2]; a[0].setOpaque(1); a[1].setRelease(2); F.setRelease(a); N.setOpaque(1); a[0].setOpaque(3); }
Thread1 { int[] b = F.getAcquire(); int i = N.getOpaque(); int r = 7; if (b != null) { r = b[i].getAndAdd(1); } }
forbidden "nothing is 0" (1:r=0)
)",
      R"(Java out_of_bounds
{ byte[] f = null; n = 0; 0:F=f; 0:N=n; 1:F=f; 1:N=n; }
Thread0 { byte[] a = new byte[2]; a[1].setOpaque(-5); F.setRelease(a); N.setOpaque(3); N.setOpaque(1); }
Thread1 { int i = N.getAcquire(); byte[] b = F.getOpaque(); byte r = b[i].getOpaque(); }
forbidden "an index of no element" (1:i=3)
)",
      R"(Java of_references
{ class A { int x; } A[] f = null; 0:F=f; 1:F=f; 2:F=f; }
Thread0 { A[] a = new A[3]; A p = new A { p.x.setOpaque(1); }; a[2].setOpaque(p); F.setRelease(a); }
Thread1 { A[] b = new A[2]; F.setRelease(b); }
Thread2 { A[] c = F.getAcquire(); A p = null; int r = 7; if (c != null) { p = c[2].getOpaque(); r = p.x.getOpaque(); } }
forbidden "nothing is 0" (2:r=0)
)",
      R"(Java behind_a_final_field
{ class A { final int[] x; } A f = null; 0:F=f; 1:F=f; }
Thread0 { int[] a = null; A p = new A { a = new int[2]; a[1] = 4; p.x = a; }; F.set(p); }
Thread1 { A q = F.get(); int[] b = null; int r = 7; if (q != null) { b = q.x; r = b[1]; } }
forbidden "nothing is 0" (1:r=0)
)",
      R"(Java loop
{ class A { int x; int y; } A f = null; n = 0; 0:F=f; 0:N=n; 1:F=f; 1:N=n; }
Thread0 { A p = new A { }; F.setVolatile(p); int i = 0; while (i < 2) { p.x.setOpaque(i + 1); i = i + 1; } N.setRelease(1); }
Thread1 { int a = N.getAcquire(); A q = F.getVolatile(); int r = 7; if (q != null) { r = q.x.getOpaque(); } }
forbidden "the last of the loop is seen" (1:a=1 /\ 1:r!=2)
)"};
  return tests_of(texts);
}
enum class Arrays : std::size_t {
  handed_over,
  out_of_bounds,
  of_references,
  behind_a_final_field,
  loop,
};

class RecordedArrays : public test::NeedsLlvm {};

TEST_F(RecordedArrays, AreSound) {
  const auto tests = recorded_tests();
  for (const auto& recording : recordings_of("arrays")) {
    SCOPED_TRACE(recording.name);
    const auto all = compilations(recording, tests);
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const auto code = lifted(all.at(i));
      EXPECT_TRUE(code.restoration.traps.empty()) << tests[i].name;
      const auto result = judged(tests[i], code, recording.machine);
      EXPECT_EQ(result.verdict, Soundness::sound) << tests[i].name << result.reason.text;
      EXPECT_GT(result.behaviours.size(), 1U);
    }
  }
}

/// Without the test of plain accesses, which C2 may have in any order.
TEST_F(RecordedArrays, ShowWhatTheirSchemeShowsNoMoreAndNoLess) {
  const auto tests = recorded_tests();
  for (const auto& recording : recordings_of("arrays")) {
    const auto all = compilations(recording, tests);
    for (std::size_t i = 0; i < tests.size(); ++i) {
      if (i == static_cast<std::size_t>(Arrays::behind_a_final_field)) continue;
      SCOPED_TRACE(tests[i].name + " " + std::string(recording.name));
      expect_what_a_scheme_shows(all.at(i), tests[i], recording);
    }
  }
}

TEST_F(RecordedArrays, WithoutTheirFreezeAreCaught) {
  const auto recording = recordings_of("arrays").back();
  const auto place = static_cast<std::size_t>(Arrays::behind_a_final_field);
  auto code = compilations(recording, recorded_tests()).at(place);
  for (auto& method : code.threads) forget_fences(method, recording.machine);
  EXPECT_EQ(judged(recorded_tests()[place], lifted(code), recording.machine).verdict,
            Soundness::unsound);
}

/// Elements that begin elsewhere, arrays of a `new` that is none of the program's, and the two
/// arrays for each other, which have different lengths.
TEST_F(RecordedArrays, AreNotLiftedWhereTheyAreNotTheSources) {
  for (const auto& recording : recordings_of("arrays")) {
    SCOPED_TRACE(recording.name);
    const auto all = compilations(recording, recorded_tests());
    auto elsewhere = all.at(static_cast<std::size_t>(Arrays::handed_over));
    elsewhere.fields.at(0).at(0) += 4;
    EXPECT_ANY_THROW(lifted(elsewhere));
    auto unknown = all.at(static_cast<std::size_t>(Arrays::handed_over));
    unknown.lines.at(0) += 1000;
    EXPECT_THROW(lifted(unknown), Unsupported);
    auto other = all.at(static_cast<std::size_t>(Arrays::of_references));
    std::swap(other.lines.at(0), other.lines.at(2));
    EXPECT_ANY_THROW(lifted(other));
  }
}

TEST(JitObjects, HaveTheElementsOfArraysBehindTheirLength) {
  using lower::jit::elements_of;
  lower::jit::Layout layout;
  layout.result = {16, 12};
  EXPECT_EQ(elements_of({litmus::TypeKind::int_}, layout), (std::vector<std::int64_t>{16, 12}));
  EXPECT_EQ(elements_of({litmus::TypeKind::long_}, layout), (std::vector<std::int64_t>{16, 12}));
  layout.result = {8}; // headers of one word (JEP 450)
  EXPECT_EQ(elements_of({litmus::TypeKind::byte}, layout), (std::vector<std::int64_t>{12, 8}));
  EXPECT_EQ(elements_of({litmus::TypeKind::long_}, layout), (std::vector<std::int64_t>{16, 8}));
  layout.result.clear();
  EXPECT_THROW(elements_of({litmus::TypeKind::int_}, layout), Unsupported);
}

/// All but so many compute what their source does.
void expect_lifted(const std::vector<litmus::Test>& tests, const Jdk& jdk,
                   std::size_t most_refused) {
  SCOPED_TRACE(jdk.jvm.version);
  std::size_t refused = 0;
  for (const auto& captured : capture(programs_of(tests), jdk, {})) {
    try {
      lifted(compilation_in(captured));
    } catch (const Unsupported& lacking) {
      EXPECT_LE(++refused, most_refused) << lacking.what();
    }
  }
}

TEST(InstalledJits, LiftRandomProgramsWithArrays) {
  const auto all = jdks_with_c2();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  const std::uint64_t count = test::draws(50);
  constexpr std::string_view excused[] = {"does not leave a value", "kmov",
                                          "is not as wide as a field"}; // 25 merges stores
  for (const auto& jdk : all) {
    expect_sound(drawn_tests("arrays", count), jdk, Compiler::c2, excused);
    // On x86 C2 loses signs (docs/hotspot-faults.md): programs may be unsound.
    const auto typed = drawn_tests("typed-arrays", count);
    if (jdk.machine == lower::machine_of("x86"))
      expect_lifted(typed, jdk, count / 6);
    else
      expect_sound(typed, jdk, Compiler::c2, excused);
  }
}

TEST(InstalledJits, OfArraysAreRecorded) {
  if (!record(recordings_of("arrays"), recorded_tests()))
    GTEST_SKIP() << "THINAIR_RECORD_JITS is not set";
}

} // namespace
} // namespace thinair::runners::jit
