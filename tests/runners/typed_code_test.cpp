// Values of all types in machine code: fenced schemes do what the source's interleavings do, and
// shipped ones what the model allows.
#include "gen/generator.h"
#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "tests/runners/target_checks.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace thinair::runners {
namespace {

/// Absent: the scheme has no code for it.
std::optional<SoundnessResult> checked(const litmus::Test& test, lower::Target& target,
                                       const std::string& model_name) {
  try {
    return check(test, target, model_name);
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

/// Typed programs with constants at the ends of their ranges.
class Programs {
 public:
  explicit Programs(std::uint32_t accesses, std::string_view like = "widths")
      : generator_(profile(accesses, like), 31, 0) {}
  litmus::Test next() {
    litmus::Test test;
    test.name = "drawn";
    test.program = generator_.next().program;
    return test;
  }

 private:
  static gen::Profile profile(std::uint32_t accesses, std::string_view like) {
    auto out = gen::load_profile(like);
    out.max_threads = 2;
    out.max_accesses = accesses;
    out.wide = 50;
    return out;
  }
  gen::Generator generator_;
};

class TypedCode : public testing::TestWithParam<std::string> {};

void expect_interleavings(const std::string& machine, std::string_view profile) {
  auto target = lower::Target::named(machine + ":fenced");
  Programs programs(6, profile);
  std::uint64_t many = 0, compared = 0;
  const auto wanted = test::draws(120);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const auto test = programs.next();
    const auto result = checked(test, target, "sc");
    if (!result || !result->whole) continue;
    ASSERT_EQ(result->verdict, Soundness::sound) << litmus::print(test) << result->reason.text;
    if (fails_for_no_reason(test)) continue;
    litmus::Test asked = test;
    asked.locations = result->observables;
    const auto all = oracle::Oracle(asked, model("sc")).behaviours();
    ASSERT_EQ(result->behaviours.size(), all.behaviours.size()) << litmus::print(test);
    many += result->behaviours.size() > 1 ? 1 : 0;
    ++compared;
  }
  EXPECT_GT(compared, wanted / 4);
  EXPECT_GT(many, compared / 3);
}

/// Where full fences stand everywhere, code does what interleavings of the source do, no more and
/// no less: values are cut, extended and compared as Java has it.
TEST_P(TypedCode, FencedDoesWhatInterleavingsDo) { expect_interleavings(GetParam(), "widths"); }
TEST_P(TypedCode, FencedDoesSoWithFloats) { expect_interleavings(GetParam(), "floats"); }

INSTANTIATE_TEST_SUITE_P(Machine, TypedCode, testing::Values("x86", "aarch64", "riscv"), word_of);

class TypedSchemes : public testing::TestWithParam<std::string> {};

TEST_P(TypedSchemes, AreSound) {
  auto target = lower::Target::named(GetParam());
  Programs programs(6);
  std::uint64_t judged = 0;
  for (std::uint64_t i = 0; i < test::draws(100); ++i) {
    const auto test = programs.next();
    const auto result = checked(test, target, "java");
    if (!result || !result->whole) continue;
    ASSERT_EQ(result->verdict, Soundness::sound) << litmus::print(test) << result->reason.text;
    ++judged;
  }
  EXPECT_GT(judged, test::draws(100) / 4);
}

INSTANTIATE_TEST_SUITE_P(Scheme, TypedSchemes,
                         testing::Values("x86:hotspot-c2", "aarch64:cxx", "aarch64:hotspot-c2",
                                         "aarch64:hotspot-c2-nolse", "aarch64:hotspot-c1",
                                         "aarch64:graal", "riscv:cxx", "riscv:hotspot-c1",
                                         "riscv:zabha"),
                         word_of);

} // namespace
} // namespace thinair::runners
