// thinair results: the page in docs/ is what it writes; what it makes of deviations and bad tables.
#include "cli/published.h"
#include "litmus/text/error.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

namespace thinair::cli {
namespace {

TEST(Results, ThePageIsWhatTheCommandWrites) {
  const std::string root = THINAIR_SOURCE_DIR;
  const Ran ran = tool(
      {"results", "--corpus", root + "/corpus", "--compare", root + "/docs/results.md", "-j", "2"});
  EXPECT_EQ(ran.exit, 0) << ran.err << "scripts/results writes it again";
}

constexpr std::string_view store_buffering =
    "Java SB\n{ x=0; y=0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
    "Thread0 { X.set(1); int r1 = Y.get(); }\nThread1 { Y.set(1); int r2 = X.get(); }\n"
    "required \"0 0\" (0:r1=0 /\\ 1:r2=0)\n  verdicts sc=forbidden\n";

constexpr std::string_view agreeing = "publication \"P\"\ntable t\ntitle \"T\"\n"
                                      "column sc \"SC\" as sc\n"
                                      "row \"one\" SB never\n";

/// A corpus of one test with tables and explanations of its own.
struct Small {
  Small(std::string_view table, std::string_view explanations) {
    folder.write("c/s/SB.litmus", store_buffering);
    folder.write("c/tables/t.table", table);
    folder.write("c/tables/explanations", explanations);
  }
  Ran run(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"results", "--corpus", folder.path("c")});
    return tool(more);
  }
  Folder folder;
};

std::string with(std::string_view old, std::string_view fresh) {
  std::string text(agreeing);
  return text.replace(text.find(old), old.size(), fresh);
}

TEST(Results, AgreementIsClean) {
  const Ran ran = Small(agreeing, "").run();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("| test | program | SC | thinair `sc` |\n|---|---|---|---|\n"
                         "| one | SB | never | never |\n\nNo deviation.\n"),
            std::string::npos)
      << ran.out;
}

TEST(Results, WhatToKnowOfAPublicationIsBelowItsName) {
  const Ran ran = Small(with("\"P\"", "\"P\" \"Its marks are lost.\""), "").run();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("\n## P\n\nIts marks are lost.\n\n### T\n"), std::string::npos) << ran.out;
}

TEST(Results, ADeviationNeedsAnExplanation) {
  const Ran ran = Small(with("never", "sometimes"), "").run();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.err, "SB \"0 0\" sc differs from what a source states, and nothing explains it\n");
  EXPECT_NE(ran.out.find("| one | SB | sometimes | **never** |\n"), std::string::npos) << ran.out;
  const Ran explained =
      Small(with("never", "sometimes"), "because \"A slip.\"\n  SB \"0 0\" sc\n").run();
  EXPECT_EQ(explained.exit, 0) << explained.err;
  EXPECT_NE(explained.out.find("- A slip.\n  - one (SB): SC sometimes, `sc` never\n"),
            std::string::npos)
      << explained.out;
}

TEST(Results, AStaleExplanationIsAFinding) {
  const Small small(agreeing, "because \"A slip.\"\n  SB sc\n");
  const Ran ran = small.run();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.err, small.folder.path("c/tables/explanations") +
                         ":2:3: error: this explains a deviation that there is not (any more)\n"
                         "    SB sc\n    ^^\n");
}

TEST(Results, AVerdictOfTheCorpusThatIsWrongIsADeviation) {
  const Small small(agreeing, "");
  auto text = std::string(store_buffering);
  text.replace(text.find("sc=forbidden"), 12, "sc=allowed");
  small.folder.write("c/s/SB.litmus", text);
  const Ran ran = small.run();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.err.find("SB \"0 0\" sc differs"), 0U) << ran.err;
  EXPECT_NE(ran.err.find("SB \"0 0\" umm:sc differs"), std::string::npos) << ran.err;
}

TEST(Results, AKeyOfNoModelIsCounted) {
  const Small small(agreeing, "");
  auto text = std::string(store_buffering);
  text.replace(text.find("sc=forbidden"), 12, "mine=allowed");
  small.folder.write("c/s/SB.litmus", text);
  EXPECT_NE(small.run().out.find("| `mine` | 1 | no shipped model |"), std::string::npos);
}

TEST(Results, WhatIsNotDecidedIsShown) {
  const Small small(agreeing, "");
  small.folder.write("c/s/L.litmus",
                     "Java L\n{ x=0; 0:X=x; }\nThread0 { lock(m); int r = X.get(); unlock(m); }\n"
                     "forbidden \"1\" (0:r=1)\n  verdicts sc=forbidden\n");
  const Ran ran = small.run();
  EXPECT_EQ(ran.exit, 0);
  EXPECT_NE(ran.out.find("`L` (umm:sc)"), std::string::npos) << ran.out;
}

TEST(Results, ComparesAndKeepsWhatIsBehindTheMarker) {
  const Small small(agreeing, "");
  const auto page = small.folder.path("page.md");
  EXPECT_EQ(small.run({"-o", page}).exit, 0);
  auto text = read(page);
  small.folder.write("page.md", text + "\n## Mine\n");
  EXPECT_EQ(small.run({"--compare", page}).exit, 0);
  EXPECT_EQ(small.run({"-o", page}).exit, 0);
  EXPECT_EQ(read(page), text + "\n## Mine\n");
  small.folder.write("page.md", text.replace(text.find("# Results"), 9, "# Result"));
  const Ran ran = small.run({"--compare", page});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.err, page + ":1: error: this is not what `thinair results` writes\n");
}

TEST(Results, SaysWhatIsWrongWithATable) {
  struct Bad {
    std::string_view old, fresh, message;
  };
  const Bad rows[] = {
      {"SB never", "SC never", ":5:5: error: the corpus has no test `SC`\n"},
      {"SB never", "SB \"1 1\" never", ":5:5: error: SB has no outcome \"1 1\"\n"},
      {"as sc", "as jam12",
       ":4:19: error: `jam12` is no engine\n  column sc \"SC\" as jam12\n"
       "                    ^^^^^\n  hint: did you mean `jam19`?\n"},
      {"SB never", "SB nver",
       ":5:14: error: `nver` is no mark\n  row \"one\" SB nver\n"
       "               ^^^^\n  hint: did you mean `never`?\n"},
      {"SB never", "SB", ":5:1: error: expected 1 marks, one for each column, found 0\n"},
      {"row \"one\"", "row one", ":5:5: error: expected text in quotes here\n"},
      {"row \"one\"", "row \"one", ":5:5: error: a quotation without its end\n"},
      {"row \"one\"", "raw \"one\"",
       ":5:1: error: `raw` begins no line of a table\n"
       "  raw \"one\" SB never\n  ^^^\n  hint: did you mean `row`?\n"},
      {"table t\n", "", ":2:1: error: expected `table NAME`, found `title`\n"},
      {"as sc", "is sc", ":4:16: error: expected `as ENGINE,…`, found `is`\n"},
  };
  for (const auto& bad : rows) {
    const Small small(with(bad.old, bad.fresh), "");
    const Ran ran = small.run();
    EXPECT_EQ(ran.exit, 2) << bad.fresh;
    EXPECT_EQ(ran.err.find(small.folder.path("c/tables/t.table") + std::string(bad.message)), 0U)
        << ran.err;
  }
}

TEST(Results, SaysWhatIsWrongWithAnExplanation) {
  const auto error = [](std::string text) -> std::string {
    try {
      published::read_explanations({"e", std::move(text)});
      return {};
    } catch (const InputError& e) {
      return e.what();
    }
  };
  EXPECT_EQ(error("SB sc\n"), "e:1:1: error: expected `because`, found `SB`\n  SB sc\n  ^^");
  EXPECT_EQ(error("because me\n"), "e:1:1: error: expected one reason in quotes behind "
                                   "`because`\n  because me\n  ^^^^^^^");
  EXPECT_EQ(error("because \"x\"\nSB\n"),
            "e:2:1: error: expected `TEST \"LABEL\" ENGINE` or `TEST ENGINE`\n  SB\n  ^^");
  EXPECT_EQ(error("because \"x\"\nSB sc\nSB sc\n"),
            "e:3:1: error: this is explained twice\n  SB sc\n  ^^");
}

} // namespace
} // namespace thinair::cli
