// Models that something is wrong with: said where they are loaded, where they are asked, or by
// health, with the name of what is missing.
#include "campaign/store.h"
#include "tests/cli/tool.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::cli {
namespace {

bool contains(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

constexpr const char* plain_program = "Java P\n{ x = 0; X=x; }\n"
                                      "Thread0 { X.set(1); int r = X.get(); }\nforbidden (0:r=1)\n";

/// Every command that asks a model, with the test at hand.
std::vector<std::vector<std::string>> asking(const std::string& model, const std::string& test,
                                             const Folder& folder) {
  return {
      {"check", test, "--model", model},
      {"behaviours", test, "--model", model},
      {"explain", test, "--model", model},
      {"graph", test, "--model", model},
      {"sound", test, "--model", model},
      {"reduce", test, "--model", model},
      {"distinguish", model, "sc", "--programs", "5", "--max-accesses", "2", "--jobs", "1"},
      {"fuzz", "--model", model, "--target", "x86:table2", "--programs", "20", "--jobs", "1",
       "--quiet", "--campaign", folder.path("campaign")},
      {"jcstress", "emit", test, "--expect", model, "--output", folder.path("project")},
  };
}

std::string health_of(const std::string& model, int exit) {
  const Ran ran = tool({"health", model, "--max-accesses", "2", "--programs", "4", "--jobs", "1"});
  EXPECT_EQ(ran.exit, exit) << ran.out << ran.err;
  return ran.out;
}

/// Lines of a page are wrapped.
std::string unwrapped(std::string page) {
  std::ranges::replace(page, '\n', ' ');
  return page;
}

/// A model that names rules and does not show what they speak of is refused when it is loaded.
TEST(UnfitModels, ARelationThatIsNotShownIsMissedAtLoading) {
  const Folder folder;
  const auto test = folder.write("T.litmus", plain_program);
  const auto model = folder.write("m.cat", "\"M\"\n(* causality: jls04 *)\nlet sw = 0\n"
                                           "let hb = po | IW * (_ \\ IW)\nacyclic hb as order\n");
  auto commands = asking(model, test, folder);
  commands.push_back({"health", model});
  commands.push_back({"models", "check", model});
  for (const auto& command : commands) {
    const Ran ran = tool(command);
    EXPECT_EQ(ran.exit, 2) << command.front();
    EXPECT_TRUE(contains(ran.err, "m.cat:2:15: error: the model names rules of causality and "
                                  "shows no so"))
        << command.front() << "\n"
        << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.err, "hint: they need 'show so, sw, hb'")) << ran.err;
  }
}

TEST(UnfitModels, RulesThatNobodyKnowsAreNamed) {
  const Folder folder;
  const auto test = folder.write("T.litmus", plain_program);
  const auto model = folder.write("m.cat", "\"M\"\n(* causality: jls05 *)\nlet so = 0 let sw = 0 "
                                           "let hb = po\nacyclic hb as order\n");
  const Ran ran = tool({"behaviours", test, "--model", model});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_TRUE(contains(ran.err, "the model \"M\" asks for the causality rules `jls05`: expected "
                                "one of `"))
      << ran.err;
}

/// What is wrong with relations shows in executions: each command that meets one refuses the model,
/// and health goes on to say what it is.
TEST(UnfitModels, HappensBeforeWithoutProgramOrderIsSaid) {
  const Folder folder;
  const auto test = folder.write("T.litmus", plain_program);
  const auto model =
      folder.write("m.cat", "\"Lacks po\"\n(* causality: jls04 *)\nlet so = 0\nlet sw = 0\n"
                            "let hb = IW * (_ \\ IW)\nacyclic hb as order\n");
  const std::string said =
      "the model \"Lacks po\" cannot be used for causality: hb does not contain program order";
  for (const auto& command : asking(model, test, folder)) {
    const Ran ran = tool(command);
    EXPECT_EQ(ran.exit, 2) << command.front() << "\n" << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.err, said)) << command.front() << "\n" << ran.out << ran.err;
  }
  const auto page = health_of(model, 1);
  EXPECT_TRUE(contains(page, "causality-relations        fails    with 2 accesses")) << page;
  EXPECT_TRUE(contains(unwrapped(page), "hb does not contain program order")) << page;
  EXPECT_TRUE(contains(health_of("jls04", 0), "causality-relations        holds"));
  EXPECT_FALSE(contains(health_of("tso", 0), "causality-relations")) << "it has no such rules";
}

TEST(UnfitModels, WhatForbidsEverythingIsVacuous) {
  const Folder folder;
  const auto test = folder.write("T.litmus", plain_program);
  const auto model = folder.write("m.cat", "\"M\"\nempty M as nothing\n");
  auto commands = asking(model, test, folder);
  std::erase_if(commands, [](const auto& words) { return words.front() == "distinguish"; });
  for (const auto& command : commands) {
    const Ran ran = tool(command);
    EXPECT_EQ(ran.exit, 3) << command.front() << "\n" << ran.out << ran.err;
    const bool said = contains(ran.out + ran.err, "vacuous") ||
                      contains(ran.out + ran.err, "allows the program no execution");
    EXPECT_TRUE(said) << command.front() << ran.out << ran.err;
  }
  const Ran fuzz = tool({"fuzz", "--model", model, "--target", "x86:table2", "--programs", "20",
                         "--jobs", "1", "--quiet", "--campaign", folder.path("again")});
  EXPECT_TRUE(contains(fuzz.out, "\nthinair health " + model + " looks")) << fuzz.out;
  const auto page = health_of(model, 1);
  EXPECT_TRUE(contains(page, "not-vacuous                fails    with 1 access")) << page;
}

TEST(UnfitModels, WhatIsNotMonotoneIsFound) {
  const Folder folder;
  const auto model = folder.write("m.cat", "\"M\"\n(* meaning: plain, volatile *)\n"
                                           "include \"cos.cat\"\n"
                                           "acyclic (po \\ (V * V)) | rf | co | fr as order\n");
  const auto page = health_of(model, 1);
  EXPECT_TRUE(contains(page, "monotone-modes             fails    with 2 accesses")) << page;
}

/// The rules of a campaign are part of what it is.
TEST(ChosenRules, ACampaignKeepsThem) {
  const Folder folder;
  std::vector<std::string> words = {
      "fuzz",       "--model", "jls04",  "--target", "model:sc", "--seed",     "3",
      "--programs", "20",      "--jobs", "1",        "--quiet",  "--campaign", folder.path("c")};
  auto chosen = words;
  chosen.insert(chosen.end(), {"--causality", "revised", "--identity", "free"});
  EXPECT_EQ(tool(chosen).exit, 0);
  const auto identity = campaign::Store::open_existing(folder.path("c")).identity();
  EXPECT_EQ(identity.causality, "revised");
  EXPECT_EQ(identity.actions, "free");
  const Ran other = tool(words);
  EXPECT_EQ(other.exit, 2);
  EXPECT_TRUE(contains(other.err, "this directory holds a campaign with \"causality\"; "
                                  "choose another"))
      << other.err;
  EXPECT_NE(tool(chosen).exit, 2);
}

/// Values come out of thin air where no rules of causality keep them out.
TEST(ChosenRules, TheyDecideWhatIsAMismatchAndWhatShowsItAgain) {
  const Folder folder;
  const auto thin_air = folder.write(
      "T.litmus", "Java T\n{ x=0; y=0; X=x; Y=y; }\nThread0 { int r = X.get(); Y.set(r); }\n"
                  "Thread1 { int s = Y.get(); X.set(s); X.set(1); }\nexists (0:r=1)\n");
  const auto loose = folder.write("loose.cat", "\"Loose\"\nempty 0 as nothing\n");
  EXPECT_EQ(
      tool({"sound", thin_air, "--model", "jls04", "--causality", "none", "--target", "model:sc"})
          .exit,
      0);
  const auto campaign = folder.path("c");
  const Ran fuzz = tool({"fuzz", "--model", "jls04", "--causality", "none", "--target",
                         "model:" + loose, "--exhaustive", "--max-accesses", "2", "--modes",
                         "plain", "--jobs", "1", "--quiet", "--campaign", campaign});
  EXPECT_EQ(fuzz.exit, 1) << fuzz.out << fuzz.err;
  const Ran report = tool({"report", campaign, "--markdown"});
  EXPECT_TRUE(contains(report.out, " --causality none")) << report.out;
}

/// Of both models: without them jls04 is what it includes.
TEST(ChosenRules, DistinguishTakesThemForBothModels) {
  const Folder folder;
  const auto twin = folder.write("twin.cat", "\"Twin\"\n(* causality: none *)\n"
                                             "(* meaning: plain, volatile, monitors, threads, "
                                             "final fields *)\n"
                                             "include \"jls04.cat\"\n");
  const std::vector<std::string> words = {
      "distinguish", "jls04",      twin, "--modes", "plain", "--max-accesses", "1", "--profile",
      "thinair",     "--programs", "60", "--jobs",  "1"};
  const Ran ruled = tool(words);
  EXPECT_EQ(ruled.exit, 1) << ruled.out << ruled.err;
  EXPECT_TRUE(contains(ruled.out, "jls04 allows what " + twin + " forbids: nothing found"));
  for (const auto* rules : {"none", "jls04"}) {
    auto with = words;
    with.insert(with.end(), {"--causality", rules});
    const Ran alike = tool(with);
    EXPECT_EQ(alike.exit, 0) << rules << "\n" << alike.out << alike.err;
  }
}

} // namespace
} // namespace thinair::cli
