// thinair jcstress emit: what is written, and what is missing is said before anything is.
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace thinair::cli {
namespace {

constexpr std::string_view store_buffering =
    "Java SB+plain\n{ x = 0; y = 0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
    "Thread0 { X.set(1); int a = Y.get(); }\nThread1 { Y.set(1); int b = X.get(); }\n"
    "exists (0:a=0 /\\ 1:b=0)\n";

TEST(JcstressCommand, EmitWritesAProjectThatChecksItself) {
  const Folder folder;
  const auto test = folder.write("SB.litmus", store_buffering);
  const auto ran =
      tool({"jcstress", "emit", test, "--expect", "jam21", "--output", folder.path("out")});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, folder.path("out") + ": 1 test\n");
  const auto source = read(folder.path("out/src/main/java/litmus/SB_pplain.java"));
  EXPECT_NE(source.find("id = \"0, 0\", expect = Expect.ACCEPTABLE"), std::string::npos) << source;
  EXPECT_NE(read(folder.path("out/check.xml")).find("JCTEST16Slitmus.SB_pplain"),
            std::string::npos);
  EXPECT_NE(read(folder.path("out/README.md")).find("mvn -q package"), std::string::npos);
}

TEST(JcstressCommand, EmitWritesTheOthersAndNamesWhatIsLeftOut) {
  const Folder folder;
  const auto renamed = [](const std::string& name) {
    return "Java " + name + std::string(store_buffering.substr(store_buffering.find('\n')));
  };
  folder.write("tests/a.litmus", renamed("SB"));
  folder.write("tests/b.litmus", renamed("SB"));
  folder.write("tests/c.litmus", renamed("record"));
  folder.write("tests/d.litmus", renamed(std::string(150, '+')));
  folder.write("tests/e.litmus", "Java broken\n");
  const auto ran = tool({"jcstress", "emit", folder.path("tests"), "--output", folder.path("out")});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.out, folder.path("out") + ": 2 tests, 3 left out\n");
  EXPECT_NE(ran.err.find("b.litmus: error: the test of " + folder.path("tests/a.litmus") +
                         " is called SB, too"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("d.litmus: unsupported: a jcstress class of 300 characters"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("e.litmus:1:"), std::string::npos) << ran.err;
  const auto sources = folder.path("out/src/main/java/litmus/");
  EXPECT_NE(read(sources + "SB_t.java").find("public class SB_t {"), std::string::npos);
  EXPECT_NE(read(sources + "record_t.java").find("public class record_t {"), std::string::npos);
}

TEST(JcstressCommand, OneSlowTestDoesNotHoldUpTheOthers) {
  const Folder folder;
  const auto fast = folder.write("SB.litmus", store_buffering);
  const auto slow = std::string(THINAIR_SOURCE_DIR) + "/corpus/jcstress/JCS-Dekker.litmus";
  const auto ran = tool({"jcstress", "emit", slow, fast, "--expect", "pc", "--as-plain",
                         "--timeout", "0.2", "--output", folder.path("out")});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_EQ(ran.out, folder.path("out") + ": 1 test, 1 left out\n");
  EXPECT_EQ(ran.err, slow + ": unknown: time limit reached (--timeout)\n");
}

TEST(JcstressCommand, WhatIsMissingIsSaidBeforeAnythingIsWritten) {
  const Folder folder;
  const auto test = folder.write("SB.litmus", store_buffering);
  ::setenv("THINAIR_JCSTRESS", folder.path("nowhere").c_str(), 1);
  const auto ran = tool({"jcstress", "emit", test, "--compile", "--output", folder.path("out")});
  ::unsetenv("THINAIR_JCSTRESS");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_NE(ran.err.find("no jcstress 0.16 in "), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
}

} // namespace
} // namespace thinair::cli
