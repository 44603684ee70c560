// Mixes, baselines, and what thinair scheme says around a scheme, on the command line.
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <regex>

namespace thinair::cli {
namespace {

const std::string store_buffering = "Java SB\n{ x = 0; y = 0; X=x; Y=y; }\n"
                                    "Thread0 { @2 X.setVolatile(1); int r = Y.getVolatile(); }\n"
                                    "Thread1 { @2 Y.setVolatile(1); int r = X.getVolatile(); }\n"
                                    "exists (0:r=0 /\\ 1:r=0)\n";
const std::string old_mix = "mix:aarch64:hotspot-c1-only,aarch64:hotspot-c2";

TEST(Mixes, ChoicesAreReadWrittenAndShown) {
  const Folder folder;
  const auto file = folder.write("sb.litmus", store_buffering);
  const auto formatted = tool({"fmt", file}).out;
  EXPECT_NE(formatted.find("  @2 X.setVolatile(1);\n  int r = Y.getVolatile();\n"),
            std::string::npos)
      << formatted;
  EXPECT_EQ(tool({"fmt", folder.write("again.litmus", formatted)}).out, formatted);
  EXPECT_NE(tool({"parse", "--json", file}).out.find("\"compiled_by\":2"), std::string::npos);
  const auto sound = tool({"sound", file, "--target", old_mix});
  EXPECT_EQ(sound.exit, 1) << sound.err;
  EXPECT_NE(sound.out.find("@2 X.setVolatile(1);      by aarch64:hotspot-c2 "), std::string::npos)
      << sound.out;
  EXPECT_NE(sound.out.find("int r = Y.getVolatile();  by aarch64:hotspot-c1-only "),
            std::string::npos);
  EXPECT_EQ(tool({"sound", file, "--target", "mix:aarch64:hotspot-c1,aarch64:hotspot-c2"}).exit, 0);
  EXPECT_EQ(tool({"lower", file, "--target", old_mix}).exit, 0);
  const auto java = tool({"litmus-to-java", file});
  EXPECT_EQ(java.exit, 0);
  EXPECT_NE(java.err.find("note: `@N` is left out"), std::string::npos) << java.err;
  const auto none = tool({"sound", file, "--target", "aarch64:hotspot-c2"}); // no mix
  EXPECT_EQ(none.exit, 0) << none.out;
}

TEST(Mixes, WhatIsShownAgainRepeatsTheChoice) {
  const Folder folder;
  const auto reduced =
      tool({"reduce", folder.write("sb.litmus", store_buffering), "--target", old_mix});
  EXPECT_EQ(reduced.exit, 1) << reduced.err;
  std::size_t choices = 0;
  for (std::size_t at = 0; (at = reduced.out.find('@', at)) != std::string::npos; ++at) ++choices;
  EXPECT_EQ(choices, 1u) << reduced.out; // one thread is C1's now
  EXPECT_EQ(tool({"sound", folder.write("min.litmus", reduced.out), "--target", old_mix}).exit, 1);
  const auto store = folder.path("campaign");
  const auto fuzzed =
      tool({"fuzz", "--target", old_mix, "-n", "600", "-c", store, "--quiet", "--seed", "1"});
  EXPECT_EQ(fuzzed.exit, 1) << fuzzed.err;
  const auto unwrapped = std::regex_replace(fuzzed.out, std::regex("\n +"), " ");
  EXPECT_NE(unwrapped.find("aarch64:hotspot-c1-only's setVolatile, getVolatile beside "
                           "aarch64:hotspot-c2's setVolatile: code of two compilers"),
            std::string::npos)
      << fuzzed.out;
  const auto report = tool({"report", store, "--markdown"});
  EXPECT_NE(report.out.find("@2 "), std::string::npos);
  EXPECT_NE(report.out.find("--target " + old_mix), std::string::npos);
}

TEST(Mixes, WrongOnesAreErrorsWithTheirPlace) {
  const Folder folder;
  const auto error = [&](const std::string& statement) {
    return tool({"parse", folder.write("t.litmus", "Java t\n{ x = 0; X=x; }\nThread0 { " +
                                                       statement + " }\nexists (true)\n")})
        .err;
  };
  EXPECT_NE(error("@0 X.set(1);").find(":3:12: error: expected 1 for the first scheme"),
            std::string::npos)
      << error("@0 X.set(1);");
  EXPECT_NE(error("@17 X.set(1);").find("error: "), std::string::npos);
  EXPECT_NE(
      error("@2 int r = X.get() + X.get();").find(":3:11: error: expected an access or a fence"),
      std::string::npos)
      << error("@2 int r = X.get() + X.get();");
  EXPECT_NE(error("@2 if (1 == 1) { X.set(1); }").find("expected an access or a fence"),
            std::string::npos);
  EXPECT_NE(error("@2 @2 X.set(1);").find("expected an access or a fence"), std::string::npos);
  EXPECT_NE(error("@2").find("error: "), std::string::npos);
  const auto file = folder.write("sb.litmus", store_buffering);
  const auto machines = tool({"sound", file, "--target", "mix:aarch64:cxx,riscv:cxx"});
  EXPECT_EQ(machines.exit, 2);
  EXPECT_NE(machines.err.find("the schemes of a mix are of one machine"), std::string::npos);
}

TEST(Baselines, AreSaidToBeUnsoundWhereTheyAre) {
  const Folder folder;
  const auto file = folder.write("sb.litmus", store_buffering);
  const auto same = tool({"sound", file, "--target", old_mix, "--baseline", old_mix});
  EXPECT_EQ(same.exit, 0);
  EXPECT_NE(same.out.find("is itself unsound: 1 forbidden behaviour"), std::string::npos)
      << same.out;
  const auto json = tool({"sound", file, "--target", old_mix, "--baseline", old_mix, "--json"});
  EXPECT_NE(json.out.find("\"excused\":[\"0:r=0; 1:r=0"), std::string::npos) << json.out;
  const auto fuzzed = tool({"fuzz", "--target", old_mix, "--baseline", old_mix, "-n", "600", "-c",
                            folder.path("c"), "--quiet"});
  EXPECT_EQ(fuzzed.exit, 0) << fuzzed.out;
  EXPECT_NE(fuzzed.out.find("is itself unsound for java: it shows"), std::string::npos)
      << fuzzed.out;
  const auto again = tool({"fuzz", "--target", old_mix, "--baseline", old_mix, "-n", "600", "-c",
                           folder.path("c"), "--quiet"}); // nothing is left to judge
  EXPECT_NE(again.out.find("is itself unsound for java: it shows"), std::string::npos) << again.out;
  const auto known = tool({"report", folder.path("c"), "--json"}).out;
  EXPECT_NE(known.find("\"baseline_unsound\":[{\"target\":\"mix:aarch64:hotspot-c1-only,"),
            std::string::npos)
      << known;
  EXPECT_NE(tool({"report", folder.path("c"), "--markdown"}).out.find("## The baseline"),
            std::string::npos);
  EXPECT_EQ(
      tool({"fuzz", "--target", old_mix, "-n", "600", "-c", folder.path("c"), "--quiet"}).exit,
      2); // another campaign
  EXPECT_EQ(tool({"reduce", file, "--target", old_mix, "--baseline", old_mix}).exit, 0);
  EXPECT_EQ(tool({"reduce", file, "--target", old_mix, "--baseline",
                  "mix:aarch64:hotspot-c1,aarch64:hotspot-c2"})
                .exit,
            1);
}

/// Table 2 with one rule of another kind.
std::string without_fence(const std::string& title) {
  auto text = tool({"scheme", "show", "x86:table2"}).out;
  const auto rule = text.find("\nsetVolatile {");
  const auto fence = text.find("  mfence\n", rule);
  return text.erase(fence, 9) + "# " + title + "\n";
}

TEST(Baselines, AnotherOneIsAnotherCampaign) {
  const Folder folder;
  const auto baseline = folder.write("b.scheme", without_fence("first"));
  const auto fuzz = [&](const std::string& store) {
    return tool({"fuzz", "-t", "x86:table2", "--baseline", baseline, "-n", "20", "-c",
                 folder.path(store), "--quiet"});
  };
  EXPECT_EQ(fuzz("c").exit, 0);
  EXPECT_EQ(fuzz("c").exit, 0) << "it goes on";
  const auto report = tool({"report", folder.path("c"), "--markdown"});
  EXPECT_NE(report.out.find("beyond what " + baseline), std::string::npos) << report.out;
  folder.write("b.scheme", tool({"scheme", "show", "x86:table2"}).out);
  const auto changed = fuzz("c");
  EXPECT_EQ(changed.exit, 2);
  EXPECT_NE(changed.err.find("baseline " + baseline + " has changed"), std::string::npos)
      << changed.err;
}

/// The time that a campaign has is over when causes are looked for; they are the same.
TEST(Causes, AreThoseOfTheSchemeAlsoWhenTheTimeIsOver) {
  const Folder folder;
  const auto scheme = folder.write("mine.scheme", without_fence("mine"));
  const auto ran = tool({"fuzz", "-t", scheme, "--time", "2", "-c", folder.path("c"), "--quiet"});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("1. setVolatile (")) << ran.out;
  EXPECT_EQ(ran.out.find("the model java forbids"), std::string::npos) << ran.out;
}

TEST(SchemeActions, WhatIsNoSchemeIsSaidToBeNone) {
  for (const char* target : {"x86:llvm-O2", "mix:x86:table2,x86:jam21", "jit:25:c2"}) {
    const auto ran = tool({"scheme", "relax", target, "--time", "1"});
    EXPECT_EQ(ran.exit, 2);
    EXPECT_NE(ran.err.find("is no scheme"), std::string::npos) << ran.err;
  }
}

/// Programs without the operations were not asked: nothing to change is no proof.
TEST(SchemeActions, ARepairOfSomeOperationsSaysNoMore) {
  const Folder folder;
  const auto scheme = folder.write("mine.scheme", without_fence("mine"));
  const auto ran = tool({"scheme", "repair", scheme, "--operations", "get", "--modes", "volatile",
                         "--max-accesses", "3", "-n", "5", "--time", "20"});
  EXPECT_EQ(ran.exit, 3) << ran.out;
  EXPECT_NE(ran.out.find("only programs with get were asked"), std::string::npos) << ran.out;
}

TEST(SchemeActions, DiffShowsTheRulesThatDiffer) {
  const auto ran = tool({"scheme", "diff", "riscv:hotspot-c1", "riscv:hotspot-c2"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_NE(ran.out.find("\nfullFence\n    fence rw, rw |   fence w, r\n"), std::string::npos)
      << ran.out;
  EXPECT_EQ(ran.out.find("\nget\n"), std::string::npos);
  const auto json = tool({"scheme", "diff", "riscv:hotspot-c1", "riscv:hotspot-c2", "--json"}).out;
  EXPECT_NE(
      json.find("{\"operations\":[\"fullFence\"],\"first\":[\"fence rw, rw\"],\"second\":[\"fence "
                "w, r\"]}"),
      std::string::npos)
      << json;
  EXPECT_EQ(tool({"scheme", "diff", "x86:table2", "x86:table2"}).exit, 0);
  EXPECT_EQ(tool({"scheme", "diff", "x86:table2"}).exit, 2);
  EXPECT_EQ(tool({"scheme", "diff", "x86:table2", "x86:llvm-O2"}).exit, 2);
}

TEST(SchemeActions, RelaxAndRepairWriteASchemeThatReadsBack) {
  const Folder folder;
  const auto relaxed =
      tool({"scheme", "relax", "riscv:hotspot-c1", "--operations", "setVolatile", "-n", "10",
            "--max-accesses", "4", "--output", folder.path("less.scheme")});
  EXPECT_EQ(relaxed.exit, 0) << relaxed.out << relaxed.err;
  EXPECT_NE(
      relaxed.out.find("setVolatile, `fence rw, rw` becomes `fence rw, r`: needed by no program of "
                       "up to 4 accesses"),
      std::string::npos)
      << relaxed.out;
  const auto difference = tool({"scheme", "diff", "riscv:hotspot-c1", folder.path("less.scheme")});
  EXPECT_NE(difference.out.find("fence rw, rw |   fence w, r"), std::string::npos)
      << difference.out;
  const auto broken =
      folder.write("broken.scheme", "scheme aarch64:broken like aarch64:hotspot-c2\n"
                                    "getVolatile { ldapr dst, [x] }\n");
  const auto repaired = tool({"scheme", "repair", broken, "--operations", "getVolatile", "-n", "10",
                              "--output", folder.path("mended.scheme")});
  EXPECT_EQ(repaired.exit, 1) << repaired.out << repaired.err;
  EXPECT_NE(repaired.out.find("`ldapr dst, [x]` becomes `ldar dst, [x]`: without, 0:r0=0; 1:r0=0"),
            std::string::npos)
      << repaired.out;
  EXPECT_EQ(tool({"scheme", "diff", "aarch64:hotspot-c2", folder.path("mended.scheme")}).exit, 0);
  const auto none = tool({"scheme", "repair", folder.write("store.scheme", without_fence("mine")),
                          "--operations", "fullFence", "--modes", "volatile", "-n", "200"});
  EXPECT_EQ(none.exit, 3) << none.out; // the fence does not mend what the store lacks
  EXPECT_NE(none.out.find("no repair: of all changes with fullFence that could mend a program none "
                          "is sound"),
            std::string::npos)
      << none.out;
  const auto late = tool({"scheme", "repair", broken, "--time", "0"});
  EXPECT_EQ(late.exit, 3);
  EXPECT_NE(late.out.find("no repair was found in time"), std::string::npos) << late.out;
  const auto costs = folder.write("costs", "# mine\nfence w, r 20\n*wrong*\n");
  const auto wrong = tool({"scheme", "relax", "riscv:hotspot-c1", "--costs", costs});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("costs:3:1: error: expected an instruction and what it costs"),
            std::string::npos)
      << wrong.err;
}

} // namespace
} // namespace thinair::cli
