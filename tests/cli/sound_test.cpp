// sound: verdicts, exit codes, engines.
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

namespace thinair::cli {
namespace {

const std::string rfis = R"(Java SB+rfis
{ X=x; Y=y; }
Thread0 { X.set(1); int a = X.getVolatile(); int b = Y.getVolatile(); }
Thread1 { Y.set(1); int c = Y.getVolatile(); int d = X.getVolatile(); }
exists (0:a=1)
)";

TEST(Sound, AnUnsoundTargetIsAFindingWithItsWitness) {
  const Folder folder;
  const std::string file = folder.write("SB+rfis.litmus", rfis);
  for (const char* engine : {"operational", "builtin"}) {
    const Ran ran = tool({"sound", file, "--model", "jam21", "--engine", engine});
    EXPECT_EQ(ran.exit, 1) << ran.err;
    EXPECT_EQ(ran.out.find("SB+rfis: unsound for jam21 on x86:table2: "), 0U) << ran.out;
    EXPECT_NE(ran.out.find("\n  0:a=1; 0:b=0; 1:c=1; 1:d=0; [x]=1; [y]=1\n"), std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.find("int b = Y.getVolatile(); | movl y(%rip), %ebx\n"), std::string::npos)
        << ran.out;
  }
}

TEST(Sound, ASoundOneIsClean) {
  const Folder folder;
  const std::string file = folder.write("SB+rfis.litmus", rfis);
  const Ran ran = tool({"sound", file, "--model", "jls04", "--target", "x86:llvm-O2"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out.find("SB+rfis: sound for jls04 on x86:llvm-O2 ("), 0U) << ran.out;
  EXPECT_EQ(tool({"sound", file, "--model", "jam21", "--target", "x86:leading-fence"}).exit, 0);
}

TEST(Sound, WithJsonThereIsTheCode) {
  const Folder folder;
  const std::string file = folder.write("SB+rfis.litmus", rfis);
  const Ran ran = tool({"sound", "--json", file, "--model", "jam21"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_NE(ran.out.find("\"verdict\":\"unsound\""), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\"code\":\"X86_64 SB+rfis\\n"), std::string::npos) << ran.out;
}

TEST(Sound, UnknownIsNotSound) {
  const Folder folder;
  const std::string file =
      folder.write("L.litmus", "Java L\n{ X=x; }\nThread0 { int r = 0; while (r < 9) { r = r + 1; "
                               "} }\nexists (0:r=0)\n");
  const Ran ran = tool({"sound", file, "--model", "jls04"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_EQ(ran.out, "L: unknown for jls04 on x86:table2: some executions run into the bound of a "
                     "loop (--unroll)\n");
}

TEST(Sound, WrongUseIsAnError) {
  const Folder folder;
  const std::string file = folder.write("SB+rfis.litmus", rfis);
  EXPECT_EQ(tool({"sound", file}).exit, 2);
  EXPECT_EQ(tool({"sound", file, "--model", "jam12"}).exit, 2);
  EXPECT_EQ(tool({"sound", file, "--model", "jls04", "--target", "x86:none"}).exit, 2);
  EXPECT_EQ(tool({"sound", file, "--model", "jls04", "--causality", "some"}).exit, 2);
}

} // namespace
} // namespace thinair::cli
