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
  EXPECT_EQ(ran.out, folder.path("out") + ": 1 tests\n");
  const auto source = read(folder.path("out/src/main/java/litmus/SB_pplain.java"));
  EXPECT_NE(source.find("id = \"0, 0\", expect = Expect.ACCEPTABLE"), std::string::npos) << source;
  EXPECT_NE(read(folder.path("out/check.xml")).find("JCTEST16Slitmus.SB_pplain"),
            std::string::npos);
  EXPECT_NE(read(folder.path("out/README.md")).find("mvn -q package"), std::string::npos);
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
