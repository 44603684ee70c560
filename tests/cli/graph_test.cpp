// thinair graph: what is drawn, in each format, and that names cannot break out of DOT.
#include "oracle/explain/drawing.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

namespace thinair::cli {
namespace {

const std::string sb = "Java SB\n{ 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
                       "Thread0 { X.setOpaque(1); int r1 = Y.getOpaque(); }\n"
                       "Thread1 { Y.setOpaque(1); int r1 = X.getOpaque(); }\n"
                       "exists (0:r1=0 /\\ 1:r1=0)\n";

TEST(Graph, TextOfOneOutcome) {
  const Folder folder;
  const Ran ran = tool(
      {"graph", folder.write("SB.litmus", sb), "--model", "jam21", "--outcome", "1:r1=0; 0:r1=0"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out.find("SB: 0:r1=0; 1:r1=0\n  a: W x=0 initial\n  b: W y=0 initial\n"
                         "  c: thread 0 W x=1 opaque\n  d: thread 0 R y reads 0 opaque\n"
                         "  e: thread 1 W y=1 opaque\n  f: thread 1 R x reads 0 opaque\n"
                         "  po c -> d\n  po e -> f\n  rf b -> d\n  rf a -> f\n"),
            0U)
      << ran.out;
}

TEST(Graph, OneDrawingAState) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  const Ran json = tool({"graph", file, "--model", "sc", "--json"});
  EXPECT_EQ(std::count(json.out.begin(), json.out.end(), '\n'), 3);
  const Ran none = tool({"graph", file, "--model", "sc", "--outcome", "0:r1=0; 1:r1=0"});
  EXPECT_EQ(none.out, "");
  EXPECT_EQ(none.err, file + ": no execution that the model allows shows that\n");
}

TEST(Graph, GraphvizAcceptsIt) {
  if (!has_program("dot")) GTEST_SKIP() << "no Graphviz";
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  const Ran dot = tool({"graph", file, "--model", "sc", "--format", "dot"});
  EXPECT_EQ(dot.exit, 0) << dot.err;
  const Ran svg = shell("dot -Tsvg '" + folder.write("g.dot", dot.out) + "'");
  EXPECT_EQ(svg.exit, 0) << svg.err;
  EXPECT_NE(svg.out.find("W x=1 opaque"), std::string::npos);
}

TEST(Graph, SvgNeedsNothingElse) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  const Ran ran =
      shell("PATH=/nonexistent '" THINAIR_BINARY "' graph '" + file + "' --model sc --format svg");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out.find("<svg "), 0U);
  EXPECT_NE(ran.out.find("Thread1"), std::string::npos);
}

TEST(Graph, NamesAreQuoted) {
  explain::Drawing drawing;
  drawing.title = "a\" ]; evil [ \\";
  drawing.nodes.push_back({"a", "W \"x\"", "W", "", 0});
  const std::string dot = as_dot(drawing);
  EXPECT_NE(dot.find("digraph \"a\\\" ]; evil [ \\\\\" {"), std::string::npos) << dot;
  EXPECT_NE(dot.find("[label=\"a: W \\\"x\\\"\"]"), std::string::npos) << dot;
}

} // namespace
} // namespace thinair::cli
