// Objects that compiled code makes and looks into: recorded listings and what installed compilers
// make of random programs are lifted and judged; code by hand that no rule knows is refused.
#include "litmus/text/error.h"
#include "lower/jit/inside.h"
#include "lower/jit/walk.h"
#include "tests/runners/jit_judging.h"
#include "tests/support/draws.h"
#include "tests/support/needs_llvm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace thinair::runners::jit {
namespace {

/// JLS 17.5's example; what is handed over in order; two threads that count in one object.
std::vector<litmus::Test> recorded_tests() {
  constexpr std::string_view texts[] = {
      R"(Java final_field
{ class A { final int x; int y; } A f = null; 0:F=f; 1:F=f; }
Thread0 { A p = new A { p.x = 3; p.y = 4; }; F.set(p); }
Thread1 { A r = F.get(); int i = 7; int j = 0; if (r != null) { i = r.x; j = r.y; } }
forbidden "x is 0" (1:i=0)
)",
      R"(Java handed_over
{ class B { int y; } class A { int x; B b; } A f = null; 0:F=f; 1:F=f; }
Thread0 { B q = new B { q.y.setOpaque(1); }; A p = new A { p.x.setOpaque(2); p.b.setOpaque(q); };
  F.setRelease(p); p.x.setOpaque(3); }
Thread1 { A r = F.getAcquire(); int i = 7; int j = 7;
  if (r != null) { i = r.x.getOpaque(); B s = r.b.getOpaque(); j = s.y.getOpaque(); } }
forbidden "nothing is 0" (1:i=0 \/ 1:j=0)
)",
      R"(Java counted
{ class A { int x; A next; } A f = null; 0:F=f; 1:F=f; }
Thread0 { A p = new A { }; p.next.setVolatile(p); F.setVolatile(p); int a = p.x.getAndAdd(1); }
Thread1 { A r = F.getVolatile(); A s = r.next.getVolatile(); int b = s.x.getAndAdd(1);
  int c = s.x.compareAndSet(1, 5); int same = r == s; }
forbidden "both are first" (0:a=0 /\ 1:b=0)
)"};
  return tests_of(texts);
}
enum class Inside : std::size_t { final_field, handed_over, counted };

class RecordedObjects : public test::NeedsLlvm {};

TEST_F(RecordedObjects, AreSound) {
  for (const auto& recording : recordings_of("objects")) {
    SCOPED_TRACE(recording.name);
    const auto tests = recorded_tests();
    const auto all = compilations(recording, recorded_tests());
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const auto code = lifted(all.at(i));
      EXPECT_TRUE(code.restoration.traps.empty()) << tests[i].name;
      const auto result = judged(tests[i], code, recording.machine);
      EXPECT_EQ(result.verdict, Soundness::sound) << tests[i].name << result.reason.text;
    }
  }
}

/// Accesses that are opaque and above stay in the scheme's order; the first test has plain ones.
TEST_F(RecordedObjects, ShowWhatTheirSchemeShowsNoMoreAndNoLess) {
  expect_what_schemes_show(recordings_of("objects"), recorded_tests(),
                           static_cast<std::size_t>(Inside::handed_over));
}

TEST_F(RecordedObjects, WithoutTheirFreezeAreCaught) {
  const auto test = recorded_tests().at(static_cast<std::size_t>(Inside::final_field));
  for (const auto& recording : recordings_of("objects")) {
    if (recording.machine == lower::machine_of("x86")) continue; // where no freeze is needed
    SCOPED_TRACE(recording.name);
    auto code =
        compilations(recording, recorded_tests()).at(static_cast<std::size_t>(Inside::final_field));
    for (auto& method : code.threads) forget_fences(method, recording.machine);
    EXPECT_EQ(judged(test, lifted(code), recording.machine).verdict, Soundness::unsound);
  }
}

/// A field that is written elsewhere, an object of a `new` that is none of the program's: the first
/// is not what the source computes, the second is not guessed.
TEST_F(RecordedObjects, AreNotLiftedWhereTheyAreNotTheSources) {
  for (const auto& recording : recordings_of("objects")) {
    SCOPED_TRACE(recording.name);
    const auto all = compilations(recording, recorded_tests());
    auto other = all.at(static_cast<std::size_t>(Inside::final_field));
    std::swap(other.fields.at(0).at(0), other.fields.at(0).at(1));
    EXPECT_THROW(lifted(other), Bug);
    auto elsewhere = all.at(static_cast<std::size_t>(Inside::handed_over));
    std::swap(elsewhere.lines.at(0), elsewhere.lines.at(1));
    std::swap(elsewhere.classes.at(0), elsewhere.classes.at(1));
    EXPECT_ANY_THROW(lifted(elsewhere));
    auto unknown = all.at(static_cast<std::size_t>(Inside::handed_over));
    unknown.lines.at(1) += 1000;
    unknown.classes.at(0) += "1"; // Graal's compiler says no lines
    try {
      lifted(unknown);
      ADD_FAILURE() << "which object it is was guessed";
    } catch (const Unsupported& lacking) {
      EXPECT_TRUE(std::string_view(lacking.what())
                      .starts_with("unsupported: an object of another `new` in compiled code"))
          << lacking.what();
    }
  }
}

/// Where the listing has no line, an object is known by its class only if the thread has one `new`
/// of it.
TEST_F(RecordedObjects, OfOneClassAreNotToldApartByGraal) {
  for (const auto& recording : recordings_of("objects")) {
    if (recording.compiler != Compiler::graal) continue;
    auto code =
        compilations(recording, recorded_tests()).at(static_cast<std::size_t>(Inside::handed_over));
    code.classes.at(0) = code.classes.at(1);
    try {
      lifted(code);
      ADD_FAILURE() << "which object it is was guessed";
    } catch (const Unsupported& lacking) {
      EXPECT_TRUE(std::string_view(lacking.what())
                      .starts_with("unsupported: an object of one of several `new` of its class"))
          << lacking.what();
    }
  }
}

TEST(JitObjects, AreMadeInTheLineOfTheInnermostFrame) {
  using lower::jit::line_of_new;
  EXPECT_EQ(line_of_new("{runtime_call} ;*new {reexecute=0} ; - A::<init>@5 (line 12) ; - "
                        "Batch::m_0_0@4 (line 30)"),
            12U);
  EXPECT_EQ(line_of_new(";*new {reexecute=0} ; - Batch::m_0_0@4"), 0U);
  EXPECT_EQ(
      line_of_new(";*new {reexecute=0} ; - java.util.Objects::requireNonNull@4 (line 209) ; - "
                  "Batch::m_0_0@4 (line 30)"),
      0U);
  EXPECT_EQ(line_of_new(";*putfield x {reexecute=1} ; - Batch::m_0_0@4 (line 30)"), 0U);
}

/// `mov $REQUEST, %esi` and the call of a trap, in code that has objects: whether it leaves the
/// mark of code that goes on in the interpreter.
bool is_left_for_the_interpreter(std::int32_t request) {
  lower::jit::Layout layout{{12}, {12}};
  layout.objects.resize(1);
  std::vector<std::uint8_t> code{0xBE, 0, 0, 0, 0, 0xE8, 0, 0, 0, 0};
  for (std::size_t i = 0; i < 4; ++i)
    code[1 + i] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(request) >> (8 * i));
  const lower::jit::Method method{
      "m", "c2", 4, 0, code, 0, {{4, "{runtime_call UncommonTrapBlob}"}}, {"rsi:rsi", "rdx:rdx"}};
  const auto machine = lower::machine_of("x86");
  auto decoder = lower::jit::decoder(machine);
  const auto steps = lower::jit::walk(method, machine, layout, decoder);
  return std::ranges::any_of(steps, [&](const lower::jit::Step& step) {
    return step.cell == lower::jit::trap_cell(layout);
  });
}

/// Of a request the bits say, turned over, an action and a reason: 1 is null, 3 an index, 8 is
/// unstable_if.
TEST_F(RecordedObjects, EndInAnExceptionByTrapsOfNullAndIndicesAlone) {
  EXPECT_FALSE(is_left_for_the_interpreter(~((1 << 3) | 1)));
  EXPECT_FALSE(is_left_for_the_interpreter(~((1 << 3) | 2)));
  EXPECT_FALSE(is_left_for_the_interpreter(~((3 << 3) | 1))); // an index that is out of bounds
  EXPECT_TRUE(is_left_for_the_interpreter(~((8 << 3) | 1)));
  EXPECT_TRUE(is_left_for_the_interpreter(~((9 << 3) | 1)));
  EXPECT_TRUE(is_left_for_the_interpreter(~((33 << 3) | 1)));
  EXPECT_TRUE(is_left_for_the_interpreter(40)); // something that is not loaded
}

TEST(InstalledJits, LiftRandomProgramsWithObjects) {
  const auto all = jdks_with_c2();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  for (const auto* profile : {"objects", "final"})
    for (const auto& jdk : all) expect_sound(drawn_tests(profile, test::draws(50)), jdk);
}

/// compareAndExchange and its relatives are calls of the VM there.
TEST(InstalledJits, LiftRandomProgramsWithObjectsOfC1) {
  const auto all = jdks_with_c2();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  constexpr std::string_view excused[] = {"compareAndExchange"};
  for (const auto* profile : {"objects", "final"})
    for (const auto& jdk : all)
      expect_sound(drawn_tests(profile, test::draws(25)), jdk, Compiler::c1, excused);
}

/// There two `new` of one class in a thread are one too many, and so is a class of what may be null
/// as well.
TEST(InstalledJits, LiftRandomProgramsOfGraal) {
  auto all = jdks_with_c2();
  std::erase_if(
      all, [](const Jdk& jdk) { return jdk.machine != own_machine() || jdk.jvm.graal.empty(); });
  if (all.empty()) GTEST_SKIP() << "no JDK with Graal's compiler";
  constexpr std::string_view excused[] = {"a comparison of what is no number", "of one of several",
                                          "did not compile", "(%rip)"};
  for (const auto* profile : {"objects", "final", "widths"})
    for (const auto& jdk : all)
      expect_sound(drawn_tests(profile, test::draws(20)), jdk, Compiler::graal, excused);
}

/// Updates of bytes are loops over words there.
TEST(InstalledJits, LiftRandomProgramsOfRiscv) {
  auto all = lower::backend_version().empty() ? std::vector<Jdk>{} : foreign_jdks();
  std::erase_if(all, [](const Jdk& jdk) { return jdk.machine != lower::machine_of("riscv"); });
  if (all.empty()) GTEST_SKIP() << "no JDK for RISC-V";
  constexpr std::string_view excused[] = {"compareAndExchange", "is not as wide as its field",
                                          "code: andi", "more cells"};
  for (const auto* profile : {"objects", "final", "widths"})
    for (const auto compiler : {Compiler::c1, Compiler::c2})
      expect_sound(drawn_tests(profile, test::draws(20)), all.front(), compiler, excused);
}

TEST(InstalledJits, OfObjectsAreRecorded) {
  if (!record(recordings_of("objects"), recorded_tests()))
    GTEST_SKIP() << "THINAIR_RECORD_JITS is not set";
}

} // namespace
} // namespace thinair::runners::jit
