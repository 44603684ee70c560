// A model that allows a program nothing at all: no question passes, whoever asks.
#include "cli/check.h"
#include "gen/generator.h"
#include "models/library.h"
#include "tests/cli/tool.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::cli {
namespace {

const std::string corpus = std::string(THINAIR_SOURCE_DIR) + "/corpus";

/// Models that forbid every execution with an event.
constexpr auto nothings = std::to_array<std::string_view>({
    "\"Nothing\"\n(* meaning: everything *)\nempty _ as nothing\n",
    "\"Nothing\"\n(* meaning: everything *)\nirreflexive id as nothing\n",
    "\"Nothing\"\n(* meaning: everything *)\ninclude \"cos.cat\"\nacyclic po | co | id as "
    "nothing\n",
});

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

constexpr const char* asked = "Java T\n{ x=0; X=x; }\nThread0 { X.set(1); }\n"
                              "Thread1 { int r = X.get(); }\n"
                              "forbidden \"2\" (1:r=2)\nrequired \"1\" (1:r=1)\n";

TEST(Vacuous, NoQuestionOfTheCorpusPasses) {
  const Folder folder;
  for (const auto model : nothings) {
    const auto file = folder.write("nothing.cat", model);
    const Ran ran = tool({"check", corpus, "--model", file, "--json"});
    EXPECT_EQ(ran.exit, 3);
    const auto asked_in_all = count(ran.out, "\n");
    EXPECT_EQ(count(ran.out, "\"outcome\":\"vacuous\"") +
                  count(ran.out, "\"outcome\":\"unsupported\"") +
                  count(ran.out, "\"outcome\":\"unknown\""),
              asked_in_all);
    EXPECT_GT(count(ran.out, "\"outcome\":\"vacuous\""), asked_in_all * 3 / 4);
    EXPECT_EQ(count(ran.out, "\"found\":\"-\""), asked_in_all);
  }
}

/// Every model that comes with the program allows every program of the corpus something.
TEST(Vacuous, NoShippedModelIs) {
  std::string models;
  for (const auto& file : models::files())
    if (!file.name.starts_with("library/") && file.name != "x86-tso.cat")
      models += std::string(file.name.substr(0, file.name.rfind('.'))) + ",";
  std::vector<std::string> words = {"check", corpus, "--models",
                                    models + "umm:sc,umm:coherence,umm:pram", "--json"};
  for (const auto manner : {"as they are", "as plain"}) {
    SCOPED_TRACE(manner);
    const Ran ran = tool(words);
    EXPECT_EQ(count(ran.out, "\"outcome\":\"vacuous\""), 0U);
    EXPECT_GT(count(ran.out, "\"outcome\":\"pass\""), 1000U);
    words.push_back("--as-plain");
  }
}

/// A random program with questions of every kind about its registers.
litmus::Test questioned(const gen::Generated& drawn, std::uint64_t seed) {
  litmus::Test test;
  test.name = fmt::format("drawn{}", seed);
  test.program = drawn.program;
  using enum litmus::Quantifier;
  for (const auto quantifier : {required, forbidden, contested, exists, not_exists, forall}) {
    litmus::Clause clause;
    clause.quantifier = quantifier;
    clause.label = fmt::format("{}", static_cast<int>(quantifier));
    clause.proposition.kind = litmus::Proposition::Kind::always;
    for (std::uint32_t t = 0; t < drawn.program.threads.size(); ++t)
      for (const auto& reg : drawn.program.threads[t].registers) {
        clause.proposition.kind = litmus::Proposition::Kind::equal;
        clause.proposition.left = {litmus::ThreadId(t), reg.name};
        clause.proposition.constant = static_cast<litmus::Value>(seed % 3);
      }
    test.clauses.push_back(std::move(clause));
  }
  return test;
}

TEST(Vacuous, NoQuestionOfARandomProgramPasses) {
  const Folder folder;
  std::vector<Judge> judges;
  for (std::size_t i = 0; i < nothings.size(); ++i)
    judges.emplace_back(folder.write(fmt::format("{}.cat", i), nothings[i]), JudgeOptions{});
  const Judge sc("sc", JudgeOptions{});
  gen::Generator generator(gen::load_profile("varhandle"), 7, 0);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto test = questioned(generator.next(), seed);
    for (const auto& judge : judges)
      for (const auto& finding : judge.judge(test, "drawn", "official"))
        EXPECT_EQ(word(finding.outcome), "vacuous") << finding.reason << "\n"
                                                    << litmus::print(test);
    for (const auto& finding : sc.judge(test, "drawn", "official"))
      EXPECT_NE(word(finding.outcome), "vacuous") << litmus::print(test);
  }
}

TEST(Vacuous, IsSaidByEveryCommand) {
  const Folder folder;
  const auto model = folder.write("nothing.cat", nothings[0]);
  const auto test = folder.write("T.litmus", asked);
  const std::string text = asked;
  const auto one =
      folder.write("O.litmus", text.substr(0, text.find("required"))); // as herd has it
  const std::vector<std::vector<std::string>> commands = {
      {"check", test, "--model", model},
      {"check", test, "--model", model, "--json"},
      {"behaviours", test, "--model", model},
      {"behaviours", test, "--model", model, "--json"},
      {"explain", test, "--model", model},
      {"explain", test, "--model", model, "--json"},
      {"graph", test, "--model", model},
      {"graph", test, "--model", model, "--json"},
      {"herd", one, "--model", model},
      {"herd", one, "--model", model, "--json"},
      {"sound", test, "--model", model},
      {"sound", test, "--model", model, "--json"},
      {"sound", test, "--model", "sc", "--target", "x86:table2", "--as-plain", "--json"},
      {"reduce", test, "--model", model},
      {"reduce", test, "--model", model, "--json"},
      {"reduce", test, "--model", "sc", "--target", "model:" + model},
  };
  for (const auto& command : commands) {
    const Ran ran = tool(command);
    const auto line = fmt::format("{}", fmt::join(command, " "));
    if (command[3] == "sc" && command[0] == "sound") {
      EXPECT_EQ(ran.exit, 0) << line << ran.out << ran.err;
      continue;
    }
    EXPECT_EQ(ran.exit, 3) << line << ran.out << ran.err;
    EXPECT_NE((ran.out + ran.err).find("vacuous"), std::string::npos) << line << "\n" << ran.out;
    EXPECT_EQ(ran.out.find("\"outcome\":\"pass\""), std::string::npos) << line;
  }
}

TEST(Vacuous, CampaignsAndComparisonsCountIt) {
  const Folder folder;
  const auto model = folder.write("nothing.cat", nothings[0]);
  const auto campaign = folder.path("campaign");
  const Ran fuzz = tool({"fuzz", "--model", model, "--target", "x86:table2", "--programs", "20",
                         "--jobs", "1", "--quiet", "--campaign", campaign});
  EXPECT_EQ(fuzz.exit, 3) << fuzz.out << fuzz.err;
  EXPECT_NE(fuzz.out.find(": 0 mismatches, 0 distinct minimal; 0 unknown, 0 unsupported, "),
            std::string::npos)
      << fuzz.out;
  EXPECT_NE(fuzz.out.find(" vacuous\n"), std::string::npos) << fuzz.out;
  const Ran report = tool({"report", campaign, "--json"});
  EXPECT_NE(report.out.find("\"verdict\":\"vacuous\",\"reason\":\"vacuous: " + model +
                            " allows the program no execution, though interleaving"),
            std::string::npos)
      << report.out;
  const Ran differ =
      tool({"distinguish", model, "sc", "--max-accesses", "2", "--programs", "3", "--jobs", "1"});
  EXPECT_EQ(differ.exit, 3) << differ.out << differ.err;
}

TEST(Vacuous, IsCountedInTablesAndPages) {
  const Folder folder;
  const auto model = folder.write("nothing.cat", nothings[0]);
  const auto test = folder.write("s/T.litmus", asked);
  const auto xml = folder.path("r.xml"), page = folder.path("r.html");
  const Ran ran = tool({"check", test, "--model", model, "--junit", xml, "--html", page});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_EQ(ran.out.find("vacuous     T \"2\" "), 0U) << ran.out;
  EXPECT_NE(ran.out.find("expected forbidden, found - (vacuous: "), std::string::npos) << ran.out;
  const Ran two = tool({"check", test, "--models", "sc," + model});
  EXPECT_NE(two.out.find("pass/fail/unsupported/unknown/vacuous/contested/unstated\n"),
            std::string::npos)
      << two.out;
  EXPECT_NE(two.out.find("2/0/0/0/0/0/0"), std::string::npos) << two.out;
  EXPECT_NE(two.out.find("0/0/0/0/2/0/0"), std::string::npos) << two.out;
  EXPECT_EQ(count(read(xml), "<skipped message=\"vacuous: "), 2U);
  EXPECT_EQ(count(read(page), "class=\"tag vacuous\""), 4U); // in the matrix, and on each answer
}

/// Where the program itself never ends, that it does not end so is an answer; where the model
/// forbids what the program would do, it is none.
TEST(Vacuous, IsTheModelsDoing) {
  const Folder folder;
  const auto nothing = folder.write("nothing.cat", nothings[0]);
  const std::string head = "Java T\n{ x=0; X=x; monitor m; monitor n; }\n";
  const std::vector<std::string> stuck = {
      "Thread0 { int r = 0; while (X.getVolatile() == 0) {} }\n",
      "Thread0 { int r = 0; do { r = X.get(); } while (r == 0); X.set(1); }\n",
      "Thread0 { int r = X.get(); lock(m); }\nThread1 { lock(m); }\n",
      "Thread0 { int r = 1; r = r / X.get(); }\n",
      "Thread0 { int r = X.get(); if (r == 0) { join(Thread0); } }\nThread1 { int s = X.get(); }\n",
  };
  for (const auto& threads : stuck) {
    const auto test = folder.write("T.litmus", head + threads + "forbidden \"7\" (0:r=7)\n");
    for (const std::string model : {"sc", "jls04"}) {
      const Ran ran = tool({"behaviours", test, "--model", model});
      EXPECT_EQ(ran.exit, 0) << threads << ran.out << ran.err;
      EXPECT_NE(ran.out.find("\nforbidden \"7\" (0:r=7): holds; Never, in 0 of 0 behaviours\n"
                             "no execution of the program ends, under " +
                             model +
                             " or by interleaving its threads: they wait for ever, or throw\n"),
                std::string::npos)
          << threads << ran.out;
      const Ran check = tool({"check", test, "--model", model, "--json"});
      EXPECT_EQ(check.exit, 0) << threads << check.out;
      EXPECT_NE(check.out.find("\"outcome\":\"pass\""), std::string::npos) << check.out;
      EXPECT_EQ(tool({"explain", test, "--model", model}).exit, 0) << threads;
    }
    const Ran ran = tool({"behaviours", test, "--model", nothing});
    EXPECT_EQ(ran.exit, 3) << threads;
    EXPECT_NE(ran.out.find("\nvacuous: " + nothing +
                           " allows the program no execution, not even one that does not end\n"),
              std::string::npos)
        << threads << ran.out;
  }
  const auto fine =
      folder.write("F.litmus", head + "Thread0 { int r = X.get(); }\nexists (0:r=7)\n");
  EXPECT_NE(tool({"behaviours", fine, "--model", nothing})
                .out.find("\nvacuous: " + nothing +
                          " allows the program no execution, though interleaving its threads gives "
                          "some\n"),
            std::string::npos);
}

TEST(Vacuous, IsAFilterThatNothingPasses) {
  const Folder folder;
  const auto test = folder.write("T.litmus", "Java T\n{ x=0; X=x; }\nThread0 { int r = X.get(); }\n"
                                             "filter (0:r=3)\nforbidden (0:r=1)\n");
  for (const std::string model : {"sc", "jls04"}) {
    const Ran ran = tool({"behaviours", test, "--model", model});
    EXPECT_EQ(ran.exit, 3);
    EXPECT_NE(ran.out.find("\nvacuous: " + model +
                           " allows the program no execution that passes the filter, and "
                           "interleaving its threads gives none\n"),
              std::string::npos)
        << ran.out;
    EXPECT_EQ(tool({"check", test, "--model", model}).exit, 3);
  }
}

TEST(Vacuous, IsNoLimit) {
  const Folder folder;
  const auto model = folder.write("nothing.cat", "\"Nothing\"\n(* meaning: everything *)\n"
                                                 "empty range(rf) as nothing\n");
  const auto test = folder.write(
      "T.litmus", "Java T\n{ x=0; X=x; }\nThread0 { int r = X.get(); int s = X.get(); }\n"
                  "Thread1 { X.set(1); X.set(2); }\nforbidden (0:r=7)\n");
  const auto outcome = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"check", test, "--model", model, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = tool(words);
    EXPECT_EQ(ran.exit, 3) << ran.out;
    const auto at = ran.out.find("\"outcome\":\"") + 11;
    return ran.out.substr(at, ran.out.find('"', at) - at);
  };
  EXPECT_EQ(outcome({}), "vacuous");
  const auto waiting =
      folder.write("W.litmus", "Java W\n{ x=0; X=x; }\n"
                               "Thread0 { int n = 0; while (X.get() == 0) { n = n + 1; } }\n"
                               "forbidden (0:n=7)\n");
  for (const char* known : {"sc", "jls04", "jam21"}) {
    const Ran ran = tool({"check", waiting, "--model", known, "--json"});
    EXPECT_EQ(ran.exit, 3) << ran.out;
    EXPECT_NE(ran.out.find("\"outcome\":\"unknown\""), std::string::npos)
        << "counting rounds is cut off: " << ran.out;
  }
}

} // namespace
} // namespace thinair::cli
