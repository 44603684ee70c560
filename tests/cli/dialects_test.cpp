// Every command that takes a test takes one of every dialect, with conditions over registers and
// memory; where it cannot, it says so and names the dialect.
#include "cli/command.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace thinair::cli {
namespace {

struct DialectTest {
  std::string dialect, text, model;
};

const std::vector<DialectTest> tests{
    {"Java",
     "Java t\n{ x=0; y=0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; 1:r9=3; }\n"
     "Thread0 { X.setOpaque(1); int r1 = Y.getOpaque(); }\n"
     "Thread1 { Y.setOpaque(1); int r1 = X.getOpaque(); }\n"
     "locations [1:r9; y;]\nfilter (1:r9=3)\nexists (0:r1=0 /\\ 1:r1=0 /\\ x=1)\n",
     "tso"},
    {"X86_64",
     "X86_64 t\n{ x=0; y=0; 1:rcx=3; }\n P0 | P1 ;\n movl $1,(x) | movl $1,(y) ;\n"
     " movl (y),%eax | movl (x),%eax ;\n"
     "locations [1:rcx; y;]\nfilter (1:rcx=3)\nexists (0:rax=0 /\\ 1:rax=0 /\\ x=1)\n",
     "x86-tso"},
    {"X86",
     "X86 t\n{ x=0; y=0; 1:ECX=3; }\n P0 | P1 ;\n MOV [x],1 | MOV [y],1 ;\n"
     " MOV EAX,[y] | MOV EAX,[x] ;\n"
     "locations [1:ECX; y;]\nfilter (1:ECX=3)\nexists (0:EAX=0 /\\ 1:EAX=0 /\\ x=1)\n",
     "x86-tso"},
    {"AArch64",
     "AArch64 t\n{ x=0; y=0; 0:X0=x; 0:X1=y; 1:X0=y; 1:X1=x; 1:X9=3; }\n P0 | P1 ;\n"
     " MOV W2,#1 | MOV W2,#1 ;\n STR W2,[X0] | STR W2,[X0] ;\n LDR W3,[X1] | LDR W3,[X1] ;\n"
     "locations [1:X9; y;]\nfilter (1:X9=3)\nexists (0:X3=0 /\\ 1:X3=0 /\\ x=1)\n",
     "armv8"},
    {"RISCV",
     "RISCV t\n{ x=0; y=0; 0:x10=x; 0:x11=y; 1:x10=x; 1:x11=y; 1:x9=3; }\n P0 | P1 ;\n"
     " li x5,1 | li x5,1 ;\n sw x5,0(x10) | sw x5,0(x11) ;\n lw x6,0(x11) | lw x6,0(x10) ;\n"
     "locations [1:x9; y;]\nfilter (1:x9=3)\nexists (0:x6=0 /\\ 1:x6=0 /\\ x=1)\n",
     "riscv"},
};

/// How each command that takes tests is called: words behind its name, `M` for the model.
const std::map<std::string, std::vector<std::vector<std::string>>> calls{
    {"parse", {{}, {"--json"}}},
    {"fmt", {{}, {"--json"}}},
    {"behaviours",
     {{"--model", "M"},
      {"--model", "M", "--json"},
      {"--model", "M", "--all-registers"},
      {"--model", "M", "--count"},
      {"--model", "x86-tso", "--engine", "operational"}}},
    {"check", {{"--model", "M"}, {"--model", "sc"}}},
    {"explain", {{"--model", "M"}, {"--model", "sc"}, {"--model", "M", "--json"}}},
    {"graph", {{"--model", "M"}, {"--model", "M", "--format", "svg"}}},
    {"herd", {{"--model", "M"}, {"--model", "sc"}}},
    {"reduce", {{"--model", "jam21"}}},
    {"sound", {{"--model", "jam21"}}},
    {"lower", {{}, {"--format", "herd"}}},
    {"litmus-to-java", {{}}},
    {"jcstress", {{"emit", "--output", "D"}}}, // takes words, the first says what to do
};

/// Commands whose operands are no tests.
const std::vector<std::string> others{"distinguish", "health", "report", "merge"};

TEST(Dialects, EveryCommandIsCalled) {
  for (const Command* command : commands()) {
    const std::string name(command->name);
    const bool other = std::ranges::find(others, name) != others.end();
    const bool takes_tests = command->operands == Operands::inputs && !other;
    EXPECT_TRUE(!takes_tests || calls.contains(name)) << name << " takes tests";
  }
}

TEST(Dialects, EveryCommandTakesEachOrNamesIt) {
  const Folder folder;
  for (const auto& [dialect, text, model] : tests) {
    const std::string file = folder.write(dialect + ".litmus", text);
    for (const auto& [command, ways] : calls)
      for (std::vector<std::string> words : ways) {
        std::ranges::replace(words, std::string("M"), model);
        std::ranges::replace(words, std::string("D"), folder.path("emitted-" + dialect));
        words.insert(words.begin(), command);
        words.push_back(file);
        std::string line;
        for (const std::string& word : words) line += word + " ";
        SCOPED_TRACE(line);
        const Ran ran = tool(words);
        EXPECT_TRUE(ran.exit == 0 || ran.exit == 3) << ran.exit << "\n" << ran.out << ran.err;
        if (ran.exit == 0) continue;
        const std::string said = ran.out + ran.err;
        EXPECT_NE(said.find("unsupported"), std::string::npos) << said;
        EXPECT_NE(said.find(dialect + " "), std::string::npos) << said;
      }
  }
}

/// The answer is the same in every dialect: the programs are.
TEST(Dialects, OneAnswer) {
  const Folder folder;
  for (const auto& [dialect, text, model] : tests) {
    SCOPED_TRACE(dialect);
    const std::string file = folder.write(dialect + ".litmus", text);
    const Ran weak = tool({"behaviours", "--model", model, file});
    EXPECT_NE(weak.out.find("4 behaviours"), std::string::npos) << weak.out;
    EXPECT_NE(weak.out.find("Sometimes, in 1 of 4"), std::string::npos) << weak.out;
    const Ran strong = tool({"behaviours", "--model", "sc", file});
    EXPECT_NE(strong.out.find("Never, in 0 of 3"), std::string::npos) << strong.out;
  }
}

} // namespace
} // namespace thinair::cli
