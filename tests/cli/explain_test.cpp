// thinair explain: justifications, executions and reasons, in each format.
#include "litmus/test.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

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
  EXPECT_NE(text.out.find(" is forbidden under sc\nfor this outcome\n"), std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("\naxiom sc "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("(reason)"), std::string::npos);
  const Ran json = tool({"explain", test, "--model", "sc", "--format", "json"});
  EXPECT_NE(json.out.find("\"reason\":true"), std::string::npos) << json.out;
}

/// Each axiom that fails tells its own story; only the first is "for this outcome".
TEST(Explain, AnOutcomeThatSeveralAxiomsForbid) {
  const auto count = [](const std::string& text, std::string_view words) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  const auto text = tool({"explain", corpus("jcstress/JCS-SB-volatile.litmus"), "--model", "java"});
  EXPECT_EQ(text.exit, 0) << text.err;
  const auto axioms = count(text.out, "\naxiom ");
  EXPECT_GE(axioms, 2u) << text.out;
  EXPECT_EQ(count(text.out, "for this outcome\n"), 1u) << text.out;
  EXPECT_EQ(count(text.out, "another axiom forbids it, too\n"), axioms - 1) << text.out;
}

TEST(Explain, ARefusalByCausality) {
  const Ran text = tool({"explain", corpus("ctc/CTC4.litmus"), "--model", "jls04"});
  for (const auto* said :
       {"no sequence of commits justifies it", "1 is written only by threads that read it",
        "commitments get as far as the initial writes", "cannot be committed next",
        "JLS 17.4.8 rule",
        "it would be allowed if `Y.set(r1)` wrote 1 whatever its thread has read"})
    EXPECT_NE(text.out.find(said), std::string::npos) << said << "\n" << text.out;
  EXPECT_EQ(text.out.find("sw a"), std::string::npos) << "every thread begins after these";
  const Ran json = tool({"explain", corpus("ctc/CTC4.litmus"), "--model", "jls04", "--json"});
  for (const auto* field : {"\"obstacle\":{", "\"stuck\":\"d\"", "\"failures\":[{\"rules\":[",
                            "\"origin\":\"1 is", "\"changed\":\"Java CTC4"})
    EXPECT_NE(json.out.find(field), std::string::npos) << field << "\n" << json.out;
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

/// Of the locations drawn as initial writes, how many have their values in the test; -1: one has
/// not.
int initial_values(const std::string& drawn, const litmus::Program& program) {
  static const std::regex forms[] = {
      std::regex(R"re(W (\w+)=(-?\d+) initial)re"),                 // graph, refusals
      std::regex(R"re(initial  W (\w+)=(-?\d+))re"),                // justifications
      std::regex(R"re("label":"W (\w+)=(-?\d+)","thread":null)re"), //
      std::regex(R"re(</tspan> W (\w+) (-?\d+)</text><text class="mode"[^>]*>initial<)re")};
  int seen = 0;
  for (const auto& form : forms)
    for (std::sregex_iterator it(drawn.begin(), drawn.end(), form), end; it != end; ++it) {
      const auto location =
          std::ranges::find(program.locations, (*it)[1].str(), &litmus::Location::name);
      if (location == program.locations.end() || std::to_string(location->initial) != (*it)[2])
        return -1;
      ++seen;
    }
  return seen;
}

/// Also of values other than 0: those of the corpus plus 3.
TEST(Explain, EveryFormatShowsTheInitialValuesOfTheTest) {
  const Folder files;
  int seen = 0;
  for (const auto* folder : {"ctc", "jmt", "jls"})
    for (const auto& entry : std::filesystem::directory_iterator(corpus(folder))) {
      if (entry.path().extension() != ".litmus") continue;
      auto test = litmus::parse(litmus::read_file(entry.path().string()));
      for (auto& location : std::get<litmus::Program>(test.program).locations)
        if (location.type.is_int()) location.initial += 3;
      const auto file = files.write("t.litmus", litmus::print(test));
      for (const std::string model : {"sc", "jls04"})
        for (const std::string format : {"text", "json", "svg"})
          for (const std::string command : {"explain", "graph"}) {
            if (command == "graph" && format == "json") continue;
            const auto ran = tool(
                {command, file, "--model", model, "--format", format, "--max-candidates", "500"});
            const int found = initial_values(ran.out, test.java());
            EXPECT_GE(found, 0) << command << " " << test.name << "\n" << ran.out;
            seen += found;
          }
      const auto page = files.path("page.html");
      tool({"check", file, "--model", "sc", "--html", page, "--max-candidates", "500"});
      const int found = initial_values(read(page), test.java());
      EXPECT_GE(found, 0) << "check --html " << test.name;
      seen += found;
    }
  EXPECT_GT(seen, 500);
}

TEST(Explain, WhatALimitLeavesOpenIsUndecided) {
  const Ran ran = tool({"explain", corpus("jam21/ra-non-global.4.litmus"), "--model", "sc",
                        "--max-candidates", "1"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_NE(ran.out.find("unknown under sc"), std::string::npos) << ran.out << ran.err;
}

} // namespace
} // namespace thinair::cli
