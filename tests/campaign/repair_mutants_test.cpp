// Every scheme with a planted mistake is mended: sound, and no costlier than the one without.
#include "campaign/scheme_search.h"
#include "oracle/cat/model.h"
#include "tests/campaign/support.h"
#include "tests/mutants/mutants.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

namespace thinair::campaign {
namespace {

using mutants::Mutant;

/// Smaller than what `scheme repair` asks by default; bench_repairs asks as much as that.
SchemeSearch small_search(const std::string& file) {
  SchemeSearch settings;
  settings.scheme = file;
  gen::add_modes(settings.space, "plain,volatile");
  settings.space.max_accesses = 3;
  for (const auto* name : {"rmw", "varhandle", "monitors"}) {
    settings.profiles.push_back(gen::load_profile(name));
    settings.profiles.back().wide = 10;
  }
  settings.programs = 1000;
  return settings;
}

class RepairOfMutants : public ::testing::TestWithParam<const Mutant*> {};

TEST_P(RepairOfMutants, IsSoundAndNoCostlierThanTheRightScheme) {
  const Mutant& mutant = *GetParam();
  const Directory directory;
  const auto file = directory.sub("mutant.scheme"), mended = directory.sub("mended.scheme");
  write_bytes(file, print(mutants::scheme_of(mutant).text()));
  const auto model = cat::load_model("java", cat::Architecture::java);
  const auto right = lower::Target::named(std::string(mutant.of));
  const auto costs = lower::Costs::measured(right.machine());
  const auto found =
      repair({.model = model, .model_name = "java"}, small_search(file), costs, never);
  ASSERT_TRUE(found.found);
  EXPECT_EQ(found.extent.undecided, 0U);
  EXPECT_LE(found.cost_after, costs.of(right.scheme()));
  ASSERT_FALSE(found.changes.empty()) << "nothing was found to be wrong";
  write_bytes(mended, print(found.scheme));
  const Aimed before("java", file), after("java", mended);
  for (const auto& change : found.changes) { // each is needed
    ASSERT_TRUE(change.needed_by) << change.step.what;
    const auto verdict = after.verdict(change.needed_by->program); // threads may wait for ever
    EXPECT_TRUE(verdict == Verdict::sound || verdict == Verdict::vacuous) << change.step.what;
  }
  EXPECT_EQ(before.verdict(found.changes.front().needed_by->program), Verdict::unsound);
}

/// Where few are drawn (sanitizers), a few; each takes a second or two.
std::vector<const Mutant*> mutants_of_rules() {
  std::vector<const Mutant*> out;
  const std::size_t step = test::draws(8) < 8 ? 8 : test::draws(8) > 8 ? 1 : 3;
  std::size_t n = 0;
  for (const auto& mutant : mutants::mutants())
    if (!mutant.rules.empty() && !mutants::scheme_of(mutant).text().tells_types_apart() &&
        n++ % step == 0)
      out.push_back(&mutant);
  return out;
}

std::string test_name(const ::testing::TestParamInfo<const Mutant*>& info) {
  std::string out(info.param->name);
  std::ranges::replace(out, '-', '_');
  return out;
}

INSTANTIATE_TEST_SUITE_P(Each, RepairOfMutants, ::testing::ValuesIn(mutants_of_rules()), test_name);

} // namespace
} // namespace thinair::campaign
