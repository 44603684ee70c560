// Commands that ask a model about tests, where no model is named: each test is asked under what its
// language has, also beside tests of other languages.
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <array>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::cli {
namespace {

struct Case {
  std::string_view file, model, text;
};

constexpr auto cases = std::to_array<Case>({
    {"java.litmus", "java",
     "Java SB\n{ 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
     "Thread0 { X.setVolatile(1); int r1 = Y.getAcquire(); }\n"
     "Thread1 { Y.setVolatile(1); int r1 = X.getAcquire(); }\nexists (0:r1=0 /\\ 1:r1=0)\n"},
    {"x86.litmus", "x86-tso",
     "X86_64 MP\n{ x=0; y=0; }\n P0          | P1            ;\n"
     " movl $1,(x) | movl (y),%eax ;\n movl $1,(y) | movl (x),%ebx ;\n"
     "exists (1:rax=1 /\\ 1:rbx=0)\n"},
    {"aarch64.litmus", "armv8",
     "AArch64 MP\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0          | P1          ;\n"
     " MOV W0,#1   | LDR W0,[X1] ;\n STR W0,[X1] | LDR W2,[X3] ;\n STLR W0,[X3] |             ;\n"
     "exists (1:X0=1 /\\ 1:X2=0)\n"},
    {"riscv.litmus", "riscv",
     "RISCV MP\n{ 0:x6=x; 0:x8=y; 1:x6=y; 1:x8=x; }\n P0           | P1           ;\n"
     " ori x5,x0,1  | lw x5,0(x6)  ;\n sw x5,0(x6)  | lw x7,0(x8)  ;\n"
     " fence w,w    |              ;\n sw x5,0(x8)  |              ;\n"
     "exists (1:x5=1 /\\ 1:x7=0)\n"},
});

class AskedModels : public ::testing::TestWithParam<std::string_view> {
 protected:
  AskedModels() {
    for (const Case& each : cases) folder_.write(each.file, each.text);
  }
  Ran run(const std::string& file, std::vector<std::string> options) const {
    options.insert(options.begin(), {std::string(GetParam()), folder_.path(file)});
    return tool(options);
  }
  Folder folder_;
};

TEST_P(AskedModels, AreWhatEachLanguageHas) {
  std::string one_by_one;
  for (const Case& each : cases) {
    const Ran named = run(std::string(each.file), {"--model", std::string(each.model)});
    const Ran usual = run(std::string(each.file), {});
    EXPECT_EQ(usual.exit, 0) << usual.err;
    EXPECT_EQ(usual.out, named.out);
    EXPECT_NE(usual.out, "");
    const auto json = [&](std::vector<std::string> options) {
      options.emplace_back("--json");
      const std::string out = run(std::string(each.file), std::move(options)).out;
      return std::regex_replace(out, std::regex("\"seconds\":[^},]*"), "");
    };
    EXPECT_EQ(json({}), json({"--model", std::string(each.model)}));
  }
  for (const std::string_view file :
       {"aarch64.litmus", "java.litmus", "riscv.litmus", "x86.litmus"})
    one_by_one += run(std::string(file), {}).out;
  EXPECT_EQ(run("", {}).out, one_by_one) << "a folder of all";
  EXPECT_EQ(run("", {"--jobs", "4"}).out, one_by_one) << "at once";
}

TEST_P(AskedModels, ThatAreNamedMustFitTheTest) {
  for (const Case& each : cases) {
    if (each.model == "x86-tso") continue;
    EXPECT_EQ(run(std::string(each.file), {"--model", "x86-tso"}).exit, 2) << each.file;
  }
}

INSTANTIATE_TEST_SUITE_P(EachCommand, AskedModels,
                         ::testing::Values("behaviours", "explain", "graph"));

TEST(AskedModel, ATestsOwnDecides) {
  // Lea: a volatile store and an acquire are no Dekker protocol
  const Folder folder;
  const std::string file = folder.write("java.litmus", cases[0].text);
  EXPECT_NE(tool({"behaviours", file}).out.find("SB (java, builtin, causality java)"),
            std::string::npos);
  EXPECT_NE(tool({"explain", file}).out.find("is allowed under java"), std::string::npos);
}

} // namespace
} // namespace thinair::cli
