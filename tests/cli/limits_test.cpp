// Limits: every one that a message can name has an option, and reaching it ends in `unknown`, exit
// code 3, with that option named.
#include "cli/command.h"
#include "cli/limits.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <array>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace thinair::cli {
namespace {

std::set<std::string> options_of_the_tool() {
  std::set<std::string> names;
  for (const Command* command : commands())
    for (const auto& option : options_of(*command)) names.insert(std::string(option.name));
  return names;
}

/// What is said of a limit that is one may name an option, which some command has then.
TEST(Limits, EveryOneThatIsNamedHasAnOption) {
  const auto known = options_of_the_tool();
  const std::regex option(R"re(--([a-z][a-z0-9-]*))re");
  std::set<std::string> named;
  for (int i = 0; i <= static_cast<int>(Limit::engine); ++i) {
    const std::string text(way_out(static_cast<Limit>(i)));
    for (std::sregex_iterator it(text.begin(), text.end(), option), end; it != end; ++it) {
      EXPECT_TRUE(known.contains((*it)[1])) << text;
      named.insert((*it)[1]);
    }
  }
  EXPECT_GE(named.size(), 17U);
}

const std::string sb = "Java SB\n{ 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
                       "Thread0 { X.setOpaque(1); int r1 = Y.getOpaque(); }\n"
                       "Thread1 { Y.setOpaque(1); int r1 = X.getOpaque(); }\n"
                       "exists (0:r1=0 /\\ 1:r1=0)\n";
const std::string loop = "Java Loop\n{ 0:X=x; 1:X=x; }\nThread0 { X.setOpaque(1); }\n"
                         "Thread1 { int r = 0; while (r == 0) { r = X.getOpaque(); "
                         "X.setOpaque(r); } }\n"
                         "exists (1:r=1)\n";
const std::string branches = "Java Branches\n{ 0:X=x; }\nThread0 { int r = X.get(); int s = 0;\n"
                             "if (r == 1) { s = 1; } if (r > 5) { s = 2; } }\nexists (0:s=1)\n";
/// Read and copy in a circle; `f` is what the first thread makes of its value.
std::string circle(const std::string& f) {
  return "Java Circle\n{ 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
         "Thread0 { int r1 = X.get(); Y.set(" +
         f +
         "); }\n"
         "Thread1 { int r1 = Y.get(); X.set(r1); }\nexists (0:r1=1)\n";
}
const std::string wide = "Java Wide\n{ 0:X=x; 1:X=x; 2:X=x; }\n"
                         "Thread0 { X.setOpaque(1); X.setOpaque(2); int a = X.getOpaque(); int b = "
                         "X.getOpaque(); int c = X.getOpaque(); }\n"
                         "Thread1 { X.setOpaque(3); X.setOpaque(4); int a = X.getOpaque(); int b = "
                         "X.getOpaque(); int c = X.getOpaque(); }\n"
                         "Thread2 { int a = X.getOpaque(); int b = X.getOpaque(); }\n"
                         "locations [0:a; 0:b; 0:c; 1:a; 1:b; 1:c; 2:a; 2:b;]\nexists (0:a=3)\n";
const std::string mp = "X86_64 MP\n{ x=0; y=0; }\n P0          | P1            ;\n"
                       " movl $1,(x) | movl (y),%eax ;\n movl $1,(y) | movl (x),%ebx ;\n"
                       "exists (1:rax=1 /\\ 1:rbx=0)\n";

// Models that never come to an end by themselves.
const std::string endless = "\"endless\"\nlet rec f x = f (x | po)\nempty f rf as one\n";
const std::string deep = "\"deep\"\nlet rec f x = rf; f (x; po)\nempty f rf as one\n";
const std::string not_converging =
    "\"no fixpoint\"\nlet rec each s = match s with\n|| {} -> 0\n|| e ++ es ->\n"
    "  (let rec r = ({e} * {e}) \\ r in r) | each es\nend\nempty each W as one\n";
const std::string calls = "\"calls\"\nprocedure rec p(x) =\n  call p(x)\nend\ncall p(po)\n";
/// No order of all accesses will do, which shows only once it is whole.
const std::string orders = "\"orders\"\nwith l from linearisations(M, 0)\n"
                           "~empty ((l | l^-1) \\ l) \\ l^-1 as never\n";

struct Case {
  std::string test, model; // a name, or a text
  std::vector<std::string> options;
  std::string reason;
};

const std::vector<Case> cases = {
    {sb, "sc", {"--max-candidates", "1"}, "candidates limit reached (--max-candidates)"},
    {wide, "jam21", {"--timeout", "0.000001"}, "time limit reached (--timeout)"},
    {loop, "sc", {"--unroll", "2"}, "loop bound reached (--unroll)"},
    {sb, "sc", {"--max-events", "5"}, "limit of events of an execution reached (--max-events)"},
    {sb, "sc", {"--max-events", "1"}, "limit of events of a thread reached (--max-events)"},
    {branches,
     "sc",
     {"--max-paths", "2"},
     "limit of control paths of a thread reached (--max-paths)"},
    {circle("r1"),
     "jls04",
     {"--causality", "none", "--max-values", "3"},
     "more values than can be listed: those among the program's constants are (--max-values)"},
    {circle("(r1 * r1 + 7) / 3 + 5"),
     "jls04",
     {"--causality", "none", "--solver-effort", "1"},
     "z3's effort limit reached (--solver-effort)"},
    {sb, "sc", {"--model-steps", "20"}, "20 steps of compiling the model reached (--model-steps)"},
    {sb,
     endless,
     {"--model-depth", "100"},
     "100 nested calls and definitions of the model reached (--model-depth)"},
    {sb, deep, {}, "1500 nested calls and definitions of the model reached (--model-depth)"},
    {sb,
     not_converging,
     {"--model-steps", "3000"},
     "3000 steps of the model in one execution reached (--model-steps)"},
    {sb,
     calls,
     {"--model-depth", "150"},
     "10 nested procedure calls of the model reached (--model-depth)"},
    {sb, orders, {"--max-candidates", "1000"}, "candidates limit reached (--max-candidates)"},
    {sb, "jls04", {"--max-graphs", "2"}, "limit of executions reached (--max-graphs)"},
    {circle("1"), "jls04", {"--max-states", "1"}, "limit of committed sets reached (--max-states)"},
    {mp,
     "x86-tso",
     {"--engine", "operational", "--max-states", "3"},
     "states limit reached (--max-states)"},
    {mp,
     "x86-tso",
     {"--engine", "operational", "--max-memory", "0"},
     "memory limit reached (--max-memory)"},
};

TEST(Limits, EndInUnknownWithTheirOptionNamed) {
  const Folder folder;
  for (const Case& c : cases) {
    const std::string test = folder.write("t.litmus", c.test);
    const bool text = c.model.find('\n') != std::string::npos;
    const std::string model = text ? folder.write("m.cat", c.model) : c.model;
    std::vector<std::string> words = {"behaviours", test, "--model", model, "--json", "--as-plain"};
    words.insert(words.end(), c.options.begin(), c.options.end());
    const Ran ran = tool(words);
    EXPECT_EQ(ran.exit, 3) << c.reason << "\n" << ran.out << ran.err;
    EXPECT_NE((ran.out + ran.err).find(c.reason), std::string::npos) << c.reason << "\n"
                                                                     << ran.out << ran.err;
  }
}

TEST(Limits, TakeNumbersThatMakeSense) {
  const Folder folder;
  const std::string test = folder.write("t.litmus", sb);
  EXPECT_EQ(tool({"behaviours", test, "--model", "sc", "--max-events", "257"}).err,
            "thinair behaviours: error: --max-events takes a number from 1 to 256\n");
  EXPECT_EQ(tool({"behaviours", test, "--model", "sc", "--model-depth", "4001"}).err,
            "thinair behaviours: error: --model-depth takes a number from 1 to 4000\n");
  EXPECT_EQ(tool({"behaviours", test, "--model", "sc", "--max-paths", "0"}).exit, 2);
}

} // namespace
} // namespace thinair::cli
