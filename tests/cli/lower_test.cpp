// lower and scheme: formats, users' schemes, wrong use.
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

namespace thinair::cli {
namespace {

const std::string sb = R"(Java SB
{ 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 { X.setVolatile(1); int r = Y.get(); }
Thread1 { Y.setVolatile(1); int r = X.get(); }
exists (0:r=0 /\ 1:r=0)
)";

TEST(Lower, ShowsSourceAndCodeSideBySide) {
  const Folder folder;
  const Ran ran = tool({"lower", folder.write("SB.litmus", sb)});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out, "SB for x86:table2\n"
                     "Thread0\n"
                     "  X.setVolatile(1); | movl $1, x(%rip)\n"
                     "                    | mfence\n"
                     "  int r = Y.get();  | movl y(%rip), %eax\n"
                     "Thread1\n"
                     "  Y.setVolatile(1); | movl $1, y(%rip)\n"
                     "                    | mfence\n"
                     "  int r = X.get();  | movl x(%rip), %eax\n"
                     "0:r <- 0:rax; 1:r <- 1:rax; [x] <- [x]; [y] <- [y]\n");
}

TEST(Lower, WritesTestsThatTheToolReads) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  for (const char* format : {"litmus", "herd"}) {
    const Ran ran = tool({"lower", file, "--target", "x86:llvm-O2", "--format", format});
    ASSERT_EQ(ran.exit, 0) << ran.err;
    EXPECT_NE(ran.out.find("\nRestore=0:r <- 0:r8; 1:r <- 1:r8; "), std::string::npos) << ran.out;
    const Ran again = tool({"parse", folder.write("again.litmus", ran.out)});
    EXPECT_EQ(again.exit, 0) << again.err;
    const bool readable = again.out.find("herd7 cannot read") == std::string::npos;
    EXPECT_TRUE(readable || format == std::string("litmus")) << again.out;
  }
}

TEST(Lower, WritesObjectFiles) {
  const Folder folder;
  const Ran ran = tool({"lower", folder.write("SB.litmus", sb), "--format", "obj"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out.substr(0, 4), "\x7F"
                                  "ELF");
}

TEST(Lower, WithJsonThereIsCodeAndTheWayBack) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  const Ran ran = tool({"lower", "--json", file});
  EXPECT_EQ(ran.out, "{\"test\":\"SB\",\"file\":\"" + file +
                         "\",\"status\":\"ok\",\"target\":\"x86:table2\",\"threads\":[[\"movl $1, "
                         "x(%rip)\",\"mfence\",\"movl y(%rip), %eax\"],[\"movl $1, "
                         "y(%rip)\",\"mfence\",\"movl x(%rip), %eax\"]],\"restore\":[{\"source\":"
                         "\"0:r\",\"target\":\"0:rax\"},{\"source\":\"1:r\",\"target\":\"1:rax\"},{"
                         "\"source\":\"[x]\",\"target\":\"[x]\"},{\"source\":\"[y]\",\"target\":"
                         "\"[y]\"}]}\n");
}

TEST(Lower, WhatCannotBeLoweredIsUnsupported) {
  const Folder folder;
  const std::string file = folder.write(
      "D.litmus", "Java D\n{ X=x; }\nThread0 { int r = 1 / X.get(); }\nexists (0:r=0)\n");
  const Ran ran = tool({"lower", file});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_NE(ran.err.find("unsupported: \"/\""), std::string::npos) << ran.err;
}

TEST(Lower, WrongUseIsAnError) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  EXPECT_EQ(tool({"lower", file, "--target", "x86:tabel2"}).exit, 2);
  EXPECT_EQ(tool({"lower", file, "--format", "ir"}).exit, 2);
  const std::string code =
      folder.write("c.litmus", "X86_64 c\n{}\n P0 ;\n movl $1,(x) ;\nexists (x=1)\n");
  EXPECT_EQ(tool({"lower", code}).exit, 3);
}

TEST(Scheme, ListShowCheck) {
  EXPECT_NE(tool({"scheme"}).out.find("x86:table2"), std::string::npos);
  EXPECT_NE(tool({"scheme", "show", "x86:table2"}).out.find("lock xadd [x], tmp\n"),
            std::string::npos);
  const Ran good = tool({"scheme", "check", "x86:jam21"});
  EXPECT_EQ(good.exit, 0);
  EXPECT_EQ(good.out, "x86-jam21.scheme: x86:jam21: 43 operations\n");
  EXPECT_EQ(tool({"scheme", "show", "x86:tabel2"}).exit, 2);
  EXPECT_EQ(tool({"scheme", "check"}).exit, 2);
  EXPECT_EQ(tool({"scheme", "chekc"}).exit, 2);
}

TEST(Scheme, AUsersFileIsCheckedAndUsed) {
  const Folder folder;
  std::string text = tool({"scheme", "show", "x86:table2"}).out;
  const std::string fence = "  mov [x], arg\n  mfence\n";
  text.replace(text.find(fence), fence.size(), "  mov [x], arg\n");
  const std::string scheme = folder.write("weak.scheme", text);
  EXPECT_EQ(tool({"scheme", "check", scheme}).exit, 0);
  const Ran ran = tool({"lower", folder.write("SB.litmus", sb), "--target", scheme});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out.find("mfence"), std::string::npos) << ran.out;
  const std::string wrong = folder.write("wrong.scheme", "scheme w\nget { mov arg, [x] }\n");
  const Ran refused = tool({"lower", folder.path("SB.litmus"), "--target", wrong});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_EQ(refused.err, wrong + ":2:7: error: get has no arg\n  get { mov arg, [x] }\n"
                                 "        ^^^^^^^^^^^^\n");
}

} // namespace
} // namespace thinair::cli
