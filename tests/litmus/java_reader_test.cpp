// Reading Java litmus code: every construct, its meaning in the program type, its canonical layout.
#include "litmus/java/format.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thinair::litmus {
namespace {

litmus::Test read(const std::string& text) { return parse({"test", text}); }

/// A test of one thread with VarHandles X, Y, Z and registers a, b, and this code.
litmus::Test with_code(const std::string& code) {
  return read("Java t\n{ x = 0; y = 0; z = 0; X=x; Y=y; Z=z; 0:a=0; 0:b=0; }\nThread0 {\n" + code +
              "\n}\n");
}

const Block& body(const litmus::Test& test) { return test.java().threads[0].body; }

std::string printed_code(const std::string& code) {
  const std::string all = print(with_code(code));
  const std::string head = "Thread0 {\n";
  const std::size_t begin = all.find(head) + head.size();
  return all.substr(begin, all.rfind("}\n") - begin);
}

/// The printed form of an expression, after checking that it reads back the same.
std::string expression(const std::string& text) {
  const litmus::Test test = with_code("a = " + text + ";");
  EXPECT_EQ(read(print(test)), test) << text;
  const std::string line = printed_code("a = " + text + ";");
  return line.substr(6, line.size() - 8);
}

TEST(JavaExpressions, PrecedenceIsJavas) {
  EXPECT_EQ(expression("1 + 2 * a - b"), "1 + 2 * a - b");
  EXPECT_EQ(expression("(1 + 2) * a"), "(1 + 2) * a");
  EXPECT_EQ(expression("1 - (2 - a)"), "1 - (2 - a)");
  EXPECT_EQ(expression("(1 - 2) - a"), "1 - 2 - a");
  EXPECT_EQ(expression("a & b == 1 | a ^ b"), "a & b == 1 | a ^ b");
  EXPECT_EQ(expression("a << 1 + b >>> 2"), "a << 1 + b >>> 2");
  EXPECT_EQ(expression("a || (b && a)"), "a || b && a");
  EXPECT_EQ(expression("(a || b) && a % 2"), "(a || b) && a % 2");
}

TEST(JavaExpressions, MinusBelongsToTheNumberBehindIt) {
  EXPECT_EQ(expression("5 -1"), "5 - 1");
  EXPECT_EQ(expression("5--1"), "5 - -1");
  EXPECT_EQ(expression("-2147483648"), "-2147483648");
  EXPECT_EQ(expression("-(1)"), "-(1)");
  EXPECT_EQ(expression("-(-a)"), "-(-a)");
  EXPECT_EQ(expression("- -1"), "-(-1)");
  EXPECT_EQ(expression("~-a + !b"), "~-a + !b");
  EXPECT_EQ(expression("-(a * b)"), "-(a * b)");
  EXPECT_EQ(std::get<Assign>(body(with_code("a = -7;"))[0].node).value, Expression::number(-7));
}

TEST(JavaExpressions, ParenthesesKeepHerdInStep) {
  EXPECT_EQ(expression("a && b ^ 1"), "a && (b ^ 1)");
  EXPECT_EQ(expression("a == 1 != b"), "(a == 1) != b");
  EXPECT_EQ(expression("a < b == 1"), "(a < b) == 1");
}

TEST(JavaExpressions, HexadecimalNumbers) { EXPECT_EQ(expression("0x7FFFFFFF"), "2147483647"); }

TEST(JavaStatements, EveryMethodIsReadAndPrinted) {
  for (const MethodInfo& row : methods()) {
    std::string arguments;
    for (int i = 0; i < row.arguments; ++i) arguments += i == 0 ? "1" : ", a";
    const std::string result = reads(row.action) ? "int r = " : "";
    const std::string line = fmt::format("  {}X.{}({});\n", result, row.name, arguments);
    EXPECT_EQ(printed_code(line), line);
    const litmus::Test test = with_code(line);
    const auto& access = std::get<Access>(body(test)[0].node);
    EXPECT_EQ(access.method, row.method);
    EXPECT_EQ(access.target.has_value(), reads(row.action));
  }
}

TEST(JavaStatements, FencesWithAndWithoutTheirClass) {
  for (const FenceInfo& row : fences()) {
    EXPECT_EQ(printed_code(fmt::format("VarHandle . {} ( );", row.name)),
              fmt::format("  {}();\n", row.name));
    EXPECT_EQ(printed_code(fmt::format("{}();", row.name)), fmt::format("  {}();\n", row.name));
  }
}

TEST(JavaStatements, ACallOnTheRightIsAnAccessDeeperOnesStayInside) {
  EXPECT_TRUE(std::holds_alternative<Access>(body(with_code("a = (X.get());"))[0].node));
  const auto sum = with_code("a = X.get() + Y.getAcquire();");
  ASSERT_TRUE(std::holds_alternative<Assign>(body(sum)[0].node));
  EXPECT_TRUE(has_access(std::get<Assign>(body(sum)[0].node).value));
  EXPECT_EQ(printed_code("X.setOpaque(Y.getAndAdd(Z.get()));"),
            "  X.setOpaque(Y.getAndAdd(Z.get()));\n");
}

TEST(JavaStatements, BranchesAndLoops) {
  EXPECT_EQ(printed_code("if (a) X.set(1); else if (b) { Y.set(2); } else { ; }"),
            "  if (a) {\n    X.set(1);\n  } else if (b) {\n    Y.set(2);\n  }\n");
  EXPECT_EQ(printed_code("while [3] (X.get() == 0) { }"), "  while [3] (X.get() == 0) {\n  }\n");
  EXPECT_EQ(printed_code("while (a) a = a - 1;"), "  while (a) {\n    a = a - 1;\n  }\n");
  EXPECT_EQ(printed_code("do [2] { a = X.get(); } while (a != 1);"),
            "  do [2] {\n    a = X.get();\n  } while (a != 1);\n");
  const auto loop = with_code("do { X.set(1); } while (a);");
  EXPECT_FALSE(std::get<Loop>(body(loop)[0].node).test_first);
  EXPECT_EQ(std::get<Loop>(body(loop)[0].node).bound, std::nullopt);
}

TEST(JavaStatements, DeclarationsAndNestedBlocks) {
  EXPECT_EQ(printed_code("int r; { X.set(r); { r = 1; } } int r;"),
            "  int r = 0;\n  X.set(r);\n  r = 1;\n");
}

TEST(JavaStatements, MonitorsThreadsAndExternalActions) {
  const std::string code = "  lock(m);\n  print(a + 1);\n  unlock(m);\n  start(Thread0);\n"
                           "  join(Thread0);\n";
  EXPECT_EQ(printed_code(code), code);
  EXPECT_EQ(printed_code("join(0);"), "  join(Thread0);\n");
  const Features found = features(with_code(code).java());
  EXPECT_TRUE(found.monitors && found.thread_lifetime && found.external_actions);
  EXPECT_FALSE(found.loops || found.final_fields);
}

TEST(JavaStatements, WordsOfStatementsMayBeRegisters) {
  EXPECT_EQ(printed_code("int start = 1; X.set(start);"), "  int start = 1;\n  X.set(start);\n");
}

TEST(JavaStatements, StatementsKnowWhereTheyWereRead) {
  const std::string text = "Java t { X=x; } Thread0 { X.set(1); }";
  const litmus::Test test = read(text);
  const text::Span span = body(test)[0].span;
  EXPECT_EQ(text.substr(span.begin, span.end - span.begin), "X.set(1);");
}

TEST(JavaState, TypesAddressesAndDefaults) {
  const litmus::Test test = read(
      "Java t\n{ int x = 0x10; y; int* 0:X = &x; VarHandle 0:Y = y; [z] = -3; 0:Q=q; final f = "
      "4; int 0:r = 2; monitor m; }\nThread0 { X.set(r); }\n");
  const Program& program = test.java();
  const std::vector<Location> locations{
      {"x", 16, false}, {"y", 0, false}, {"z", -3, false}, {"f", 4, true}, {"q", 0, false}};
  EXPECT_EQ(program.locations, locations);
  EXPECT_EQ(program.monitors, std::vector<std::string>{"m"});
  EXPECT_EQ(program.threads[0].handles.size(), 3U);
  EXPECT_EQ(program.threads[0].registers, (std::vector<Register>{{"r", 2}}));
  EXPECT_TRUE(features(program).final_fields);
  EXPECT_EQ(read(print(test)), test);
}

TEST(JavaState, AHandleWithoutAThreadIsEveryThreads) {
  const litmus::Test test =
      read("Java t { x = 0; X=x; } Thread0 { X.set(1); } Thread1 { X.get(); }");
  EXPECT_EQ(test.java().threads[1].handles, test.java().threads[0].handles);
  EXPECT_EQ(count_accesses(test.java()), 2U);
}

TEST(JavaState, ThreadsMayComeInAnyOrder) {
  const litmus::Test test = read("Java t { X=x; } Thread1 { X.set(1); } Thread0 { X.set(0); }");
  EXPECT_EQ(print(test).find("Thread0"), print(test).find("Thread"));
}

TEST(JavaState, RegisterOrderSurvivesPrinting) {
  litmus::Test test = with_code("a = 1; b = 1;");
  Thread& thread = std::get<Program>(test.program).threads[0];
  thread.registers = {{"b", 0}, {"unused", 0}, {"a", 0}, {"c", 0}};
  thread.body = {{Assign{RegisterId{2}, Expression::of(RegisterId{0}), true}, {}},
                 {Assign{RegisterId{3}, Expression::number(1), true}, {}}};
  EXPECT_EQ(read(print(test)), test);
  EXPECT_NE(print(test).find(" 0:b=0; 0:unused=0;\n"), std::string::npos) << print(test);
}

TEST(JavaFiles, CommentsAndLineEndsOfEverySystem) {
  const litmus::Test test =
      read("\xEF\xBB\xBFJava t\r\n\"a title\"\r\nCycle=Rfe PodRW\r\n"
           "Source=https://a.example/{x} // kept\r\n(* a (* nested *) one *)\r\n"
           "{ X=x; /* an old one */ }\r\nThread0 { // a new one\r\n X.set(1);\r\n"
           "}\r\nexists (x=1)\r\n");
  EXPECT_EQ(test.title, "a title");
  EXPECT_EQ(test.metadata_value("Cycle"), "Rfe PodRW");
  EXPECT_EQ(test.metadata_value("Source"), "https://a.example/{x} // kept");
  EXPECT_EQ(test.metadata_value("None"), std::nullopt);
  EXPECT_EQ(read(print(test)), test);
}

TEST(JavaFiles, ObservablesAreThoseThatQuestionsName) {
  const litmus::Test test = read("Java t { X=x; Y=y; } Thread0 { int a = X.get(); int b = 1; }\n"
                                 "locations [y;]\nfilter (x=0)\nexists (0:b=0)\n");
  const auto names = [](const std::vector<Observable>& all) {
    std::string out;
    for (const Observable& observable : all) out += to_string(observable) + " ";
    return out;
  };
  EXPECT_EQ(names(observables(test)), "0:b [x] [y] ");
  EXPECT_EQ(names(observables(test, true)), "0:a 0:b [x] [y] ");
}

} // namespace
} // namespace thinair::litmus
