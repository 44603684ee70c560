// Fields of other types than int in compiled code: recorded listings show what the scheme shows,
// and what installed compilers make of random programs is lifted and judged.
#include "litmus/random.h"
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

/// Every type in one object, constants that a compiler may write at once, and updates.
std::vector<litmus::Test> recorded_tests() {
  constexpr std::string_view texts[] = {
      R"(Java handed_over
{ class A { byte b; long l; short s; char c; boolean z; int i; } A f = null; byte x = 0; 0:F=f; 0:X=x; 1:F=f; 1:X=x; }
Thread0 { A p = new A { p.b.setOpaque(-5); p.l.setOpaque(4294967298L); p.s.setOpaque(-300); p.c.setOpaque(60000); p.z.setOpaque(true); };
  F.setRelease(p); p.b.setOpaque(6); X.setOpaque(-1); }
Thread1 { byte a = X.getAcquire(); A r = F.getAcquire(); byte b = 7; long l = 7L; short s = 7; char c = 7; boolean z = false;
  if (r != null) { b = r.b.getOpaque(); l = r.l.getOpaque(); s = r.s.getOpaque(); c = r.c.getOpaque(); z = r.z.getOpaque(); } }
forbidden "nothing is 0" (1:b=0 \/ 1:l=0 \/ 1:s=0 \/ 1:c=0)
)",
      R"(Java counted
{ class A { byte b; long l; A next; } A f = null; 0:F=f; 1:F=f; }
Thread0 { A p = new A { }; p.next.setVolatile(p); F.setVolatile(p); byte a = p.b.getAndAdd(100); long d = p.l.getAndAdd(-1L); }
Thread1 { A r = F.getVolatile(); A s = r.next.getVolatile(); byte b = s.b.getAndAdd(100);
  int c = s.l.compareAndSet(-1L, 4294967296L); }
forbidden "both are first" (0:a=0 /\ 1:b=0)
)",
      R"(Java packed
{ class A { final byte b; final byte d; final short s; final long l; } A f = null; 0:F=f; 1:F=f; }
Thread0 { A p = new A { p.b = 1; p.d = -2; p.s = 300; p.l = 5L; }; F.set(p); }
Thread1 { A r = F.get(); byte b = 7; byte d = 7; short s = 7; long l = 7L; if (r != null) { b = r.b; d = r.d; s = r.s; l = r.l; } }
forbidden "nothing is 0" (1:b=0 \/ 1:d=0 \/ 1:s=0 \/ 1:l=0)
)"};
  return tests_of(texts);
}
enum class Typed : std::size_t { handed_over, counted, packed };

class RecordedTypedObjects : public test::NeedsLlvm {};

TEST_F(RecordedTypedObjects, AreSound) {
  const auto tests = recorded_tests();
  for (const auto& recording : recordings_of("typed-objects")) {
    SCOPED_TRACE(recording.name);
    const auto all = compilations(recording, tests);
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const auto result = judged(tests[i], lifted(all.at(i)), recording.machine);
      EXPECT_EQ(result.verdict, Soundness::sound) << tests[i].name << result.reason.text;
      EXPECT_GT(result.behaviours.size(), 1U);
    }
  }
}

/// Without the last test: its accesses are plain, and C2 may have them in any order.
TEST_F(RecordedTypedObjects, ShowWhatTheirSchemeShowsNoMoreAndNoLess) {
  auto tests = recorded_tests();
  tests.pop_back();
  expect_what_schemes_show(recordings_of("typed-objects"), tests);
}

TEST_F(RecordedTypedObjects, WithoutTheirFreezeAreCaught) {
  const auto recording = recordings_of("typed-objects").back();
  const auto packed = static_cast<std::size_t>(Typed::packed);
  auto code = compilations(recording, recorded_tests()).at(packed);
  for (auto& method : code.threads) forget_fences(method, recording.machine);
  EXPECT_EQ(judged(recorded_tests()[packed], lifted(code), recording.machine).verdict,
            Soundness::unsound);
}

/// Two bytes that are said to be each other's place, and a byte that is said to be a long.
TEST_F(RecordedTypedObjects, AreNotLiftedWhereFieldsAreNotTheSources) {
  for (const auto& recording : recordings_of("typed-objects")) {
    SCOPED_TRACE(recording.name);
    const auto all = compilations(recording, recorded_tests());
    auto other = all.at(static_cast<std::size_t>(Typed::packed));
    std::swap(other.fields.at(0).at(0), other.fields.at(0).at(1));
    EXPECT_THROW(lifted(other), Bug);
    auto wide = all.at(static_cast<std::size_t>(Typed::counted));
    std::swap(wide.fields.at(0).at(0), wide.fields.at(0).at(1));
    EXPECT_THROW(lifted(wide), Unsupported);
  }
}

/// Whatever the offsets are, as long as no two fields overlap: cells lie where fields do.
TEST(JitObjects, LieInTestsAsTheyLieInAJvm) {
  const auto test = recorded_tests().front();
  const std::vector<unsigned> widths{1, 8, 2, 2, 1, 4};
  litmus::Random random(5);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::size_t> order{0, 1, 2, 3, 4, 5};
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
    lower::jit::Compilation code{lower::machine_of("x86"), test.java(), {}, {}};
    code.lines = {1};
    code.classes = {"A"};
    auto& offsets = code.fields.emplace_back(widths.size());
    std::int64_t end = random.chance(1, 2) ? 8 : 12;
    for (const std::size_t f : order) {
      const std::int64_t bytes = widths[f];
      end = (end + bytes - 1) / bytes * bytes + (random.chance(1, 4) ? bytes : 0);
      offsets[f] = std::exchange(end, end + bytes);
    }
    const auto places = lower::jit::places_of(code);
    const auto fields = lower::jit::fields_of(code);
    const auto cells = lower::jit::cells_of(code, [](std::string_view) { return true; });
    for (std::size_t f = 0; f < widths.size(); ++f) {
      const auto at = litmus::address_of(fields[0][f], cells);
      EXPECT_EQ(static_cast<litmus::Value>(at), places[0].address + offsets[f]);
      EXPECT_EQ(static_cast<unsigned>(cells[fields[0][f].value].type.width), widths[f]);
    }
    offsets[1] = offsets[5] / 8 * 8;
    EXPECT_THROW(lower::jit::places_of(code), Unsupported);
  }
}

TEST(InstalledJits, LiftRandomProgramsWithTypedObjects) {
  const auto all = jdks_with_c2();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  for (const auto& jdk : all) expect_sound(drawn_tests("typed-objects", test::draws(50)), jdk);
}

TEST(InstalledJits, OfTypedObjectsAreRecorded) {
  if (!record(recordings_of("typed-objects"), recorded_tests()))
    GTEST_SKIP() << "THINAIR_RECORD_JITS is not set";
}

} // namespace
} // namespace thinair::runners::jit
