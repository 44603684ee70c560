// Real JVMs that are killed, stopped, starved of memory, or loop for ever: each end is a result.
// Skipped without a JDK.
#include "litmus/text/error.h"
#include "runners/jcstress/batch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace thinair::runners::jcstress {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class JcstressDeaths : public testing::Test {
 protected:
  void SetUp() override {
    try {
      const auto all = installed_jvms();
      const auto found = std::ranges::find_if(all, [](const Jvm& j) { return j.javac && j.c2; });
      if (found == all.end()) GTEST_SKIP() << "no JDK";
      jars_ = find_jcstress();
      jvm_ = *found;
      jvm_.name = "17"; // whatever it is
    } catch (const InputError&) {
      GTEST_SKIP() << "no jcstress (scripts/get-jcstress)";
    }
  }

  /// The JVM, to which `deed` ($pid is its process) is done when the helper's lines say `when`, a
  /// shell command over the file `out`.
  Jvm haunted(const std::string& when, const std::string& deed) const {
    Jvm jvm = jvm_;
    jvm.home = place_.path();
    const std::string script = fmt::format(
        "#!/bin/sh\npid=$$\n(until {}; do sleep 0.02; done; {}) >/dev/null 2>&1 &\nexec '{}' "
        "\"$@\"\n",
        when, deed, jvm_.java());
    fs::permissions(place_.write("bin/java", script), fs::perms::owner_all);
    return jvm;
  }

  /// Three tests that are well, and how each of them ended.
  Words run(const Jvm& jvm, const RunOptions& options,
            const std::vector<std::uint32_t>& milliseconds = {}) {
    std::vector<Prepared> tests;
    for (const char* name : {"first", "second", "third"})
      tests.push_back(prepare(litmus::parse(
          {"test", fmt::format("Java {}\n{{ x = 0; 0:X=x; 1:X=x; }}\nThread0 {{ X.set(1); }}\n"
                               "Thread1 {{ int a = X.get(); }}\nexists (1:a=1)\n",
                               name)})));
    return ends(std::move(tests), jvm, options, milliseconds);
  }

  Words ends(std::vector<Prepared> tests, const Jvm& jvm, const RunOptions& options,
             const std::vector<std::uint32_t>& milliseconds = {}) {
    const Batch batch(std::move(tests), jvm_, jars_);
    Words words;
    for (const auto& run : batch.run(jvm, options, {}, milliseconds)) {
      words.push_back(
          fmt::format("{}{}{}", name(run.status), run.reason.empty() ? "" : ": ", run.reason.text));
      EXPECT_TRUE(run.status != Record::Status::ok || run.samples > 0);
    }
    return words;
  }

  RunOptions quick() const {
    RunOptions options;
    options.milliseconds = 100;
    options.keep = place_.path() + "/kept";
    return options;
  }

  std::string kept(const std::string& name) const {
    std::ifstream file(place_.path() + "/kept/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // A busy machine needs time to see that a test has begun; one that is killed does not use it.
  const std::vector<std::uint32_t> second_is_long_{100, 20'000, 100},
      third_is_long_{100, 100, 3000};
  TemporaryDirectory place_;
  Jvm jvm_;
  Jars jars_;
};

TEST_F(JcstressDeaths, ACrashIsOfItsTest) {
  const auto jvm = haunted("grep -q 'begin 1' out", "kill -SEGV $pid");
  EXPECT_EQ(run(jvm, quick()), (Words{"ok",
                                      "crash: SIGSEGV (0xb), and again when run alone (kept in " +
                                          place_.path() + "/kept/second_t-17)",
                                      "ok"}));
  EXPECT_NE(kept("second_t-17/hs_err.log").find("SIGSEGV"), std::string::npos);
  EXPECT_NE(kept("second_t-17/test.litmus").find("Java second"), std::string::npos);
  EXPECT_FALSE(kept("second_t-17/output.txt").empty());
}

TEST_F(JcstressDeaths, ATestThatKillsALaterOneIsFound) {
  const auto jvm = haunted("grep -q 'begin 2' out && grep -q 'begin 0' out", "kill -SEGV $pid");
  EXPECT_EQ(run(jvm, quick()), (Words{"crash: SIGSEGV (0xb) while a later test ran (kept in " +
                                          place_.path() + "/kept/first_t-17)",
                                      "ok", "ok"}));
  EXPECT_NE(kept("first_t-17/hs_err.log").find("SIGSEGV"), std::string::npos);
}

TEST_F(JcstressDeaths, AJvmThatStopsIsAHang) {
  const auto jvm = haunted("grep -q 'begin 1' out", "kill -STOP $pid");
  auto options = quick();
  options.start = 5000; // of silence, with what the longest test takes, end it
  options.grace = 1000;
  EXPECT_EQ(run(jvm, options, {100, 5000, 100}),
            (Words{"ok", "hang: the JVM did not answer any more", "ok"}));
}

TEST_F(JcstressDeaths, ATestThatLoopsIsAHang) {
  std::vector<Prepared> tests = {prepare(litmus::parse(
      {"test", "Java loop\n{ x = 0; 0:X=x; 1:X=x; }\nThread0 { int a = 1; while (X.getOpaque() == "
               "0) { a = 2; } }\nThread1 { int b = 1; }\nexists (0:a=1)\n"}))};
  auto options = quick();
  options.grace = 500;
  EXPECT_EQ(ends(std::move(tests), jvm_, options), (Words{"hang"})) << "its own watchdog says so";
}

TEST_F(JcstressDeaths, WithoutMemoryIsAStatus) {
  std::vector<Prepared> tests = {
      prepare(litmus::parse({"test", "Java T\n{ x = 0; 0:X=x; 1:X=x; }\nThread0 { X.set(1); }\n"
                                     "Thread1 { int a = X.get(); }\nexists (1:a=1)\n"}))};
  const Batch batch(std::move(tests), jvm_, jars_);
  auto options = quick();
  options.strides = 40'000; // ten million states at a time
  for (const auto& [flags, reason] : std::vector<std::pair<Words, std::string>>{
           {{"-Xmx16m"}, ""}, // caught
           {{"-Xmx16m", "-XX:+ExitOnOutOfMemoryError"}, "exit status 3"},
           {{"-Xms1000g", "-Xmx1000g"}, "exit status 1"}, // not even the heap
           {{"-Xmx16m", "-XX:+CrashOnOutOfMemoryError"}, "exit status 1"}}) {
    options.flags = flags;
    const auto run = batch.run(jvm_, options).at(0);
    EXPECT_EQ(run.status, Record::Status::oom) << flags.back();
    EXPECT_EQ(run.reason, reason) << flags.back();
  }
}

} // namespace
} // namespace thinair::runners::jcstress
