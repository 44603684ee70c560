// Three answers to what lowered code can do: the store-buffer machine, the axioms of x86-TSO, and
// herd7 where it is installed; and schemes with a mistake, each of which must be noticed.
#include "gen/generator.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "oracle/cat/model.h"
#include "runners/herd7.h"
#include "runners/soundness.h"
#include "runners/x86_machine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace thinair::runners {
namespace {

constexpr std::size_t target_count = 4;

/// How many programs on each target: 5000 in all, unless THINAIR_LOWERED_PROGRAMS says otherwise
/// (scripts/nightly).
std::size_t program_count() {
  const char* given = std::getenv("THINAIR_LOWERED_PROGRAMS");
  return (given ? std::strtoul(given, nullptr, 10) : 5000) / target_count;
}

litmus::Test named(const litmus::Program& program, std::uint64_t number) {
  litmus::Test test;
  test.name = "generated-" + std::to_string(number);
  test.program = program;
  return test;
}

std::vector<std::string> states(const executions::Result& result) {
  std::vector<std::string> out;
  for (const auto& b : result.behaviours) out.push_back(litmus::to_string(result.observables, b));
  std::ranges::sort(out);
  return out;
}

/// What became of a comparison, and of how many.
struct Counts {
  std::size_t compared = 0, unsupported = 0, unknown = 0;
};

/// The machine against the axioms. Loops of the code are retries of a compare-and-set: under TSO a
/// round that fails adds no state, so that one round is enough.
void compare(const litmus::Test& test, const cat::Plan& model, Counts& counts) {
  executions::Options options;
  options.limits.loop_bound = 1;
  options.limits.candidates = 50'000;
  executions::Result axiomatic;
  try {
    axiomatic = executions::behaviours(test, model, options);
  } catch (const LimitReached&) {
    ++counts.unknown;
    return;
  }
  const bool limit = axiomatic.reason.find("--max-candidates") != std::string::npos;
  if (limit ||
      (axiomatic.status != executions::Result::Status::ok && !axiomatic.cut_by_loop_bound)) {
    ++counts.unknown;
    return;
  }
  const auto operational = x86_machine(test);
  ++counts.compared;
  EXPECT_EQ(states(operational), states(axiomatic)) << litmus::print(test);
}

class LoweredPrograms : public ::testing::TestWithParam<const char*> {};

TEST_P(LoweredPrograms, HaveTheSameStatesOnTheMachineAndByTheAxioms) {
  const auto model = cat::load_model("x86-tso", cat::Architecture::x86);
  lower::Target target = lower::Target::named(GetParam());
  Counts counts;
  constexpr std::size_t batch_size = 50;
  for (const char* profile : {"varhandle", "rmw"}) {
    gen::Generator generator(gen::load_profile(profile), 6, 0);
    for (std::size_t from = 0; from < program_count() / 2 && !HasFailure(); from += batch_size) {
      std::vector<litmus::Program> batch;
      while (batch.size() < batch_size) batch.push_back(generator.next().program);
      const auto lowered = target.lower(batch);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (const auto* code = std::get_if<lower::Lowered>(&lowered[i]))
          compare(lower::lowered_test(named(batch[i], from + i), *code, target.name()), model,
                  counts);
        else
          ++counts.unsupported;
      }
    }
  }
  fmt::print("{}: {} programs compared, {} unknown, {} unsupported\n", target.name(),
             counts.compared, counts.unknown, counts.unsupported);
  EXPECT_GT(counts.compared * 10, program_count() * 8);
  EXPECT_LT(counts.unsupported * 20, program_count());
}

INSTANTIATE_TEST_SUITE_P(Targets, LoweredPrograms,
                         ::testing::Values("x86:table2", "x86:hotspot-c2", "x86:llvm-O0",
                                           "x86:llvm-O2"),
                         [](const auto& target) {
                           std::string text = target.param + 4;
                           std::ranges::replace(text, '-', '_');
                           return text;
                         });

/// As many as herd7 is quick about: small programs, all in one process.
TEST_P(LoweredPrograms, HaveTheSameStatesInHerd7) {
  if (!find_herd7()) GTEST_SKIP() << "herd7 is not installed";
  lower::Target target = lower::Target::named(GetParam());
  std::vector<litmus::Test> tests;
  for (const char* name : {"varhandle", "rmw"}) {
    gen::Profile small = gen::load_profile(name);
    small.max_threads = 3;
    small.max_accesses = 5;
    gen::Generator generator(small, 7, 0);
    std::vector<litmus::Program> programs;
    while (programs.size() < program_count() / 60) programs.push_back(generator.next().program);
    const auto lowered = target.lower(programs);
    for (std::size_t i = 0; i < programs.size(); ++i)
      if (const auto* code = std::get_if<lower::Lowered>(&lowered[i]))
        tests.push_back(lower::lowered_test(named(programs[i], tests.size()), *code, "t"));
  }
  HerdOptions options;
  options.unroll = 0; // a failed round of a compare-and-set loop adds no state under TSO
  options.optace = "true";
  options.seconds = 0.2;
  const auto answers = run_herd7(tests, options);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const bool whole =
        answers[i].status == HerdAnswer::Status::ok || answers[i].result.cut_by_loop_bound;
    if (!whole) continue;
    EXPECT_EQ(states(x86_machine(tests[i])), states(answers[i].result)) << litmus::print(tests[i]);
    ++compared;
  }
  fmt::print("{}: {} of {} programs compared with herd7\n", target.name(), compared, tests.size());
  EXPECT_GT(compared * 2, tests.size());
}

/// One mistake in a scheme: `from` becomes `to` in the rule of `operation`.
struct Mistake {
  const char* what;
  const char* from;
  const char* to;
  const char* model;
  const char* profile;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.what; }

class MutatedSchemes : public ::testing::TestWithParam<Mistake> {};

TEST_P(MutatedSchemes, AreNoticedWithinAThousandPrograms) {
  const Mistake& mistake = GetParam();
  std::string text(lower::shipped_file("x86:table2")->text);
  const std::string from = mistake.from;
  ASSERT_NE(text.find(from), std::string::npos);
  text.replace(text.find(from), from.size(), mistake.to);
  lower::Target target(lower::parse_scheme({"mutated", text}));
  const auto model = cat::load_model(mistake.model, cat::Architecture::java);
  const Hardware hardware = [](const litmus::Test& test) { return x86_machine(test); };
  std::size_t tried = 0;
  gen::Generator generator(gen::load_profile(mistake.profile), 1, 0);
  for (bool noticed = false; !noticed; ++tried) {
    ASSERT_LT(tried, 1000U) << mistake.what;
    const auto test = named(generator.next().program, tried);
    try {
      const auto right = target.lower(test.java());
      noticed =
          check_soundness(test, model, right, "mutated", hardware).verdict == Soundness::unsound;
      if (noticed) { // and the right scheme is not to blame
        lower::Target table2 = lower::Target::named("x86:table2");
        noticed = check_soundness(test, model, table2, hardware).verdict == Soundness::sound;
      }
    } catch (const Unsupported&) {
      continue;
    }
  }
  RecordProperty("programs", static_cast<int>(tried));
}

INSTANTIATE_TEST_SUITE_P(
    Each, MutatedSchemes,
    ::testing::Values(
        Mistake{"volatile stores without their fence", "  mov [x], arg\n  mfence\n",
                "  mov [x], arg\n", "jls04", "java5"},
        Mistake{"the fence before the store", "  mov [x], arg\n  mfence\n",
                "  mfence\n  mov [x], arg\n", "jls04", "java5"},
        Mistake{"an update that is not atomic", "lock xadd", "xadd", "jam21", "rmw"},
        Mistake{"an exchange in two steps", "  mov tmp, arg\n  xchg [x], tmp\n  mov dst, tmp\n",
                "  mov tmp, [x]\n  mov [x], arg\n  mov dst, tmp\n", "jam21", "rmw"},
        Mistake{"a compare-and-set that is not atomic", "lock cmpxchg", "cmpxchg", "jam21", "rmw"},
        Mistake{"a result that is the new value", "  lock xadd [x], tmp\n  mov dst, tmp\n",
                "  lock xadd [x], tmp\n  mov dst, tmp\n  add dst, arg\n", "jam21", "rmw"}),
    [](const auto& mistake) { return "mistake" + std::to_string(mistake.index); });

} // namespace
} // namespace thinair::runners
