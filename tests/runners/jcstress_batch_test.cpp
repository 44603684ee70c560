// Batches on JVMs that crash, hang, run out of memory or lie: shell scripts that stand in for a
// JDK, recorded lines, and a real JDK where there is one.
#include "litmus/text/error.h"
#include "runners/jcstress/batch.h"
#include "runners/jcstress/project.h"
#include "tests/runners/real_jvm.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace thinair::runners::jcstress {
namespace {

namespace fs = std::filesystem;
using Status = Record::Status;

// javac: BROKEN tests have an error, DROPPED ones are missing in its list.
constexpr std::string_view fake_javac = R"(#!/bin/sh
mkdir -p classes/META-INF
: >classes/META-INF/TestList
bad=0
for f in $(tr -d '"' <sources); do
  case $f in src/litmus/T*) ;; *) continue ;; esac
  n=litmus.$(basename "$f" .java)
  if grep -q BROKEN "$f"; then echo "$f:3: error: not Java at all" >&2; bad=1; continue; fi
  grep -q DROPPED "$f" || echo "JCTEST${#n}S$n" >>classes/META-INF/TestList
done
exit $bad
)";

// java: does to each test what its title says. VICTIM dies when POISON ran before it.
constexpr std::string_view fake_java = R"(#!/bin/sh
case "$*" in *-XshowSettings*)
  { echo "    java.version = ${FAKE_VERSION:-21.0.1}"; echo "    java.vendor = Nobody"
    echo "    java.vm.name = Fake VM"; echo "    java.vm.info = mixed mode"; } >&2
  exit 0 ;;
esac
while [ $# -gt 0 ]; do
  case "$1" in -cp) classes=${2%%:*} ;; -XX:ErrorFile=*) err=${1#-XX:ErrorFile=} ;; esac
  shift
done
echo "launch" >>"$classes/../launches"
die() { echo "# SIGSEGV" >"${err%%%p.log}1.log"; kill -KILL $$; }
poisoned=false
while read -r i runner ms spin; do
  f=$classes/../src/litmus/$(basename "${runner#litmus.}" _jcstress).java
  echo "begin $i" >>out
  grep -q POISON "$f" && poisoned=true
  if grep -q VICTIM "$f" && $poisoned; then die; fi
  if grep -q CRASH "$f"; then die; fi
  if grep -q HANG "$f"; then echo "end $i hang" >>out; exit 9; fi
  if grep -q MEMORY "$f"; then echo "end $i oom" >>out; exit 9; fi
  if grep -q THROW "$f"; then echo "end $i error java.lang.Oops: no" >>out; exit 9; fi
  if grep -q LIAR "$f"; then echo "outcome $i 3 nonsense" >>out; fi
  { echo "outcome $i 40 1, 0"; echo "outcome $i 2 0, 0"; echo "seconds $i 0.$ms"
    echo "end $i ok"; } >>out
done <runners
)";

// java: jcstress's command line with the results of SB+rfis, as 0.16 showed them on OpenJDK 17 in
// two of its forks, or as the file `results` has them. What it was called with is in `calls`.
constexpr std::string_view fake_official = R"sh(#!/bin/sh
home=$(dirname "$(dirname "$0")")
echo "$*" >>"$home/calls"
case "$*" in
  *org.openjdk.jcstress.Main*)
    : >jcstress-results-2026-11-18-18-40-25.bin.gz
    echo "# SIGSEGV" >hs_err_pid7.log
    echo 'Exception in thread "main" java.lang.AssertionError: TEST FAILURES: ' >&2
    exit 1 ;;
  *thinair.Reader*) cat "$home/results" ;;
esac
)sh";

constexpr std::string_view two_forks = R"(begin litmus.T00000
outcome litmus.T00000 1129 1, 0, 1, 0
outcome litmus.T00000 8223 1, 1, 1, 0
outcome litmus.T00000 18895 1, 0, 1, 1
outcome litmus.T00000 1 1, 1, 1, 1
end litmus.T00000 ok
begin litmus.T00000
outcome litmus.T00000 309 1, 0, 1, 0
outcome litmus.T00000 20301 1, 0, 1, 1
outcome litmus.T00000 1 1, 1, 1, 1
outcome litmus.T00000 9087 1, 1, 1, 0
end litmus.T00000 ok
)";

class FakeJdk {
 public:
  FakeJdk() {
    write("bin/javac", fake_javac);
    write("bin/java", fake_java);
  }
  void write(const std::string& name, std::string_view text) const {
    fs::permissions(directory_.write(name, text), fs::perms::owner_all);
  }
  Jvm jvm() const {
    std::string why;
    const auto found = look_at(directory_.path(), why);
    if (!found) throw InputError(why);
    return *found;
  }
  const std::string& path() const { return directory_.path(); }

 private:
  TemporaryDirectory directory_;
};

litmus::Test titled(const std::string& title) {
  return litmus::parse({"test", fmt::format("Java T-{0}\n\"{0}\"\n{{ x = 0; 0:X=x; 1:X=x; }}\n"
                                            "Thread0 {{ int a = X.get(); }}\n"
                                            "Thread1 {{ int b = X.get(); }}\nexists (0:a=0)\n",
                                            title)});
}

struct Ran {
  std::vector<TestRun> runs;
  std::vector<std::string> words; // status and reason of each
};

Ran run_fake(const std::vector<std::string>& titles, const std::string& keep = {}) {
  const FakeJdk jdk;
  std::vector<Prepared> tests;
  for (const auto& title : titles) tests.push_back(prepare(titled(title)));
  const Batch batch(std::move(tests), jdk.jvm(), {"core.jar", "core.jar"});
  Ran ran;
  ran.runs = batch.run(jdk.jvm(), {.keep = keep});
  for (const auto& run : ran.runs)
    ran.words.push_back(
        fmt::format("{}{}{}", name(run.status), run.reason.empty() ? "" : ": ", run.reason.text));
  return ran;
}

using Words = std::vector<std::string>;

TEST(JcstressBatch, CountsOutcomes) {
  const auto ran = run_fake({"fine", "fine"});
  EXPECT_EQ(ran.words, (Words{"ok", "ok"}));
  EXPECT_EQ(ran.runs[0].samples, 42U);
  EXPECT_EQ(ran.runs[0].outcomes,
            (std::map<litmus::Behaviour, std::uint64_t>{{{0, 0}, 2}, {{1, 0}, 40}}));
  EXPECT_DOUBLE_EQ(ran.runs[1].seconds, 0.2) << "200 ms, as the options say";
}

TEST(JcstressBatch, DeathsAreResults) {
  const auto ran = run_fake({"fine", "CRASH", "HANG", "MEMORY", "THROW", "fine"});
  EXPECT_EQ(ran.words, (Words{"ok", "crash: killed by signal 9, and again when run alone", "hang",
                              "oom", "error: java.lang.Oops: no", "ok"}));
  EXPECT_EQ(ran.runs[5].samples, 42U);
}

TEST(JcstressBatch, TheGuiltyTestIsFound) {
  const auto ran = run_fake({"fine", "fine", "POISON", "fine", "VICTIM", "fine"});
  EXPECT_EQ(ran.words[2], "crash: killed by signal 9 while a later test ran");
  EXPECT_EQ(ran.words[4], "ok") << "it has nothing to do with it";
  EXPECT_EQ(std::ranges::count(ran.words, "ok"), 5);
  EXPECT_EQ(ran.words[5], "ok");
}

TEST(JcstressBatch, WhatACrashLeavesIsKept) {
  const TemporaryDirectory keep;
  const auto ran = run_fake({"CRASH"}, keep.path() + "/crashes");
  const auto folder = keep.path() + "/crashes/T_mCRASH-21";
  EXPECT_EQ(ran.words, (Words{"crash: killed by signal 9, and again when run alone (kept in " +
                              folder + ")"}));
  std::ifstream hs_err(folder + "/hs_err.log");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(hs_err), {}), "# SIGSEGV\n");
  EXPECT_TRUE(fs::exists(folder + "/test.litmus"));
}

TEST(JcstressBatch, WhatDoesNotCompileIsOut) {
  const auto ran = run_fake({"BROKEN", "fine", "DROPPED", "LIAR"});
  EXPECT_EQ(ran.words, (Words{"error: javac: not Java at all", "ok",
                              "error: jcstress's processor left the test out",
                              "error: an outcome that is none: nonsense"}));
}

class JcstressOfficial : public testing::Test {
 protected:
  JcstressOfficial() { results(two_forks); }

  void results(std::string_view text) const { jdk_.write("results", text); }

  std::vector<TestRun> run(std::vector<Prepared> tests, const RunOptions& options) const {
    const Jvm jvm = jdk_.jvm();
    const Batch batch(std::move(tests), jvm, {"core.jar", "all.jar"});
    jdk_.write("bin/java", fake_official);
    return batch.run_officially(jvm, options);
  }

  static Prepared forwarding() {
    return prepare(litmus::parse(
        {"test", "Java SB+rfis\n{ x = 0; y = 0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
                 "Thread0 { X.set(1); int a = X.getVolatile(); int b = Y.getVolatile(); }\n"
                 "Thread1 { Y.set(1); int c = Y.getVolatile(); int d = X.getVolatile(); }\n"
                 "exists (0:a=1 /\\ 0:b=0 /\\ 1:c=1 /\\ 1:d=0)\n"}));
  }

  std::string calls() const {
    std::ifstream file(jdk_.path() + "/calls");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  FakeJdk jdk_;
};

TEST_F(JcstressOfficial, ForksAreAddedUp) {
  std::vector<Prepared> tests;
  tests.push_back(forwarding());
  const auto runs = run(std::move(tests), {.milliseconds = 70, .flags = {"-XX:+UseParallelGC"}});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].status, Status::ok) << runs[0].reason.text;
  EXPECT_EQ(runs[0].samples, 57946U);
  EXPECT_EQ(runs[0].outcomes.at({1, 0, 1, 0}), 1438U);
  EXPECT_EQ(runs[0].outcomes.at({1, 1, 1, 1}), 2U);
  EXPECT_NE(calls().find("-m quick -time 70 -iters 1 -af NONE -t ^litmus\\.(T00000)$"),
            std::string::npos)
      << calls();
  EXPECT_NE(calls().find("-XX:+UseParallelGC -cp "), std::string::npos) << calls();
}

TEST_F(JcstressOfficial, TheWorstOfTheForksIsTold) {
  const TemporaryDirectory keep;
  results("begin litmus.T00000\noutcome litmus.T00000 5 1, 0, 1, 0\nend litmus.T00000 ok\n"
          "begin litmus.T00000\nend litmus.T00000 crash the fork died\n");
  std::vector<Prepared> tests;
  tests.push_back(forwarding());
  tests.push_back(prepare(titled("fine")));
  const auto runs = run(std::move(tests), {.keep = keep.path()});
  EXPECT_EQ(runs[0].status, Status::crash);
  EXPECT_EQ(runs[0].reason, "the fork died (kept in " + keep.path() + "/SB_prfis-21)");
  EXPECT_EQ(runs[0].samples, 5U) << "what the others showed counts";
  std::ifstream hs_err(keep.path() + "/SB_prfis-21/hs_err.log");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(hs_err), {}), "# SIGSEGV\n");
  EXPECT_EQ(runs[1].status, Status::error);
  EXPECT_EQ(runs[1].reason, "jcstress left the test out");
}

TEST_F(JcstressOfficial, NothingStoredIsAnError) {
  results("");
  std::vector<Prepared> tests;
  tests.push_back(forwarding());
  try {
    run(std::move(tests), {});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with(
        "error: jcstress's command line: exit status 1\nException in thread"))
        << e.what();
  }
}

TEST(JcstressBatch, AJvmThatDoesNotStartIsAnError) {
  const FakeJdk jdk;
  std::vector<Prepared> tests = {prepare(titled("fine"))};
  const Jvm jvm = jdk.jvm();
  const Batch batch(std::move(tests), jvm, {"core.jar", "core.jar"});
  jdk.write("bin/java", "#!/bin/sh\necho 'Unrecognized VM option' >&2\nexit 1\n");
  try {
    batch.run(jvm, {});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()),
              "error: the JVM 21 did not start: exit status 1\nUnrecognized VM option\n");
  }
}

TEST(JcstressJvm, SaysWhyItIsNone) {
  std::string why;
  EXPECT_FALSE(look_at("/nowhere", why));
  EXPECT_EQ(why, "there is no bin/java");
  const FakeJdk jdk;
  jdk.write("bin/java", "#!/bin/sh\necho '    java.version = 1.8.0_504' >&2\n");
  EXPECT_FALSE(look_at(jdk.path(), why));
  EXPECT_EQ(why, "Java 1.8.0_504 has no VarHandle: 9 or later is needed");
  jdk.write("bin/java", "#!/bin/sh\nexit 3\n");
  EXPECT_FALSE(look_at(jdk.path(), why));
  EXPECT_EQ(why, "java -version: exit status 3");
  try {
    find_jvm(jdk.path());
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("hint: this takes the home of a JDK"), std::string::npos);
  }
}

TEST(JcstressJvm, KnowsItsModes) {
  Jvm jvm;
  jvm.name = "17";
  jvm.c1 = jvm.c2 = true;
  EXPECT_EQ(modes_of(jvm).size(), 5U);
  EXPECT_EQ(find_mode(jvm, "stress"), Mode::stress);
  EXPECT_EQ(default_mode(jvm), Mode::c2);
  EXPECT_THROW(find_mode(jvm, "graal"), InputError);
  jvm.graal = "a.jar:b.jar";
  EXPECT_EQ(find_mode(jvm, "graal"), Mode::graal);
  EXPECT_EQ(flags_of(jvm, {.mode = Mode::graal}).at(3), "--upgrade-module-path=a.jar:b.jar");
  EXPECT_EQ(default_mode(jvm), Mode::c2);
  jvm.graal.clear();
  jvm.c1 = jvm.c2 = false;
  jvm.zero = true;
  EXPECT_EQ(modes_of(jvm), std::vector<Mode>{Mode::interpreted});
  EXPECT_EQ(default_mode(jvm), Mode::interpreted);
  try {
    find_mode(jvm, "c2");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()), "error: the JVM 17 has no mode 'c2' (it has: int)");
  }
  EXPECT_EQ(flags_of(jvm, {.mode = Mode::interpreted, .flags = {"-Xs"}}).front(), "-zero");
  EXPECT_EQ(flags_of(jvm, {.mode = Mode::interpreted, .flags = {"-Xs"}}).back(), "-Xs");
}

TEST(JcstressRecords, AreAddedUp) {
  const auto records = parse_records("begin 7\noutcome 7 3 1, 0\nseconds 7 0.5\nend 7 ok\n"
                                     "begin 7\noutcome 7 4 1, 0\nseconds 7 0.25\nend 7 hang x y\n"
                                     "begin a.B\noutcome a.B 1 -1\nend a.B error no\n");
  ASSERT_EQ(records.size(), 2U);
  const Record& seven = records.at("7");
  EXPECT_EQ(seven.outcomes.at("1, 0"), 7U);
  EXPECT_EQ(seven.runs, 2U);
  EXPECT_DOUBLE_EQ(seven.seconds, 0.75);
  EXPECT_EQ(seven.status, Status::hang);
  EXPECT_EQ(records.at("a.B").reason, "no");
}

TEST(JcstressRecords, CutShortCountForNothing) {
  const auto records = parse_records("begin 1\noutcome 1 12 0, 0\noutcome 1 99");
  EXPECT_EQ(records.at("1").status, Status::begun);
  EXPECT_EQ(records.at("1").outcomes.size(), 1U);
  EXPECT_EQ(name(records.at("1").status), "crash");
  EXPECT_TRUE(parse_records("").empty());
  EXPECT_TRUE(parse_records("rubbish\n\nend\nend 3 what\noutcome\n").empty());
  EXPECT_TRUE(parse_records("outcome 1 x 0\n").empty());
}

// ---- with a real JDK ----------------------------------------------------------------------------

/// Not what thinair writes: the processor does not take an actor with such a parameter.
constexpr std::string_view left_out = R"(package litmus;
import org.openjdk.jcstress.annotations.*;
import org.openjdk.jcstress.infra.results.*;
@JCStressTest
@Outcome(expect = Expect.ACCEPTABLE, desc = "any")
@State
public class T_mtwo {
  @Actor public void thread0(int x, I_Result r) { r.r1 = x; }
  @Actor public void thread1(I_Result r) { }
}
)";

TEST(JcstressReal, AProjectIsCompiledAndItsListLookedInto) {
  const auto jdk = real();
  if (!jdk) GTEST_SKIP() << "no JDK, or no jcstress (scripts/get-jcstress)";
  const TemporaryDirectory place;
  const std::string directory = place.path() + "/a \"folder\" of mine";
  std::vector<Graded> tests;
  for (const char* title : {"one", "two"})
    tests.push_back({prepare(titled(title)), {{"", true, "any"}}, ""});
  write_files(directory, project(tests, "thinair"));
  using Errors = std::map<std::string, std::string>;
  EXPECT_EQ(compile_project(directory, tests, jdk->jvm, jdk->jars), Errors());
  std::ofstream(directory + "/src/main/java/litmus/T_mtwo.java") << left_out;
  EXPECT_EQ(compile_project(directory, tests, jdk->jvm, jdk->jars),
            (Errors{{"T_mtwo", "jcstress's processor left the test out"}}));
  std::ofstream(directory + "/src/main/java/litmus/T_mtwo.java") << "class";
  EXPECT_EQ(compile_project(directory, tests, jdk->jvm, jdk->jars),
            (Errors{{"T_mtwo", "javac: reached end of file while parsing"}}));
}

TEST(JcstressReal, EveryMethodAndFenceCompilesAndRuns) {
  const auto jdk = real();
  if (!jdk) GTEST_SKIP() << "no JDK, or no jcstress (scripts/get-jcstress)";
  std::string body = "int a = 0; int b = 0; int c = 0;\n";
  for (const auto& method : litmus::methods()) {
    std::string arguments;
    for (int i = 0; i < method.arguments; ++i) arguments += i > 0 ? ", 1" : "0";
    body +=
        fmt::format("{}X.{}({});\n", reads(method.action) ? "a = " : "", method.name, arguments);
    body += fmt::format("X.{}({});\n", method.name, arguments);
  }
  for (const auto& fence : litmus::fences()) body += fmt::format("{}();\n", fence.name);
  body += "if (X.compareAndSet(0, a == 1) && !(a < 2) || -a >>> 1) { b = ~a; } else { c = 7; }\n"
          "lock(m); a = 5 - -3; unlock(m);\n";
  std::vector<Prepared> tests;
  tests.push_back(prepare(litmus::parse(
      {"all", "Java all\n{ x = 0; monitor m; 0:X=x; 1:X=x; }\nThread0 {\n" + body +
                  "}\nThread1 { int d = 1; int e = 2; int f = 3; int g = 4; int h = 5; int i = 6; "
                  "}\nexists (x=0)\n"})));
  ASSERT_EQ(tests[0].slots.size(), 10U) << "its result class is ours";
  const Batch batch(std::move(tests), jdk->jvm, jdk->jars);
  const auto runs = batch.run(jdk->jvm, {.mode = Mode::interpreted, .milliseconds = 20});
  EXPECT_EQ(runs[0].status, Status::ok) << runs[0].reason.text;
  EXPECT_GT(runs[0].samples, 0U);
  const auto& [first, count] = *runs[0].outcomes.begin();
  EXPECT_EQ(first[0], 8) << "5 - -3";
}

/// Monitors keep others out, and what has been started or has ended is seen, on a real JVM.
TEST(JcstressReal, MonitorsAndThreadsOrder) {
  const auto jdk = real();
  if (!jdk) GTEST_SKIP() << "no JDK, or no jcstress (scripts/get-jcstress)";
  const auto test = [](const std::string& name, const std::string& threads) {
    return prepare(litmus::parse({name, "Java " + name + "\n{ X=x; Y=y; monitor m; }\n" + threads +
                                            "\nexists (true)\n"}),
                   std::vector<litmus::Observable>{});
  };
  std::vector<Prepared> tests;
  tests.push_back(test("started", "Thread0 { X.set(1); start(Thread1); join(Thread1); "
                                  "int a = Y.get(); }\nThread1 { int b = X.get(); Y.set(2); }"));
  tests.push_back(
      test("ended", "Thread0 { X.set(1); }\nThread1 { join(Thread0); int b = X.get(); }"));
  tests.push_back(test("counted",
                       "Thread0 { lock(m); int a = X.get(); X.set(a + 1); unlock(m); }\n"
                       "Thread1 { lock(m); int b = X.get(); X.set(b + 1); unlock(m); }"));
  tests.push_back(test("printed", "Thread0 { int a = X.get(); print(a); X.set(1); }"));
  const Batch batch(std::move(tests), jdk->jvm, jdk->jars);
  const auto runs = batch.run(jdk->jvm, {.milliseconds = 200});
  for (const auto& run : runs) {
    EXPECT_EQ(run.status, Status::ok) << run.reason.text;
    EXPECT_GT(run.samples, 0U);
  }
  const auto only = [](const TestRun& run, const litmus::Behaviour& expected) {
    return run.outcomes.size() == 1 && run.outcomes.begin()->first == expected;
  };
  EXPECT_TRUE(only(runs[0], {2, 1}));
  EXPECT_TRUE(only(runs[1], {1}));
  for (const auto& [outcome, count] : runs[2].outcomes)
    EXPECT_EQ(outcome[0] + outcome[1], 1) << "one after the other";
  EXPECT_TRUE(only(runs[3], {0}));
}

} // namespace
} // namespace thinair::runners::jcstress
