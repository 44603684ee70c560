// thinair behaviours and thinair herd: exact output, verdicts, exit codes, engines.
#include "runners/herd7.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <algorithm>
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
            "\"causality\":\"none\",\"status\":\"ok\",\"behaviours\":[\"0:r1=0; 1:r1=0\",\"0:r1=0; "
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
            "thinair: error: --engine operational is a machine for x86-tso, not sc\n");
  EXPECT_EQ(run(mp("exists"), {}).err,
            "thinair: error: --model M is missing\n  hint: 'thinair models' lists them\n");
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
            "thinair: error: --engine herd7 knows no causality rules\n");
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

TEST(Herd, IsTheSameAsTheRealOne) {
  const auto herd7 = runners::find_herd7();
  if (!herd7) GTEST_SKIP() << "no herd7";
  const Folder folder;
  for (const char* quantifier : {"exists", "~exists", "forall"}) {
    const std::string file = folder.write("MP.litmus", mp(quantifier));
    const Ran theirs = shell("'" + *herd7 + "' -archcheck false -model x86tso.cat '" + file + "'");
    const Ran ours = tool({"herd", file, "-model", "x86-tso"});
    EXPECT_EQ(comparable(ours.out), comparable(theirs.out)) << quantifier;
  }
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
