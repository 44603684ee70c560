// Mixes and baselines as campaigns see them.
#include "campaign/campaign.h"
#include "campaign/report.h"
#include "gen/exhaustive.h"
#include "gen/reduce.h"
#include "litmus/canonical.h"
#include "oracle/cat/model.h"
#include "tests/campaign/support.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace thinair::campaign {
namespace {

constexpr const char* old_mix = "mix:aarch64:hotspot-c1-only,aarch64:hotspot-c2"; // JDK-8179954

/// Volatile store buffering, each access by the choice of its letter.
litmus::Program store_buffering(const std::string& by) {
  const auto choice = [&](std::size_t i) { return fmt::format("@{} ", by.at(i)); };
  return litmus::parse({"sb", "Java SB\n{ x = 0; y = 0; X=x; Y=y; }\nThread0 { " + choice(0) +
                                  "X.setVolatile(1); " + choice(1) +
                                  "int r = Y.getVolatile(); }\nThread1 { " + choice(2) +
                                  "Y.setVolatile(1); " + choice(3) +
                                  "int r = X.getVolatile(); }\nexists (true)\n"})
      .java();
}

struct Judged {
  explicit Judged(const std::string& target, const std::string& baseline = "",
                  const std::string& model_name = "java")
      : model(cat::load_model(model_name, cat::Architecture::java)),
        against{.model = model, .model_name = model_name, .baseline = baseline},
        of(make_target(target, against)) {}
  const cat::Plan model;
  const Against against;
  const std::unique_ptr<Target> of;
};

TEST(MixTarget, OnlyTheStoreOfC2BeforeTheLoadOfC1IsWrong) {
  const Judged mix(old_mix);
  for (const char* by : {"1111", "2222", "1212", "2222", "1222", "1221", "2211", "1121"}) {
    const std::string text = by;
    const bool wrong = text.substr(0, 2) == "21" || text.substr(2) == "21";
    EXPECT_EQ(mix.of->judge(store_buffering(by)).verdict, wrong ? Verdict::unsound : Verdict::sound)
        << by;
  }
}

TEST(MixTarget, AReductionGoesToTheLeastMix) {
  const Judged mix(old_mix);
  const auto keeps = [&](const litmus::Program& p) {
    return interest_of(mix.of->judge(p).verdict);
  };
  const auto reduced = gen::reduce(store_buffering("2121"), keeps);
  litmus::Program minimal = reduced.program;
  std::size_t chosen = 0;
  const auto count = [&](auto, litmus::Choice& by) { chosen += by; };
  litmus::each_choice(minimal, count, count);
  EXPECT_EQ(chosen, 1u) << litmus::print(as_test(reduced.program, "minimal"));
  for (const auto& smaller : gen::proposals(reduced.program))
    EXPECT_NE(mix.of->judge(smaller).verdict, Verdict::unsound);
}

TEST(MixTarget, ProgramsThatDifferInChoicesDiffer) {
  EXPECT_NE(litmus::content_hash(store_buffering("2111")),
            litmus::content_hash(store_buffering("1111")));
  EXPECT_EQ(litmus::content_hash(store_buffering("2111")), // threads may change places
            litmus::content_hash(store_buffering("1121")));
  const auto canonical = litmus::canonical(store_buffering("1121"));
  EXPECT_EQ(litmus::choices_of(canonical), 2u);
  EXPECT_EQ(litmus::parse({"again", litmus::print(as_test(canonical, "again"))}).java(), canonical);
}

/// Every program once for each way to choose, up to symmetry: against all ways, one by one.
TEST(MixTarget, AllChoicesOfASpaceAreEnumerated) {
  gen::Space space;
  space.max_accesses = 3;
  gen::add_modes(space, "plain,volatile");
  const auto alone = gen::count(space);
  const Judged mix(old_mix);
  space.choices = mix.of->choices();
  EXPECT_EQ(space.choices.of(litmus::Method::get).size(), 1u); // both have one rule for it
  EXPECT_EQ(space.choices.of(litmus::Method::getVolatile).size(), 2u);
  std::set<litmus::ContentHash> seen, expected;
  gen::enumerate(space, [&](std::uint64_t, const gen::MakeProgram& make) {
    EXPECT_TRUE(seen.insert(litmus::content_hash(make())).second);
    return true;
  });
  space.choices = {};
  EXPECT_EQ(gen::enumerate(space,
                           [&](std::uint64_t, const gen::MakeProgram& make) {
                             const auto program = make();
                             for (unsigned bits = 0; bits < 8; ++bits) {
                               auto copy = program;
                               unsigned at = 0;
                               litmus::each_choice(
                                   copy,
                                   [&](litmus::Method method, litmus::Choice& by) {
                                     by = bits >> at++ & 1U;
                                     if (litmus::info(method).read == litmus::Mode::plain &&
                                         litmus::info(method).write == litmus::Mode::plain)
                                       by = 0;
                                   },
                                   [](auto, auto&) {});
                               expected.insert(litmus::content_hash(copy));
                             }
                             return true;
                           }),
            alone);
  EXPECT_EQ(seen, expected);
}

std::vector<std::string> found(const std::string& target, const std::string& baseline,
                               std::uint32_t jobs) {
  const Judged judged(target, baseline);
  const Directory directory;
  Settings settings;
  settings.directory = directory.sub("campaign");
  settings.identity.model = "java";
  settings.identity.targets = {target};
  settings.identity.baseline = baseline;
  settings.identity.seed = 3;
  settings.choices = judged.of->choices();
  settings.profile = gen::load_profile("varhandle");
  settings.programs = test::draws(300);
  settings.jobs = jobs;
  run(
      settings, [&](const litmus::Program& p, std::size_t) { return judged.of->judge(p); }, {},
      never);
  std::vector<std::string> texts;
  for (const auto& group : groups(Store::open_existing(settings.directory)))
    texts.push_back(group.first.minimal);
  return texts;
}

TEST(MixTarget, TheSameSeedFindsTheSameWithAnyNumberOfJobs) {
  const auto once = found(old_mix, "", 1);
  EXPECT_EQ(once, found(old_mix, "", 2));
}

TEST(Baseline, WhatItShowsTooIsNoMismatchAndIsSaid) {
  EXPECT_TRUE(found("aarch64:cxx", "aarch64:cxx", 2).empty());
  const Judged alone(old_mix), beside(old_mix, old_mix);
  const auto program = store_buffering("2121");
  EXPECT_EQ(alone.of->judge(program).verdict, Verdict::unsound);
  EXPECT_FALSE(alone.of->baseline_fault());
  EXPECT_EQ(beside.of->judge(program).verdict, Verdict::sound);
  ASSERT_TRUE(beside.of->baseline_fault());
  EXPECT_NE(beside.of->baseline_fault()->program.find("setVolatile"), std::string::npos);
  const auto said = as_text(*beside.of->baseline_fault(), old_mix, "java");
  EXPECT_NE(said.find("is itself unsound for java: it shows 0:r=0; 1:r=0"), std::string::npos)
      << said;
  const Judged mended(old_mix, "mix:aarch64:hotspot-c1,aarch64:hotspot-c2");
  EXPECT_EQ(mended.of->judge(program).verdict, Verdict::unsound);
  EXPECT_FALSE(mended.of->baseline_fault());
}

/// jam21 forbids some of what Table 2 shows: beside it only the difference is left.
TEST(Baseline, LeavesTheDifferenceAndReductionKeepsIt) {
  const Directory directory;
  const auto file = directory.sub("mine.scheme");
  std::ofstream(file) << "scheme x86:mine like x86:table2\nsetVolatile { mov [x], arg }\n";
  const Judged alone(file, "", "jam21"), beside(file, "x86:table2", "jam21");
  const Judged table2("x86:table2", "", "jam21");
  const auto both = litmus::parse({"t", "Java t\n{ x = 0; y = 0; X=x; Y=y; }\n"
                                        "Thread0 { X.set(1); int a = X.getVolatile(); int b = "
                                        "Y.getVolatile(); }\n"
                                        "Thread1 { Y.set(1); int c = Y.getVolatile(); int d = "
                                        "X.getVolatile(); }\nexists (true)\n"})
                        .java();
  EXPECT_EQ(alone.of->judge(both).verdict, Verdict::unsound);
  EXPECT_EQ(beside.of->judge(both).verdict, Verdict::sound);
  const auto more = store_buffering("1111");
  ASSERT_EQ(beside.of->judge(more).verdict, Verdict::unsound);
  const auto reduced = gen::reduce(
      more, [&](const litmus::Program& p) { return interest_of(beside.of->judge(p).verdict); });
  EXPECT_EQ(table2.of->judge(reduced.program).verdict, Verdict::sound);
  EXPECT_EQ(alone.of->judge(reduced.program).verdict, Verdict::unsound);
}

TEST(Baseline, OneThatIsNotThereIsAnError) {
  const auto java = cat::load_model("java", cat::Architecture::java);
  const Against against{.model = java, .model_name = "java", .baseline = "x86:absent"};
  EXPECT_NE(error_of([&] { make_target("x86:table2", against); }).find("no target is called"),
            std::string::npos);
}

TEST(Baseline, AnotherOneIsAnotherCampaign) {
  const Directory directory;
  Identity identity{.model = "java", .targets = {"x86:table2"}, .profile = "p", .version = "v"};
  identity.baseline = "x86:jam21";
  Store::open(directory.sub("c"), identity);
  EXPECT_EQ(Store::open_existing(directory.sub("c")).identity().baseline, "x86:jam21");
  identity.baseline.clear();
  EXPECT_NE(error_of([&] { Store::open(directory.sub("c"), identity); }).find("\"baseline\""),
            std::string::npos);
}

TEST(Mixes, OfOneCampaignHaveAsManySchemes) {
  const auto java = cat::load_model("java", cat::Architecture::java);
  const Against against{.model = java, .model_name = "java"};
  const auto two = "mix:x86:table2,x86:jam21", three = "mix:x86:table2,x86:jam21,x86:hotspot-c1";
  EXPECT_EQ(choices_of(make_targets({two, "x86:table2"}, against)).schemes, 2u);
  EXPECT_NE(error_of([&] {
              choices_of(make_targets({two, three}, against));
            }).find("mixes of 2 and of 3 schemes"),
            std::string::npos);
}

} // namespace
} // namespace thinair::campaign
