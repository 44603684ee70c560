// Wrong use: one error with the exact text below, exit 2, nothing on standard output.
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

namespace thinair::cli {
namespace {

struct Case {
  std::vector<std::string> words;
  std::string message;
};

void PrintTo(const Case& wrong, std::ostream* out) { *out << wrong.message; }

class WrongUse : public ::testing::TestWithParam<Case> {};

TEST_P(WrongUse, SaysWhat) {
  const Ran ran = tool(GetParam().words);
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, GetParam().message + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Table, WrongUse,
    ::testing::Values(
        Case{{"compltion"},
             "thinair: error: unknown command 'compltion'\n  hint: did you mean 'completion'?"},
        Case{{"frobnicate"},
             "thinair: error: unknown command 'frobnicate'\n  hint: 'thinair help' lists the "
             "commands"},
        Case{{"--verison"},
             "thinair: error: unknown option '--verison'\n  hint: 'thinair help' lists the "
             "commands"},
        Case{{"man", "--jsn"},
             "thinair man: error: unknown option '--jsn'\n  hint: did you mean '--json'?"},
        Case{{"man", "--js"},
             "thinair man: error: unknown option '--js'\n  hint: did you mean '--json'?"},
        Case{{"man", "--frobnicate"},
             "thinair man: error: unknown option '--frobnicate'\n"
             "  hint: 'thinair man --help' lists the options"},
        Case{{"man", "-z"},
             "thinair man: error: unknown option '-z'\n"
             "  hint: 'thinair man --help' lists the options"},
        Case{{"man", "page"}, "thinair man: error: unexpected operand 'page'"},
        Case{{"completion"}, "thinair completion: error: expected one shell, bash or zsh"},
        Case{{"completion", "powershell"},
             "thinair completion: error: expected one of bash, zsh, found 'powershell'"},
        Case{{"completion", "bsh"},
             "thinair completion: error: expected one of bash, zsh, found 'bsh'\n  hint: did you "
             "mean 'bash'?"},
        Case{
            {"--help", "mna"},
            "thinair help: error: expected one of parse, fmt, gen, fuzz, reduce, distinguish, "
            "health, "
            "report, merge, store, models, behaviours, check, results, herd, lower, scheme, graph, "
            "explain, sound, litmus-to-java, jcstress, jdks, completion, man, help, found "
            "'mna'\n  hint: did you mean 'man'?"},
        Case{{"parse", ""}, "thinair parse: error: an operand is empty: it names nothing"},
        Case{{"scheme", "list", "x"}, "thinair scheme: error: unexpected operand 'x'"},
        Case{{"help", "man", "man"}, "thinair help: error: unexpected operand 'man'"}));

TEST(WrongUse, NoCommandShowsTheUsage) {
  const Ran ran = tool({});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, tool({"help"}).out);
}

TEST(WrongUse, HelpAsAnOptionIsTheCommand) {
  for (const std::vector<std::string>& more : std::initializer_list<std::vector<std::string>>{
           {}, {"--json"}, {"check"}, {"check", "--json"}}) {
    std::vector<std::string> option = {"--help"}, command = {"help"};
    option.insert(option.end(), more.begin(), more.end());
    command.insert(command.end(), more.begin(), more.end());
    EXPECT_EQ(tool(option).out, tool(command).out);
    EXPECT_EQ(tool(option).exit, 0);
  }
}

TEST(WrongUse, WithJsonTheErrorIsAnObjectToo) {
  const Ran ran = tool({"man", "--json", "page"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.out, "{\"test\":null,\"file\":null,\"status\":\"error\","
                     "\"reason\":\"thinair man: error: unexpected operand 'page'\"}\n");
}

TEST(WrongUse, NoOptionTwice) {
  EXPECT_EQ(tool({"man", "--json", "--json"}).err, "thinair man: error: --json is given twice\n");
}

TEST(WrongUse, WhatATerminalWouldObeyIsNotRepeated) {
  EXPECT_EQ(tool({"\x1b[2Jman"}).err.find('\x1b'), std::string::npos);
}

} // namespace
} // namespace thinair::cli
