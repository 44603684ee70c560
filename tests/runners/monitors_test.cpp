// Monitors, start and join in machine code: programs that are ordered by nothing else behave as
// they should under every scheme, and schemes with a mistake are noticed.
#include "gen/generator.h"
#include "litmus/text/error.h"
#include "lower/scheme_text.h"
#include "lower/sequential.h"
#include "oracle/answer.h"
#include "tests/runners/target_checks.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

namespace thinair::runners {
namespace {

litmus::Test test_of(const std::string& threads) {
  return litmus::parse({"it", "Java it\n{ X=x; Y=y; Z=z; monitor m; monitor n; }\n" + threads +
                                  "\nexists (true)\n"});
}

SoundnessResult check_on(const std::string& threads, const std::string& target,
                         const std::string& name = "java", std::string_view engine = {}) {
  auto on = lower::Target::named(target);
  return check(test_of(threads), on, name, engine);
}

/// Every scheme that is shipped, and a compiler for each machine.
std::vector<std::string> targets() {
  std::vector<std::string> out;
  for (const auto& target : lower::targets())
    if (!lower::level_of(target.name)) out.push_back(target.name);
  for (const char* compiler : {"x86:llvm-O2", "aarch64:llvm-O2", "riscv:llvm-O2"})
    out.emplace_back(compiler);
  return out;
}

class OnEach : public testing::TestWithParam<std::string> {};

/// Programs that only a monitor, a start or a join orders, by the outcome that they forbid.
struct Ordered {
  const char *what, *threads;
};
constexpr auto ordered = std::to_array<Ordered>({
    {"mutual exclusion", "Thread0 { lock(m); X.set(1); int r = Y.get(); unlock(m); }\n"
                         "Thread1 { lock(m); Y.set(1); int s = X.get(); unlock(m); }"},
    {"what a section wrote is seen in the next",
     "Thread0 { lock(m); X.set(1); Y.set(1); unlock(m); }\n"
     "Thread1 { lock(m); int r = Y.get(); unlock(m); int s = X.get(); }"},
    {"what stands before a section, too",
     "Thread0 { X.set(1); lock(m); Y.set(1); unlock(m); }\n"
     "Thread1 { lock(m); int r = Y.get(); int s = X.get(); unlock(m); }"},
    {"a read does not come after its section",
     "Thread0 { lock(m); int r = X.get(); Y.set(1); unlock(m); }\n"
     "Thread1 { lock(m); int s = Y.get(); unlock(m); if (s == 1) { X.set(1); } }"},
    {"a counter", "Thread0 { lock(m); int r = X.get(); X.set(r + 1); unlock(m); }\n"
                  "Thread1 { lock(m); int r = X.get(); X.set(r + 1); unlock(m); }\n"
                  "Thread2 { lock(m); int r = X.get(); unlock(m); }"},
    {"reentry",
     "Thread0 { lock(m); X.set(1); lock(m); Y.set(1); unlock(m); Z.set(1); unlock(m); }\n"
     "Thread1 { lock(m); int r = X.get(); int s = Y.get(); int t = Z.get(); unlock(m); }"},
    {"two monitors", "Thread0 { lock(m); X.set(1); lock(n); Y.set(1); unlock(n); unlock(m); }\n"
                     "Thread1 { lock(n); int r = Y.get(); unlock(n); lock(m); int s = X.get();"
                     " unlock(m); }"},
    {"what a thread's starter did", "Thread0 { X.set(1); start(Thread1); Y.set(1); }\n"
                                    "Thread1 { int r = X.get(); int s = Y.get(); }"},
    {"what a thread did that has ended",
     "Thread0 { X.set(1); Y.set(1); }\n"
     "Thread1 { join(Thread0); int r = Y.get(); int s = X.get(); }"},
    {"a read before a start", "Thread0 { int r = X.get(); start(Thread1); }\n"
                              "Thread1 { X.set(1); }"},
    {"a read before an end",
     "Thread0 { start(Thread1); join(Thread1); X.set(1); int s = Y.get(); print(s); }\n"
     "Thread1 { int r = X.get(); Y.set(1); }"},
    {"start, join, and a monitor",
     "Thread0 { start(Thread1); start(Thread2); join(Thread1); join(Thread2); int r = X.get(); }\n"
     "Thread1 { lock(m); int r = X.get(); X.set(r + 1); unlock(m); }\n"
     "Thread2 { lock(m); int r = X.get(); X.set(r + 1); unlock(m); }"},
});

TEST_P(OnEach, WhatNothingElseOrdersIsSound) {
  for (const auto& each : ordered)
    for (const char* name : {"java", "jls04", "sc"}) {
      const bool races = std::string_view(each.what) == "what a thread's starter did";
      if (races && std::string_view(name) == "sc") continue;
      const auto result = check_on(each.threads, GetParam(), name);
      EXPECT_EQ(result.verdict, Soundness::sound)
          << each.what << ", " << name << ": " << result.reason.text;
    }
}

/// One whose accesses all stand in sections of one monitor has no data race.
litmus::Program locked(litmus::Program program, litmus::Random& random) {
  program.monitors = {"m"};
  const litmus::MonitorId m(0);
  for (auto& thread : program.threads) {
    litmus::Block out;
    bool held = false;
    for (auto& statement : thread.body) {
      if (held && random.chance(1, 3)) {
        out.push_back({litmus::MonitorStatement{false, m}, {}});
        held = false;
      }
      if (!std::exchange(held, true)) out.push_back({litmus::MonitorStatement{true, m}, {}});
      out.push_back(std::move(statement));
    }
    if (held) out.push_back({litmus::MonitorStatement{false, m}, {}});
    thread.body = std::move(out);
  }
  return program;
}

/// JLS 17.4.5: a correctly synchronized program is sequentially consistent, no more and no less.
TEST_P(OnEach, LockedProgramsDoWhatInterleavingsDo) {
  auto profile = gen::load_profile("java5");
  profile.volatile_ = 0;
  profile.max_threads = 3;
  profile.max_accesses = 6;
  gen::Generator generator(profile, 11, 0);
  litmus::Random random(5);
  auto target = lower::Target::named(GetParam());
  const auto wanted = test::draws(40);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    litmus::Test test;
    test.name = "locked-" + std::to_string(i);
    test.program = locked(generator.next().program, random);
    const auto result = check(test, target, "sc");
    ASSERT_EQ(result.verdict, Soundness::sound) << litmus::print(test) << result.reason.text;
    litmus::Test asked = test;
    asked.locations = result.observables;
    const auto all = oracle::Oracle(asked, model("sc")).behaviours();
    EXPECT_EQ(result.behaviours.size(), all.behaviours.size()) << litmus::print(test);
  }
}

/// Thread by thread, code computes what its source does.
TEST_P(OnEach, RandomProgramsComputeTheSame) {
  gen::Generator generator(gen::load_profile("monitors"), 3, 0);
  auto target = lower::Target::named(GetParam());
  const auto wanted = test::draws(150);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const auto program = generator.next().program;
    const auto lowered = target.lower(program, 4);
    const auto difference = lower::sequential_difference(lowered.source, lowered, i);
    EXPECT_FALSE(difference) << *difference;
  }
}

INSTANTIATE_TEST_SUITE_P(Target, OnEach, testing::ValuesIn(targets()), word_of);

/// Two engines of a machine agree on code that waits.
class Engines : public testing::TestWithParam<std::string> {};

TEST_P(Engines, AgreeOnCodeThatWaits) {
  gen::Generator generator(gen::load_profile("monitors"), 8, 0);
  auto target = lower::Target::named(GetParam());
  std::uint64_t compared = 0;
  const auto wanted = test::draws(60);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    litmus::Test test;
    test.name = "drawn-" + std::to_string(i);
    test.program = generator.next().program;
    if (litmus::count_accesses(test.java()) > 5) continue;
    const auto by_axioms = check(test, target, "java", "builtin");
    const auto by_machine = check(test, target, "java", "operational");
    if (!by_axioms.whole || !by_machine.whole) continue;
    ++compared;
    EXPECT_EQ(by_axioms.behaviours, by_machine.behaviours) << litmus::print(test);
  }
  EXPECT_GE(compared, wanted / 4);
}

INSTANTIATE_TEST_SUITE_P(Target, Engines,
                         testing::Values("x86:table2", "x86:hotspot-c2", "aarch64:hotspot-c2",
                                         "aarch64:hotspot-c2-nolse"),
                         word_of);

/// A scheme with a rule that orders too little, and what shows it.
struct Mistake {
  const char *scheme, *rule, *threads;
};
constexpr auto mistakes = std::to_array<Mistake>({
    {"aarch64:cxx", "start { mov tmp, 1; str tmp, [x] }", ordered[7].threads},
    {"aarch64:cxx", "begin { retry: ldr tmp, [x]; cbz tmp, retry }", ordered[7].threads},
    {"aarch64:cxx", "end { mov tmp, 1; str tmp, [x] }", ordered[8].threads},
    {"aarch64:cxx", "join { retry: ldr tmp, [x]; cbz tmp, retry }", ordered[8].threads},
    {"aarch64:cxx", "unlock { str wzr, [x] }", ordered[1].threads},
    {"aarch64:cxx", "lock { retry: mov tmp, 0; mov tmp2, 1; cas tmp, tmp2, [x]; cbnz tmp, retry }",
     ordered[2].threads},
    {"riscv:cxx", "start { li tmp, 1; sw tmp, [x] }", ordered[7].threads},
    {"riscv:cxx", "join { retry: lw tmp, [x]; beqz tmp, retry }", ordered[8].threads},
    {"riscv:cxx", "unlock { sw zero, [x] }", ordered[1].threads},
    {"riscv:cxx",
     "lock { li tmp2, 1; retry: lr.w tmp, [x]; bnez tmp, retry; sc.w tmp, tmp2, [x];"
     " bnez tmp, retry }",
     ordered[2].threads},
    {"x86:table2", "lock { mov [x], 1 }", ordered[4].threads},
});

TEST(MonitorMistakes, AreNoticed) {
  for (const auto& each : mistakes) {
    auto right = lower::Target::named(each.scheme);
    const std::string text =
        "scheme " + std::string(right.machine()->prefix) + ":mistake like " + each.scheme;
    auto wrong = lower::Target::of_scheme({"mistake.scheme", text + "\n" + each.rule + "\n"});
    EXPECT_EQ(check(test_of(each.threads), wrong).verdict, Soundness::unsound) << each.rule;
    EXPECT_EQ(check(test_of(each.threads), right).verdict, Soundness::sound) << each.rule;
  }
}

/// A thread that waits for ever is in no execution: nothing is shown, or what others can do.
TEST(Monitors, NobodyIsShownWaiting) {
  for (const auto& target : targets()) {
    for (const char* stuck : {"Thread0 { lock(m); }\nThread1 { lock(m); }",
                              "Thread0 { join(Thread1); }\nThread1 { join(Thread0); }"}) {
      const auto nothing = check_on(stuck, target);
      EXPECT_EQ(nothing.verdict, Soundness::sound) << target << nothing.reason.text;
      EXPECT_TRUE(nothing.behaviours.empty()) << target;
    }
    const auto one_leaves = check_on("Thread0 { lock(m); X.set(1); unlock(m); }\n"
                                     "Thread1 { lock(m); int r = X.get(); }",
                                     target);
    EXPECT_EQ(one_leaves.verdict, Soundness::sound) << target;
    EXPECT_EQ(one_leaves.behaviours.size(), 1U) << target << ": Thread1 comes last, or never";
  }
}

std::string refusal(const std::string& threads, lower::Target& target) {
  try {
    check(test_of(threads), target);
  } catch (const Unsupported& unsupported) {
    return unsupported.what();
  }
  return "accepted";
}

TEST(Monitors, WhatCodeCannotSayIsUnsupportedByName) {
  for (const char* name : {"x86:table2", "aarch64:llvm-O2"}) {
    auto target = lower::Target::named(name);
    EXPECT_EQ(refusal("Thread0 { int r = X.get(); if (r == 1) { lock(m); } Y.set(1); "
                      "if (r == 1) { unlock(m); } }",
                      target),
              "unsupported: a monitor that is held or not as a branch decides, in lowered code");
    EXPECT_EQ(refusal("Thread0 { lock(m); unlock(m); unlock(m); }", target),
              "unsupported: leaving a monitor that is not held, in lowered code");
    EXPECT_EQ(refusal("Thread0 { int r = X.get(); if (r == 1) { start(Thread1); } }\n"
                      "Thread1 { Y.set(1); }",
                      target),
              "unsupported: a thread that is started on some paths only, in lowered code");
    EXPECT_EQ(refusal("Thread0 { start(Thread2); }\nThread1 { start(Thread2); }\n"
                      "Thread2 { Y.set(1); }",
                      target),
              "unsupported: a thread that is started twice, in lowered code");
    EXPECT_EQ(refusal("Thread0 { start(Thread1); }\nThread1 { start(Thread0); }", target),
              "unsupported: threads that start each other, in lowered code");
  }
}

/// Scheme files written before there were such rules are still schemes.
TEST(Monitors, ASchemeWithoutRulesForThemSaysSo) {
  auto text = lower::Target::named("x86:table2").scheme();
  for (const auto& row : lower::runtime_actions()) text.set_code(row.action, "unsupported\n");
  std::string source = print(text);
  const auto at = source.find("freeze");
  ASSERT_NE(at, std::string::npos);
  source.erase(at, source.find('}', at) + 1 - at); // as if nobody had thought of them
  auto target = lower::Target::of_scheme({"old.scheme", source});
  EXPECT_EQ(refusal(ordered[0].threads, target),
            "unsupported: lock, for which the scheme has no code");
  EXPECT_EQ(refusal(ordered[7].threads, target),
            "unsupported: start, for which the scheme has no code");
  EXPECT_EQ(refusal("Thread0 { X.set(1); }", target), "accepted");
}

} // namespace
} // namespace thinair::runners
