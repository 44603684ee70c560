// AArch64 and RISC-V code in herd7: sequential agreement with the source, and the classics.
#include "gen/generator.h"
#include "litmus/language.h"
#include "litmus/text/error.h"
#include "lower/listing.h"
#include "lower/lowered_test.h"
#include "lower/prepare.h"
#include "lower/sequential.h"
#include "oracle/cat/model.h"
#include "runners/herd_hardware.h"
#include "runners/soundness.h"
#include "runners/temporary_directory.h"
#include "tests/lower/programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace thinair::runners {
namespace {

/// One thread of a program from a memory of its own, in herd7 and as the source has it.
struct Alone {
  litmus::Program program; // one thread
  lower::Lowered lowered;
  lower::SourceOutcome expected;
};

/// Programs of one thread. AArch64's take the whole of Java's arithmetic; herd7's RISC-V does not
/// wrap at 32 bits, so that its programs compute small numbers.
litmus::Program draw(const lower::Target& target, litmus::Random& random,
                     gen::Generator& generator) {
  if (target.machine() == lower::machine_of("aarch64"))
    return lower::testing::random_program(
        random, {.threads = 1, .statements = 5, .locations = 2, .registers = 3, .depth = 1});
  auto program = generator.next().program;
  program.threads.resize(1);
  return program;
}

litmus::Test test_of(const Alone& one) {
  litmus::Test source;
  source.name = "alone";
  source.program = one.program;
  return lower::lowered_test(source, one.lowered, "t");
}

std::vector<Alone> threads_alone(lower::Target& target, std::size_t count) {
  litmus::Random random(11);
  gen::Generator generator(gen::load_profile("varhandle"), 11, 0);
  std::vector<Alone> result;
  for (std::size_t tried = 0; tried < 20 * count && result.size() < count; ++tried) {
    auto program = draw(target, random, generator);
    std::vector<litmus::Value> memory;
    for (auto& location : program.locations) {
      location.initial = static_cast<std::int32_t>(random.below(6)) - 2;
      memory.push_back(location.initial);
    }
    const auto flat = lower::prepared(program, 4);
    const auto expected = lower::run_source(flat, litmus::ThreadId(0), memory);
    if (!expected) continue;
    try {
      Alone one{flat, target.lower(flat), *expected};
      litmus::for_herd(test_of(one)); // throws where herd7 lacks something
      result.push_back(std::move(one));
    } catch (const Unsupported&) {
    }
  }
  return result;
}

void expect_outcome(const Alone& one, const oracle::Result& result, const litmus::Test& test) {
  ASSERT_EQ(result.behaviours.size(), 1U) << litmus::print(test);
  const auto values = one.lowered.restoration.restore(result.observables, result.behaviours[0]);
  const auto& rows = one.lowered.restoration.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& thread = one.program.threads[0];
    litmus::Value want = 0;
    if (rows[i].source.thread) {
      const auto reg =
          std::ranges::find(thread.registers, rows[i].source.name, &litmus::Register::name);
      want = one.expected.registers[static_cast<std::size_t>(reg - thread.registers.begin())].value;
    } else {
      const auto cell =
          std::ranges::find(one.program.locations, rows[i].source.name, &litmus::Location::name);
      want = one.expected.memory[static_cast<std::size_t>(cell - one.program.locations.begin())];
    }
    EXPECT_EQ(values[i], want) << to_string(rows[i].source) << "\n" << litmus::print(test);
  }
}

class Listings : public ::testing::TestWithParam<const char*> {};

TEST_P(Listings, ComputeWhatTheirSourceDoes) {
  if (!find_herd7()) GTEST_SKIP() << "herd7 is not installed";
  lower::Target target = lower::Target::named(GetParam());
  const auto all = threads_alone(target, 80);
  ASSERT_EQ(all.size(), 80U);
  std::vector<litmus::Test> tests;
  for (const auto& one : all) tests.push_back(test_of(one));
  HerdOptions options;
  options.unroll = 0;
  options.optace = "true";
  options.model = "";    // herd7's own
  options.seconds = 0.5; // a thread with many updates of one cell may take herd7 minutes
  const auto answers = run_herd7(tests, options);
  std::size_t compared = 0;
  std::map<std::string, std::size_t> reasons;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool cut = answers[i].result.cut_by_loop_bound;
    if (answers[i].status != HerdAnswer::Status::ok && !cut) {
      ++reasons[answers[i].reason.text];
      continue;
    }
    if (answers[i].result.behaviours.empty()) { // herd_hardware says that it is unsupported
      ++reasons["no execution at all"];
      continue;
    }
    expect_outcome(all[i], answers[i].result, tests[i]);
    ++compared;
  }
  std::string missed;
  for (const auto& [reason, times] : reasons) missed += fmt::format("{} x {}\n", times, reason);
  EXPECT_GT(compared, 60U) << missed;
}

INSTANTIATE_TEST_SUITE_P(Targets, Listings,
                         ::testing::Values("aarch64:cxx", "riscv:cxx", "aarch64:llvm-O2",
                                           "riscv:llvm-O2"),
                         [](const auto& target) {
                           std::string text = target.param;
                           for (char& c : text)
                             if (c == ':' || c == '-') c = '_';
                           return text;
                         });

/// A piece of assembly that compares two registers in several ways, and what each way says.
struct Comparison {
  lower::Machine machine;
  const char* assembly;
  const char* first; // of the two registers, as herd7 names them
  const char* second;
  std::vector<std::string> results; // registers
  std::vector<bool> (*expected)(std::int32_t, std::int32_t);
};

std::vector<bool> unsigned_order(std::int32_t a, std::int32_t b) {
  const auto x = static_cast<std::uint64_t>(std::int64_t{a}),
             y = static_cast<std::uint64_t>(std::int64_t{b});
  return {x < y, x < static_cast<std::uint64_t>(std::int64_t{-3}), x >= y, a != 0};
}

std::vector<bool> against_negated(std::int32_t a, std::int32_t b) {
  const std::int64_t sum = std::int64_t{a} + b;
  const bool zero = static_cast<std::int32_t>(sum) == 0;
  return {zero, !zero, sum < 0, sum >= 0, sum > 0, sum <= 0};
}

/// Code as a test of its machine's language, with registers set at the start.
litmus::Test test_of(const Comparison& comparison, std::int32_t a, std::int32_t b) {
  const auto& machine = lower::info(comparison.machine);
  lower::Backend backend(lower::Level::O0, comparison.machine);
  const auto functions = backend.disassemble(backend.assemble(
      fmt::format("\t.globl P0\n\t.type P0,%function\nP0:\n{}\t{}\n\t.size P0, .-P0\n",
                  comparison.assembly, machine.end_of_thread)));
  litmus::Test test;
  test.name = "comparison";
  test.language = &lower::language_of(comparison.machine);
  test.program = lower::read(
      {comparison.machine, {}, {lower::listed(functions.at(0), comparison.machine, {})}});
  std::string text = litmus::print(test);
  text.insert(text.find("{\n") + 2, fmt::format(" int64_t 0:{}={};\n int64_t 0:{}={};\n",
                                                comparison.first, a, comparison.second, b));
  auto read = litmus::parse({"comparison", text});
  for (const auto& result : comparison.results)
    read.locations.push_back({litmus::ThreadId(0), result});
  return read;
}

class Comparisons : public ::testing::TestWithParam<Comparison> {};

/// What herd7 lacks and the listing writes otherwise, on numbers at every edge.
TEST_P(Comparisons, SayInHerd7WhatTheProcessorSays) {
  if (!find_herd7()) GTEST_SKIP() << "herd7 is not installed";
  constexpr std::int32_t edges[] = {0,         1,         -1,      3,          -3, 7,
                                    INT32_MAX, INT32_MIN, 1 << 30, -(1 << 30), -4, -2};
  std::vector<litmus::Test> tests;
  std::vector<std::vector<bool>> expected;
  for (const std::int32_t a : edges)
    for (const std::int32_t b : edges) {
      tests.push_back(test_of(GetParam(), a, b));
      expected.push_back(GetParam().expected(a, b));
    }
  HerdOptions own;
  own.model = "";
  const auto answers = run_herd7(tests, own);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    ASSERT_EQ(answers[i].result.behaviours.size(), 1U)
        << answers[i].reason.text << litmus::print(tests[i]);
    const litmus::Behaviour& found = answers[i].result.behaviours[0];
    EXPECT_EQ(std::vector<bool>(found.begin(), found.end()), expected[i])
        << litmus::print(tests[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, Comparisons,
    ::testing::Values(
        Comparison{lower::machine_of("riscv"),
                   "\tsltu a2, a0, a1\n\tsltiu a3, a0, -3\n\tli a4, 1\n\tbgeu a0, a1, 1f\n"
                   "\tli a4, 0\n1:\tsltu a5, zero, a0\n",
                   "x10",
                   "x11",
                   {"x12", "x13", "x14", "x15"},
                   unsigned_order},
        Comparison{lower::machine_of("aarch64"),
                   "\tcmn w0, w1\n\tcset w2, eq\n\tcset w3, ne\n\tcset w4, lt\n\tcset w5, ge\n"
                   "\tcset w6, gt\n\tcset w7, le\n",
                   "X0",
                   "X1",
                   {"X2", "X3", "X4", "X5", "X6", "X7"},
                   against_negated}),
    [](const auto& test) { return std::string(lower::info(test.param.machine).prefix); });

/// The classics with W for a store and R for a load.
struct Shape {
  const char* name;
  const char* body;
};

constexpr Shape shapes[] = {
    {"SB", "Thread0 { X.W(1); int r = Y.R(); }\nThread1 { Y.W(1); int r = X.R(); }"},
    {"MP", "Thread0 { X.W(1); Y.W(1); }\nThread1 { int r = Y.R(); int s = X.R(); }"},
    {"LB", "Thread0 { int r = X.R(); Y.W(1); }\nThread1 { int r = Y.R(); X.W(1); }"},
    {"WRC", "Thread0 { X.W(1); }\nThread1 { int r = X.R(); Y.W(1); }\n"
            "Thread2 { int r = Y.R(); int s = X.R(); }"},
    {"IRIW", "Thread0 { X.W(1); }\nThread1 { Y.W(1); }\n"
             "Thread2 { int r = X.R(); int s = Y.R(); }\n"
             "Thread3 { int r = Y.R(); int s = X.R(); }"}};

struct Strength {
  const char* name;
  const char* store;
  const char* load;
};

constexpr Strength strengths[] = {{"plain", "set", "get"},
                                  {"opaque", "setOpaque", "getOpaque"},
                                  {"acqrel", "setRelease", "getAcquire"},
                                  {"volatile", "setVolatile", "getVolatile"}};

litmus::Test classic(const Shape& shape, const Strength& strength) {
  std::string body = shape.body;
  for (const auto& [letter, method] : {std::pair{".W(", strength.store}, {".R(", strength.load}})
    for (std::size_t at = 0; (at = body.find(letter, at)) != std::string::npos;)
      body.replace(at + 1, 1, method);
  return litmus::parse({"c", fmt::format("Java {}+{}\n{{ X=x; Y=y; }}\n{}\nexists (true)\n",
                                         shape.name, strength.name, body)});
}

/// How many behaviours each classic has on a machine, SB MP LB WRC IRIW, by strength. A weak
/// machine shows all of them where nothing is ordered, and the sequentially consistent ones where
/// everything is volatile.
struct Row {
  const char* target;
  const char* engine;
  const char* counts[4]; // by strength
};

class Classics : public ::testing::TestWithParam<Row> {};

TEST_P(Classics, HaveTheVerdictsOfTheMachine) {
  const Row& row = GetParam();
  if (row.engine == std::string_view("herd7") && !find_herd7())
    GTEST_SKIP() << "herd7 is not installed";
  lower::Target target = lower::Target::named(row.target);
  const Processor processor(target.machine(), GetParam().engine);
  const auto hardware = [&](const litmus::Test& code) { return processor.run(code, {}); };
  const auto jam21 = cat::load_model("jam21", cat::Architecture::java);
  const auto jls04 = cat::load_model("jls04", cat::Architecture::java);
  for (std::size_t s = 0; s < std::size(strengths); ++s) {
    std::string counts;
    for (const Shape& shape : shapes) {
      const auto test = classic(shape, strengths[s]);
      const auto result = check_soundness(test, jam21, target, hardware);
      counts += fmt::format("{}{}", counts.empty() ? "" : " ", result.behaviours.size());
      // jam21 forbids load buffering of opaque accesses; both machines show it
      const bool too_strong = test.name == "LB+opaque";
      EXPECT_EQ(result.verdict, too_strong ? Soundness::unsound : Soundness::sound)
          << test.name << " on " << row.target;
      const bool java5 = s == 0 || s == 3; // jls04 knows plain and volatile accesses
      if (java5) {
        EXPECT_EQ(check_soundness(test, jls04, target, hardware).verdict, Soundness::sound)
            << test.name << " on " << row.target;
      }
    }
    EXPECT_EQ(counts, row.counts[s]) << row.target << " " << strengths[s].name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Targets, Classics,
    ::testing::Values(
        Row{"aarch64:cxx", "builtin", {"4 4 4 8 16", "4 4 4 8 16", "3 3 3 7 15", "3 3 3 7 15"}},
        Row{"riscv:cxx", "builtin", {"4 4 4 8 16", "4 4 4 8 16", "4 3 3 7 15", "3 3 3 7 15"}},
        Row{"aarch64:llvm-O2", "builtin", {"4 4 4 8 16", "4 4 4 8 16", "3 3 3 7 15", "3 3 3 7 15"}},
        Row{"riscv:llvm-O2", "builtin", {"4 4 4 8 16", "4 4 4 8 16", "4 3 3 7 15", "3 3 3 7 15"}},
        Row{"aarch64:cxx", "herd7", {"4 4 4 8 16", "4 4 4 8 16", "3 3 3 7 15", "3 3 3 7 15"}},
        Row{"riscv:cxx", "herd7", {"4 4 4 8 16", "4 4 4 8 16", "4 3 3 7 15", "3 3 3 7 15"}},
        Row{"aarch64:llvm-O2", "herd7", {"4 4 4 8 16", "4 4 4 8 16", "3 3 3 7 15", "3 3 3 7 15"}},
        Row{"riscv:llvm-O2", "herd7", {"4 4 4 8 16", "4 4 4 8 16", "4 3 3 7 15", "3 3 3 7 15"}}),
    [](const auto& row) {
      std::string text = fmt::format("{}_{}", row.param.engine, row.param.target);
      for (char& c : text)
        if (c == ':' || c == '-') c = '_';
      return text;
    });

/// A scheme with its fences taken out is noticed on the machine that needs them.
TEST(ListingSoundness, AStoreThatIsTooWeakIsUnsound) {
  std::string text(lower::shipped_file("aarch64:cxx")->text);
  const std::string from = "setRelease, setVolatile { stlr arg, [x] }";
  text.replace(text.find(from), from.size(), "setRelease, setVolatile { str arg, [x] }");
  const TemporaryDirectory directory;
  auto weak = lower::Target::named(directory.write("weak.scheme", text));
  const auto jls04 = cat::load_model("jls04", cat::Architecture::java);
  const auto result =
      check_soundness(classic(shapes[1], strengths[3]), jls04, weak, [&](const litmus::Test& code) {
        return Processor(weak.machine()).run(code, {});
      });
  EXPECT_EQ(result.verdict, Soundness::unsound);
  ASSERT_TRUE(result.witness.has_value());
  EXPECT_EQ(litmus::to_string(result.observables, result.forbidden.at(0)), "1:r=1; 1:s=0");
}

/// A thread of assembly that reads or writes one cell.
lower::ListingThread one_cell_thread(const std::string& assembly) {
  lower::Backend backend(lower::Level::O0, lower::machine_of("aarch64"));
  const auto functions = backend.disassemble(backend.assemble(fmt::format(
      "\t.globl P0\n\t.type P0,%function\nP0:\n{}\thlt #0\n\t.size P0, .-P0\n", assembly)));
  return lower::listed(functions.at(0), lower::machine_of("aarch64"), {litmus::LocationId(0)});
}

/// herd7 runs one round. Where a loop waits, what comes of the next one is missing; where it only
/// tries again, nothing is.
TEST(ListingSoundness, ALoopThatHerd7CutsOffIsUnknownUnlessItTriesAgain) {
  if (!find_herd7()) GTEST_SKIP() << "herd7 is not installed";
  const auto with = [](const std::string& first) {
    lower::Listing program{lower::machine_of("aarch64"), {}, {}};
    program.cells = {{"cell_x", {}, 0}};
    program.threads = {one_cell_thread(first), one_cell_thread("\tmov w1, #1\n\tstr w1, [x0]\n")};
    litmus::Test test;
    test.name = "loop";
    test.language = &lower::language_of(program.machine);
    test.program = lower::read(program);
    test.locations = {{std::nullopt, "cell_x"}};
    return herd_states(test, {});
  };
  const auto waiting = with("1:\tldr w1, [x0]\n\tcbz w1, 1b\n");
  EXPECT_EQ(waiting.status, oracle::Result::Status::unknown);
  EXPECT_EQ(waiting.reason, Reason::reached(Limit::loop_bound));
  const auto trying =
      with("1:\tldxr w1, [x0]\n\tadd w1, w1, #2\n\tstxr w2, w1, [x0]\n\tcbnz w2, 1b\n");
  EXPECT_EQ(trying.status, oracle::Result::Status::ok) << trying.reason.text;
  EXPECT_EQ(trying.behaviours.size(), 2U);
}

TEST(ListingSoundness, WithoutHerd7ItIsUnsupported) {
  HerdOptions nowhere;
  nowhere.program = "/nowhere/herd7";
  lower::Target target = lower::Target::named("aarch64:cxx");
  try {
    const Processor processor(target.machine(), "herd7");
    processor.ready(nowhere);
    FAIL() << "judged without herd7";
  } catch (const Unsupported& lacking) {
    EXPECT_STREQ(lacking.what(),
                 "unsupported: aarch64 code needs herd7: scripts/get-herd7 installs it");
  }
}

} // namespace
} // namespace thinair::runners
