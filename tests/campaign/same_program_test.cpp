// Targets that share what they find out of a program answer as they do alone.
#include "campaign/code_target.h"
#include "gen/generator.h"
#include "oracle/cat/model.h"
#include "runners/same_program.h"
#include "tests/campaign/support.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

namespace thinair::campaign {
namespace {

/// Every scheme of a machine, its fastest compiler, and another model.
std::vector<std::string> names_of(std::string_view machine) {
  std::vector<std::string> names{"model:sc"};
  for (const auto& name : code_names(lower::machine_of(machine)))
    if (!lower::level_of(name) || lower::level_of(name) == lower::Level::O1) names.push_back(name);
  return names;
}

/// Random ones, and SB+rfis, which jam21 calls unsound on x86.
std::vector<litmus::Program> programs() {
  const auto known = litmus::parse(
      {"known", "Java known\n{ X=x; Y=y; }\n"
                "Thread0 { X.set(1); int a = X.getVolatile(); int b = Y.getVolatile(); }\n"
                "Thread1 { Y.set(1); int c = Y.getVolatile(); int d = X.getVolatile(); }\n"});
  gen::Generator drawn(gen::load_profile("varhandle"), 20261120, 0);
  std::vector<litmus::Program> out{known.java()};
  for (std::uint64_t i = 0; i < test::draws(60); ++i) out.push_back(drawn.next().program);
  return out;
}

/// Returns how many judgements are `unsound`.
std::size_t expect_the_same(const char* model_name, std::string_view machine) {
  const auto model = cat::load_model(model_name, cat::Architecture::java);
  const auto targets = make_targets(names_of(machine), {.model = model});
  std::size_t wrong = 0;
  for (const auto& program : programs()) {
    runners::SameProgram same;
    for (const auto& target : targets) {
      const auto alone = target->judge(program), beside = target->judge(program, &same);
      EXPECT_EQ(beside.verdict, alone.verdict) << target->name();
      EXPECT_EQ(beside.findings, alone.findings) << target->name();
      wrong += alone.verdict == Verdict::unsound;
    }
  }
  return wrong;
}

TEST(SameProgram, ChangesNoAnswerUnderJam21) { EXPECT_GT(expect_the_same("jam21", "x86"), 3U); }
TEST(SameProgram, ChangesNoAnswerUnderJava) { EXPECT_EQ(expect_the_same("java", "aarch64"), 0U); }
TEST(SameProgram, ChangesNoAnswerOnRiscv) { expect_the_same("jam21", "riscv"); }

TEST(SameProgram, CodeIsRunOnceAndWhatIsUncertainAgain) {
  const auto one = litmus::parse({"one", "Java one\n{ X=x; }\nThread0 { X.set(1); }\n"});
  const auto two = litmus::parse({"two", "Java two\n{ X=x; }\nThread0 { X.set(2); }\n"});
  runners::SameProgram same;
  std::size_t runs = 0;
  auto status = oracle::Result::Status::unknown;
  const auto run = [&](const litmus::Test&) {
    ++runs;
    oracle::Result result;
    result.status = status;
    return result;
  };
  same.shown(one, run);
  same.shown(one, run);
  EXPECT_EQ(runs, 2U) << "a limit that was met is no answer";
  status = oracle::Result::Status::ok;
  same.shown(one, run);
  same.shown(one, run);
  EXPECT_EQ(runs, 3U);
  same.shown(two, run);
  EXPECT_EQ(runs, 4U);
  auto more = one;
  more.locations.push_back({std::nullopt, "x"});
  same.shown(more, run);
  EXPECT_EQ(runs, 5U) << "something else is to be shown";
}

} // namespace
} // namespace thinair::campaign
