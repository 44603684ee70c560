// thinair explain: justifications, executions and reasons, in each format.
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

namespace thinair::cli {
namespace {

std::string corpus(const std::string& file) {
  return std::string(THINAIR_SOURCE_DIR) + "/corpus/" + file;
}

TEST(Explain, AJustificationStageByStage) {
  const auto test = corpus("ctc/CTC1.litmus");
  const Ran text = tool({"explain", test, "--model", "jls04"});
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_EQ(text.out.find("CTC1: "), 0U) << text.out;
  EXPECT_NE(text.out.find(" is allowed under jls04\n"), std::string::npos);
  const Ran json = tool({"explain", test, "--model", "jls04", "--json"});
  EXPECT_NE(json.out.find("\"verdict\":\"allowed\""), std::string::npos);
  EXPECT_NE(json.out.find("\"stages\":["), std::string::npos) << json.out;
  const Ran svg = tool({"explain", test, "--model", "jls04", "--format", "svg"});
  EXPECT_EQ(svg.out.find("<svg "), 0U);
  EXPECT_NE(svg.out.find(">G1: commits the initial writes<"), std::string::npos);
  EXPECT_NE(svg.out.find(", the outcome: all is committed<"), std::string::npos);
  EXPECT_NE(svg.out.find("class=\"event committed\""), std::string::npos);
}

TEST(Explain, ARefusalByAxioms) {
  const auto test = corpus("jam21/ra-non-global.4.litmus");
  const Ran text = tool({"explain", test, "--model", "sc"});
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_NE(text.out.find(" is forbidden under sc\naxiom "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("(reason)"), std::string::npos);
  const Ran json = tool({"explain", test, "--model", "sc", "--format", "json"});
  EXPECT_NE(json.out.find("\"reason\":true"), std::string::npos) << json.out;
}

TEST(Explain, ARefusalByCausality) {
  const Ran text = tool({"explain", corpus("ctc/CTC4.litmus"), "--model", "jls04"});
  EXPECT_NE(text.out.find("no sequence of commits justifies it"), std::string::npos) << text.out;
}

TEST(Explain, AnOutcomeOfOnesOwn) {
  const auto test = corpus("ctc/CTC4.litmus");
  const Ran ran = tool({"explain", test, "--model", "jls04", "--outcome", "0:r1=0; 1:r2=0;"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("CTC4: 0:r1=0 /\\ 1:r2=0 is allowed"), std::string::npos) << ran.out;
  const Ran wrong = tool({"explain", test, "--model", "jls04", "--outcome", "0:r9=0"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("r9"), std::string::npos) << wrong.err;
}

TEST(Explain, WhatALimitLeavesOpenIsUndecided) {
  const Ran ran = tool({"explain", corpus("jam21/ra-non-global.4.litmus"), "--model", "sc",
                        "--max-candidates", "1"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_NE(ran.out.find("unknown under sc"), std::string::npos) << ran.out << ran.err;
}

} // namespace
} // namespace thinair::cli
