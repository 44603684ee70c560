// Values of other types than int in compiled code: recorded listings show what the scheme shows,
// what an access of another width does is refused, and installed compilers are sound.
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "lower/jit/walk.h"
#include "machine/x86/code/jit_vectors.h"
#include "runners/jit/capture.h"
#include "tests/runners/jit_judging.h"
#include "tests/support/draws.h"
#include "tests/support/needs_llvm.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace thinair::runners::jit {
namespace {

/// Every type, in accesses that are opaque and above, so that C2 keeps their order.
std::vector<litmus::Test> recorded_types() {
  constexpr std::string_view texts[] = {
      R"(Java narrow
{ byte x = -1; short y = 5; char z = 65535; boolean w = true; 0:X=x; 0:Y=y; 0:Z=z; 0:W=w; 1:X=x; 1:Y=y; 1:Z=z; 1:W=w; }
Thread0 { X.setOpaque(127); Y.setRelease(-300); byte a = X.getAndAddAcquire(3); boolean b = W.getAndSet(false); }
Thread1 { short c = Y.getAcquire(); byte d = X.getOpaque(); Z.setVolatile(60000); char e = Z.getOpaque(); int f = X.compareAndSet(-126, 1); }
exists (true)
)",
      R"(Java wide
{ long x = -1L; y = -7; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 { X.setVolatile(4294967298L); int a = Y.getVolatile(); }
Thread1 { Y.setVolatile(3); long b = X.getVolatile(); long c = X.getAndAdd(1L); long d = Y.getOpaque(); }
exists (true)
)",
      R"(Java exchanged
{ byte x = -1; 0:X=x; 1:X=x; }
Thread0 { int a = X.compareAndExchange(2, 1); }
Thread1 { X.setOpaque(2); byte b = X.getOpaque(); byte c = X.getAndSet(-3); }
exists (0:a=255)
)",
      R"(Java written
{ byte x = 0; short y = 0; X=x; Y=y; }
Thread0 { X.setOpaque(-1); int a = X.compareAndExchange(2, 1); Y.setOpaque(-300); short b = Y.compareAndExchange(-5, 7); }
Thread1 { X.setOpaque(2); }
exists (0:a=255)
)"};
  return tests_of(texts);
}

constexpr std::size_t exchanged = 2; // of these, from where on C2 for x86 loses a sign

/// What C1 does by one access each; updates of bytes and shorts are loops over the word around them
/// there, which are unsupported.
std::vector<litmus::Test> recorded_moves() {
  constexpr std::string_view texts[] = {
      R"(Java narrow_moves
{ byte x = -1; short y = 5; char z = 65535; boolean w = true; 0:X=x; 0:Y=y; 0:Z=z; 0:W=w; 1:X=x; 1:Y=y; 1:Z=z; 1:W=w; }
Thread0 { X.setVolatile(-128); Y.setRelease(-300); char a = Z.getVolatile(); boolean b = W.getAcquire(); }
Thread1 { W.setVolatile(false); short c = Y.getAcquire(); byte d = X.getOpaque(); Z.setOpaque(60000); }
exists (true)
)",
      R"(Java wide_moves
{ long x = -1L; long z = 0L; y = -7; 0:X=x; 0:Y=y; 0:Z=z; 1:X=x; 1:Y=y; 1:Z=z; }
Thread0 { X.setVolatile(4294967298L); int a = Y.getVolatile(); Z.setOpaque(5L); }
Thread1 { Y.setVolatile(3); long b = X.getVolatile(); long c = X.getAndAdd(1L); long d = Z.getOpaque(); int e = Z.compareAndSet(5L, -5L); }
exists (true)
)"};
  return tests_of(texts);
}

class RecordedTypes : public test::NeedsLlvm {};

TEST_F(RecordedTypes, ShowWhatTheirSchemeShowsNoMoreAndNoLess) {
  auto tests = recorded_types();
  tests.resize(exchanged);
  auto recordings = recordings_of("types");
  expect_what_schemes_show(recordings, tests);
}

TEST_F(RecordedTypes, OfC1ShowWhatTheirSchemeShowsNoMoreAndNoLess) {
  expect_what_schemes_show(recordings_of("moves"), recorded_moves());
}

/// Without its barriers, C1's code lets volatile accesses pass each other, whatever their widths.
TEST_F(RecordedTypes, OfC1WithoutTheirFencesAreCaught) {
  const auto test = recorded_moves().back();
  for (const auto& recording : recordings_of("moves")) {
    SCOPED_TRACE(recording.name);
    auto code = compilations(recording, recorded_moves()).back();
    for (auto& method : code.threads) forget_fences(method, recording.machine);
    EXPECT_EQ(judged(test, lifted(code), recording.machine).verdict, Soundness::unsound);
  }
}

/// A register that the code names stands for no vector register's number.
TEST_F(RecordedTypes, GoThroughRegistersThatTheCodeLeavesAlone) {
  const auto machine = lower::machine_of("x86");
  auto backend = lower::jit::decoder(machine);
  const auto through = [&](const std::string& before) {
    auto functions = backend.disassemble(
        backend.assemble(".type f,@function\nf:\n" + before +
                         "vmovsd 16(%rsi), %xmm1\nvmovq %xmm1, %rbx\nret\n.size f, .-f\n"));
    auto& function = functions.at(0);
    lower::jit::x86_code::leave_vectors(function);
    const auto& load = function.code.at(function.code.size() - 3);
    const auto& move = function.code.at(function.code.size() - 2);
    EXPECT_EQ(load.opcode + " " + move.opcode, "MOV64rm MOV64rr");
    EXPECT_EQ(load.operands.at(0).reg, move.operands.at(1).reg);
    return load.operands.at(0).reg;
  };
  EXPECT_EQ(through(""), "R14");
  EXPECT_EQ(through("movl $1, %r14d\n"), "R13");
  EXPECT_EQ(through("movq (%r13,%r14), %rax\nmulq %r11\n"), "R10");
}

/// Of a byte that is not what was expected, C2's code for x86 loses the sign; that for AArch64 does
/// not (docs/hotspot-faults.md).
TEST_F(RecordedTypes, LoseASignInAnExchangeOnX86) {
  const auto tests = recorded_types();
  for (const auto& recording : recordings_of("types")) {
    SCOPED_TRACE(recording.name);
    const auto result = judged(tests[exchanged], lifted(compilations(recording, tests)[exchanged]),
                               recording.machine);
    const bool x86 = recording.machine == lower::machine_of("x86");
    EXPECT_EQ(result.verdict == Soundness::unsound, x86) << result.reason.text;
    const auto a =
        std::ranges::find(result.observables, litmus::Observable{litmus::ThreadId(0), "a"}) -
        result.observables.begin();
    for (const auto& forbidden : result.forbidden)
      EXPECT_TRUE(forbidden.at(static_cast<std::size_t>(a)) == 255 ||
                  forbidden.at(static_cast<std::size_t>(a)) == 253);
  }
}

/// The same where the thread itself has written the negative number: alone, it shows the fault.
TEST_F(RecordedTypes, LoseTheSignOfWhatTheyWrote) {
  const auto tests = recorded_types();
  for (const auto& recording : recordings_of("types")) {
    SCOPED_TRACE(recording.name);
    const auto result =
        judged(tests.back(), lifted(compilations(recording, tests).back()), recording.machine);
    EXPECT_EQ(result.verdict == Soundness::unsound, recording.machine == lower::machine_of("x86"));
  }
}

/// A thread that writes negative bytes and shorts and exchanges them, with what is done with the
/// result: kept as an int or in its type, compared, added, written back.
litmus::Program exchanging(litmus::Random& random) {
  const bool bytes = random.chance(1, 2);
  const std::string type = bytes ? "byte" : "short";
  const auto number = [&] {
    const std::vector<int> edges{0, 1, -1, 5, bytes ? -128 : -32768, bytes ? 127 : 32767};
    return random.pick(edges);
  };
  std::string text = fmt::format("Java exchanging\n{{ {} x = {}; y = 0; X=x; Y=y; }}\nThread0 {{\n",
                                 type, number());
  if (random.chance(1, 2)) text += fmt::format("  X.setOpaque({});\n", number());
  text += fmt::format("  {} r = X.compareAndExchange({}, {});\n",
                      random.chance(1, 2) ? "int" : type, number(), number());
  switch (random.below(4)) {
  case 0: text += "  Y.setOpaque(r);\n"; break;
  case 1: text += "  int s = r + 1;\n"; break;
  case 2: text += fmt::format("  if (r == {}) {{ Y.setOpaque(7); }}\n", number()); break;
  default: text += fmt::format("  {0} t = X.compareAndExchange(({0}) r, 3);\n", type); break;
  }
  return litmus::parse({"exchanging", text + "}\nThread1 { X.setOpaque(1); }\nexists (true)\n"})
      .java();
}

/// The fault is told as the code's, by a verdict, or the program is unsupported: it is none of
/// lifting, whoever wrote the negative number (docs/hotspot-faults.md).
TEST(InstalledJits, ExchangesOfNegativeBytesAreNoFaultOfLifting) {
  const auto all = jdks_with_c2();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  litmus::Random random(3);
  std::vector<litmus::Program> programs;
  for (std::uint64_t i = 0; i < 60; ++i) programs.push_back(exchanging(random));
  for (const auto& jdk : all) {
    SCOPED_TRACE(jdk.jvm.version);
    const bool x86 = jdk.machine == lower::machine_of("x86");
    const auto captured = capture(programs, jdk, {});
    std::size_t unsound = 0, refused = 0;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      litmus::Test test;
      test.program = programs[i];
      SCOPED_TRACE(litmus::print(test));
      try {
        const auto result = judged(test, lifted(compilation_in(captured[i])), jdk.machine);
        unsound += result.verdict == Soundness::unsound ? 1 : 0;
      } catch (const Unsupported& lacking) {
        EXPECT_NE(std::string_view(lacking.what()).find("whose sign"), std::string_view::npos)
            << lacking.what();
        ++refused;
      } catch (const LimitReached&) { // a loop of AArch64's
      }
    }
    EXPECT_EQ(unsound > 0, x86);
    EXPECT_LE(refused, x86 ? 3U : 0U) << "what becomes of a lost sign is followed";
  }
}

/// Two bytes that are said to be a short each, and the other way round.
TEST_F(RecordedTypes, AreRefusedWhereAnAccessHasAnotherWidth) {
  for (const auto& recording : recordings_of("types")) {
    SCOPED_TRACE(recording.name);
    auto code = compilations(recording, recorded_types()).at(0);
    std::swap(code.layout.state.at(0), code.layout.state.at(1));
    try {
      lifted(code);
      ADD_FAILURE() << "a byte was taken for a short";
    } catch (const Unsupported& lacking) {
      EXPECT_NE(std::string_view(lacking.what()).find("is not as wide as its field"),
                std::string_view::npos)
          << lacking.what();
    }
  }
}

TEST(InstalledJits, LiftRandomProgramsOfAllWidths) {
  const auto all = jdks_with_c2();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  for (const auto& jdk : all) expect_sound(drawn_tests("widths", test::draws(60)), jdk);
}

/// What is never executed is linked by a call elsewhere, or it would be a call in compiled code.
TEST(InstalledJits, LiftUpdatesOnWaysThatAreNeverTaken) {
  const auto all = jdks_with_c2();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  constexpr std::string_view texts[] = {
      R"(Java never
{ x = 0; X=x; }
Thread0 { int a = 0; int b = X.getOpaque(); if (b == 7) { a = X.compareAndSet(0, 1); } }
Thread1 { int a = 0; int b = X.getOpaque(); if (b == 7) { a = X.weakCompareAndSetAcquire(0, 1); } }
exists (true)
)",
      R"(Java never_wide
{ long x = 0L; X=x; }
Thread0 { int a = 0; long b = X.getOpaque(); if (b == 7L) { a = X.weakCompareAndSet(0L, 1L); } }
exists (true)
)"};
  const auto tests = tests_of(texts);
  for (const auto& jdk : all)
    for (const auto compiler : {Compiler::c1, Compiler::c2})
      for (const auto& captured : capture(programs_of(tests), jdk, {.compiler = compiler}))
        EXPECT_NO_THROW(lifted(compilation_in(captured)));
}

/// C1 calls the VM for compareAndExchange, and updates bytes by a compare-and-set of the word.
TEST(InstalledJits, LiftRandomProgramsOfAllWidthsOfC1) {
  const auto all = jdks_with_c2();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  constexpr std::string_view excused[] = {"compareAndExchange", "is not as wide as its field"};
  for (const auto& jdk : all)
    expect_sound(drawn_tests("widths", test::draws(60)), jdk, Compiler::c1, excused);
}

TEST(InstalledJits, OfTypesAreRecorded) {
  record(recordings_of("moves"), recorded_moves());
  if (!record(recordings_of("types"), recorded_types()))
    GTEST_SKIP() << "THINAIR_RECORD_JITS is not set";
}

} // namespace
} // namespace thinair::runners::jit
