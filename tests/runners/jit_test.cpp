// Code that HotSpot's compilers printed: recorded listings are lifted and judged, pieces of code by
// hand are refused; where there is a JVM, it is asked, too.
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/text/file.h"
#include "lower/jit/lift.h"
#include "lower/jit/walk.h"
#include "lower/lowered_test.h"
#include "oracle/cat/model.h"
#include "runners/hardware.h"
#include "runners/jit/emit.h"
#include "runners/jit/listing.h"
#include "runners/jit/mix.h"
#include "runners/soundness.h"
#include "tests/runners/jit_recordings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace thinair::runners::jit {
namespace {

using lower::Machine;
using lower::jit::Compilation;
using lower::jit::Method;

/// Final states of the code, in the source's terms; `all` of them, or those of two rounds of loops.
std::vector<litmus::Behaviour> behaviours(const lower::Lowered& lowered, Machine machine,
                                          bool all) {
  litmus::Test source;
  source.program = lowered.source;
  auto code = lower::lowered_test(source, lowered, "jit");
  code.locations = lowered.restoration.needed();
  HardwareLimits limits;
  limits.executions.loop_bound = 2; // of loops that try again
  const auto result = Processor(machine).run(code, limits);
  EXPECT_TRUE(!all || result.status == oracle::Result::Status::ok) << result.reason.text;
  std::vector<litmus::Behaviour> out;
  for (const auto& behaviour : result.behaviours)
    out.push_back(lowered.restoration.restore(code.locations, behaviour));
  return out;
}

using Values = std::vector<std::pair<litmus::Observable, int>>; // of registers

bool shows(const lower::Lowered& lowered, Machine machine, const Values& wanted, bool all = false) {
  const auto observables = lowered.restoration.observables();
  return std::ranges::any_of(behaviours(lowered, machine, all), [&](const auto& behaviour) {
    return std::ranges::all_of(wanted, [&](const auto& want) {
      const auto at = std::ranges::find(observables, want.first) - observables.begin();
      return behaviour.at(static_cast<std::size_t>(at)) == want.second;
    });
  });
}

bool never_shows(const lower::Lowered& lowered, Machine machine, const Values& wanted) {
  return !shows(lowered, machine, wanted, true);
}

litmus::Observable reg(std::uint32_t thread, std::string name) {
  return {litmus::ThreadId(thread), std::move(name)};
}

class RecordedCode : public testing::Test {
 protected:
  void SetUp() override {
    if (lower::backend_version().empty()) GTEST_SKIP() << "built without LLVM";
  }

  static std::vector<Compilation> compilations(const Recording& recording,
                                               const std::string& listing) {
    std::vector<Compilation> out;
    for (const auto& captured :
         read_capture(recorded_programs(), listing, recording.machine, recording.compiler))
      out.push_back(compilation_in(captured));
    return out;
  }

  static lower::Lowered lifted(const Compilation& compilation) {
    auto decoder = lower::jit::decoder(compilation.machine);
    return lower::jit::lift(compilation, decoder);
  }
};

TEST_F(RecordedCode, IsLiftedAndComputesWhatItsSourceDoes) {
  for (const auto& recording : recordings()) {
    SCOPED_TRACE(recording.name);
    const auto all = compilations(recording, listing_of(recording));
    ASSERT_EQ(all.size(), recorded_programs().size());
    for (const auto& compilation : all) EXPECT_NO_THROW(lifted(compilation));
  }
}

TEST_F(RecordedCode, ShowsWhatTheMachineMayDoWithItAndNoMore) {
  for (const auto& recording : recordings()) {
    SCOPED_TRACE(recording.name);
    const auto all = compilations(recording, listing_of(recording));
    const auto of = [&](Recorded program) {
      return lifted(all.at(static_cast<std::size_t>(program)));
    };
    const auto buffering = of(Recorded::store_buffering);
    EXPECT_TRUE(never_shows(buffering, recording.machine, {{reg(0, "a"), 0}, {reg(1, "b"), 0}}));
    EXPECT_TRUE(shows(buffering, recording.machine, {{reg(0, "a"), 1}, {reg(1, "b"), 0}}));
    const auto passing = of(Recorded::message_passing);
    EXPECT_TRUE(never_shows(passing, recording.machine, {{reg(1, "a"), 1}, {reg(1, "b"), 0}}));
    EXPECT_TRUE(shows(passing, recording.machine, {{reg(1, "a"), 0}, {reg(1, "b"), 1}}));
    const auto branch = of(Recorded::branch);
    EXPECT_TRUE(shows(branch, recording.machine, {{reg(0, "a"), 0}, {reg(0, "b"), 1}}));
    EXPECT_TRUE(shows(branch, recording.machine, {{reg(0, "a"), 1}, {reg(0, "b"), 7}}));
    EXPECT_TRUE(never_shows(branch, recording.machine, {{reg(0, "a"), 1}, {reg(0, "b"), 0}}));
    const auto updates = of(Recorded::updates);
    EXPECT_TRUE(shows(updates, recording.machine, {{reg(0, "a"), 3}}));
    EXPECT_TRUE(shows(updates, recording.machine, {{reg(0, "a"), 0}, {reg(1, "c"), 1}}));
  }
}

TEST_F(RecordedCode, ALifterThatForgetsFencesIsCaught) {
  for (const auto& recording : recordings()) {
    SCOPED_TRACE(recording.name);
    auto buffering = compilations(recording, listing_of(recording))
                         .at(static_cast<std::size_t>(Recorded::store_buffering));
    for (auto& method : buffering.threads) forget_fences(method, recording.machine);
    EXPECT_TRUE(shows(lifted(buffering), recording.machine, {{reg(0, "a"), 0}, {reg(1, "b"), 0}}));
  }
}

TEST_F(RecordedCode, WithAnotherConstantDoesNotComputeWhatItsSourceDoes) {
  const auto recording = recordings().front();
  auto branch =
      compilations(recording, listing_of(recording)).at(static_cast<std::size_t>(Recorded::branch));
  auto& code = branch.threads.at(0).code;
  const std::vector<std::uint8_t> seven{0x07, 0x00, 0x00, 0x00};
  const auto at = std::search(code.begin(), code.end(), seven.begin(), seven.end());
  ASSERT_NE(at, code.end());
  *at = 8;
  EXPECT_THROW(lifted(branch), Bug);
}

/// Code that C2 made of a program of which one branch was never taken when it did.
TEST_F(RecordedCode, IsUndecidedWhereItGoesOnInTheInterpreter) {
  const auto parsed = [](std::string_view branch) {
    return litmus::parse({"trap", fmt::format("Java trap\n{{ x = 0; y = 0; X=x; Y=y; }}\n"
                                              "Thread0 {{ int a = X.getOpaque(); {} }}\n"
                                              "Thread1 {{ X.setOpaque(1); int b = Y.getOpaque(); }}"
                                              "\nexists (true)\n",
                                              branch)});
  };
  const auto test = parsed("if (a == 1) { Y.setOpaque(a + 2); } else { Y.setOpaque(5); }");
  for (const auto* name : {"x86", "aarch64", "riscv"}) {
    SCOPED_TRACE(name);
    const Recording recording{"", lower::machine_of(name), Compiler::c2};
    const auto listing = litmus::read_file(
        fmt::format("{}/tests/runners/jit/{}-25-c2-traps.listing", THINAIR_SOURCE_DIR, name));
    const auto program = test.java();
    const auto captured =
        read_capture({&program, 1}, listing.text, recording.machine, Compiler::c2);
    const auto lowered = lifted(compilation_in(captured.at(0)));
    ASSERT_EQ(lowered.restoration.traps.size(), 1);
    EXPECT_EQ(lowered.restoration.traps[0].thread, litmus::ThreadId(0));
    const auto judged = [&](std::string_view model) {
      const auto plan = cat::load_model(std::string(model), cat::Architecture::java);
      return check_soundness(test, plan, lowered, "recorded", [&](const litmus::Test& code) {
        return Processor(recording.machine).run(code, {});
      });
    };
    const auto sound = judged("java");
    EXPECT_EQ(sound.verdict, Soundness::unknown);
    EXPECT_EQ(sound.reason.text, "some executions go on in the interpreter, by an uncommon trap in "
                                 "the compiled code, which is not followed");
    EXPECT_FALSE(sound.whole);
    // What is known is 5, never the 3 that the interpreter would write.
    const auto observables = lowered.restoration.observables();
    for (const auto& behaviour : sound.behaviours) {
      const auto a = std::ranges::find(observables, reg(0, "a")) - observables.begin();
      EXPECT_EQ(behaviour.at(static_cast<std::size_t>(a)), 0);
    }
    EXPECT_FALSE(sound.behaviours.empty());
  }
}

/// Code by hand: fields at 12 and 16 of the state, one at 12 of the result.
std::string refusal(const std::vector<std::uint8_t>& code,
                    std::map<std::uint64_t, std::string> notes = {},
                    Machine machine = lower::machine_of("x86")) {
  Method method{"m", "c2", 4, 0, code, 0, std::move(notes), {"rsi:rsi", "rdx:rdx"}};
  if (machine != lower::machine_of("x86"))
    method.parameters = {"c_rarg1:c_rarg1", "c_rarg2:c_rarg2"};
  auto decoder = lower::jit::decoder(machine);
  try {
    lower::jit::walk(method, machine, {{12, 16}, {12}}, decoder);
  } catch (const Unsupported& lacking) {
    return lacking.what();
  }
  return "";
}

/// RISC-V code by hand: the state is in a1, the result in a2, the VM's thread in s7.
std::string riscv_refusal(const std::string& assembly,
                          std::map<std::uint64_t, std::string> notes = {}) {
  auto assembler = lower::jit::decoder(lower::machine_of("riscv"));
  const auto object = assembler.assemble(".option norelax\n.type f,@function\nf:\n" + assembly +
                                         "\n.size f, .-f\n");
  std::vector<std::uint8_t> code;
  const auto functions = assembler.disassemble(object);
  for (const auto& in : functions.at(0).code)
    code.insert(code.end(), in.bytes.begin(), in.bytes.end());
  return refusal(code, std::move(notes), lower::machine_of("riscv"));
}

TEST_F(RecordedCode, IsRefusedWhereNoRuleKnowsIt) {
  EXPECT_EQ(refusal({0x8B, 0x46, 0x0C, 0x89, 0x42, 0x0C, 0xC3}), ""); // x to the result
  // A word of the thread is written only where the way ends in a trap.
  const std::vector<std::uint8_t> noted{
      0x8B, 0x46, 0x0C, 0x85, 0xC0, 0x75, 0x01, 0xC3, // jne 1f
      0x41, 0xC7, 0x47, 0x40, 7,    0,    0,    0,    // 1: mov $7, 64(%r15)
      0xE8, 0,    0,    0,    0};
  EXPECT_EQ(refusal(noted, {{16, "{runtime_call DeoptimizationBlob}"}}), "");
  EXPECT_EQ(refusal(noted, {{16, "{runtime_call SafepointBlob}"}}),
            "unsupported: a store to what is neither of the two objects in compiled code: "
            "movl $7, 64(%r15) [41 c7 47 40 07 00 00 00]");
  EXPECT_EQ(refusal({0xE8, 0, 0, 0, 0}, {{0, "{optimized virtual_call}"}}),
            "unsupported: a call in compiled code: {optimized virtual_call}");
  EXPECT_EQ(refusal({0x89, 0x76, 0x0C, 0xC3}),
            "unsupported: a number that is an address, or not known in compiled code: "
            "movl %esi, 12(%rsi) [89 76 0c]");
  EXPECT_EQ(refusal({0xC7, 0x46, 0x20, 1, 0, 0, 0, 0xC3}),
            "unsupported: a store to the state beside its fields in compiled code: "
            "movl $1, 32(%rsi) [c7 46 20 01 00 00 00]");
  EXPECT_EQ(refusal({0x48, 0x8B, 0x46, 0x0C, 0xC3}),
            "unsupported: an access that is not as wide as its field in compiled code: "
            "movq 12(%rsi), %rax [48 8b 46 0c]");
  EXPECT_EQ(refusal({0x89, 0x4E, 0x0C, 0xC3}),
            "unsupported: a number that is an address, or not known in compiled code: "
            "movl %ecx, 12(%rsi) [89 4e 0c]");
  // A branch on the thread's word is the entry barrier only if the listing says so.
  EXPECT_NE(
      refusal({0x41, 0x83, 0x7F, 0x20, 0x00, 0x75, 0x01, 0xC3, 0xC3}).find("a branch on a word"),
      std::string::npos);
}

/// Up to where the class is compared; the state's is in the code at 12.
std::string refusal_of_class_bits(std::uint8_t shifted_by, std::uint8_t object = 0x0E) {
  const std::vector<std::uint8_t> code{
      0x48, 0x8B, object,                         // mov (%rsi), %rcx
      0x48, 0xC1, 0xE9,   shifted_by,             // shr $…, %rcx
      0x48, 0xC1, 0xE1,   0x0A,       0x90,       // shl $10, %rcx; nop
      0x48, 0xBB, 0,      4,          4,    0x40, // movabs $…, %rbx
      0,    0,    0,      0,                      //
      0x48, 0x3B, 0x59,   0x38,                   // cmp 56(%rcx), %rbx
      0x75, 0x07,                                 // jne: the call
      0x8B, 0x46, 0x0C,   0x89,       0x42, 0x0C, // x to the result
      0xC3, 0xE8, 0,      0,          0,    0};
  return refusal(code, {{12, "{metadata('State')}"}});
}

TEST_F(RecordedCode, FindsTheClassInAHeaderOfOneWord) {
  EXPECT_EQ(refusal_of_class_bits(42), "");
  // Other bits are those of locks and hash codes, and of the result nothing is known.
  for (const std::uint8_t bits : {41, 43, 10, 1})
    EXPECT_EQ(refusal_of_class_bits(bits),
              fmt::format("unsupported: a number that is an address, or not known in compiled "
                          "code: shrq ${}, %rcx [48 c1 e9 {:02x}]",
                          bits, bits));
  EXPECT_TRUE(refusal_of_class_bits(42, 0x0A) // (%rdx)
                  .starts_with("unsupported: a number that is an address"));
}

TEST_F(RecordedCode, HasBarriersAndPollsByOtherNames) {
  // 21: the call of the entry barrier has no name and comes back to where the branch goes else.
  std::vector<std::uint8_t> code{0x41, 0x83, 0x7F, 0x20, 0x00, 0x74, 0x05,  // cmpl $0, 32(%r15); je
                                 0xE8, 0x00, 0x00, 0x00, 0x00,              // call
                                 0x8B, 0x46, 0x0C, 0x89, 0x42, 0x0C, 0xC3}; // x to the result
  EXPECT_EQ(refusal(code, {{4, "{runtime_call StubRoutines (final stubs)}"}}), "");
  code[6] = 0x08; // to behind the load: the call does not come back there
  EXPECT_NE(refusal(code).find("a branch on a word of the thread"), std::string::npos);
  // 28: a poll's stub is called otherwise.
  const std::vector<std::uint8_t> polls{0x8B, 0x46, 0x0C, 0x89, 0x42, 0x0C, 0x49, 0x3B, 0x67,
                                        0x28, 0x77, 0x01, 0xC3, 0xE9, 0x00, 0x00, 0x00, 0x00};
  EXPECT_EQ(refusal(polls, {{12, "{runtime_call polling_page_return_handler_blob}"}}), "");
  EXPECT_NE(refusal(polls, {{12, "{runtime_call ExceptionBlob}"}}).find("the stack pointer"),
            std::string::npos);
}

TEST_F(RecordedCode, OfRiscvIsNoEntryBarrierUnlessItsCallComesBack) {
  const auto with = [](const std::string& stub) {
    return riscv_refusal("auipc t0, 0\n lwu t0, 64(t0)\n lwu t1, 32(s7)\n beq t0, t1, 1f\n" + stub +
                         "1: lw a0, 12(a1)\n2: sw a0, 12(a2)\n ret");
  };
  EXPECT_EQ(with("lui t0, 513\n addi t0, t0, 119\n slli t0, t0, 6\n jalr t0\n j 1f\n"), "");
  const std::string refused = "unsupported: a branch on a word of the thread in compiled code: ";
  for (const auto* stub : {"lui t0, 513\n jalr t0\n j 2f\n", // comes back elsewhere
                           "lui t0, 513\n jr t0\n j 1f\n",   // does not come back
                           "sw zero, 12(a1)\n lui t0, 513\n jalr t0\n j 1f\n"})
    EXPECT_TRUE(with(stub).starts_with(refused)) << stub << with(stub);
}

TEST_F(RecordedCode, OfRiscvPollsEitherWayRound) {
  const auto with = [](const std::string& branch, std::uint64_t at) {
    return riscv_refusal(".option norvc\n lw a0, 12(a1)\n sw a0, 12(a2)\n ld t0, 40(s7)\n" + branch,
                         {{at, "{runtime_call SafepointBlob}"}});
  };
  EXPECT_EQ(with("bgeu t0, sp, 1f\n auipc t1, 0\n jr t1\n1: ret", 16), "");
  EXPECT_EQ(with("bltu t0, sp, 1f\n ret\n1: auipc t1, 0\n jr t1", 20), "");
  // The other way on, the method would stop for the VM whenever it need not.
  EXPECT_EQ(with("bltu t0, sp, 1f\n auipc t1, 0\n jr t1\n1: ret", 16),
            "unsupported: a branch on the stack pointer in compiled code: bltu t0, sp, 12 "
            "[63 e6 22 00]");
  EXPECT_TRUE(with("bltu sp, t0, 1f\n ret\n1: auipc t1, 0\n jr t1", 20)
                  .starts_with("unsupported: a comparison of what is no number"));
}

TEST_F(RecordedCode, OfRiscvIsRefusedWhereNoRuleKnowsIt) {
  EXPECT_EQ(riscv_refusal("sw a1, 12(a1)\n ret"),
            "unsupported: a number that is an address, or not known in compiled code: "
            "sw a1, 12(a1) [cc c5]");
  EXPECT_EQ(riscv_refusal("addw a3, a1, a1\n sw a3, 12(a1)\n ret"),
            "unsupported: a number that is an address, or not known in compiled code: "
            "sw a3, 12(a1) [d4 c5]");
  EXPECT_EQ(riscv_refusal("lw a0, 12(a1)\n bnez a0, 1f\n ret\n1: jalr t1", {}),
            "unsupported: a call in compiled code: jalr t1");
  EXPECT_EQ(riscv_refusal("amoadd.d a0, a3, (a1)\n ret").find("unsupported: "), 0);
}

TEST(JitListings, AreReadOrRefusedByLine) {
  const std::string head =
      "Compiled method (c2) 294   13             Batch::m_0_0 (5 bytes)\n[MachCode]\n";
  const auto good = read_listing(head + "[Entry Point]\n[Verified Entry Point]\n"
                                        "  # parm0:    rsi:rsi   = 'State'\n"
                                        "  0x0000000000001000: 8b46 0cc3 | c3 \n"
                                        "  0x0000000000001004: ;   {poll_return}\n[/MachCode]\n");
  ASSERT_EQ(good.size(), 1);
  EXPECT_EQ(good[0].name, "m_0_0");
  EXPECT_EQ(good[0].code, (std::vector<std::uint8_t>{0x8B, 0x46, 0x0C, 0xC3, 0xC3}));
  EXPECT_EQ(good[0].parameters, std::vector<std::string>{"rsi:rsi"});
  EXPECT_NE(good[0].notes.at(4).find("{poll_return}"), std::string::npos);
  EXPECT_TRUE(read_listing(head + "[Verified Entry Point]\n  0x10: c3\n").empty()); // it broke off
  const auto complaint = [&](const std::string& rest) -> std::string {
    try {
      read_listing(head + rest);
    } catch (const Unsupported& lacking) {
      return lacking.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("  0x1000: c3\n[/MachCode]\n"),
            "unsupported: a listing of m_0_0 without a verified entry point (line 4)");
  EXPECT_EQ(complaint("  0x1000: c3\n  0x1002: c3\n[/MachCode]\n"),
            "unsupported: a listing of compiled code with this line 4: \"0x1002: c3\"");
  EXPECT_EQ(complaint("  0x1000: movl\n"),
            "unsupported: a listing of compiled code with this line 3: \"0x1000: movl\"");
}

TEST(JitNames, SayWhatIsWrongWithThem) {
  const auto asked = asked_by("jit:aarch64:25:c1:nolse");
  EXPECT_EQ(asked.machine, lower::machine_of("aarch64"));
  EXPECT_EQ(asked.jdk, "25");
  EXPECT_EQ(asked.settings.compiler, Compiler::c1);
  EXPECT_FALSE(asked.settings.lse);
  EXPECT_EQ(asked_by("jit:x86:21:c2:stress=7").settings.stress, 7U);
  EXPECT_EQ(asked_by("jit:riscv64:21:c2").machine, lower::machine_of("riscv"));
  EXPECT_EQ(asked.compilers, std::vector{Compiler::c1});
  const auto mix = asked_by("jit:aarch64:25:c1+c2:stress=3");
  EXPECT_TRUE(mix.is_mix());
  EXPECT_EQ(mix.compilers, (std::vector{Compiler::c1, Compiler::c2}));
  EXPECT_FALSE(mix.settings_of(Compiler::c1).stress);
  EXPECT_EQ(mix.settings_of(Compiler::c2).stress, 3U);
  EXPECT_EQ(asked_by("jit:x86:21:graal").settings.compiler, Compiler::graal);
  for (const auto* wrong :
       {"jit:x86:17:c1+", "jit:x86:17:c1+c1", "jit:x86:17:+c2", "jit:x86:17:c1:stress",
        "jit:", "jit:17", "jit:17:c3", "jit:aarch64:25:c2:fast", "jit:aarch64:25:c2:stress=x",
        "jit:aarch64::c2"})
    EXPECT_THROW(asked_by(wrong), InputError) << wrong;
}

TEST(JitMixes, AreAllWaysInWhichMoreThanOneCompilerHasAPart) {
  EXPECT_EQ(ways(2, 2), (std::vector<Way>{{0, 1}, {1, 0}}));
  EXPECT_EQ(ways(3, 2).front(), (Way{0, 1, 1}));
  EXPECT_EQ(ways(3, 2).size(), 6);
  EXPECT_EQ(ways(1, 2), (std::vector<Way>{{0}, {1}}));
  EXPECT_EQ(ways(2, 1), (std::vector<Way>{{0, 0}}));
  EXPECT_EQ(ways(2, 3).size(), 6);
}

/// Recorded code of C1 and of C2 of one JDK, each with a thread.
TEST_F(RecordedCode, OfTwoCompilersGoesTogether) {
  const auto of = [](std::string_view name, Compiler compiler) {
    const Recording recording{name, lower::machine_of("aarch64"), compiler};
    return compilations(recording, listing_of(recording))
        .at(static_cast<std::size_t>(Recorded::store_buffering));
  };
  const std::vector both{of("aarch64-25-c1.listing", Compiler::c1),
                         of("aarch64-25-c2.listing", Compiler::c2)};
  const auto asked = asked_by("jit:aarch64:25:c1+c2");
  auto decoder = lower::jit::decoder(asked.machine);
  for (const auto& way : ways(2, 2)) {
    const auto code = jit::lifted(both, way, asked, decoder);
    EXPECT_EQ(code.compilers.at(way[0]), "C1");
    EXPECT_NE(lower::side_by_side(code).find(way[0] == 0 ? "Thread1, by C2" : "Thread0, by C2"),
              std::string::npos);
    // Since JDK-8179954, C1 has a barrier before its volatile loads where there is a C2.
    EXPECT_TRUE(never_shows(code, asked.machine, {{reg(0, "a"), 0}, {reg(1, "b"), 0}}));
  }
  auto other = both;
  other[1].layout.state[0] += 4;
  EXPECT_THROW(mixed(other, {0, 1}), Unsupported);
}

/// JDKs that are here, of this machine and others.
std::vector<Jdk> jdks() {
  std::vector<Jdk> out;
  if (own_machine())
    for (const auto& jvm : jcstress::installed_jvms())
      if (jvm.c2) out.push_back(find_jdk(*own_machine(), jvm.name));
  for (auto& jdk : foreign_jdks())
    if (!jdk.command.front().empty()) out.push_back(std::move(jdk));
  return out;
}

/// A program for each of the 31 access methods and the 5 fences.
std::vector<litmus::Program> of_each_operation() {
  std::vector<litmus::Program> out;
  const auto add = [&](const std::string& call) {
    out.push_back(litmus::parse({"each", fmt::format("Java each\n{{ x = 0; y = 0; X=x; Y=y; }}\n"
                                                     "Thread0 {{ {} Y.set(1); }}\n"
                                                     "Thread1 {{ int b = Y.get(); X.set(b); }}\n"
                                                     "exists (true)\n",
                                                     call)})
                      .java());
  };
  for (const auto& method : litmus::methods()) {
    constexpr std::array<std::string_view, 3> arguments{"", "3", "0, 3"};
    const std::string_view target = litmus::reads(method.action) ? "int a = " : "";
    add(fmt::format("{}X.{}({});", target, method.name,
                    arguments.at(static_cast<std::size_t>(method.arguments))));
  }
  for (const auto& fence : litmus::fences())
    add(fmt::format("int a = X.get(); VarHandle.{}();", fence.name));
  return out;
}

/// Why programs have no code, by reason.
std::map<std::string, int> refusals(const std::vector<litmus::Program>& programs, const Jdk& jdk,
                                    const Settings& settings) {
  std::map<std::string, int> out;
  auto decoder = lower::jit::decoder(jdk.machine);
  for (const auto& captured : capture(programs, jdk, settings)) {
    try {
      lower::jit::lift(compilation_in(captured), decoder);
    } catch (const Unsupported& lacking) {
      ++out[lacking.what()];
    }
  }
  return out;
}

TEST(InstalledJits, EachOperationIsLifted) {
  const auto all = jdks();
  if (all.empty() || lower::backend_version().empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  for (const auto& jdk : all) {
    SCOPED_TRACE(fmt::format("{} {}", lower::info(jdk.machine).prefix, jdk.jvm.version));
    EXPECT_EQ(refusals(of_each_operation(), jdk, {}), (std::map<std::string, int>{}));
    // C1 calls the VM for the three compare-and-exchange methods.
    const auto of_c1 = refusals(of_each_operation(), jdk, {.compiler = Compiler::c1});
    int calls = 0;
    for (const auto& [why, count] : of_c1) {
      EXPECT_NE(why.find("a call in compiled code"), std::string::npos) << why;
      calls += count;
    }
    EXPECT_LE(calls, 3);
    if (jdk.jvm.graal.empty() || jdk.machine != own_machine()) continue;
    EXPECT_EQ(refusals(of_each_operation(), jdk, {.compiler = Compiler::graal}),
              (std::map<std::string, int>{}));
  }
}

/// Twenty ways to buffer stores, each with a barrier between a thread's write and its read.
std::vector<litmus::Program> that_need_a_fence() {
  std::vector<litmus::Program> out;
  const auto add = [&](const std::string& write, const std::string& between,
                       const std::string& read) {
    const auto thread = [&](std::string_view to, std::string_view from, std::string_view result) {
      return fmt::format("{}.{}(1); {} int {} = {}.{}();", to, write, between, result, from, read);
    };
    out.push_back(
        litmus::parse({"needs", fmt::format("Java needs\n{{ x = 0; y = 0; X=x; Y=y; }}\n"
                                            "Thread0 {{ {} }}\nThread1 {{ {} }}\n"
                                            "exists (0:a=0 /\\ 1:b=0)\n",
                                            thread("X", "Y", "a"), thread("Y", "X", "b"))})
            .java());
  };
  for (const auto* write : {"set", "setOpaque", "setRelease", "setVolatile"})
    for (const auto* read : {"get", "getOpaque", "getAcquire", "getVolatile"})
      add(write, "VarHandle.fullFence();", read);
  for (const auto* fence : {"", "acquireFence", "releaseFence", "storeStoreFence"})
    add("setVolatile", *fence == 0 ? "" : fmt::format("VarHandle.{}();", fence), "getVolatile");
  return out;
}

TEST(InstalledJits, AFenceThatIsForgottenIsMissedByAllWhoNeedIt) {
  const auto all = jdks();
  if (all.empty() || lower::backend_version().empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  const litmus::Observable a{litmus::ThreadId(0), "a"}, b{litmus::ThreadId(1), "b"};
  const auto programs = that_need_a_fence();
  ASSERT_EQ(programs.size(), 20);
  const auto& jdk = all.front();
  auto decoder = lower::jit::decoder(jdk.machine);
  for (const auto& captured : capture(programs, jdk, {})) {
    Compilation code = compilation_in(captured);
    litmus::Test source;
    source.program = code.source;
    SCOPED_TRACE(litmus::print(source));
    EXPECT_TRUE(never_shows(lower::jit::lift(code, decoder), jdk.machine, {{a, 0}, {b, 0}}));
    for (auto& method : code.threads) forget_fences(method, jdk.machine);
    EXPECT_TRUE(shows(lower::jit::lift(code, decoder), jdk.machine, {{a, 0}, {b, 0}}));
  }
}

/// Makes recordings anew where there is the JDK: THINAIR_RECORD_JITS=PART, all with this in their
/// names ("28-c1").
TEST(InstalledJits, AreRecorded) {
  const char* part = std::getenv("THINAIR_RECORD_JITS");
  if (part == nullptr) GTEST_SKIP() << "THINAIR_RECORD_JITS is not set";
  for (const auto& recording : recordings()) {
    const std::string name(recording.name);
    if (name.find(part) == std::string::npos) continue;
    const auto first = name.find('-'), second = name.find('-', first + 1);
    const auto jdk = find_jdk(recording.machine, name.substr(first + 1, second - first - 1));
    const auto programs = recorded_programs();
    const auto done = printed(programs, jdk, {.compiler = recording.compiler});
    std::ofstream(THINAIR_SOURCE_DIR "/tests/runners/jit/" + name) << shortened(done.listing);
  }
}

} // namespace
} // namespace thinair::runners::jit
