// Judging on JVMs: answers that come and go, batches, edits that are not worth a run; on a shell
// script that stands in for a JDK.
#include "campaign/confirmation.h"
#include "campaign/jvm_target.h"
#include "gen/reduce.h"
#include "litmus/text/error.h"
#include "oracle/cat/model.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace thinair::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view fake_javac = R"sh(#!/bin/sh
mkdir -p classes/META-INF
for f in $(tr -d '"' <sources); do
  n=litmus.$(basename "$f" .java)
  echo "JCTEST${#n}S$n" >>classes/META-INF/TestList
done
)sh";

// Shows store buffering of volatile accesses, which no model allows, in as many launches as the
// file `shows` says; everything else ends in zeros.
constexpr std::string_view fake_java = R"sh(#!/bin/sh
home=$(dirname "$(dirname "$0")")
case "$*" in *-XshowSettings*)
  { echo "    java.version = 21.0.1"; echo "    java.vendor = Nobody"
    echo "    java.vm.name = Fake VM"; echo "    java.vm.info = mixed mode"; } >&2
  exit 0 ;;
esac
while [ $# -gt 0 ]; do
  case "$1" in -cp) classes=${2%%:*} ;; esac
  shift
done
echo launch >>"$home/launches"
[ ! -f "$home/slow" ] || sleep 6
shows=$(cat "$home/shows")
while read -r i runner ms spin; do
  f=$classes/../src/litmus/$(basename "${runner#litmus.}" _jcstress).java
  echo "run $(grep -c setVolatile "$f")" >>"$home/runs"
  echo "begin $i" >>out
  if [ "$(grep -c setVolatile "$f")" = 2 ] && [ "$(grep -c getVolatile "$f")" = 2 ] && [ "$shows" -gt 0 ]; then
    echo "outcome $i 7 0, 0, 1, 1" >>out
  fi
  echo "end $i ok" >>out
done <runners
[ "$shows" = 0 ] || echo $((shows - 1)) >"$home/shows"
)sh";

class JvmTargetTest : public testing::Test {
 protected:
  JvmTargetTest() {
    for (const auto& [name, text] : {std::pair{"bin/javac", fake_javac}, {"bin/java", fake_java}})
      fs::permissions(jdk_.write(name, text), fs::perms::owner_all);
    jdk_.write("jcstress/jcstress-core-0.16.jar", "");
    ::setenv("THINAIR_JCSTRESS", (jdk_.path() + "/jcstress").c_str(), 1);
  }
  ~JvmTargetTest() override { ::unsetenv("THINAIR_JCSTRESS"); }

  std::string target() const { return "jvm:" + jdk_.path(); }
  std::unique_ptr<JvmJudge> judge_of(int shows, JvmSettings settings = {}) const {
    jdk_.write("shows", std::to_string(shows));
    return std::make_unique<JvmJudge>(Against{.model = jam21_, .jvm = settings}, target());
  }
  std::unique_ptr<JvmJudge> judge(int shows) const { return judge_of(shows, {.gather_s = 0.01}); }
  std::size_t lines(const std::string& name) const {
    std::ifstream file(jdk_.path() + "/" + name);
    return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
  }

  runners::TemporaryDirectory jdk_;
  const cat::Plan jam21_ = cat::load_model("jam21", cat::Architecture::java);
};

litmus::Program store_buffering(const std::string& more = {}) {
  return litmus::parse({"test", "Java SB\n{ x = 0; y = 0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
                                "Thread0 { X.setVolatile(1); int a = Y.getVolatile(); " +
                                    more +
                                    " }\nThread1 { Y.setVolatile(1); int a = X.getVolatile(); }\n"
                                    "exists (0:a=0)\n"})
      .java();
}

TEST_F(JvmTargetTest, SeenOftenEnoughIsUnsound) {
  const auto asked = judge(2);
  const auto program = litmus::canonical(store_buffering());
  const auto judgement = (*asked)(program);
  ASSERT_EQ(judgement.verdict, Verdict::unsound) << judgement.reason.text;
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_NE(litmus::to_string(judgement.findings[0].behaviour).find("=0; 1:"), std::string::npos);
  const Why why = asked->reason(program, false);
  EXPECT_EQ(why.seen, "2 of 3 runs, 14 of 14 samples, on Nobody 21.0.1 c2");
  EXPECT_EQ(why.reason.kind, explain::Core::Kind::model);
  EXPECT_EQ(as_text(why.reason).find("seen"), std::string::npos) << as_text(why.reason);
  EXPECT_EQ(lines("launches"), 3U);
}

TEST_F(JvmTargetTest, SeenTooSeldomIsUnknown) {
  const auto asked = judge(1);
  const auto judgement = (*asked)(store_buffering());
  EXPECT_EQ(judgement.verdict, Verdict::unknown);
  EXPECT_NE(
      judgement.reason.text.find("was seen 7 times in 1 of 3 runs: too rare to be reduced (2 are "
                                 "needed)"),
      std::string::npos)
      << judgement.reason.text;
}

/// What `--confirm` says of a find in a JIT's code.
TEST_F(JvmTargetTest, WhatAJitsCodeMayDoIsSeenOrNot) {
  namespace jcs = runners::jcstress;
  const auto shown = litmus::state_in("0:a=0; 1:a=0").value();
  const auto ask = [&](int shows, const litmus::Program& program) {
    jdk_.write("shows", std::to_string(shows));
    return confirmed(program, shown, {jcs::find_jvm(jdk_.path()), jcs::Mode::c2, 1, 10});
  };
  EXPECT_EQ(ask(0, store_buffering()), "may happen: not seen in 0 samples, on Nobody 21.0.1 c2");
  jdk_.write("bin/java",
             std::string(fake_java).replace(fake_java.find("7 0, 0, 1, 1"), 12, "7 0, 0"));
  EXPECT_EQ(ask(1, store_buffering()), "7 of 7 samples, on Nobody 21.0.1 c2");
  const auto late = confirmed(store_buffering(), shown,
                              {jcs::find_jvm(jdk_.path()), jcs::Mode::c2, 1, 10}, Deadline::in(0));
  EXPECT_TRUE(late.starts_with("may happen: ")) << late;
  EXPECT_EQ(in_a_row(""), "");
  EXPECT_EQ(in_a_row("7 of 7 samples"), ", seen in 7 of 7 samples");
  EXPECT_EQ(in_a_row("may happen: why"), ", may happen: why");
  EXPECT_EQ(as_sentence("may happen: why"), "May happen: why");
  EXPECT_EQ(as_sentence("7 of 7 samples"), "Seen in 7 of 7 samples");
}

TEST_F(JvmTargetTest, AnswersAreKept) {
  const auto asked = judge(0);
  EXPECT_EQ((*asked)(store_buffering()).verdict, Verdict::sound);
  EXPECT_EQ(lines("launches"), 1U) << "nothing forbidden: no second run";
  jdk_.write("shows", "9");
  EXPECT_EQ((*asked)(store_buffering()).verdict, Verdict::sound);
  EXPECT_EQ(lines("launches"), 1U);
}

TEST_F(JvmTargetTest, CallersShareABatch) {
  jdk_.write("shows", "0");
  const auto asked = judge_of(0, {.batch = 3, .gather_s = 60});
  {
    std::vector<std::jthread> callers;
    for (const char* more : {"", "X.getOpaque();", "Y.getOpaque();"})
      callers.emplace_back([&asked, more] { (*asked)(store_buffering(more)); });
  }
  EXPECT_EQ(lines("launches"), 1U);
  EXPECT_EQ(lines("runs"), 3U);
}

TEST_F(JvmTargetTest, AReductionRunsOnlyWhatCouldShowSomething) {
  const auto asked = judge(1000);
  const auto small = gen::reduce(
      litmus::canonical(store_buffering("Y.getOpaque();")), [&](const litmus::Program& p) {
        return (*asked)(p).verdict == Verdict::unsound ? gen::Interest::yes : gen::Interest::no;
      });
  EXPECT_EQ(litmus::count_accesses(small.program), 4U) << "the script needs all four";
  EXPECT_GT(small.steps, 0U) << "but not the fifth";
}

TEST_F(JvmTargetTest, LateAnswersAreUnknown) {
  const auto asked = judge(9);
  asked->set_deadline(Deadline::in(1e-9));
  EXPECT_EQ((*asked)(store_buffering()).verdict, Verdict::unknown);
  EXPECT_EQ(lines("launches"), 0U);
}

TEST_F(JvmTargetTest, ReportsNeedNoJvm) {
  const Against against{.model = jam21_, .model_name = "jam21"};
  const auto nowhere = make_target("jvm:/nowhere/at/all", against);
  EXPECT_THROW(nowhere->ready(), InputError);
  const auto test = as_test(store_buffering(), "SB");
  const auto explained = nowhere->explain(test, litmus::state_in("0:a=0; 1:a=0").value());
  EXPECT_NE(explained.command.find("thinair jcstress run - --jdk /nowhere/at/all --time 5"),
            std::string::npos)
      << explained.command;
  EXPECT_THROW(make_target(target() + ":fast", against)->ready(), InputError);
}

/// A JVM that is at work when the time is over is not waited for: what it would have shown is not
/// known.
TEST_F(JvmTargetTest, SlowJvmsAreNotWaitedFor) {
  jdk_.write("slow", "");
  const auto asked = judge(9);
  asked->set_deadline(Deadline::in(2));
  const auto judgement = (*asked)(store_buffering());
  EXPECT_EQ(judgement.verdict, Verdict::unknown) << judgement.reason.text;
  EXPECT_LE(lines("launches"), 1U);
  EXPECT_EQ(lines("runs"), 0U) << "it was not ended";
}

/// A JVM that shows nothing forbidden has proved nothing.
TEST_F(JvmTargetTest, WhatWasNotSeenIsNotSound) {
  jdk_.write("shows", "0");
  const auto jvm = make_target(target(), {.model = jam21_, .jvm = {.gather_s = 0.01}});
  jvm->ready();
  EXPECT_FALSE(jvm->doubt().empty());
  EXPECT_TRUE(make_target("x86:table2", {.model = jam21_})->doubt().empty());
  jdk_.write("shows", "9");
  const auto look = jvm->look(as_test(store_buffering(), "SB"));
  EXPECT_EQ(look.judged.verdict, runners::Soundness::unsound);
  EXPECT_EQ(look.judged.forbidden.size(), 1U);
  EXPECT_EQ(look.judged.behaviours.size(), 1U);
  EXPECT_NE(look.side_by_side.find("setVolatile"), std::string::npos) << look.side_by_side;
}

/// What every x86 does and jam21 forbids: reads of one's own write are no fence.
litmus::Program forwarded(const std::string& more = {}) {
  return litmus::parse({"test", "Java SB\n{ x = 0; y = 0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
                                "Thread0 { X.set(1); int a = X.getVolatile(); int b = "
                                "Y.getVolatile(); " +
                                    more +
                                    " }\nThread1 { Y.set(1); int a = Y.getVolatile(); int b = "
                                    "X.getVolatile(); }\nexists (0:a=0)\n"})
      .java();
}

TEST_F(JvmTargetTest, TheCodeOfTheJitPromises) {
  const auto asked = judge(0);
  EXPECT_GT(asked->promise(forwarded()), asked->promise(store_buffering()));
  auto crowd = forwarded();
  crowd.threads.push_back(crowd.threads.back());
  EXPECT_LT(asked->promise(crowd), asked->promise(forwarded()));
  EXPECT_EQ(lines("launches"), 0U);
}

TEST_F(JvmTargetTest, AShortcutIsReducedWithoutTheJvm) {
  const auto asked = judge(0);
  const auto small = asked->shortcut(forwarded("Y.getAndAdd(1);"));
  ASSERT_TRUE(small);
  EXPECT_LE(litmus::count_accesses(*small), 6U);
  EXPECT_GT(asked->promise(*small), asked->promise(store_buffering()));
  EXPECT_FALSE(asked->shortcut(*small)) << "nothing can be left out";
  EXPECT_FALSE(asked->shortcut(store_buffering())) << "the code does nothing wrong";
  EXPECT_EQ(lines("launches"), 0U);
}

TEST_F(JvmTargetTest, EditsShareABatch) {
  const auto asked = judge(0);
  const auto program = forwarded();
  asked->ask_about_edits(program);
  EXPECT_EQ(lines("launches"), 0U);
  const auto edits = gen::proposals(program);
  ASSERT_GT(edits.size(), 5U);
  for (const auto& edit : edits) (*asked)(edit);
  EXPECT_EQ(lines("launches"), 2U) << "the code does something wrong after some: a second chance";
  EXPECT_GT(lines("runs"), 1U);
  EXPECT_LT(lines("runs"), edits.size()) << "in some nothing forbidden is conceivable";
}

} // namespace
} // namespace thinair::campaign
