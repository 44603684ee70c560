// herd7 as an engine: fakes named after what is wrong with them, and, where it is installed, the
// real one against our machine.
#include "litmus/text/error.h"
#include "machine/x86/code/store_buffers.h"
#include "machine/x86/herd_export.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "runners/herd7.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"
#include "tests/support/golden.h"
#include "tests/support/random_x86.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace thinair::runners {
namespace {

using Status = HerdAnswer::Status;

litmus::Test parse(const std::string& text) { return litmus::parse({"t.litmus", text}); }

litmus::Test store_buffering() {
  return parse("X86_64 SB\n{}\n P0 | P1 ;\n movl $1,(x) | movl $1,(y) ;\n"
               " movl (y),%eax | movl (x),%eax ;\nexists (0:rax=0 /\\ 1:rax=0)");
}

/// A herd7 that is a shell script; `$tests` are the names it was asked about.
class Fake {
 public:
  Fake(const std::string& name, const std::string& script)
      : path_(directory_.write(name, "#!/bin/sh\ntests=$(sed 's/.litmus//' @tests)\n" + script)) {
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }

  std::vector<HerdAnswer> ask(std::size_t tests, double seconds = 60, double grace = 0.3) const {
    HerdOptions options;
    options.program = path_;
    options.seconds = seconds;
    options.grace = grace;
    return run_herd7(std::vector<litmus::Test>(tests, store_buffering()), options);
  }

 private:
  TemporaryDirectory directory_;
  std::string path_;
};

/// What the real one says of store buffering, for the test $t.
const std::string right = R"sh(answer() {
echo "Test $1 Allowed"
echo "States 4"
echo "0:rax=0; 1:rax=0;"
echo "0:rax=0; 1:rax=1;"
echo "0:rax=1; 1:rax=0;"
echo "0:rax=1; 1:rax=1;"
echo Ok; echo Witnesses
echo "Positive: 1 Negative: 3"
echo "Condition exists ..."
echo "Observation $1 Sometimes 1 3"
echo "Time $1 0.25"
echo "Hash=0"
echo
}
)sh";

TEST(Herd7, AnAnswerIsRead) {
  const Fake fake("right", right + "for t in $tests; do answer $t; done");
  const auto answers = fake.ask(3);
  ASSERT_EQ(answers.size(), 3U);
  for (const HerdAnswer& answer : answers) {
    EXPECT_EQ(answer.status, Status::ok) << answer.reason.text;
    EXPECT_EQ(answer.result.behaviours.size(), 4U);
    EXPECT_EQ(answer.result.positive, 1U);
    EXPECT_EQ(answer.result.executions, 4U);
    EXPECT_EQ(answer.seconds, 0.25);
  }
}

TEST(Herd7, Crashing) {
  const Fake fake("crashing", right + "for t in $tests; do [ $t = t1 ] && kill -SEGV $$; "
                                      "answer $t; done");
  const auto answers = fake.ask(4);
  EXPECT_EQ(answers[0].status, Status::ok);
  EXPECT_EQ(answers[1].status, Status::failed);
  EXPECT_EQ(answers[1].reason, "herd7: killed by signal 11");
  EXPECT_EQ(answers[2].status, Status::ok);
  EXPECT_EQ(answers[3].status, Status::ok);
}

TEST(Herd7, CrashingAlways) {
  const Fake fake("crashing", "echo 'no luck' >&2; exit 2");
  for (const HerdAnswer& answer : fake.ask(50)) {
    EXPECT_EQ(answer.status, Status::failed);
    EXPECT_EQ(answer.reason, "herd7: exit status 2: no luck");
    EXPECT_EQ(answer.result.status, oracle::Result::Status::unknown);
  }
}

TEST(Herd7, SilentAboutATest) {
  const Fake fake("slow", right + "for t in $tests; do [ $t = t1 ] || answer $t; done");
  const auto answers = fake.ask(3);
  EXPECT_EQ(answers[0].status, Status::ok);
  EXPECT_EQ(answers[1].status, Status::unknown);
  EXPECT_EQ(answers[1].reason, Reason::reached(Limit::time));
  EXPECT_EQ(answers[2].status, Status::ok);
}

TEST(Herd7, SaysSomethingElseWhenItsTimeIsUp) {
  const std::string script = right + "for t in $tests; do [ $t = t1 ] || answer $t; done\n"
                                     "echo 'File \"cos.cat\", line 8, characters 13-32: "
                                     "argument_mismatch' >&2";
  const auto limited = Fake("slow", script).ask(3);
  EXPECT_EQ(limited[1].status, Status::unknown);
  EXPECT_EQ(limited[1].reason, Reason::reached(Limit::time));
  const auto unlimited = Fake("wrong", script).ask(3, 0);
  EXPECT_EQ(unlimited[1].status, Status::failed);
  EXPECT_NE(unlimited[1].reason.text.find("argument_mismatch"), std::string::npos);
}

TEST(Herd7, Hung) {
  const Fake fake("hung", right + "for t in $tests; do [ $t = t1 ] && sleep 1000; answer $t; done");
  auto answers = fake.ask(3, 0.01);
  for (double grace = 1.2; answers[2].status != Status::ok && grace < 60; grace *= 4)
    answers = fake.ask(3, 0.01, grace); // the machine may be too busy to start a shell in time
  EXPECT_EQ(answers[0].status, Status::ok);
  EXPECT_EQ(answers[1].status, Status::unknown);
  EXPECT_EQ(answers[1].reason, Reason::reached(Limit::time));
  EXPECT_EQ(answers[2].status, Status::ok);
}

TEST(Herd7, Rejecting) {
  const Fake fake("rejecting",
                  right + "for t in $tests; do answer $t; done | sed '/Test t1 /,/Hash/d'\n"
                          "echo 'Warning: File \"t1.litmus\", line 4, characters 5-6: unexpected' "
                          "\"'('\" >&2");
  const auto answers = fake.ask(2);
  EXPECT_EQ(answers[0].status, Status::ok);
  EXPECT_EQ(answers[1].status, Status::rejected);
  EXPECT_NE(answers[1].reason.text.find("unexpected '('"), std::string::npos);
}

TEST(Herd7, CutByItsLoopBound) {
  const Fake fake("cut", right + "for t in $tests; do answer $t; done | sed 's/^Ok/Loop Ok/'");
  const auto answers = fake.ask(1);
  EXPECT_EQ(answers[0].status, Status::unknown);
  EXPECT_EQ(answers[0].reason, Reason::reached(Limit::loop_bound));
  EXPECT_TRUE(answers[0].result.cut_by_loop_bound);
  EXPECT_EQ(answers[0].result.behaviours.size(), 4U);
}

/// A lie told by changing one line of the right answer.
std::string told(const std::string& change) {
  const Fake fake("lying", right + "for t in $tests; do answer $t; done | sed '" + change + "'");
  const HerdAnswer answer = fake.ask(1).at(0);
  EXPECT_EQ(answer.status, Status::failed) << change;
  EXPECT_TRUE(answer.result.behaviours.empty()) << change;
  return answer.reason.text;
}

TEST(Herd7, Lying) {
  const std::string opening = "herd7's answer makes no sense: ";
  EXPECT_EQ(told("s/Sometimes/Never/"), opening + "Never of 1 positive and 3 negative");
  EXPECT_EQ(told("s/^States 4/States 3/"), opening + "more states than announced");
  EXPECT_EQ(told("s/^States 4/States 5/"), opening + "a state `Ok`");
  EXPECT_EQ(told("s/^States 4/States many/"), opening + "a number of states that is none");
  EXPECT_EQ(told("/^0:rax=0; 1:rax=0;/s/0/1/"), opening + "the name 1:rax");
  EXPECT_EQ(told("/^0:rax=0; 1:rax=0;/s/=0/=1/"), opening + "one state twice");
  EXPECT_EQ(told("/^0:rax=0; 1:rax=0;/s/=0/=2/"), opening + "counts that its states deny");
  EXPECT_EQ(told("s/0:rax=1; 1:rax=1;/0:rax=z; 1:rax=1;/"), opening + "the value z of 0:rax");
  EXPECT_EQ(told("s/0:rax=1; 1:rax=1;/0:rax=1;/"),
            opening + "a state that names too much or too little");
  EXPECT_EQ(told("s/Positive: 1/Positive: 2/"), opening + "two different counts");
  EXPECT_EQ(told("/^Positive/d"), opening + "two different counts");
  EXPECT_EQ(told("s/Observation t0/Observation t9/"), opening + "an observation of another test");
}

TEST(Herd7, Garbage) {
  const Fake fake("garbage", "head -c 100000 /dev/urandom; head -c 1000 /dev/urandom >&2");
  EXPECT_NE(fake.ask(1).at(0).status, Status::ok);
  const Fake text("garbage", "echo Test; echo Test t0; echo States; echo Hash=");
  EXPECT_EQ(text.ask(1).at(0).status, Status::failed);
  const Fake cut("garbage", right + "answer t0 | head -n 4");
  EXPECT_NE(cut.ask(1).at(0).status, Status::ok);
}

TEST(Herd7, WhatIsNotThere) {
  HerdOptions options;
  options.program = "thinair-no-such-herd7";
  EXPECT_THROW(run_herd7({}, options), InputError);
  const Fake fake("right", "");
  EXPECT_TRUE(fake.ask(0).empty());
}

class RealHerd7 : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_herd7()) GTEST_SKIP() << "no herd7 here (scripts/get-herd7)";
  }

  /// The machine's states of a test and herd7's; equal.
  static void compare(const std::vector<litmus::Test>& tests, const HerdOptions& options = {},
                      std::size_t may_run_out_of_time = 0) {
    const auto answers = run_herd7(tests, options);
    std::size_t ran_out = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      SCOPED_TRACE(litmus::print(tests[i]));
      if (answers[i].reason == Reason::reached(Limit::time) && ++ran_out <= may_run_out_of_time)
        continue;
      ASSERT_EQ(answers[i].status, Status::ok) << answers[i].reason.text;
      const auto machine = x86_machine(tests[i]);
      EXPECT_EQ(answers[i].result.observables, machine.observables);
      EXPECT_EQ(answers[i].result.behaviours, machine.behaviours);
    }
  }
};

TEST_F(RealHerd7, ReadsOurTestsAndCountsTheirExecutions) {
  const auto answers = run_herd7(std::vector{store_buffering()}, {});
  ASSERT_EQ(answers.at(0).status, Status::ok) << answers[0].reason.text;
  EXPECT_EQ(answers[0].result.positive, 1U);
  EXPECT_EQ(answers[0].result.negative, 3U);
  EXPECT_EQ(answers[0].result.behaviours.size(), 4U);
}

/// docs/language.md has the test, and says so.
TEST_F(RealHerd7, ReadsOnceMoreInACompareAndExchange) {
  const auto page = litmus::read_file(THINAIR_SOURCE_DIR "/docs/language.md").text;
  const auto begin = page.find("Java IRIW+exchanges\n");
  ASSERT_NE(begin, std::string::npos);
  const auto test = parse(page.substr(begin, page.find("```", begin) - begin));
  const auto model = cat::load_model("jam21", cat::Architecture::java);
  const auto ours = executions::behaviours(test, model);
  HerdOptions options;
  options.model = "jam21";
  const auto theirs = run_herd7(std::vector{test}, options).at(0);
  ASSERT_EQ(theirs.status, Status::ok) << theirs.reason.text;
  std::vector<litmus::Behaviour> missing;
  std::ranges::copy_if(ours.behaviours, std::back_inserter(missing), [&](const auto& behaviour) {
    return std::ranges::find(theirs.result.behaviours, behaviour) == theirs.result.behaviours.end();
  });
  EXPECT_EQ(ours.behaviours.size(), theirs.result.behaviours.size() + 1);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(litmus::to_string(ours.observables, missing[0]),
            "2:r0=1; 2:r1=1; 2:r2=0; 3:r3=1; 3:r4=1; 3:r5=0");
}

TEST_F(RealHerd7, RewrittenProgramsHaveTheSameStates) {
  const std::string head = "X86_64 t\n{x=1; 0:rbx=3; 1:rbx=5; 0:rcx=1;}\n P0 | P1 ;\n ";
  const std::vector<std::string> bodies{
      "lock xaddl %ebx,(x) | lock xaddl %ebx,(x) ;\nexists (0:rbx=1 /\\ 1:rbx=1 /\\ x=1)",
      "xaddl %ebx,(x) | movl $7,(x) ;\nexists (0:rbx=1 /\\ x=1)",
      "lock orl $4,(x) | lock andl $6,(x) ;\nexists (x=1)",
      "lock subl $1,(x) | lock xorl $6,(x) ;\nexists (x=1)",
      "movl (x),%eax | movl $3,(x) ;\n cmpl $2,%eax | ;\n setl %dl | ;\n setge %sil | ;\n"
      " cmovgl (x),%ecx | ;\nexists (0:rdx=1 /\\ 0:rsi=0 /\\ 0:rcx=2 /\\ 0:rax=1)",
      "movl $1,%eax | lock xaddl %ebx,(x) ;\n lock cmpxchgl (x),%ebx | mfence ;\n sete %dl | ;\n"
      " movzbl %dl,%esi | ;\nexists (0:rdx=1 /\\ 0:rax=9 /\\ 1:rbx=3 /\\ x=8 /\\ 0:rsi=1)",
      "movl (x),%eax | movl $2,(x) ;\n testl $2,%eax | ;\n jne L | ;\n movl $9,(y) | ;\n L: | ;\n"
      "exists (y=9 /\\ 0:rax=1)",
      "L: movl (x),%eax | movl $2,(x) ;\n cmpl $2,%eax | ;\n jl E | ;\n subl $2,%eax | ;\n"
      " movl %eax,(y) | ;\n E: | ;\nexists (y=9 /\\ 0:rax=1)",
  };
  std::vector<litmus::Test> tests;
  for (const std::string& body : bodies) tests.push_back(parse(head + body));
  tests.push_back(parse("X86 t\n{0:EBX=x; 0:ECX=2;}\n P0 | P1 ;\n lock xadd [EBX],ECX | mov [x],3 "
                        ";\nexists (0:ECX=3 /\\ x=3)"));
  tests.push_back(parse("X86 t\n{0:EAX=2; inc=2;}\n P0 | P1 ;\n xchg [inc],EAX | mov [inc],3 ;\n"
                        "exists (0:EAX=3 /\\ inc=3)"));
  compare(tests);
}

TEST_F(RealHerd7, AgreesWithTheMachineOnRandomPrograms) {
  std::vector<litmus::Test> tests;
  for (std::uint64_t seed = 0; tests.size() < 60; ++seed) {
    ASSERT_LT(seed, 1000U) << "nearly all programs are refused";
    litmus::Test test = parse(test::random_x86(seed, true));
    try {
      x86::herd_export(test);
      tests.push_back(std::move(test));
    } catch (const Unsupported&) { // flags of a rewritten instruction
    }
  }
  HerdOptions options;
  options.optace = "true";
  options.seconds = 0.3;
  compare(tests, options, 20);
}

TEST_F(RealHerd7, SaysWhatItDoesNotRead) {
  const auto answers =
      run_herd7(std::vector{parse("X86_64 t\n{}\n P0 ;\n shrl $1,%eax ;\nexists (0:rax=0)"),
                            store_buffering()},
                {});
  EXPECT_EQ(answers.at(0).status, Status::rejected);
  EXPECT_EQ(answers.at(0).reason, "unsupported: shr for herd7");
  EXPECT_EQ(answers.at(1).status, Status::ok);
}

TEST_F(RealHerd7, LoopsAreCutAndSaidSo) {
  const auto test = parse("X86_64 t\n{}\n P0 | P1 ;\n L: movl (x),%eax | movl $1,(x) ;\n"
                          " cmpl $0,%eax | ;\n je L | ;\nexists (0:rax=1)");
  const auto answer = run_herd7(std::vector{test}, {}).at(0);
  EXPECT_EQ(answer.status, Status::unknown);
  EXPECT_EQ(answer.reason, Reason::reached(Limit::loop_bound));
  HerdOptions more;
  more.unroll = 5;
  EXPECT_GT(run_herd7(std::vector{test}, more).at(0).result.executions, answer.result.executions);
}

TEST_F(RealHerd7, OtherModelsByNameAndByFile) {
  HerdOptions options;
  options.model = "sc";
  EXPECT_EQ(run_herd7(std::vector{store_buffering()}, options).at(0).result.behaviours.size(), 3U);
  const TemporaryDirectory directory;
  options.model = directory.write("weird.cat", "\"weird\"\ninclude \"cos.cat\"\nempty W\n");
  EXPECT_EQ(run_herd7(std::vector{store_buffering()}, options).at(0).result.behaviours.size(), 0U);
  options.model = directory.write("wrong.cat", "\"wrong\"\nacyclic foo\n");
  const auto answer = run_herd7(std::vector{store_buffering()}, options).at(0);
  EXPECT_EQ(answer.status, Status::failed);
  EXPECT_NE(answer.reason.text.find("unbound var: foo"), std::string::npos) << answer.reason.text;
  options.model = "no-such-model";
  EXPECT_THROW(run_herd7({}, options), InputError);
}

TEST_F(RealHerd7, AgreesWithTheGoldenAnswers) {
  const auto expected = golden::answers("x86/x86-tso.json");
  if (expected.empty()) GTEST_SKIP() << "no golden data here";
  std::vector<litmus::Test> tests;
  for (const auto& file : golden::files("x86/tests"))
    tests.push_back(litmus::parse(litmus::read_file(file.string())));
  HerdOptions options;
  options.optace = "true";
  const auto answers = run_herd7(tests, options);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    ASSERT_EQ(answers[i].status, Status::ok) << tests[i].name << ": " << answers[i].reason.text;
    std::vector<std::string> states;
    for (const auto& behaviour : answers[i].result.behaviours)
      states.push_back(litmus::to_string(tests[i], answers[i].result.observables, behaviour));
    EXPECT_EQ(states, expected.at(tests[i].name).states) << tests[i].name;
  }
}

} // namespace
} // namespace thinair::runners
