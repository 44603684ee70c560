// Our engine against the real herd7 on random AArch64 tests, both under the shipped model.
#include "litmus/text/error.h"
#include "machine/aarch64/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "runners/herd7.h"
#include "tests/runners/agreement.h"
#include "tests/support/aarch64_programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace thinair::runners {
namespace {

std::size_t number(const char* variable, std::size_t usual) {
  const char* given = std::getenv(variable);
  return given ? std::strtoul(given, nullptr, 10) : usual;
}

/// Whether some branch goes back.
bool loops(const litmus::Test& test) {
  for (const auto& thread : aarch64::program_of(test).threads)
    for (const auto& in : thread.code)
      if (in.target.starts_with("R")) return true;
  return false;
}

class AArch64Agreement : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_herd7()) GTEST_SKIP() << "no herd7 here (scripts/get-herd7)";
    options.model = "armv8";
    options.seconds = 2;
    options.optace = "true"; // the model is coherent
  }

  static std::vector<litmus::Test> drawn(std::size_t count, std::uint64_t seed, bool looping) {
    std::vector<litmus::Test> tests;
    for (; tests.size() < count; ++seed) {
      auto test = litmus::parse({"random", test::aarch64_program(seed)});
      if (loops(test) == looping) tests.push_back(std::move(test));
    }
    return tests;
  }

  const cat::Plan plan = cat::load_model("armv8", aarch64::architecture);
  HerdOptions options;
};

/// What became of the comparisons.
struct Counts {
  std::size_t equal = 0, undecided = 0, lacking = 0, different = 0;
};

/// herd7 7.58 loses executions with a `cas` behind an update that adds 0
/// (docs/language-aarch64.md): what it lacks must be a state of some interleaving, which is one
/// without doubt.
void compare(const litmus::Test& test, const cat::Plan& plan, const cat::Plan& interleaving,
             const HerdAnswer& answer, Counts& counts) {
  const auto ours = executions::behaviours(test, plan);
  if (answer.status != HerdAnswer::Status::ok || ours.status != oracle::Result::Status::ok ||
      ours.value_cycles > 0) {
    ++counts.undecided;
    return;
  }
  const States found = states_of(test, ours), theirs = states_of(test, answer.result);
  if (found == theirs) {
    ++counts.equal;
    return;
  }
  const States sure = states_of(test, executions::behaviours(test, interleaving));
  const bool more = std::ranges::includes(found, theirs) &&
                    std::ranges::all_of(found, [&](const std::string& state) {
                      return theirs.contains(state) || sure.contains(state);
                    });
  ++(more ? counts.lacking : counts.different);
  EXPECT_TRUE(more) << litmus::print(test) << "herd7:\n  "
                    << fmt::format("{}", fmt::join(theirs, "\n  ")) << "\nours:\n  "
                    << fmt::format("{}", fmt::join(found, "\n  "));
}

/// THINAIR_HERD7_PROGRAMS of them, from the seed THINAIR_HERD7_SEED on.
TEST_F(AArch64Agreement, RandomAssembly) {
  const std::size_t programs = number("THINAIR_HERD7_PROGRAMS", 200);
  const std::size_t first = number("THINAIR_HERD7_SEED", 1);
  const cat::Plan interleaving = cat::load_model("sc", aarch64::architecture, {.as_plain = true});
  Counts counts;
  for (std::size_t done = 0; done < programs; done += 200) {
    const auto tests = drawn(std::min<std::size_t>(200, programs - done), first + 4 * done, false);
    const auto answers = run_herd7(tests, options);
    for (std::size_t i = 0; i < tests.size(); ++i)
      compare(tests[i], plan, interleaving, answers[i], counts);
  }
  std::printf("%zu programs: %zu equal, %zu undecided, %zu of which herd7 lacks interleavings, %zu "
              "different\n",
              programs, counts.equal, counts.undecided, counts.lacking, counts.different);
  EXPECT_LE(counts.undecided * 20, programs) << "too many come to nothing";
  EXPECT_LE(counts.lacking * 50, programs);
}

/// Whether a thread stores between its own pair of exclusives: herd7's own model lets another
/// thread do so then, too (docs/models-machines.md).
bool stores_between(const litmus::Test& test) {
  using aarch64::Does;
  for (const auto& thread : aarch64::program_of(test).threads) {
    bool open = false;
    for (const auto& in : thread.code) {
      const Does does = in.info->does;
      if (does == Does::load_exclusive) open = true;
      if (does == Does::store_exclusive) open = false;
      if (open && does == Does::store) return true;
    }
  }
  return false;
}

/// The model of herd7's authors says the same: what the shipped one gets wrong, both engines would
/// get wrong under it. THINAIR_HERD7_PROGRAMS, as above.
TEST_F(AArch64Agreement, RandomAssemblyUnderHerdsOwnModel) {
  const std::size_t programs = number("THINAIR_HERD7_PROGRAMS", 100);
  const std::size_t first = number("THINAIR_HERD7_SEED", 1);
  const cat::Plan interleaving = cat::load_model("sc", aarch64::architecture, {.as_plain = true});
  options.model.clear();
  Counts counts;
  std::size_t skipped = 0;
  for (std::size_t done = 0; done < programs; done += 200) {
    auto tests = drawn(std::min<std::size_t>(200, programs - done), first + 4 * done, false);
    skipped += std::erase_if(tests, stores_between);
    const auto answers = run_herd7(tests, options);
    for (std::size_t i = 0; i < tests.size(); ++i)
      compare(tests[i], plan, interleaving, answers[i], counts);
  }
  std::printf("%zu programs: %zu equal, %zu undecided, %zu of which herd7 lacks interleavings, %zu "
              "different, %zu with stores between exclusives\n",
              programs, counts.equal, counts.undecided, counts.lacking, counts.different, skipped);
  EXPECT_LE((counts.undecided + skipped) * 5, programs) << "too many come to nothing";
}

/// herd7 takes two more rounds and says that there may be further ones. Those that fail add no
/// state to ours.
TEST_F(AArch64Agreement, LoopsThatTryAgain) {
  const auto tests = drawn(20, number("THINAIR_HERD7_SEED", 1), true);
  const auto answers = run_herd7(tests, options);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (answers[i].reason.limit != Limit::loop_bound) continue;
    const auto ours = executions::behaviours(tests[i], plan);
    EXPECT_EQ(ours.status, oracle::Result::Status::ok) << ours.reason.text;
    EXPECT_EQ(states_of(tests[i], ours), states_of(tests[i], answers[i].result))
        << litmus::print(tests[i]);
    ++compared;
  }
  EXPECT_GE(compared, 10U) << "herd7 has so much time for each";
}

} // namespace
} // namespace thinair::runners
