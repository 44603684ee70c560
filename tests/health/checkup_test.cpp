// Check-ups of shipped models: what the literature says of them is found, and what is shown is
// minimal.
#include "campaign/target.h"
#include "gen/reduce.h"
#include "health/checkup.h"
#include "health/report.h"
#include "litmus/canonical.h"
#include "tests/support/browser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace thinair::health {
namespace {

const std::atomic<bool> never = false;

cat::Plan shipped(const char* name) { return cat::load_model(name, cat::Architecture::java); }

Extent small(const char* modes, std::uint32_t accesses, std::uint64_t programs) {
  Extent extent;
  gen::add_modes(extent.space, modes);
  extent.space.max_accesses = accesses;
  extent.profiles = {gen::load_profile("java5")};
  extent.programs = programs;
  extent.jobs = 2;
  return extent;
}

std::map<std::string, Row> rows_of(const Checkup& checkup) {
  std::map<std::string, Row> out;
  for (const auto& row : checkup.rows) out.emplace(row.property.name, row);
  return out;
}

TEST(Checkup, InterleavingsFailWhereCompilersReorder) {
  const auto sc = shipped("sc");
  const Settings settings{.model = &sc, .name = "sc"};
  const auto checkup = check_up(settings, small("plain,volatile", 4, 0), never);
  const auto rows = rows_of(checkup);
  for (const auto& [name, row] : rows) {
    const bool of_monitors = name.ends_with("-lock") || name.ends_with("-unlock"); // none is drawn
    const bool reorders =
        !of_monitors && (name.starts_with("reorder") || name.starts_with("roach"));
    EXPECT_EQ(row.example.has_value(), reorders) << name << ": " << row.finding.sentence;
    EXPECT_EQ(row.undecided, 0U) << name << ": " << row.why_undecided;
    EXPECT_TRUE(reorders || row.holds_up_to == 4) << name;
  }
  EXPECT_TRUE(checkup.failed());
  EXPECT_EQ(checkup.whole_up_to, 4U);
}

/// Ševčík and Aspinall, table 1, of the model of 2004: redundant write after read is not valid;
/// plain reorderings are. One job or two, the same.
TEST(Checkup, TheModelOf2004IsEqualToItselfWhateverTheJobs) {
  const auto jls04 = shipped("jls04");
  const Settings settings{.model = &jls04, .name = "jls04", .like = &jls04, .like_name = "jls04"};
  auto extent = small("plain,volatile", 2, 60);
  const auto two = check_up(settings, extent, never);
  extent.jobs = 1;
  const auto one = check_up(settings, extent, never);
  ASSERT_EQ(one.rows.size(), two.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].programs > 0, two.rows[i].programs > 0) << one.rows[i].property.name;
    EXPECT_EQ(one.rows[i].example, two.rows[i].example) << one.rows[i].property.name;
    EXPECT_EQ(one.rows[i].holds_up_to, two.rows[i].holds_up_to) << one.rows[i].property.name;
  }
  const auto rows = rows_of(one);
  for (const char* name : {"like-jls04", "interleavings", "not-vacuous", "drf-sc", "thin-air",
                           "reorder-RR", "reorder-RW", "reorder-WR", "reorder-WW"})
    EXPECT_FALSE(rows.at(name).example) << name << ": " << rows.at(name).finding.sentence;
}

/// Three accesses say so; with the write put in, since hardly a program that is drawn has one.
TEST(Checkup, AWriteOfWhatWasReadIsNotRedundantIn2004) {
  const auto jls04 = shipped("jls04");
  const Settings settings{.model = &jls04, .name = "jls04"};
  const auto row = rows_of(check_up(settings, small("plain", 3, 0), never)).at("eliminate-WAR");
  ASSERT_TRUE(row.example);
  EXPECT_EQ(litmus::count_accesses(*row.example), 3U);
  EXPECT_TRUE(row.smallest);
  ASSERT_TRUE(row.finding.other);
  EXPECT_EQ(litmus::count_accesses(*row.finding.other), 4U);
}

TEST(Checkup, WhatIsShownIsMinimalAndFailsAgain) {
  const auto jam21 = shipped("jam21");
  const auto table2 = campaign::make_target("x86:table2", {.model = jam21, .model_name = "jam21"});
  Settings settings{.model = &jam21, .name = "jam21", .targets = {table2.get()}};
  settings.options.limits.candidates = 200'000;
  auto extent = small("plain,volatile", 3, 120);
  extent.profiles = {gen::load_profile("varhandle")};
  const auto checkup = check_up(settings, extent, never);
  const auto rows = rows_of(checkup);
  for (const char* name : {"drf-sc", "eliminate-WW", "roach-motel-acquire"})
    EXPECT_TRUE(rows.at(name).example) << name;
  Lab lab(settings);
  for (const auto& [name, row] : rows) {
    if (!row.example) continue;
    lab.forget();
    EXPECT_EQ(row.property.look(*row.example, lab).answer, Finding::Answer::fails) << name;
    for (const auto& smaller : gen::proposals(*row.example)) {
      lab.forget();
      EXPECT_NE(row.property.look(smaller, lab).answer, Finding::Answer::fails) << name;
    }
    EXPECT_EQ(row.finding.other.has_value(),
              row.property.group != "Basics" && row.property.group != "Implementations")
        << name;
  }
}

/// One example would tell store buffering's cause alone: figure 5's of jMT needs six accesses, and
/// is told beside it.
TEST(Checkup, FailuresOfOtherCausesAreToldToo) {
  const auto jam21 = shipped("jam21");
  const auto table2 = campaign::make_target("x86:table2", {.model = jam21, .model_name = "jam21"});
  Settings settings{.model = &jam21, .name = "jam21", .targets = {table2.get()}};
  auto extent = small("plain,volatile", 2, 700);
  extent.profiles = {gen::load_profile("varhandle")};
  const auto row = rows_of(check_up(settings, extent, never)).at("sound-on-x86:table2");
  ASSERT_TRUE(row.example);
  ASSERT_FALSE(row.others.empty());
  std::set<std::string> causes{row.property.cause(*row.example)};
  Lab lab(settings);
  for (const auto& [cause, program, finding] : row.others) {
    EXPECT_TRUE(causes.insert(cause).second) << cause << " is told twice";
    EXPECT_EQ(row.property.cause(program), cause);
    EXPECT_EQ(row.property.look(program, lab).answer, Finding::Answer::fails);
    for (const auto& proposed : gen::proposals(program)) {
      lab.forget();
      const auto smaller = litmus::canonical(proposed);
      EXPECT_FALSE(row.property.look(smaller, lab).answer == Finding::Answer::fails &&
                   row.property.cause(smaller) == cause)
          << cause;
    }
  }
  EXPECT_TRUE(causes.contains("coherence: cofinal, coinit, volint")) << "figure 5's";
}

/// A model that forbids more than its baseline, and one that allows more.
TEST(Checkup, ABaselineIsComparedBothWays) {
  const auto sc = shipped("sc"), tso = shipped("tso");
  for (const auto& [model, like] : {std::pair{&sc, &tso}, {&tso, &sc}}) {
    const Settings settings{.model = model, .name = "m", .like = like, .like_name = "other"};
    const auto rows = rows_of(check_up(settings, small("plain", 4, 0), never));
    ASSERT_TRUE(rows.at("like-other").example);
    EXPECT_EQ(litmus::count_accesses(*rows.at("like-other").example), 4U) << "store buffering";
    EXPECT_TRUE(rows.at("like-other").smallest);
  }
}

TEST(Checkup, AxiomsAreKnownByTheQuestionsThatTheyDecide) {
  const auto jls04 = shipped("jls04");
  const Settings settings{.model = &jls04, .name = "jls04"};
  const auto test = litmus::parse(
      {"t", "Java MP\n{ x=0; y=0; X=x; Y=y; }\nThread0 { X.set(1); Y.setVolatile(1); }\n"
            "Thread1 { int r = Y.getVolatile(); int s = X.get(); }\nexists (1:r=1 /\\ 1:s=0)\n"});
  const auto rows = deciding_axioms(settings, {{"MP", test, test.clauses.at(0).proposition}});
  ASSERT_EQ(rows.size(), jls04.axioms.size());
  for (const auto& row : rows)
    EXPECT_EQ(row.decides.size(),
              row.axiom == "overwritten" || row.axiom == "sync-read-before-write" ? 1U : 0U)
        << row.axiom;
}

TEST(Checkup, ThePageSaysItAll) {
  const auto sc = shipped("sc");
  const Settings settings{.model = &sc, .name = "sc"};
  const auto extent = small("plain", 4, 0);
  const auto checkup = check_up(settings, extent, never);
  const Page page{"sc", sc.name, gen::to_string(extent.space), checkup, {{"sc", {"SB: <i>"}}}, 1};
  for (const auto& text : {text_of(page), json_of(page), html_of(page)}) {
    for (const auto& row : checkup.rows)
      EXPECT_NE(text.find(row.property.name), std::string::npos) << row.property.name;
    EXPECT_NE(text.find("reorder-WR-after"), std::string::npos) << text;
  }
  EXPECT_EQ(html_of(page).find("<i>"), std::string::npos) << "what comes from outside is escaped";
  for (const int width : {390, 1200}) {
    const auto shown = support::render(html_of(page), width);
    if (!shown) GTEST_SKIP() << "no chromium that starts";
    EXPECT_LE(shown->width, width);
    EXPECT_EQ(shown->problems, "");
  }
}

} // namespace
} // namespace thinair::health
