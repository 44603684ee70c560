// Values of all types in machine code: fenced schemes do what the source's interleavings do, and
// shipped ones what the model allows.
#include "gen/generator.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "runners/hardware.h"
#include "runners/soundness.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace thinair::runners {
namespace {

const cat::Plan& model(const std::string& name) {
  static std::map<std::string, cat::Plan> all;
  const auto found = all.find(name);
  if (found != all.end()) return found->second;
  return all.emplace(name, cat::load_model(name, cat::Architecture::java)).first->second;
}

/// Absent: the scheme has no code for it.
std::optional<SoundnessResult> check(const litmus::Test& test, lower::Target& target,
                                     const std::string& name) {
  const Processor processor(target.machine(), {});
  const Hardware hardware = [&](const litmus::Test& code) { return processor.run(code, {}); };
  try {
    return check_soundness(test, model(name), target, hardware);
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

/// Typed programs with constants at the ends of their ranges.
class Programs {
 public:
  explicit Programs(std::uint32_t accesses) : generator_(profile(accesses), 31, 0) {}
  litmus::Test next() {
    litmus::Test test;
    test.name = "drawn";
    test.program = generator_.next().program;
    return test;
  }

 private:
  static gen::Profile profile(std::uint32_t accesses) {
    auto out = gen::load_profile("widths");
    out.max_threads = 2;
    out.max_accesses = accesses;
    out.wide = 50;
    return out;
  }
  gen::Generator generator_;
};

bool fails_for_no_reason(const litmus::Test& test) {
  bool found = false;
  for (const auto& thread : test.java().threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      const auto* access = std::get_if<litmus::Access>(&statement.node);
      found = found || (access != nullptr && litmus::info(access->method).action ==
                                                 litmus::Action::weak_compare_and_set);
    });
  return found;
}

std::string word_of(const testing::TestParamInfo<const char*>& info) {
  std::string out = info.param;
  std::ranges::replace_if(out, [](char c) { return c == ':' || c == '-'; }, '_');
  return out;
}

class TypedCode : public testing::TestWithParam<const char*> {};

/// Where full fences stand everywhere, code does what interleavings of the source do, no more and
/// no less: values are cut, extended and compared as Java has it.
TEST_P(TypedCode, FencedDoesWhatInterleavingsDo) {
  auto target = lower::Target::named(std::string(GetParam()) + ":fenced");
  Programs programs(6);
  std::uint64_t many = 0, compared = 0;
  const auto wanted = test::draws(120);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const auto test = programs.next();
    const auto result = check(test, target, "sc");
    if (!result || !result->whole) continue;
    ASSERT_TRUE(result->verdict == Soundness::sound || result->verdict == Soundness::vacuous)
        << litmus::print(test) << result->reason.text;
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

INSTANTIATE_TEST_SUITE_P(Machine, TypedCode, testing::Values("x86", "aarch64", "riscv"), word_of);

class TypedSchemes : public testing::TestWithParam<const char*> {};

TEST_P(TypedSchemes, AreSound) {
  auto target = lower::Target::named(GetParam());
  Programs programs(6);
  std::uint64_t judged = 0;
  for (std::uint64_t i = 0; i < test::draws(100); ++i) {
    const auto test = programs.next();
    const auto result = check(test, target, "java");
    if (!result || !result->whole) continue;
    ASSERT_TRUE(result->verdict == Soundness::sound || result->verdict == Soundness::vacuous)
        << litmus::print(test) << result->reason.text;
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
