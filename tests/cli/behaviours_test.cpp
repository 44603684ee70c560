// thinair behaviours and thinair herd: exact output, verdicts, exit codes, engines.
#include "runners/herd7.h"
#include "tests/cli/tool.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

namespace thinair::cli {
namespace {

std::string sb(const std::string& clauses) {
  return "Java SB\n{ 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
         "Thread0 { X.setOpaque(1); int r1 = Y.getOpaque(); }\n"
         "Thread1 { Y.setOpaque(1); int r1 = X.getOpaque(); }\n" +
         clauses + "\n";
}

std::string mp(const std::string& quantifier) {
  return "X86_64 MP\n{ x=0; y=0; }\n P0          | P1            ;\n"
         " movl $1,(x) | movl (y),%eax ;\n movl $1,(y) | movl (x),%ebx ;\n" +
         quantifier + " (1:rax=1 /\\ 1:rbx=0)\n";
}

class Behaviours : public ::testing::Test {
 protected:
  Ran run(const std::string& text, std::vector<std::string> options) const {
    const std::string file = folder_.write("test.litmus", text);
    options.insert(options.begin(), {"behaviours", file});
    Ran ran = tool(options);
    for (std::size_t at = 0; (at = ran.out.find(file, at)) != std::string::npos;)
      ran.out.replace(at, file.size(), "FILE");
    return ran;
  }
  Folder folder_;
};

TEST_F(Behaviours, TextOfAQuestion) {
  const Ran ran = run(sb("exists (0:r1=0 /\\ 1:r1=0)"), {"--model", "sc"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out, "SB (sc, builtin)\n0:r1=0; 1:r1=1\n0:r1=1; 1:r1=0\n0:r1=1; 1:r1=1\n"
                     "3 behaviours\n"
                     "exists (0:r1=0 /\\ 1:r1=0): fails; Never, in 0 of 3 behaviours\n\n");
}

TEST_F(Behaviours, ExpectationsThatFailAreFindings) {
  const std::string both = "required \"weak\" (0:r1=0 /\\ 1:r1=0)\nforbidden \"odd\" (0:r1=2)";
  const Ran strong = run(sb(both), {"--model", "sc"});
  EXPECT_EQ(strong.exit, 1);
  EXPECT_NE(strong.out.find("required \"weak\" (0:r1=0 /\\ 1:r1=0): fails; Never, in 0 of 3"),
            std::string::npos);
  EXPECT_NE(strong.out.find("forbidden \"odd\" (0:r1=2): holds; Never"), std::string::npos);
  EXPECT_EQ(run(sb(both), {"--model", "jam21"}).exit, 0);
  EXPECT_EQ(run(sb("forbidden \"no\" (0:r1=0 /\\ 1:r1=0)"), {"--model", "jam21"}).exit, 1);
}

TEST_F(Behaviours, Json) {
  Ran ran = run(sb("exists (0:r1=0 /\\ 1:r1=0)"), {"--model", "jam21", "--json", "--count"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out.substr(0, ran.out.find("\"seconds\":")),
            "{\"test\":\"SB\",\"file\":\"FILE\",\"model\":\"jam21\",\"engine\":\"builtin\","
            "\"causality\":\"none\",\"status\":\"ok\",\"reason\":\"\",\"behaviours\":[\"0:r1=0; "
            "1:r1=0\",\"0:r1=0; "
            "1:r1=1\","
            "\"0:r1=1; 1:r1=0\",\"0:r1=1; 1:r1=1\"],\"condition\":{\"kind\":\"exists\","
            "\"text\":\"0:r1=0 /\\\\ 1:r1=0\",\"holds\":true,\"positive\":1,\"negative\":3,"
            "\"observation\":\"Sometimes\"},\"executions\":4,");
}

TEST_F(Behaviours, ALimitMakesItUnknown) {
  const Ran ran = run(mp("forall"), {"--model", "x86-tso", "--max-candidates", "1", "--json"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_NE(ran.out.find("\"status\":\"unknown\",\"reason\":\""), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("--max-candidates"), std::string::npos) << ran.out;
}

TEST_F(Behaviours, TheMachineAgrees) {
  const Ran model = run(mp("exists"), {"--model", "x86-tso"});
  Ran machine = run(mp("exists"), {"--engine", "operational"});
  EXPECT_EQ(machine.exit, 0) << machine.err;
  const auto at = machine.out.find("operational");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(machine.out.replace(at, 11, "builtin"), model.out);
}

TEST_F(Behaviours, ChoicesThatDoNotFit) {
  EXPECT_EQ(run(mp("exists"), {"--engine", "operational", "--model", "sc"}).err,
            "thinair behaviours: error: --engine operational has machines for x86-tso and armv8, "
            "not for sc\n");
  EXPECT_EQ(run(mp("exists"), {"--engine", "herd7"}).err,
            "thinair behaviours: error: --engine herd7 needs --model M\n"
            "  hint: 'thinair models' lists them\n");
  EXPECT_EQ(run(mp("exists"), {"--engine", "herd", "--model", "sc"}).err,
            "thinair behaviours: error: --engine takes one of builtin, operational, herd7, found "
            "'herd'\n  hint: did you mean 'herd7'?\n");
  EXPECT_EQ(run(sb("exists (0:r1=0)"), {"--engine", "operational"}).exit, 3);
  EXPECT_EQ(run(mp("exists"), {"--model", "sc", "--unroll", "0"}).exit, 2);
  EXPECT_EQ(run(mp("exists"), {"--model", "nothing"}).exit, 2);
  EXPECT_EQ(run(mp("exists"), {"--model", "jls04"}).exit, 2) << "a model for Java only";
}

TEST_F(Behaviours, CausalityIsTheModelsUnlessSaid) {
  const std::string lb = "Java LB\n{ 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
                         "Thread0 { int r1 = X.get(); Y.set(r1); }\n"
                         "Thread1 { int r1 = Y.get(); X.set(r1); }\n"
                         "forbidden \"out of thin air\" (0:r1=42)\nforbidden \"one\" (0:r1=1)\n";
  const Ran own = run(lb, {"--model", "jls04"});
  EXPECT_EQ(own.exit, 0) << own.err;
  EXPECT_EQ(own.out.find("LB (jls04, builtin, causality jls04)\n0:r1=0\n1 behaviour\n"), 0U)
      << own.out;
  const Ran none = run(lb, {"--model", "jls04", "--causality", "none"});
  EXPECT_NE(none.out.find("LB (jls04, builtin)\n"), std::string::npos);
  EXPECT_NE(none.exit, 0) << "without causality values may come out of thin air";
  EXPECT_EQ(run(lb, {"--model", "jls04", "--count"}).exit, 2);
  EXPECT_EQ(run(lb, {"--model", "jls04", "--engine", "herd7", "--causality", "jls04"}).err,
            "thinair behaviours: error: --engine herd7 knows no causality rules\n");
}

TEST_F(Behaviours, IdentityIsASwitch) {
  const std::string ctc17 = THINAIR_SOURCE_DIR "/corpus/ctc/CTC17.litmus";
  const Ran index =
      tool({"behaviours", ctc17, "--model", "jls04", "--identity", "index", "--json"});
  const Ran free = tool({"behaviours", ctc17, "--model", "jls04", "--identity", "free", "--json"});
  EXPECT_NE(index.out.find("\"holds\":false"), std::string::npos) << index.out << index.err;
  EXPECT_NE(free.out.find("\"holds\":true"), std::string::npos) << free.out << free.err;
}

TEST_F(Behaviours, OrderDoesNotDependOnJobs) {
  for (int i = 0; i < 20; ++i)
    folder_.write("many/t" + std::to_string(10 + i) + ".litmus", i == 7 ? "x" : mp("exists"));
  const std::string many = folder_.path("many");
  const Ran one = tool({"behaviours", many, "--model", "x86-tso"});
  const Ran four = tool({"behaviours", many, "--model", "x86-tso", "--jobs", "4"});
  EXPECT_EQ(one.out, four.out);
  EXPECT_EQ(one.err, four.err);
  EXPECT_EQ(four.exit, 2);
}

TEST_F(Behaviours, AllRegistersAreShownWhenAsked) {
  const std::string asks_one = sb("exists (0:r1=0)");
  EXPECT_EQ(run(asks_one, {"--model", "sc"}).out,
            "SB (sc, builtin)\n0:r1=0\n0:r1=1\n2 behaviours\n"
            "exists (0:r1=0): holds; Sometimes, in 1 of 2 behaviours\n\n");
  for (const char* option : {"--all-registers", "-a"})
    EXPECT_EQ(run(asks_one, {"--model", "sc", option}).out,
              "SB (sc, builtin)\n0:r1=0; 1:r1=1\n0:r1=1; 1:r1=0\n0:r1=1; 1:r1=1\n3 behaviours\n"
              "exists (0:r1=0): holds; Sometimes, in 1 of 3 behaviours\n\n");
}

/// What each line of the output says `key` is, one after the other.
std::string values_of(const std::string& out, const std::string& key) {
  std::string values;
  const std::string opening = "\"" + key + "\":";
  for (std::size_t at = 0; (at = out.find(opening, at)) != std::string::npos;) {
    at += opening.size();
    values += out.substr(at, out.find(',', at) - at) + " ";
  }
  return values;
}

TEST_F(Behaviours, OperandsAreFilesFoldersAndLists) {
  folder_.write("in/b.litmus", mp("exists"));
  folder_.write("in/deeper/a.litmus", mp("forall"));
  folder_.write("in/ignored.txt", "nothing");
  const std::string list = folder_.write("list", "in/deeper # a folder\nin/b.litmus\n");
  const auto conditions = [&](const std::string& operand) {
    const Ran ran = tool({"behaviours", operand, "--model", "sc", "--json"});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return values_of(ran.out, "kind");
  };
  EXPECT_EQ(conditions(folder_.path("in")), "\"exists\" \"forall\" ");
  EXPECT_EQ(conditions("@" + list), "\"forall\" \"exists\" ");
  EXPECT_EQ(conditions(folder_.path("in/b.litmus")), "\"exists\" ");
}

/// The fields that an object always has, in their order, for every status.
TEST_F(Behaviours, JsonHasTheSameFieldsForEveryTest) {
  Ran ran = run(sb("exists (0:r1=0)"), {"--model", "sc", "--json"});
  EXPECT_EQ(ran.out.substr(0, ran.out.find("\"seconds\":")),
            "{\"test\":\"SB\",\"file\":\"FILE\",\"model\":\"sc\",\"engine\":\"builtin\","
            "\"causality\":\"none\",\"status\":\"ok\",\"reason\":\"\",\"behaviours\":"
            "[\"0:r1=0\",\"0:r1=1\"],\"condition\":{\"kind\":\"exists\",\"text\":\"0:r1=0\","
            "\"holds\":true,\"positive\":1,\"negative\":1,\"observation\":\"Sometimes\"},"
            "\"executions\":null,");
  EXPECT_TRUE(ran.out.ends_with("}\n"));
  ran = run(sb("locations [0:r1;]"), {"--model", "sc", "--json"});
  EXPECT_NE(ran.out.find("\"condition\":null,"), std::string::npos) << ran.out;
  ran = run(sb("exists (0:r1=0)"), {"--engine", "operational", "--json"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_EQ(ran.out.find("{\"test\":\"SB\",\"file\":\"FILE\",\"status\":\"unsupported\","
                         "\"reason\":\"unsupported: Java programs on"),
            0U)
      << ran.out;
  ran = run("Jva SB\n", {"--model", "sc", "--json"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.out.find("{\"test\":null,\"file\":\"FILE\",\"status\":\"error\",\"reason\":"), 0U);
}

TEST_F(Behaviours, Herd7IsAnEngineForJavaTests) {
  if (!runners::find_herd7()) GTEST_SKIP() << "no herd7";
  for (const char* model : {"sc", "jam21", "jam19", "tso"}) {
    Ran theirs = run(sb("exists (0:r1=0 /\\ 1:r1=0)"), {"--engine", "herd7", "--model", model});
    const Ran ours = run(sb("exists (0:r1=0 /\\ 1:r1=0)"), {"--model", model, "--count"});
    EXPECT_EQ(theirs.exit, 0) << theirs.err;
    theirs.out.replace(theirs.out.find("herd7"), 5, "builtin");
    EXPECT_EQ(theirs.out, ours.out) << model;
  }
}

/// herd7's report without what differs from run to run.
std::string comparable(const std::string& text) {
  std::istringstream in(text);
  std::string out, line;
  while (std::getline(in, line))
    if (!line.starts_with("Time ") && !line.starts_with("Hash=")) out += line + "\n";
  return out;
}

TEST(Herd, ReportsAsHerd7Does) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb("~exists (not (0:r1=1))\n"));
  const Ran ran = tool({"herd", file, "-model", "sc"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(comparable(ran.out), "Test SB Forbidden\nStates 2\n0:r1=0;\n0:r1=1;\nNo\nWitnesses\n"
                                 "Positive: 2 Negative: 1\nCondition ~exists (not (0:r1=1))\n"
                                 "Observation SB Sometimes 1 2\n\n");
}

/// Both reports on a test under one of our models.
void expect_same_report(const std::string& herd7, const std::string& file, const char* model) {
  const std::string models = THINAIR_SOURCE_DIR "/models";
  const Ran theirs = shell("'" + herd7 + "' -archcheck false -I '" + models + "' -I '" + models +
                           "/library' -model '" + models + "/" + model + ".cat' '" + file + "'");
  const Ran ours = tool({"herd", file, "-model", model});
  EXPECT_EQ(comparable(ours.out), comparable(theirs.out)) << file;
}

TEST(Herd, IsTheSameAsTheRealOne) {
  const auto herd7 = runners::find_herd7();
  if (!herd7) GTEST_SKIP() << "no herd7";
  const Folder folder;
  for (const char* quantifier : {"exists", "~exists", "forall"}) {
    expect_same_report(*herd7, folder.write("MP.litmus", mp(quantifier)), "x86-tso");
    expect_same_report(
        *herd7, folder.write("SB.litmus", sb(std::string(quantifier) + " (0:r1=0 /\\ 1:r1=0)")),
        "jam21");
    expect_same_report(
        *herd7,
        folder.write("W.litmus",
                     "Java W\n{ x=10; 0:X=x; 1:X=x; }\nThread0 { X.setVolatile(2); int r = "
                     "X.getVolatile(); }\nThread1 { int s = X.getAndAdd(-30); }\n"
                     "locations [x; 1:s;]\n" +
                         std::string(quantifier) + " (not (0:r=2) \\/ x=-20 /\\ 1:s=10)\n"),
        "sc");
  }
}

struct GoldenCase {
  const char* test;
  const char* model;
};

TEST(Herd, IsTheSameAsTheRealOneOnGoldenTests) {
  const auto herd7 = runners::find_herd7();
  const auto folder = golden::folder();
  if (!herd7 || !std::filesystem::exists(folder)) GTEST_SKIP() << "no herd7 or no golden data";
  constexpr auto cases = std::to_array<GoldenCase>({
      {"x86/tests/base-2+2W", "x86-tso"},
      {"x86/tests/base-3.2W+mfence+po+po", "x86-tso"},
      {"jam21/tests/IRIW", "jam21"},
      {"jam21/tests/mp_relacq", "jam21"},
      {"jam21/tests/2+2W", "jam21"},
      {"scale/tests/xINC-03", "x86-tso"},
      {"scale/tests/jGAA-03", "jam21"},
  });
  for (const auto& [test, model] : cases)
    expect_same_report(*herd7, (folder / (std::string(test) + ".litmus")).string(), model);
}

TEST(Herd, ShowsNothingRatherThanAPart) {
  const Folder folder;
  const std::string file = folder.write("MP.litmus", mp("exists"));
  const Ran ran = tool({"herd", file, "-model", "x86-tso", "-max-candidates", "1"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err.find(file + ": unknown: "), 0U) << ran.err;
  EXPECT_EQ(tool({"herd", file}).err,
            "thinair herd: error: --model M is missing\n"
            "  hint: for example: thinair herd corpus/jmt -model jam21\n");
}

} // namespace
} // namespace thinair::cli
