// Lifts and judges.
#include "tests/runners/jit_judging.h"

#include "gen/generator.h"
#include "litmus/text/error.h"
#include "runners/hardware.h"
#include "runners/jit/capture.h"
#include "tests/runners/target_checks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace thinair::runners::jit {

std::vector<litmus::Test> tests_of(std::span<const std::string_view> texts) {
  std::vector<litmus::Test> out;
  for (const auto text : texts) out.push_back(litmus::parse({"recorded", std::string(text)}));
  return out;
}

std::vector<litmus::Program> programs_of(const std::vector<litmus::Test>& tests) {
  std::vector<litmus::Program> out;
  for (const auto& test : tests) out.push_back(test.java());
  return out;
}

std::vector<litmus::Test> drawn_tests(const char* profile, std::uint64_t count) {
  gen::Generator generator(gen::load_profile(profile), 20, 0);
  constexpr std::string_view anything = "Java T\n{ }\nThread0 { }\nexists (true)\n";
  auto out = tests_of(std::vector<std::string_view>(count, anything));
  for (auto& test : out) test.program = generator.next().program;
  return out;
}

std::vector<lower::jit::Compilation> compilations(const Recording& recording,
                                                  const std::vector<litmus::Test>& tests) {
  std::vector<lower::jit::Compilation> out;
  for (const auto& captured : read_capture(programs_of(tests), listing_of(recording),
                                           recording.machine, recording.compiler))
    out.push_back(compilation_in(captured));
  return out;
}

bool record(const std::vector<Recording>& recordings, const std::vector<litmus::Test>& tests) {
  const char* part = std::getenv("THINAIR_RECORD_JITS");
  if (part == nullptr) return false;
  for (const auto& recording : recordings) {
    const std::string name(recording.name);
    if (name.find(part) == std::string::npos) continue;
    const auto jdk = find_jdk(recording.machine, std::string(recording.jdk));
    const auto done = printed(programs_of(tests), jdk, {.compiler = recording.compiler});
    std::ofstream(THINAIR_SOURCE_DIR "/tests/runners/jit/" + name) << shortened(done.listing);
  }
  return true;
}

lower::Lowered lifted(const lower::jit::Compilation& compilation) {
  auto decoder = lower::jit::decoder(compilation.machine);
  return lower::jit::lift(compilation, decoder);
}

SoundnessResult judged(const litmus::Test& test, const lower::Lowered& code,
                       lower::Machine machine) {
  const Processor processor(machine, {});
  return check_soundness(test, model("java"), code, "jit",
                         [&](const litmus::Test& asked) { return processor.run(asked, {}); });
}

std::size_t expect_what_a_scheme_shows(const lower::jit::Compilation& code,
                                       const litmus::Test& test, const Recording& recording) {
  // Graal's compiler has no scheme for x86: there C2 has its barriers.
  const auto meant = recording.compiler == Compiler::c1 ? "c1" : "c2";
  auto scheme = lower::Target::named(
      fmt::format("{}:hotspot-{}", lower::info(recording.machine).prefix, meant));
  const auto seen = judged(test, lifted(code), recording.machine);
  const auto twin = check(test, scheme, "java");
  EXPECT_EQ(seen.observables, twin.observables);
  EXPECT_EQ(seen.behaviours, twin.behaviours) << test.name;
  return seen.behaviours.size();
}

void expect_what_schemes_show(const std::vector<Recording>& recordings,
                              const std::vector<litmus::Test>& tests, std::size_t from) {
  for (const auto& recording : recordings) {
    SCOPED_TRACE(recording.name);
    const auto all = compilations(recording, tests);
    for (std::size_t i = from; i < tests.size(); ++i) {
      const auto behaviours = expect_what_a_scheme_shows(all.at(i), tests[i], recording);
      EXPECT_GT(behaviours, 2U) << tests[i].name;
    }
  }
}

std::vector<Jdk> jdks_with_c2() {
  std::vector<Jdk> out;
  if (!own_machine() || lower::backend_version().empty()) return out;
  for (const auto& jvm : jcstress::installed_jvms())
    if (jvm.c2) out.push_back(find_jdk(*own_machine(), jvm.name));
  for (auto& jdk : foreign_jdks())
    if (jdk.machine == lower::machine_of("aarch64")) out.push_back(std::move(jdk));
  return out;
}

void expect_sound(const std::vector<litmus::Test>& tests, const Jdk& jdk, Compiler compiler,
                  std::span<const std::string_view> excused) {
  SCOPED_TRACE(fmt::format("{} {} {}", lower::info(jdk.machine).prefix, jdk.jvm.version,
                           info(compiler).title));
  const auto captured = capture(programs_of(tests), jdk, {.compiler = compiler});
  std::size_t several = 0, undecided = 0, refused = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    SCOPED_TRACE(litmus::print(tests[i]));
    try {
      const auto result = judged(tests[i], lifted(compilation_in(captured[i])), jdk.machine);
      EXPECT_NE(result.verdict, Soundness::unsound) << result.reason.text;
      several += result.behaviours.size() > 1 ? 1 : 0;
      undecided += result.verdict == Soundness::unknown ? 1 : 0;
    } catch (const Unsupported& lacking) {
      const std::string_view why = lacking.what();
      const bool known = std::ranges::any_of(
          excused, [&](std::string_view each) { return why.find(each) != why.npos; });
      EXPECT_TRUE(known) << why;
      ++refused;
    } catch (const LimitReached&) {
      ++undecided;
    }
  }
  if (tests.size() < 40) return;
  EXPECT_GE(several, (tests.size() - refused) / 2);
  EXPECT_LE(refused, tests.size() / 2);
  EXPECT_LE(undecided, tests.size() / 3) << "loops that try again, run up to a bound";
}

} // namespace thinair::runners::jit
