// Compilers with one mistake are noticed, and reduced to the textbook's size.
#include "litmus/test.h"
#include "oracle/cat/model.h"
#include "tests/mutants/mutants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace thinair::mutants {
namespace {

TEST(Mutants, AreWellFormed) {
  std::set<std::string_view> names;
  for (const auto& mutant : mutants()) {
    EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
    EXPECT_NE(mutant.rules.empty(), mutant.rewrite == nullptr) << mutant.name;
    EXPECT_NO_THROW(scheme_of(mutant)) << mutant.name;
    EXPECT_NO_THROW(gen::load_profile(mutant.profile)) << mutant.name;
  }
  EXPECT_GE(names.size(), 30U);
}

TEST(Mutants, WithoutAMistakeThereIsNothingToNotice) {
  const Mutant none = {"none", "none", "fullFence { mfence }", nullptr, "varhandle", 0, ""};
  const auto model = cat::load_model("jam21", cat::Architecture::java);
  Detector detector(none, model);
  const auto sb = litmus::parse({"sb", "Java sb\n{ X=x; Y=y; }\n"
                                       "Thread0 { X.set(1); int a = X.getVolatile(); int b = "
                                       "Y.getVolatile(); }\n"
                                       "Thread1 { Y.set(1); int c = Y.getVolatile(); int d = "
                                       "X.getVolatile(); }\nexists (0:a=1)\n"});
  EXPECT_EQ(detector(sb.java()), gen::Interest::no) << "Table 2 itself is to blame";
}

/// All of them are bench_mutants' business.
class MutantsOfAKind : public ::testing::TestWithParam<const char*> {};

TEST_P(MutantsOfAKind, AreCaughtAndReducedToTheTextbook) {
  const auto mutant = std::ranges::find(mutants(), std::string_view(GetParam()), &Mutant::name);
  ASSERT_NE(mutant, mutants().end());
  const auto model = cat::load_model(mutant->model, cat::Architecture::java);
  const auto caught = hunt(*mutant, model, 1, 60);
  ASSERT_TRUE(caught);
  EXPECT_LT(caught->seconds, 10);
  EXPECT_LE(litmus::count_accesses(caught->program), mutant->textbook);
  RecordProperty("programs", static_cast<int>(caught->programs));
}

INSTANTIATE_TEST_SUITE_P(Each, MutantsOfAKind,
                         ::testing::Values("volatile-store-bare", "acquire-load-overtaken",
                                           "add-unlocked", "cas-failed-writes",
                                           "opaque-loads-swapped", "x86-lock-bare",
                                           "aarch64-lock-bare", "aarch64-unlock-bare",
                                           "aarch64-start-bare", "riscv-lock-bare",
                                           "riscv-unlock-bare", "x86-reference-store-bare",
                                           "aarch64-reference-store-bare",
                                           "riscv-reference-store-bare", "x86-long-in-halves"));

} // namespace
} // namespace thinair::mutants
