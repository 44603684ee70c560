// Floats and doubles in compiled code, which moves them through vector registers: recorded listings
// show what the scheme shows, constants beside the code count, and installed compilers are sound.
#include "litmus/text/error.h"
#include "machine/aarch64/code/jit_vectors.h"
#include "runners/jit/emit.h"
#include "runners/jit/listing.h"
#include "tests/runners/jit_judging.h"
#include "tests/support/draws.h"
#include "tests/support/needs_llvm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace thinair::runners::jit {
namespace {

/// Constants that instructions have and such that stand beside the code, both zeros, comparisons.
std::vector<litmus::Test> recorded_floats() {
  constexpr std::string_view texts[] = {
      R"(Java moved
{ float x = 0.0f; double y = 0.0; X=x; Y=y; }
Thread0 { X.setVolatile(1.1f); double a = Y.getVolatile(); double b = 7.25; if (a == 1.1) { b = 0.0; } }
Thread1 { Y.setVolatile(1.1); float c = X.getVolatile(); int d = 0; if (c == 0.0f) { d = 1; } }
exists (0:a=0.0 /\ 1:c=0.0f)
)",
      R"(Java updated
{ float x = -0.0f; double y = 1.5; X=x; Y=y; }
Thread0 { float a = X.getAndSet(2.5f); int b = Y.compareAndSet(1.5, -0.0); }
Thread1 { int c = X.compareAndSet(-0.0f, 1.0f); double d = Y.getAndSet(3.5); int e = X.compareAndSet(0.0f, 9.0f); }
exists (1:e=1)
)",
      R"(Java handed_over
{ class A { float f; double d; } A p = null; P=p; }
Thread0 { A a = new A { a.f.setOpaque(1.1f); a.d.setOpaque(-2.3); }; P.setRelease(a); }
Thread1 { A r = P.getAcquire(); float f = 7.0f; double d = 7.0; if (r != null) { f = r.f.getOpaque(); d = r.d.getOpaque(); } A s = P.getOpaque(); }
forbidden "nothing is 0" (1:f=0.0f \/ 1:d=0.0)
)"};
  return tests_of(texts);
}

class RecordedFloats : public test::NeedsLlvm {};

TEST_F(RecordedFloats, ShowWhatTheirSchemeShowsNoMoreAndNoLess) {
  expect_what_schemes_show(recordings_of("floats"), recorded_floats());
}

TEST_F(RecordedFloats, WithoutTheirFencesAreCaught) {
  const auto test = recorded_floats().front();
  for (const auto& recording : recordings_of("floats")) {
    SCOPED_TRACE(recording.name);
    auto code = compilations(recording, recorded_floats()).front();
    for (auto& method : code.threads) forget_fences(method, recording.machine);
    EXPECT_EQ(judged(test, lifted(code), recording.machine).verdict, Soundness::unsound);
  }
}

/// Each bit of each constant counts, or nothing loads it; without its constants code is not lifted.
TEST_F(RecordedFloats, LoadWhatStandsBesideTheCode) {
  std::size_t counted = 0, refused = 0;
  for (const auto& recording : recordings_of("floats")) {
    SCOPED_TRACE(recording.name);
    for (const auto& code : compilations(recording, recorded_floats()))
      for (std::size_t t = 0; t < code.threads.size(); ++t) {
        auto without = code;
        without.threads[t].constants.clear();
        try {
          lifted(without);
          continue; // it has none, or loads none
        } catch (const Unsupported&) {
          ++refused;
        }
        auto other = code;
        for (auto& [place, word] : other.threads[t].constants) word ^= 1U << 19U;
        EXPECT_THROW(lifted(other), Bug);
        ++counted;
      }
  }
  EXPECT_GE(counted, 2U);
  EXPECT_EQ(counted, refused);
}

/// Each of the 256 numbers that `fmov` makes is the one that LLVM prints.
TEST_F(RecordedFloats, NumbersWithinInstructionsAreWhatLlvmPrints) {
  auto backend = lower::jit::decoder(lower::machine_of("aarch64"));
  for (std::uint32_t eight = 0; eight < 256; ++eight)
    for (const bool is_double : {false, true}) {
      const std::uint32_t word = (is_double ? 0x1E601010U : 0x1E201010U) | eight << 13U;
      lower::jit::Method method;
      for (unsigned i = 0; i < 4; ++i)
        method.code.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
      const std::string text = backend.decode(method.code, 0).text; // "\tfmov\ts16, #1.50000000"
      const double number = std::stod(text.substr(text.find('#') + 1));
      const auto plain = lower::jit::aarch64_code::without_vectors(method, backend);
      const auto in = backend.decode(plain.code, 0); // movz, of which the operands are 16 bits
      ASSERT_EQ(in.opcode, is_double ? "MOVZXi" : "MOVZWi");
      const auto bits = static_cast<std::uint64_t>(in.operands.at(1).number)
                        << in.operands.at(2).number;
      if (is_double)
        EXPECT_EQ(std::bit_cast<double>(bits), number) << text;
      else
        EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(bits)), number) << text;
    }
}

TEST(JitFloats, AreComparedByTheirBits) {
  const auto source = emit(programs_of(recorded_floats())).source;
  for (const char* expected :
       {"Double.doubleToRawLongBits(a) == 4607632778762754458L",
        "(Float.floatToRawIntBits(c) & Integer.MAX_VALUE) == 0", "X.setVolatile(s, 1.1f)"})
    EXPECT_NE(source.find(expected), std::string::npos) << expected << source;
}

TEST(JitFloats, ArithmeticIsUnsupportedByName) {
  const auto test = litmus::parse({"sum", "Java sum\n{ float x = 0.0f; X=x; }\n"
                                          "Thread0 { float a = X.get(); X.set(a + 1.0f); }\n"
                                          "exists (0:a=0.0f)\n"});
  const std::vector<litmus::Program> programs{test.java()};
  EXPECT_EQ(emit(programs).refused.at(0),
            "unsupported: arithmetic of float values in machine code");
}

TEST(JitListings, HaveConstantsInFrontOfTheCode) {
  const auto methods =
      read_listing("Compiled method (c2) 1   13             Batch::m_0_0 (5 bytes)\n"
                   "[Constant Pool]\n             Address          hex4                    hex8\n"
                   "  0x0000000000000ff0:   0x00000000      0x4004000000000000\n"
                   "  0x0000000000000ff4:   0x40040000\n\n"
                   "[MachCode]\n[Verified Entry Point]\n  0x0000000000001000: c3 \n[/MachCode]\n"
                   "Compiled method (c2) 1   14             Batch::m_0_1 (5 bytes)\n"
                   "[Constant Pool (empty)]\n"
                   "[MachCode]\n[Verified Entry Point]\n  0x0000000000002000: c3 \n[/MachCode]\n");
  ASSERT_EQ(methods.size(), 2U);
  EXPECT_EQ(methods[0].constants,
            (std::map<std::int64_t, std::uint32_t>{{-16, 0}, {-12, 0x40040000}}));
  EXPECT_TRUE(methods[1].constants.empty());
}

TEST(InstalledJits, LiftRandomProgramsWithFloats) {
  constexpr std::array<std::string_view, 1> excused{"in machine code"};
  const auto all = jdks_with_c2();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  for (const auto& jdk : all)
    expect_sound(drawn_tests("floats", test::draws(60)), jdk, Compiler::c2, excused);
}

TEST(InstalledJits, OfFloatsAreRecorded) {
  if (!record(recordings_of("floats"), recorded_floats()))
    GTEST_SKIP() << "THINAIR_RECORD_JITS is not set";
}

} // namespace
} // namespace thinair::runners::jit
