// sound: verdicts, exit codes, engines.
#include "runners/herd7.h"
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
                     "loop: 4 rounds where it has none of its own (--unroll)\n");
}

/// Mutual exclusion with two loops a thread: too much to enumerate, and yet an answer in time.
TEST(Sound, LoopsThatAreTooMuchAreUnknownWithTheOptionThatLimits) {
  const std::string file = std::string(THINAIR_SOURCE_DIR) + "/corpus/jcstress/JCS-Dekker.litmus";
  const Ran bound = tool({"sound", file, "--model", "jls04", "--unroll", "1"});
  EXPECT_EQ(bound.exit, 3);
  EXPECT_EQ(bound.out, "JCS-Dekker: unknown for jls04 on x86:table2: some executions run into the "
                       "bound of a loop: 1 rounds where it has none of its own (--unroll)\n");
  const Ran time = tool({"sound", file, "--model", "jls04", "--unroll", "12", "--timeout", "0.2"});
  EXPECT_EQ(time.exit, 3);
  EXPECT_NE(time.out.find("(--"), std::string::npos) << time.out; // whichever limit comes first
}

TEST(Sound, AnUnsoundTargetShowsItsExecutionStepByStep) {
  const Folder folder;
  const std::string file = folder.write("SB+rfis.litmus", rfis);
  const Ran ran = tool({"sound", file, "--model", "jam21"});
  EXPECT_NE(
      ran.out.find("\nthe first of them, step by step:\n    1  P0  movl $1, x(%rip)    x=1 enters "
                   "the store buffer"),
      std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("reads x=1 from its store buffer"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("x=1 reaches memory"), std::string::npos) << ran.out;
  const Ran as_json = tool({"sound", "--json", file, "--model", "jam21"});
  EXPECT_NE(as_json.out.find("\"execution\":[{\"thread\":0,\"instruction\":0,\"code\":\"movl $1, "
                             "x(%rip)\",\"effect\":\"x=1 enters the store buffer\",\"memory\":{"
                             "\"x\":0,\"y\":0},\"buffers\":[[\"x=1\"],[]]}"),
            std::string::npos)
      << as_json.out;
}

const std::string sb = R"(Java SB
{ X=x; Y=y; }
Thread0 { X.setVolatile(1); int r = Y.getVolatile(); }
Thread1 { Y.setVolatile(1); int r = X.getVolatile(); }
exists (0:r=0 /\ 1:r=0)
)";

bool has_herd7() { return runners::find_herd7().has_value(); }

TEST(Sound, OtherMachinesAreJudgedByEachEngine) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  for (const char* engine : {"builtin", "herd7"})
    for (const char* target : {"aarch64:cxx", "riscv:cxx", "aarch64:llvm-O2", "riscv:llvm-O2"}) {
      if (engine == std::string_view("herd7") && !has_herd7()) continue;
      const Ran ran =
          tool({"sound", file, "--model", "jls04", "--target", target, "--engine", engine});
      EXPECT_EQ(ran.exit, 0) << ran.err;
      EXPECT_EQ(ran.out, std::string("SB: sound for jls04 on ") + target + " (3 behaviours)\n");
    }
  std::string text = tool({"scheme", "show", "aarch64:cxx"}).out;
  const std::string store = "setRelease, setVolatile { stlr arg, [x] }";
  text.replace(text.find(store), store.size(), "setRelease, setVolatile { str arg, [x] }");
  const std::string weak = folder.write("weak.scheme", text);
  const Ran unsound = tool({"sound", file, "--model", "jls04", "--target", weak});
  EXPECT_EQ(unsound.exit, 1) << unsound.err;
  EXPECT_EQ(unsound.out.find("SB: unsound for jls04 on " + weak +
                             ": 1 of 4 behaviours forbidden\n  0:r=0; 1:r=0\n"),
            0U)
      << unsound.out;
  EXPECT_NE(unsound.out.find("STR W"), std::string::npos) << unsound.out;
}

TEST(Sound, Herd7IsAnEngineForX86) {
  if (!has_herd7()) GTEST_SKIP() << "herd7 is not installed";
  const Folder folder;
  const std::string file = folder.write("SB+rfis.litmus", rfis);
  const Ran ran = tool({"sound", file, "--model", "jam21", "--engine", "herd7"});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_EQ(ran.out, tool({"sound", file, "--model", "jam21"}).out); // the trace is the machine's
  const std::string cas = folder.write(
      "cas.litmus",
      "Java cas\n{ X=x; }\nThread0 { int a = X.compareAndSet(0, 1); }\nThread1 { int b "
      "= X.getAndBitwiseOr(2); int c = X.getAndAdd(1); }\nexists (0:a=1)\n");
  for (const char* target : {"x86:table2", "x86:llvm-O2"}) {
    const Ran with = tool({"sound", cas, "--model", "jam21", "--engine", "herd7", "-t", target});
    EXPECT_EQ(with.exit, 0) << with.err;
    EXPECT_EQ(with.out, tool({"sound", cas, "--model", "jam21", "-t", target}).out);
  }
}

/// Whoever names no engine needs no herd7.
TEST(Sound, OtherMachinesAreJudgedWithoutHerd7) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  for (const char* target : {"aarch64:cxx", "riscv:cxx"}) {
    const Ran ran = tool(
        {"sound", file, "--model", "jls04", "--target", target, "--herd7", folder.path("absent")});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(ran.out, std::string("SB: sound for jls04 on ") + target + " (3 behaviours)\n");
  }
}

TEST(Sound, AnEngineThatIsNotThereIsNamed) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  const Ran ran = tool({"sound", file, "--model", "jls04", "--target", "riscv:cxx", "--engine",
                        "herd7", "--herd7", folder.path("absent")});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_NE(ran.err.find("unsupported: riscv code needs herd7: scripts/get-herd7 installs it"),
            std::string::npos)
      << ran.err;
  const Ran engine =
      tool({"sound", file, "--model", "jls04", "--target", "riscv:cxx", "--engine", "operational"});
  EXPECT_EQ(engine.exit, 3);
  EXPECT_NE(engine.err.find("unsupported: an operational machine for riscv"), std::string::npos)
      << engine.err;
}

TEST(Sound, WrongUseIsAnError) {
  const Folder folder;
  const std::string file = folder.write("SB+rfis.litmus", rfis);
  EXPECT_EQ(tool({"sound", file, "--model", "jam12"}).exit, 2);
  EXPECT_EQ(tool({"sound", file, "--model", "jls04", "--target", "x86:none"}).exit, 2);
  EXPECT_EQ(tool({"sound", file, "--model", "jls04", "--causality", "some"}).exit, 2);
}

} // namespace
} // namespace thinair::cli
