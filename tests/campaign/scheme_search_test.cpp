// What of a scheme is not needed, and what it lacks: by the lattice, with programs as evidence.
#include "campaign/scheme_search.h"
#include "lower/scheme_text.h"
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
    settings_.profile = gen::load_profile("rmw");
    settings_.programs = 20;
    for (const auto method : methods) settings_.operations.push_back(lower::index_of(method));
  }

  SchemeSearch& settings() { return settings_; }
  Relaxation relax() { return searcher().relax(); }
  Repair repair() { return searcher().repair(); }
  SchemeSearcher searcher() {
    return {against_, settings_, lower::Costs(lower::machine_named(settings_.scheme)), never};
  }
  /// Whether the scheme with these rules shows what the model forbids of the program.
  bool shows(const lower::RuleTexts& rules, const litmus::Program& program) {
    const auto name = directory_.sub("changed.scheme");
    std::ofstream(name) << searcher().text_of(rules, "changed");
    return make_target(name, against_)->judge(program).verdict == Verdict::unsound;
  }

 private:
  const cat::Plan model_ = cat::load_model("java", cat::Architecture::java);
  const Against against_{.model = model_, .model_name = "java"};
  SchemeSearch settings_;
  const Directory directory_;
};

TEST(Relax, ListsWhatALaterJdkDroppedAndShowsWhatTheRestIsFor) {
  Searched search("riscv:hotspot-c1", {litmus::Method::setVolatile});
  const auto found = search.relax();
  const auto before = lower::Target::named("riscv:hotspot-c1").rules();
  std::size_t needed = 0;
  for (const auto& each : found.single) {
    auto rules = before;
    rules[each.step.operation] = each.step.rule;
    if (!each.witness) {
      EXPECT_EQ(each.extent.accesses, 4u);
      continue;
    }
    ++needed;
    EXPECT_TRUE(search.shows(rules, each.witness->program)) << each.step.what;
    EXPECT_FALSE(search.shows(before, each.witness->program)) << each.step.what;
  }
  EXPECT_GE(needed, 4u);
  const auto volatile_store = lower::index_of(litmus::Method::setVolatile);
  EXPECT_EQ(found.rules[volatile_store],
            "  fence rw, w\n  sw arg, [x]\n  fence w, r\n"); // JDK-8310939
  EXPECT_LT(found.cost_after, found.cost_before);
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
  const auto broken = lower::Target::named(file).rules();
  EXPECT_TRUE(search.shows(broken, found.changes[0].needed_by->program));
  EXPECT_FALSE(search.shows(found.rules, found.changes[0].needed_by->program));
}

TEST(Repair, OfWhatIsSoundChangesNothing) {
  Searched search("x86:table2", {litmus::Method::setVolatile});
  const auto found = search.repair();
  EXPECT_TRUE(found.found);
  EXPECT_TRUE(found.changes.empty());
  EXPECT_EQ(found.cost_before, found.cost_after);
}

TEST(Repair, WhatNoStepMendsIsSaid) {
  const Directory directory;
  const auto file = directory.sub("broken.scheme");
  std::ofstream(file) << "scheme x86:broken like x86:table2\n"
                         "getAndAdd { mov dst, [x]; mov tmp, dst; add tmp, arg; mov [x], tmp }\n";
  Searched search(file, {litmus::Method::getAndAdd}); // it is not atomic: no fence helps
  EXPECT_FALSE(search.repair().found);
}

TEST(SchemeSearch, ALimitOfTimeIsSaidAndNothingIsClaimed) {
  Searched search("riscv:hotspot-c1", {litmus::Method::setVolatile});
  search.settings().seconds = 0;
  const auto relaxed = search.relax();
  for (const auto& each : relaxed.single)
    EXPECT_TRUE(each.witness || each.extent.late) << each.step.what;
  EXPECT_TRUE(relaxed.taken.empty());
  EXPECT_FALSE(search.repair().found);
}

TEST(Lattice, EveryStepIsASchemeAndGoesOneWay) {
  for (const auto& info : lower::targets()) {
    auto target = lower::Target::named(info.name);
    if (!target.is_scheme()) continue;
    const auto rules = target.rules();
    const lower::Costs costs(info.machine);
    for (const Step& step : lower::weakenings(info.machine, rules)) {
      auto weaker = rules;
      weaker[step.operation] = step.rule;
      EXPECT_LT(costs.of(weaker), costs.of(rules)) << info.name << " " << step.what;
      lower::SchemeText text(lower::scheme_source(info.name));
      text.set_code(lower::operation_at(step.operation), step.rule);
      EXPECT_NO_THROW(lower::Target::of_scheme(text.source())) << step.rule;
      bool back = false; // what goes down comes up again
      for (const Step& up : lower::strengthenings(info.machine, weaker, {step.operation}))
        back |= up.rule == rules[step.operation];
      const bool inside = step.what.starts_with("without");
      EXPECT_TRUE(back || inside) << step.what;
    }
  }
}

} // namespace
} // namespace thinair::campaign
