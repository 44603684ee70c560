// What of a scheme is not needed, and what it lacks: by the lattice, with programs as evidence.
#include "campaign/program_rules.h"
#include "campaign/scheme_search.h"
#include "gen/generator.h"
#include "litmus/random.h"
#include "lower/lowered_test.h"
#include "oracle/cat/model.h"
#include "runners/hardware.h"
#include "tests/campaign/support.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

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
  void measure() { measured_ = true; }
  Relaxation relax() { return campaign::relax(against_, settings_, costs(), never); }
  Repair repair() { return campaign::repair(against_, settings_, costs(), never); }
  /// Whether the scheme with these rules shows what the model forbids of the program.
  bool shows(const lower::SchemeText& scheme, const litmus::Program& program) {
    const auto name = directory_.sub("changed.scheme");
    std::ofstream(name) << print(scheme);
    return make_target(name, against_)->judge(program).verdict == Verdict::unsound;
  }

 private:
  lower::Costs costs() const {
    const auto machine = lower::machine_named(settings_.scheme);
    return measured_ ? lower::Costs::measured(machine) : lower::Costs(machine);
  }

  bool measured_ = false;

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

/// Every program of the space with the operation is asked of the scheme by itself.
bool shows_new(Searched& search, const lower::SchemeText& base, const lower::SchemeText& scheme) {
  gen::Enumerator programs(search.settings().space);
  while (programs.next()) {
    const auto program = programs.program();
    if (search.shows(scheme, program) && !search.shows(base, program)) return true;
  }
  return false;
}

/// Programs are judged once for many schemes, of which some orders less than all others: what is
/// said of each is what asking it alone says.
TEST(Relax, SaysOfEachStepWhatAskingItAloneSays) {
  std::vector<litmus::Method> methods{litmus::Method::setVolatile};
  if (test::draws(8) >= 8) methods.push_back(litmus::Method::getVolatile); // else: sanitizers
  Searched search("riscv:hotspot-c1", methods);
  search.settings().space = {};
  gen::add_modes(search.settings().space, "volatile");
  search.settings().programs = 0;
  const auto base = lower::Target::named("riscv:hotspot-c1").scheme();
  const auto found = search.relax();
  std::size_t needed = 0, free = 0;
  for (const auto& each : found.single) {
    EXPECT_EQ(each.witness.has_value(), shows_new(search, base, after(base, each.step)))
        << each.step.what;
    ++(each.witness ? needed : free);
  }
  EXPECT_GT(needed, 0u);
  EXPECT_GT(free, 0u);
  ASSERT_FALSE(found.minimal.empty());
  for (const auto& scheme : found.minimal) {
    EXPECT_FALSE(shows_new(search, base, scheme.scheme)) << print(scheme.scheme);
    auto rebuilt = base;
    for (const auto& each : scheme.taken) rebuilt = after(rebuilt, each.step);
    EXPECT_EQ(print(rebuilt), print(scheme.scheme));
    for (const auto operation : search.settings().operations)
      for (const auto& step :
           lower::weakenings(lower::machine_named("riscv:hotspot-c1"), scheme.scheme, operation))
        EXPECT_TRUE(shows_new(search, base, after(scheme.scheme, step)))
            << "can do without more: " << step.what;
  }
}

/// What is not asked again rests on this: code with less ordering shows all that the other does.
TEST(Relax, LessOrderingShowsNoLess) {
  const auto model = cat::load_model("java", cat::Architecture::java);
  const Against against{.model = model, .model_name = "java"};
  auto profile = gen::load_profile("rmw");
  profile.max_accesses = 5;
  std::size_t more = 0;
  for (const char* name : {"riscv:hotspot-c1", "riscv:hotspot-c2", "aarch64:hotspot-c1-nolse",
                           "aarch64:hotspot-c2", "x86:table2"}) {
    const auto machine = lower::machine_named(name);
    const runners::Processor processor(machine);
    gen::Generator generator(profile, 5, 0);
    const auto states = [&](const lower::SchemeText& scheme, const litmus::Program& program) {
      auto target = lower::Target::of_scheme({"scheme", print(scheme)});
      const auto test = as_test(program, "t");
      const auto lowered = target.lower(program);
      auto code = lower::lowered_test(test, lowered, name);
      code.locations = lowered.restoration.needed();
      std::set<litmus::Behaviour> out;
      const auto found = processor.run(code, {});
      for (const auto& behaviour : found.behaviours)
        out.insert(lowered.restoration.restore(found.observables, behaviour));
      return out;
    };
    for (std::uint64_t i = 0; i < test::draws(60); ++i) {
      const auto program = generator.next().program;
      litmus::Random random(9, i);
      auto scheme = lower::Target::named(name).scheme();
      auto before = states(scheme, program);
      for (int down = 0; down < 3; ++down) {
        std::vector<Step> steps;
        for (const auto& operation : operations_in(program))
          std::ranges::move(lower::weakenings(machine, scheme, operation),
                            std::back_inserter(steps));
        if (steps.empty()) break;
        const auto step = random.pick(steps);
        scheme = after(scheme, step);
        const auto now = states(scheme, program);
        EXPECT_TRUE(std::ranges::includes(now, before)) << name << ", " << step.what << "\n"
                                                        << litmus::print(as_test(program, "t"));
        more += now.size() > before.size() ? 1 : 0;
        before = now;
      }
    }
  }
  EXPECT_GT(more, test::draws(10));
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

/// Small programs are made of little, and what a barrier is for may be something else: C1's behind
/// a volatile store is for compare-and-sets, as its volatile loads begin with one.
TEST(Relax, RandomProgramsHaveMoreThanSmallOnesUnlessToldOtherwise) {
  Searched search("aarch64:hotspot-c1", {litmus::Method::setVolatile});
  const std::vector<std::string> without{"dmb ish", "str arg, [x]"};
  const auto can_go = [&](const Relaxation& found) {
    return std::ranges::any_of(found.minimal, [&](const MinimalScheme& scheme) {
      return lower::lines_of(scheme.scheme.code(litmus::Method::setVolatile)) == without;
    });
  };
  search.settings().programs = 500;
  search.settings().within = true;
  EXPECT_TRUE(can_go(search.relax()));
  search.settings().within = false;
  EXPECT_FALSE(can_go(search.relax()));
}

/// What a later program has made idle goes in the end, but not what programs need that were right
/// as long as it was there, and were never asked without it.
TEST(Relax, WhatGoesInTheEndIsNeededByNobody) {
  using litmus::Method;
  Searched search("aarch64:graal", {Method::getOpaque, Method::setOpaque, Method::getAcquire,
                                    Method::setRelease, Method::getAndAdd});
  auto& settings = search.settings();
  settings.space.methods.clear();
  gen::add_modes(settings.space, "opaque,acquire,release,getAndAdd");
  settings.space.max_accesses = 3;
  settings.within = true;
  settings.programs = 300;
  settings.profiles = {gen::load_profile("rmw"), gen::load_profile("varhandle")};
  for (auto& profile : settings.profiles) profile.wide = 10;
  search.measure();
  const auto found = search.relax();
  ASSERT_FALSE(found.minimal.empty());
  const auto passing = litmus::parse(
      {"mp", "Java mp\n{ X=x; Y=y; }\nThread0 { X.setOpaque(1); Y.setRelease(1); }\n"
             "Thread1 { int a = Y.getAndAdd(1); int b = X.getOpaque(); }\nexists (1:a=1)\n"});
  for (const auto& scheme : found.minimal)
    EXPECT_FALSE(search.shows(scheme.scheme, passing.java())) << print(scheme.scheme);
}

/// Of two instructions that are alike it is said which.
TEST(Lattice, EveryStepIsASchemeAndGoesOneWay) {
  for (const auto& info : lower::targets()) {
    auto target = lower::Target::named(info.name);
    if (!target.is_scheme()) continue;
    const auto& scheme = target.scheme();
    const lower::Costs costs(info.machine);
    std::map<std::pair<lower::Operation, std::string>, std::string> rules; // by what is said
    for (const Step& step : lower::weakenings(info.machine, scheme)) {
      EXPECT_EQ(rules.try_emplace({step.operation, step.what}, step.rule).first->second, step.rule)
          << info.name << ": " << step.what << " is said of two changes";
      const auto weaker = after(scheme, step);
      EXPECT_LT(costs.of(weaker), costs.of(scheme)) << info.name << " " << step.what;
      EXPECT_NO_THROW(lower::Target::of_scheme({"weaker", print(weaker)})) << step.rule;
      const auto &stronger_rule = scheme.code(step.operation), &rule = step.rule;
      EXPECT_TRUE(stands_below(info.machine, rule, stronger_rule)) << step.what;
      EXPECT_FALSE(stands_below(info.machine, stronger_rule, rule)) << step.what;
      EXPECT_EQ(lower::way_down(info.machine, stronger_rule, rule), step.what);
      EXPECT_EQ(lower::way_down(info.machine, rule, rule), "");
      const auto least = lower::weakest(info.machine, stronger_rule);
      EXPECT_TRUE(stands_below(info.machine, least, rule)) << step.what << "\n" << least;
      EXPECT_EQ(lower::weakest(info.machine, least), least);
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
