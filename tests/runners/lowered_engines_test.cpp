// Three answers to what lowered code can do: the store-buffer machine, the axioms of x86-TSO, and
// herd7 where it is installed; and schemes with a mistake, each of which must be noticed.
#include "gen/generator.h"
#include "litmus/text/digest.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "machine/x86/code/store_buffers.h"
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "runners/herd7.h"
#include "runners/soundness.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

namespace thinair::runners {
namespace {

constexpr std::size_t target_count = 4;

/// How many programs on each target: 5000 in all, unless THINAIR_LOWERED_PROGRAMS says otherwise
/// (scripts/nightly).
std::size_t program_count() {
  const char* given = std::getenv("THINAIR_LOWERED_PROGRAMS");
  return (given ? std::strtoul(given, nullptr, 10) : test::draws(5000)) / target_count;
}

/// Of one program: more where there is time.
std::uint64_t most_candidates() {
  return std::getenv("THINAIR_LOWERED_PROGRAMS") ? 500'000 : 50'000;
}

litmus::Test named(const litmus::Program& program, std::uint64_t number) {
  litmus::Test test;
  test.name = "generated-" + std::to_string(number);
  test.program = program;
  return test;
}

std::vector<std::string> states(const oracle::Result& result) {
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
  options.limits.candidates = most_candidates();
  oracle::Result axiomatic;
  try {
    axiomatic = executions::behaviours(test, model, options);
  } catch (const LimitReached&) {
    ++counts.unknown;
    return;
  }
  const bool limit = axiomatic.reason.limit == Limit::candidates;
  if (limit || (axiomatic.status != oracle::Result::Status::ok && !axiomatic.cut_by_loop_bound)) {
    ++counts.unknown;
    return;
  }
  const auto operational = x86_machine(test);
  ++counts.compared;
  EXPECT_EQ(states(operational), states(axiomatic)) << litmus::print(test);
}

class LoweredPrograms : public ::testing::TestWithParam<const char*> {};

TEST_P(LoweredPrograms, HaveTheSameStatesOnTheMachineAndByTheAxioms) {
  const auto model = cat::load_model("x86-tso", x86::architecture);
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

/// For how many programs on each target, and how many seconds for each, herd7 is asked about
/// programs of any size: THINAIR_HERD7_LOWERED (of all targets together) and
/// THINAIR_HERD7_SECONDS. It takes milliseconds for one, hours for the next.
struct HerdBudget {
  std::size_t programs = 16;
  double seconds = 0.2;
  bool given = false;
};

HerdBudget herd_budget() {
  HerdBudget budget;
  if (const char* programs = std::getenv("THINAIR_HERD7_LOWERED")) {
    budget.programs = std::strtoul(programs, nullptr, 10) / target_count;
    budget.given = true;
  }
  if (const char* seconds = std::getenv("THINAIR_HERD7_SECONDS"))
    budget.seconds = std::strtod(seconds, nullptr);
  return budget;
}

/// What became of programs that herd7 was asked about; those it did not decide, by name. Many
/// programs have the same code: it is asked about once.
struct HerdCounts {
  std::size_t programs = 0, asked = 0, compared = 0, out_of_time = 0;
  std::map<std::string, std::size_t> beyond; // by what herd7 lacks
  std::vector<std::string> undecided;
  std::set<std::string> codes; // met so far
};

/// What herd7 is asked, without the name.
std::string code_of(litmus::Test test) {
  test.name = "code";
  test.metadata.clear();
  text::Digest digest;
  digest.add(litmus::print(test));
  return digest.hex();
}

/// Under TSO a round of a compare-and-set loop that fails adds no state, so that one is enough.
void compare_in_herd7(const std::vector<litmus::Test>& tests, double seconds, HerdCounts& counts) {
  HerdOptions options;
  options.unroll = 0;
  options.optace = "true";
  options.atomic_updates = true;
  options.seconds = seconds;
  options.grace = 600; // of the wall clock: others may be at work here
  const auto answers = run_herd7(tests, options);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    ++counts.asked;
    const HerdAnswer& answer = answers[i];
    if (answer.status == HerdAnswer::Status::ok || answer.result.cut_by_loop_bound) {
      ++counts.compared;
      EXPECT_EQ(states(x86_machine(tests[i])), states(answer.result)) << litmus::print(tests[i]);
    } else if (answer.status == HerdAnswer::Status::unknown) {
      ++counts.out_of_time;
      counts.undecided.push_back(tests[i].name);
    } else {
      EXPECT_EQ(answer.status, HerdAnswer::Status::rejected) << answer.reason.text;
      ++counts.beyond[answer.reason.text];
    }
  }
}

/// `count` programs of a profile on a target, compared a batch at a time.
void compare_in_herd7(lower::Target& target, const gen::Profile& profile, std::uint64_t seed,
                      std::size_t count, double seconds, HerdCounts& counts) {
  gen::Generator generator(profile, seed, 0);
  constexpr std::size_t batch_size = 200;
  for (std::size_t from = 0; from < count; from += batch_size) {
    std::vector<litmus::Program> programs;
    while (programs.size() < std::min(batch_size, count - from))
      programs.push_back(generator.next().program);
    const auto lowered = target.lower(programs);
    std::vector<litmus::Test> tests;
    for (std::size_t i = 0; i < programs.size(); ++i)
      if (const auto* code = std::get_if<lower::Lowered>(&lowered[i])) {
        auto test = lower::lowered_test(named(programs[i], from + i), *code, target.name());
        ++counts.programs;
        if (!counts.codes.insert(code_of(test)).second) continue;
        test.name = fmt::format("{}-{}", profile.name, from + i);
        tests.push_back(std::move(test));
      }
    compare_in_herd7(tests, seconds, counts);
  }
}

std::string to_string(const HerdCounts& counts) {
  std::string beyond;
  for (const auto& [reason, times] : counts.beyond)
    beyond += fmt::format("; {} x {}", times, reason);
  return fmt::format("{} programs, {} different codes: {} compared with herd7, {} out of time{}",
                     counts.programs, counts.asked, counts.compared, counts.out_of_time, beyond);
}

/// Small programs, of which herd7 decides nearly all.
TEST_P(LoweredPrograms, HaveTheSameStatesInHerd7) {
  if (!find_herd7()) GTEST_SKIP() << "herd7 is not installed";
  lower::Target target = lower::Target::named(GetParam());
  HerdCounts counts;
  for (const char* name : {"varhandle", "rmw"}) {
    gen::Profile small = gen::load_profile(name);
    small.max_threads = 3;
    small.max_accesses = 5;
    compare_in_herd7(target, small, 7, program_count() / 60, 0.2, counts);
  }
  fmt::print("{}, small: {}\n", target.name(), to_string(counts));
  EXPECT_GT(counts.compared * 4, counts.asked * 3) << to_string(counts);
}

/// The programs that the machine and the axioms are compared on, whatever their size.
TEST_P(LoweredPrograms, OfAnySizeHaveTheSameStatesInHerd7) {
  if (!find_herd7()) GTEST_SKIP() << "herd7 is not installed";
  const HerdBudget budget = herd_budget();
  lower::Target target = lower::Target::named(GetParam());
  HerdCounts counts;
  for (const char* name : {"varhandle", "rmw"})
    compare_in_herd7(target, gen::load_profile(name), 6, budget.programs / 2, budget.seconds,
                     counts);
  fmt::print("{}, {} s each: {}\n", target.name(), budget.seconds, to_string(counts));
  if (budget.given) fmt::print("out of time: {}\n", fmt::join(counts.undecided, " "));
  const std::size_t least = budget.given ? 1 : counts.asked / 3; // of a budget it is told
  EXPECT_GE(counts.compared, least) << to_string(counts);
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
