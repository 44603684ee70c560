// thinair models: the list, the texts, and the check of a file.
#include "models/library.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

namespace thinair::cli {
namespace {

TEST(Models, AreListedWithTheirAxioms) {
  const Ran ran = tool({"models"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  for (const auto& file : models::files()) {
    const bool listed = ("\n" + ran.out)
                            .find("\n" + std::string(file.name.substr(0, file.name.rfind('.'))) +
                                  " ") != std::string::npos;
    EXPECT_EQ(listed, !file.name.starts_with("library/")) << file.name;
  }
  EXPECT_EQ(ran.out, tool({"models", "list"}).out);
  const Ran json = tool({"models", "--json"});
  EXPECT_NE(json.out.find("{\"model\":\"sc\",\"title\":"), std::string::npos);
}

TEST(Models, ShowPrintsTheText) {
  EXPECT_EQ(tool({"models", "show", "sc"}).out, models::find_model("sc")->text);
  EXPECT_EQ(tool({"models", "show", "sc.cat"}).out, models::find_model("sc")->text);
  const Ran wrong = tool({"models", "show", "jam20"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_EQ(wrong.err.find("thinair models: error: no embedded model is called 'jam20'"), 0U);
}

TEST(Models, CheckSaysWhatIsWrong) {
  const Folder folder;
  const std::string good =
      folder.write("good.cat", "\"mine\"\ninclude \"part.cat\"\nacyclic mine as one\n");
  folder.write("parts/part.cat", "let mine = po | rf\n");
  const std::string bad = folder.write("bad.cat", "\"mine\"\nacyclic po | fro as one\n");
  const Ran ran = tool({"models", "check", bad, good, "-I", folder.path("parts")});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.out, good + ": ok\n") << ran.err;
  EXPECT_EQ(ran.err.find(bad + ":2:14: error: "), 0U) << ran.err;
}

TEST(Models, CheckLooksAtWhatNothingUses) {
  const Folder folder;
  const std::string file =
      folder.write("m.cat", "\"mine\"\nacyclic po | rf as one\nlet odd = po & R\n");
  const Ran ran = tool({"models", "check", file});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.err.find(file + ":3:16: error: expected a relation, found a set\n"), 0U) << ran.err;
}

TEST(Models, WrongUse) {
  EXPECT_EQ(tool({"models", "show"}).err,
            "thinair models: error: expected 'list', 'show NAME' or 'check FILE…'\n");
  EXPECT_EQ(tool({"models", "lst"}).err,
            "thinair models: error: expected one of list, show, check, "
            "found 'lst'\n  hint: did you mean 'list'?\n");
}

TEST(Models, ListNamesRulesAndIdentity) {
  const Ran ran = tool({"models", "list"});
  EXPECT_NE(ran.out.find("causality java, identity free; axioms"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("causality jls04; axioms"), std::string::npos) << ran.out;
  EXPECT_NE(tool({"models", "list", "--json"}).out.find("\"identity\":\"free\""),
            std::string::npos);
}

} // namespace
} // namespace thinair::cli
