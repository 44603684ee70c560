// What of a scheme is not needed, and what it lacks: by the lattice, with programs as evidence.
#include "campaign/scheme_search.h"
#include "oracle/cat/model.h"
#include "tests/campaign/support.h"

#include <gtest/gtest.h>

namespace thinair::campaign {
namespace {

using lower::Step;

class Searched {
 public:
  explicit Searched(const std::string& scheme, std::vector<litmus::Method> methods) {
    settings_.scheme = scheme;
    gen::add_modes(settings_.space, "plain,volatile");
    settings_.profiles = {gen::load_profile("rmw")};
    settings_.programs = 20;
    for (const auto method : methods) settings_.operations.push_back(method);
  }

  SchemeSearch& settings() { return settings_; }
  Relaxation relax() { return campaign::relax(against_, settings_, costs(), never); }
  Repair repair() { return campaign::repair(against_, settings_, costs(), never); }
  /// Whether the scheme with these rules shows what the model forbids of the program.
  bool shows(const lower::SchemeText& scheme, const litmus::Program& program) {
    const auto name = directory_.sub("changed.scheme");
    std::ofstream(name) << print(scheme);
    return make_target(name, against_)->judge(program).verdict == Verdict::unsound;
  }

 private:
  lower::Costs costs() const { return lower::Costs(lower::machine_named(settings_.scheme)); }

  const cat::Plan model_ = cat::load_model("java", cat::Architecture::java);
  const Against against_{.model = model_, .model_name = "java"};
  SchemeSearch settings_;
  const Directory directory_;
};

TEST(Relax, ListsWhatALaterJdkDroppedAndShowsWhatTheRestIsFor) {
  Searched search("riscv:hotspot-c1", {litmus::Method::setVolatile});
  const auto found = search.relax();
  const auto before = lower::Target::named("riscv:hotspot-c1").scheme();
  std::size_t needed = 0;
  for (const auto& each : found.single) {
    if (!each.witness) {
      EXPECT_EQ(each.extent.accesses, 4u);
      continue;
    }
    ++needed;
    EXPECT_TRUE(search.shows(after(before, each.step), each.witness->program)) << each.step.what;
    EXPECT_FALSE(search.shows(before, each.witness->program)) << each.step.what;
  }
  EXPECT_GE(needed, 4u);
  ASSERT_FALSE(found.minimal.empty());
  EXPECT_EQ(found.minimal[0].scheme.code(litmus::Method::setVolatile),
            "  fence rw, w\n  sw arg, [x]\n  fence w, r\n"); // JDK-8310939
  EXPECT_LT(found.minimal[0].cost, found.cost_before);
}

TEST(Relax, BesideAnotherCompilerLessCanGo) {
  Searched alone("aarch64:hotspot-c1", {litmus::Method::getVolatile});
  const auto has = [](const Relaxation& found, std::string_view what) {
    return std::ranges::any_of(found.single, [&](const Weakened& each) {
      return !each.witness && each.step.what.find(what) != std::string::npos;
    });
  };
  EXPECT_TRUE(has(alone.relax(), "`dmb ish` becomes `dmb ishld`"));
  Searched mixed("aarch64:hotspot-c1", {litmus::Method::getVolatile});
  mixed.settings().with = {"aarch64:hotspot-c2"};
  EXPECT_FALSE(has(mixed.relax(), "`dmb ish` becomes `dmb ishld`")); // JDK-8179954
}

/// Programs of ints would say of such a rule that nothing needs it.
TEST(Relax, SaysThatRulesForOneTypeAreNotSearched) {
  Searched search("riscv:zabha", {litmus::Method::setVolatile});
  EXPECT_THROW(search.relax(), Unsupported);
  EXPECT_THROW(search.repair(), Unsupported);
}

TEST(Repair, GivesBackWhatWasTakenAndTheProgramThatNeedsIt) {
  const Directory directory;
  const auto file = directory.sub("broken.scheme");
  std::ofstream(file) << "scheme aarch64:broken like aarch64:hotspot-c2\n"
                         "getVolatile { ldapr dst, [x] }\n";
  Searched search(file, {litmus::Method::getVolatile});
  const auto found = search.repair();
  ASSERT_TRUE(found.found);
  ASSERT_EQ(found.changes.size(), 1u);
  EXPECT_EQ(found.changes[0].step.what, "`ldapr dst, [x]` becomes `ldar dst, [x]`");
  ASSERT_TRUE(found.changes[0].needed_by);
  const auto broken = lower::Target::named(file).scheme();
  EXPECT_TRUE(search.shows(broken, found.changes[0].needed_by->program));
  EXPECT_FALSE(search.shows(found.scheme, found.changes[0].needed_by->program));
}

TEST(Repair, OfWhatIsSoundChangesNothing) {
  Searched search("x86:table2", {litmus::Method::setVolatile});
  const auto found = search.repair();
  EXPECT_TRUE(found.found);
  EXPECT_TRUE(found.changes.empty());
  EXPECT_EQ(found.cost_before, found.cost_after);
}

/// Where no fence helps, as the code is no atomic step, another scheme's code does.
TEST(Repair, WhatNoOrderingMendsGetsAnotherSchemesCode) {
  const Directory directory;
  const auto file = directory.sub("broken.scheme");
  std::ofstream(file) << "scheme x86:broken like x86:table2\n"
                         "getAndAdd { mov dst, [x]; mov tmp, dst; add tmp, arg; mov [x], tmp }\n";
  Searched search(file, {litmus::Method::getAndAdd});
  const auto found = search.repair();
  ASSERT_TRUE(found.found);
  ASSERT_EQ(found.changes.size(), 1u);
  EXPECT_TRUE(found.changes[0].step.what.starts_with("the code of x86:"))
      << found.changes[0].step.what;
  ASSERT_TRUE(found.changes[0].needed_by);
  EXPECT_TRUE(
      search.shows(lower::Target::named(file).scheme(), found.changes[0].needed_by->program));
  EXPECT_FALSE(search.shows(found.scheme, found.changes[0].needed_by->program));
  EXPECT_LE(found.cost_after, lower::Costs(lower::machine_named("x86:table2"))
                                  .of(lower::Target::named("x86:table2").scheme()));
}

/// A fence on the wrong side is not joined by another, but gives way to it.
TEST(Repair, ARuleThatChangesHasOnlyWhatIsNeeded) {
  const Directory directory;
  const auto file = directory.sub("broken.scheme");
  std::ofstream(file) << "scheme x86:broken like x86:table2\n"
                         "setVolatile { mfence; mov [x], arg }\n";
  Searched search(file, {litmus::Method::setVolatile, litmus::Method::getVolatile});
  const auto found = search.repair();
  ASSERT_TRUE(found.found);
  EXPECT_EQ(found.scheme.code(litmus::Method::setVolatile), "  mov [x], arg\n  mfence\n");
}

/// Volatile loads cannot be mended where the store is what lacks a fence.
TEST(Repair, WhatNothingMendsIsSaid) {
  const Directory directory;
  const auto file = directory.sub("broken.scheme");
  std::ofstream(file) << "scheme x86:broken like x86:table2\n"
                         "setVolatile { mov [x], 1; mov [x], arg; mfence }\n";
  Searched search(file, {litmus::Method::getVolatile});
  gen::add_modes(search.settings().space, "volatile");
  EXPECT_FALSE(search.repair().found);
}

TEST(SchemeSearch, ALimitOfTimeIsSaidAndNothingIsClaimed) {
  Searched search("riscv:hotspot-c1", {litmus::Method::setVolatile});
  search.settings().seconds = 0;
  const auto relaxed = search.relax();
  for (const auto& each : relaxed.single)
    EXPECT_TRUE(each.witness || each.extent.late) << each.step.what;
  EXPECT_TRUE(relaxed.minimal.empty());
  EXPECT_FALSE(search.repair().found);
}

TEST(Lattice, EveryStepIsASchemeAndGoesOneWay) {
  for (const auto& info : lower::targets()) {
    auto target = lower::Target::named(info.name);
    if (!target.is_scheme()) continue;
    const auto& scheme = target.scheme();
    const lower::Costs costs(info.machine);
    for (const Step& step : lower::weakenings(info.machine, scheme)) {
      const auto weaker = after(scheme, step);
      EXPECT_LT(costs.of(weaker), costs.of(scheme)) << info.name << " " << step.what;
      EXPECT_NO_THROW(lower::Target::of_scheme({"weaker", print(weaker)})) << step.rule;
      bool back = false; // what goes down comes up again
      for (const Step& up : lower::strengthenings(info.machine, weaker, {step.operation}))
        back |= up.rule == scheme.code(step.operation);
      const bool inside = step.what.starts_with("without");
      EXPECT_TRUE(back || inside) << step.what;
    }
  }
}

} // namespace
} // namespace thinair::campaign
