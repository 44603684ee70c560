// Whose fault a find in a JIT's code is: recorded code in which C2 left a fence out, code from
// which fences are taken here, and rules that are wrong themselves.
#include "campaign/cause.h"
#include "campaign/jit_fault.h"
#include "litmus/canonical.h"
#include "litmus/text/file.h"
#include "lower/jit/lift.h"
#include "oracle/cat/model.h"
#include "runners/hardware.h"
#include "tests/runners/jit_recordings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace thinair::campaign {
namespace {

namespace jit = runners::jit;
using lower::jit::Compilation;

constexpr std::string_view fenced = R"(Java fenced
{ x = 0; y = 0; X=x; Y=y; }
Thread0 { X.set(1); VarHandle.fullFence(); int a = Y.get(); VarHandle.fullFence(); }
Thread1 { Y.set(1); VarHandle.fullFence(); int b = X.get(); VarHandle.fullFence(); }
exists (0:a=0 /\ 1:b=0)
)";

litmus::Program parsed(std::string_view text) {
  return litmus::parse({"test", std::string(text)}).java();
}

class JitFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (lower::backend_version().empty()) GTEST_SKIP() << "built without LLVM";
  }

  Verdict verdict(const litmus::Program& program, const lower::Lowered& code) const {
    const auto machine = lower::machine_of(code.language->machine);
    const auto found = runners::check_soundness(
        as_test(program, "program"), plan_, code, "code",
        [&](const litmus::Test& test) { return runners::Processor(machine).run(test, {}); });
    return found.verdict == runners::Soundness::unsound ? Verdict::unsound
           : found.verdict == runners::Soundness::sound ? Verdict::sound
                                                        : Verdict::unknown;
  }

  std::optional<Fault> fault(const Compilation& compilation, const std::string& scheme) {
    auto decoder = lower::jit::decoder(compilation.machine);
    JitFault asked(scheme, "C2", {.model = plan_, .model_name = "java"},
                   [this](const litmus::Program& program, const lower::Lowered& code) {
                     return verdict(program, code);
                   });
    return asked.of(compilation, decoder);
  }

  static Compilation recorded(std::string_view name, const litmus::Program& program,
                              jit::Compiler compiler = jit::Compiler::c2) {
    const auto listing =
        litmus::read_file(fmt::format("{}/tests/runners/jit/{}", THINAIR_SOURCE_DIR, name));
    return jit::compilation_in(
        jit::read_capture({&program, 1}, listing.text, lower::machine_of("x86"), compiler).at(0));
  }

  const cat::Plan plan_ = cat::load_model("java", cat::Architecture::java);
};

TEST_F(JitFaults, NameTheFenceThatIsLeftOut) {
  const auto found = fault(recorded("x86-25-c2-fences.listing", parsed(fenced)), "x86:hotspot-c2");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->parts, std::vector<std::string>{"fullFence"});
  EXPECT_EQ(found->kind, "left out");
  EXPECT_EQ(found->sentence,
            "fullFence (line 2 of Thread0): C2 emits nothing for it here, where x86:hotspot-c2 has "
            "`lock add [stack], 0`; fullFence (line 2 of Thread1): C2 emits nothing for it here, "
            "where x86:hotspot-c2 has `lock add [stack], 0`; with `mfence` there the outcome is "
            "gone");
}

/// Graal's compiler keeps the first fence.
TEST_F(JitFaults, AreNotGraals) {
  const auto program = parsed(fenced);
  const auto code = recorded("x86-25-graal-fences.listing", program, jit::Compiler::graal);
  auto decoder = lower::jit::decoder(code.machine);
  EXPECT_EQ(verdict(program, lower::jit::lift(code, decoder)), Verdict::sound);
}

TEST_F(JitFaults, NameTheAccessWhoseFenceIsGone) {
  const std::map<std::string_view, std::string> schemes{
      {"x86", "x86:hotspot-c2"}, {"aarch64", "aarch64:hotspot-c2"}, {"riscv", "riscv:hotspot-c2"}};
  for (const auto& recording : jit::recordings()) {
    if (recording.compiler != jit::Compiler::c2) continue;
    SCOPED_TRACE(recording.name);
    auto code =
        jit::compilation_in(jit::read_capture(jit::recorded_programs(), jit::listing_of(recording),
                                              recording.machine, recording.compiler)
                                .at(static_cast<std::size_t>(jit::Recorded::store_buffering)));
    auto decoder = lower::jit::decoder(code.machine);
    ASSERT_EQ(verdict(code.source, lower::jit::lift(code, decoder)), Verdict::sound);
    for (auto& method : code.threads) jit::forget_fences(method, recording.machine);
    ASSERT_EQ(verdict(code.source, lower::jit::lift(code, decoder)), Verdict::unsound);
    const auto found = fault(code, schemes.at(recording.machine->prefix));
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->is_known()) << found->sentence;
    EXPECT_NE(found->sentence.find("there the outcome is gone"), std::string::npos)
        << found->sentence;
    if (recording.machine->prefix != "x86") continue;
    EXPECT_EQ(found->parts, std::vector<std::string>{"setVolatile"});
    EXPECT_EQ(found->kind, "weakened");
  }
}

/// RISC-V's fullFence is too weak by HotSpot's own rule.
TEST_F(JitFaults, NameTheRuleThatIsWrongItself) {
  Compilation code;
  code.machine = lower::machine_of("riscv");
  code.source = parsed(R"(Java passing
{ x = 0; y = 0; X=x; Y=y; }
Thread0 { X.set(1); VarHandle.fullFence(); Y.set(1); }
Thread1 { int a = Y.get(); VarHandle.fullFence(); int b = X.get(); }
exists (1:a=1 /\ 1:b=0)
)");
  const auto found = fault(code, "riscv:hotspot-c2");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->parts, std::vector<std::string>{"fullFence"});
  EXPECT_EQ(found->kind, "rule");
  EXPECT_TRUE(
      found->sentence.starts_with("C2 does what riscv:hotspot-c2 says, and that is wrong for java: "
                                  "fullFence"))
      << found->sentence;
}

TEST_F(JitFaults, KnowTheSchemeThatCodeFollows) {
  const auto aarch64 = lower::machine_of("aarch64");
  EXPECT_EQ(scheme_of_jit(aarch64, 25, "c1", false), "aarch64:hotspot-c1");
  EXPECT_EQ(scheme_of_jit(aarch64, 28, "c1", true), "aarch64:hotspot-c1-28-nolse");
  EXPECT_EQ(scheme_of_jit(aarch64, 28, "c2", false), "aarch64:hotspot-c2");
  EXPECT_EQ(scheme_of_jit(lower::machine_of("riscv"), 21, "c1", false), "riscv:hotspot-c1");
  EXPECT_EQ(scheme_of_jit(lower::machine_of("x86"), 25, "graal", false), "x86:hotspot-c2");
  for (const auto machine : {"x86", "aarch64", "riscv"})
    for (const auto compiler : {"c1", "c2", "graal"})
      EXPECT_NO_THROW(
          lower::Target::named(scheme_of_jit(lower::machine_of(machine), 25, compiler, false)));
}

/// Tells what it was made with.
class Teller : public Target {
 public:
  explicit Teller(std::map<litmus::ContentHash, Fault> faults)
      : Target("teller"), faults_(std::move(faults)) {}
  Judgement judge(const litmus::Program&, runners::SameProgram*) override { return {}; }
  Why why(const litmus::Program&, bool) override { return {}; }
  Look look(const litmus::Test&) override { return {}; }
  Explanation explain(const litmus::Test&, const litmus::State&) override { return {}; }
  std::optional<Fault> fault(const litmus::Program& program) override {
    return faults_.at(litmus::content_hash(litmus::canonical(program)));
  }

 private:
  std::map<litmus::ContentHash, Fault> faults_;
};

TEST_F(JitFaults, MakeCausesByKindAndOperation) {
  std::vector<Group> groups;
  std::map<litmus::ContentHash, Fault> faults;
  // they differ in how much they write: constants are no part of a canonical form
  const auto add = [&](std::uint32_t writes, Fault fault) {
    std::string statements;
    for (std::uint32_t i = 0; i < writes; ++i) statements += "X.set(1); ";
    const auto program = litmus::canonical(
        parsed(fmt::format("Java P\n{{ x = 0; X=x; }}\nThread0 {{ {}int a = X.get(); }}\n"
                           "exists (0:a=0)\n",
                           statements)));
    Group group;
    group.first.minimal = litmus::print(as_test(program, "minimal"));
    group.first.minimal_hash = litmus::content_hash(program);
    group.first.minimal_accesses = writes + 1;
    group.first.minimal_finding.behaviour = litmus::state_in("0:a=0").value();
    group.originals = 1;
    faults[group.first.minimal_hash] = std::move(fault);
    groups.push_back(std::move(group));
  };
  add(3, {{"fullFence"}, "left out", "the third", "a fence"});
  add(2, {{"fullFence"}, "left out", "the second", "a fence"});
  add(4, {{"fullFence"}, "rule", "by a rule", "another rule"});
  add(5, {{}, {}, "nobody knows", {}});
  Targets targets;
  targets.push_back(std::make_unique<Teller>(faults));
  const auto causes = causes_of(groups, targets, {.model = plan_, .model_name = "java"});
  ASSERT_EQ(faults.size(), 4U);
  ASSERT_EQ(causes.size(), 3U);
  EXPECT_EQ(causes[0].members, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(causes[0].sentence, "the second"); // of its smallest program
  EXPECT_EQ(causes[0].side, Cause::Side::target);
  EXPECT_EQ(causes[0].parts, std::vector<std::string>{"fullFence"});
  EXPECT_EQ(causes[1].sentence, "by a rule");
  EXPECT_EQ(causes[2].sentence, "nobody knows");
  EXPECT_EQ(causes[2].side, Cause::Side::undecided);
}

} // namespace
} // namespace thinair::campaign
