// Objects that compiled code makes and looks into: recorded listings and what installed compilers
// make of random programs are lifted and judged; code by hand that no rule knows is refused.
#include "gen/generator.h"
#include "litmus/text/error.h"
#include "litmus/text/file.h"
#include "lower/jit/inside.h"
#include "lower/jit/lift.h"
#include "lower/jit/walk.h"
#include "oracle/cat/model.h"
#include "runners/hardware.h"
#include "runners/jit/capture.h"
#include "runners/jit/jdk.h"
#include "runners/soundness.h"
#include "tests/runners/jit_recordings.h"
#include "tests/runners/target_checks.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace thinair::runners::jit {
namespace {

using lower::jit::Compilation;

litmus::Test read_test(std::string_view text) {
  return litmus::parse({"inside", std::string(text)});
}

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
  std::vector<litmus::Test> out;
  for (const auto text : texts) out.push_back(read_test(text));
  return out;
}
enum class Inside : std::size_t { final_field, handed_over, counted };

std::vector<litmus::Program> programs_of(const std::vector<litmus::Test>& tests) {
  std::vector<litmus::Program> out;
  for (const auto& test : tests) out.push_back(test.java());
  return out;
}

std::vector<Recording> inside_recordings() {
  return {{"x86-17-c2-objects.listing", lower::machine_of("x86"), Compiler::c2},
          {"x86-25-c2-objects.listing", lower::machine_of("x86"), Compiler::c2},
          {"aarch64-25-c2-objects.listing", lower::machine_of("aarch64"), Compiler::c2}};
}

std::vector<Compilation> compilations(const Recording& recording) {
  std::vector<Compilation> out;
  const auto programs = programs_of(recorded_tests());
  for (const auto& captured :
       read_capture(programs, listing_of(recording), recording.machine, recording.compiler))
    out.push_back(compilation_in(captured));
  return out;
}

SoundnessResult judged(const litmus::Test& test, const lower::Lowered& code,
                       lower::Machine machine) {
  const Processor processor(machine, {});
  return check_soundness(test, model("java"), code, "jit",
                         [&](const litmus::Test& asked) { return processor.run(asked, {}); });
}

lower::Lowered lifted(const Compilation& compilation) {
  auto decoder = lower::jit::decoder(compilation.machine);
  return lower::jit::lift(compilation, decoder);
}

class RecordedObjects : public testing::Test {
 protected:
  void SetUp() override {
    if (lower::backend_version().empty()) GTEST_SKIP() << "built without LLVM";
  }
};

TEST_F(RecordedObjects, AreSound) {
  for (const auto& recording : inside_recordings()) {
    SCOPED_TRACE(recording.name);
    const auto tests = recorded_tests();
    const auto all = compilations(recording);
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const auto code = lifted(all.at(i));
      EXPECT_TRUE(code.restoration.traps.empty()) << tests[i].name;
      const auto result = judged(tests[i], code, recording.machine);
      EXPECT_EQ(result.verdict, Soundness::sound) << tests[i].name << result.reason.text;
    }
  }
}

/// The scheme is what C2 is meant to follow; accesses that are opaque and above stay in its order.
TEST_F(RecordedObjects, ShowWhatTheirSchemeShowsNoMoreAndNoLess) {
  for (const auto& recording : inside_recordings()) {
    SCOPED_TRACE(recording.name);
    const auto tests = recorded_tests();
    const auto all = compilations(recording);
    auto scheme =
        lower::Target::named(std::string(lower::info(recording.machine).prefix) + ":hotspot-c2");
    for (const auto which : {Inside::handed_over, Inside::counted}) {
      const auto i = static_cast<std::size_t>(which);
      const auto seen = judged(tests[i], lifted(all.at(i)), recording.machine);
      const auto twin = check(tests[i], scheme, "java");
      ASSERT_EQ(seen.observables, twin.observables);
      EXPECT_EQ(seen.behaviours, twin.behaviours) << tests[i].name;
      EXPECT_GT(seen.behaviours.size(), 2U);
    }
  }
}

TEST_F(RecordedObjects, WithoutTheirFreezeAreCaught) {
  const auto recording = inside_recordings().back();
  auto code = compilations(recording).at(static_cast<std::size_t>(Inside::final_field));
  const auto test = recorded_tests().at(static_cast<std::size_t>(Inside::final_field));
  for (auto& method : code.threads) forget_fences(method, recording.machine);
  EXPECT_EQ(judged(test, lifted(code), recording.machine).verdict, Soundness::unsound);
}

/// A field that is written elsewhere, an object of a `new` that is none of the program's: the first
/// is not what the source computes, the second is not guessed.
TEST_F(RecordedObjects, AreNotLiftedWhereTheyAreNotTheSources) {
  for (const auto& recording : inside_recordings()) {
    SCOPED_TRACE(recording.name);
    const auto all = compilations(recording);
    auto other = all.at(static_cast<std::size_t>(Inside::final_field));
    std::swap(other.fields.at(0).at(0), other.fields.at(0).at(1));
    EXPECT_THROW(lifted(other), Bug);
    auto elsewhere = all.at(static_cast<std::size_t>(Inside::handed_over));
    std::swap(elsewhere.lines.at(0), elsewhere.lines.at(1));
    EXPECT_ANY_THROW(lifted(elsewhere));
    auto unknown = all.at(static_cast<std::size_t>(Inside::handed_over));
    unknown.lines.at(1) += 1000;
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

/// Those that are installed, of all machines.
std::vector<Jdk> installed() {
  std::vector<Jdk> out;
  if (!own_machine() || lower::backend_version().empty()) return out;
  for (const auto& jvm : jcstress::installed_jvms())
    if (jvm.c2) out.push_back(find_jdk(*own_machine(), jvm.name));
  for (auto& jdk : foreign_jdks())
    if (jdk.machine == lower::machine_of("aarch64")) out.push_back(std::move(jdk));
  return out;
}

std::vector<litmus::Test> drawn(const char* profile, std::uint64_t count) {
  gen::Generator generator(gen::load_profile(profile), 20, 0);
  std::vector<litmus::Test> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    out.push_back(read_test("Java T\n{ }\nThread0 { }\nexists (true)\n"));
    out.back().program = generator.next().program;
  }
  return out;
}

/// All that is drawn is lifted, computes what its source does, and stays within `java`.
TEST(InstalledJits, LiftRandomProgramsWithObjects) {
  const auto all = installed();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  for (const auto* profile : {"objects", "final"}) {
    const auto tests = drawn(profile, test::draws(50));
    for (const auto& jdk : all) {
      SCOPED_TRACE(fmt::format("{} {}", lower::info(jdk.machine).prefix, jdk.jvm.version));
      const auto captured = capture(programs_of(tests), jdk, {});
      std::size_t several = 0;
      for (std::size_t i = 0; i < tests.size(); ++i) {
        const auto result = judged(tests[i], lifted(compilation_in(captured[i])), jdk.machine);
        EXPECT_TRUE(result.verdict == Soundness::sound || result.verdict == Soundness::vacuous)
            << litmus::print(tests[i]) << result.reason.text;
        several += result.behaviours.size() > 1 ? 1 : 0;
      }
      EXPECT_TRUE(several >= tests.size() / 2 || tests.size() < 40) << several;
    }
  }
}

TEST(InstalledJits, OfObjectsAreRecorded) {
  const char* part = std::getenv("THINAIR_RECORD_JITS");
  if (part == nullptr) GTEST_SKIP() << "THINAIR_RECORD_JITS is not set";
  for (const auto& recording : inside_recordings()) {
    const std::string name(recording.name);
    if (name.find(part) == std::string::npos) continue;
    const auto first = name.find('-'), second = name.find('-', first + 1);
    const auto jdk = find_jdk(recording.machine, name.substr(first + 1, second - first - 1));
    const auto programs = programs_of(recorded_tests());
    const auto done = printed(programs, jdk, {.compiler = recording.compiler});
    std::ofstream(THINAIR_SOURCE_DIR "/tests/runners/jit/" + name) << shortened(done.listing);
  }
}

} // namespace
} // namespace thinair::runners::jit
