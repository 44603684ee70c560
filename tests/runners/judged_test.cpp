// How much of the code for machines that herd7 alone judges is judged, and what keeps it from the
// rest: counted, and bounded.
#include "gen/generator.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "lower/target.h"
#include "runners/hardware.h"
#include "runners/herd7.h"
#include "runners/herd_hardware.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

namespace thinair::runners {
namespace {

double number_in(const char* variable, double otherwise) {
  const char* given = std::getenv(variable);
  return given ? std::strtod(given, nullptr) : otherwise;
}

/// Programs of each profile: few, unless THINAIR_JUDGED_PROGRAMS says how many. Then the corpus is
/// counted too, and lines for the table in docs/lowering.md are printed. Of processor time herd7
/// gets THINAIR_JUDGED_SECONDS a program.
std::size_t program_count() {
  return static_cast<std::size_t>(number_in("THINAIR_JUDGED_PROGRAMS", 3));
}
bool counts_corpus() { return std::getenv("THINAIR_JUDGED_PROGRAMS") != nullptr; }
double seconds() { return number_in("THINAIR_JUDGED_SECONDS", 0.02); }

struct Counts {
  std::size_t programs = 0, lowered = 0, judged = 0, out_of_time = 0;
  std::size_t shared_labels = 0; // programs with a label in two threads
  std::map<std::string, std::size_t> refused;
};

std::string to_string(const Counts& counts) {
  std::string refused;
  for (const auto& [reason, times] : counts.refused)
    refused += fmt::format("{}{} x {}", refused.empty() ? "" : ", ", times, reason);
  return fmt::format("{} programs, {} lowered ({} with a label in two threads), {} judged, {} "
                     "beyond {} s, refused: {}",
                     counts.programs, counts.lowered, counts.shared_labels, counts.judged,
                     counts.out_of_time, seconds(), refused.empty() ? "none" : refused);
}

bool shares_a_label(const litmus::Code& code) {
  std::set<std::string> seen;
  for (std::size_t t = 0; t < code.threads(); ++t) {
    std::set<std::string> own;
    for (std::size_t i = 0; i <= code.sizes()[t]; ++i)
      own.insert(code.labels(t, i).begin(), code.labels(t, i).end());
    for (const std::string& label : own)
      if (!seen.insert(label).second) return true;
  }
  return false;
}

litmus::Test test_of(const litmus::Program& program, const lower::Lowered& lowered) {
  litmus::Test source;
  source.name = "judged";
  source.program = program;
  return lower::lowered_test(source, lowered, "t");
}

void count(lower::Target& target, const Hardware& herd7, const litmus::Program& program,
           Counts& counts) {
  ++counts.programs;
  std::optional<lower::Lowered> lowered;
  try {
    lowered = target.lower(program);
  } catch (const Unsupported&) {
    return;
  }
  ++counts.lowered;
  counts.shared_labels += shares_a_label(lowered->program) ? 1 : 0;
  try {
    const auto result = herd7(test_of(program, *lowered));
    ++(result.status == oracle::Result::Status::ok ? counts.judged : counts.out_of_time);
    EXPECT_TRUE(result.status != oracle::Result::Status::ok || !result.behaviours.empty());
  } catch (const Unsupported& refused) {
    ++counts.refused[refused.what()];
  }
}

std::vector<litmus::Program> corpus_programs() {
  const std::filesystem::path corpus = std::filesystem::path(THINAIR_SOURCE_DIR) / "corpus";
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus))
    if (entry.path().extension() == ".litmus") files.insert(entry.path());
  std::vector<litmus::Program> found;
  for (const auto& file : files) {
    const auto test = litmus::parse(litmus::read_file(file.string()));
    if (test.is_java()) found.push_back(test.java());
  }
  return found;
}

class JudgedPrograms : public ::testing::TestWithParam<const char*> {};

TEST_P(JudgedPrograms, NoneIsRefused) {
  if (!find_herd7()) GTEST_SKIP() << "herd7 is not installed";
  auto target = lower::Target::named(GetParam());
  HerdOptions options;
  options.seconds = seconds();
  const Hardware herd7 = [&](const litmus::Test& test) { return herd_states(test, options); };
  Counts generated;
  for (const gen::Profile& profile : gen::profiles()) {
    if (profile.publications > 0) continue; // herd7 keeps no address in 32 bits
    if (profile.floats > 0) continue;       // it reads no constant of more than 62 bits
    gen::Generator generator(profile, 14, 0);
    for (std::size_t i = 0; i < program_count(); ++i)
      count(target, herd7, generator.next().program, generated);
  }
  EXPECT_TRUE(generated.refused.empty()) << to_string(generated);
  EXPECT_GT(generated.judged, 0U) << to_string(generated);
  if (!counts_corpus()) return;
  Counts corpus;
  for (const auto& program : corpus_programs()) count(target, herd7, program, corpus);
  fmt::print("{} corpus: {}\n{} generated: {}\n", GetParam(), to_string(corpus), GetParam(),
             to_string(generated));
}

INSTANTIATE_TEST_SUITE_P(Targets, JudgedPrograms,
                         ::testing::Values("aarch64:cxx", "aarch64:llvm-O2", "riscv:cxx",
                                           "riscv:llvm-O2"),
                         [](const auto& target) {
                           std::string text = target.param;
                           for (char& c : text)
                             if (c == ':' || c == '-') c = '_';
                           return text;
                         });

/// Each thread's code has a label of its own, and both are called the same.
TEST(HerdHardware, LabelsThatStandInTwoThreads) {
  if (!find_herd7()) GTEST_SKIP() << "herd7 is not installed";
  const auto test =
      litmus::parse({"t.litmus", "Java t\n{ x=0; X=x; y=0; Y=y; }\n"
                                 "Thread0 { int r1 = X.get(); if (r1 == 1) { Y.set(1); } }\n"
                                 "Thread1 { int r1 = Y.get(); if (r1 == 1) { X.set(1); } }\n"});
  for (const char* name : {"aarch64:cxx", "riscv:cxx"}) {
    auto target = lower::Target::named(name);
    const auto lowered = target.lower(test.java());
    EXPECT_TRUE(shares_a_label(lowered.program)) << name;
    const auto result = herd_states(test_of(test.java(), lowered), {});
    EXPECT_EQ(result.status, oracle::Result::Status::ok) << result.reason.text;
    EXPECT_EQ(result.behaviours.size(), 1U) << name;
  }
}

/// A herd7 that is out of time has found nothing out, and says no states; that is no fact about the
/// program.
TEST(HerdHardware, TimeThatIsUpIsUnknown) {
  if (!find_herd7()) GTEST_SKIP() << "herd7 is not installed";
  auto target = lower::Target::named("aarch64:cxx");
  const auto test = litmus::parse(
      {"t.litmus", "Java t\n{ x=0; X=x; }\nThread0 { X.getAndAdd(1); X.getAndAdd(1); }\n"
                   "Thread1 { X.getAndAdd(1); X.getAndAdd(1); }\n"
                   "Thread2 { X.getAndAdd(1); X.getAndAdd(1); }\n"
                   "Thread3 { X.getAndAdd(1); X.getAndAdd(1); }\n"});
  const auto lowered = target.lower(test.java());
  HerdOptions options;
  options.seconds = 0.2;
  const auto result = herd_states(test_of(test.java(), lowered), options);
  EXPECT_EQ(result.status, oracle::Result::Status::unknown);
  EXPECT_EQ(result.reason, Reason::reached(Limit::time));
}

} // namespace
} // namespace thinair::runners
