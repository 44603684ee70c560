// Reference verdicts of 270 programs, state by state (golden/mem-reference.json).
#include "litmus/test.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/causality/analysis.h"
#include "oracle/causality/check.h"
#include "tests/causality/happens_before.h"
#include "tests/support/golden.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
using oracle::Result;
namespace {

using States = std::set<std::string>;

struct Program {
  litmus::Test test;
  ProgramPaths paths;
  std::vector<RegisterPlace> observed;
};

/// The reference lets a thread mention a register that it never assigns; our language wants a
/// declaration.
std::string declared(const golden::Json& entry) {
  std::string program = entry["program"].string;
  for (const auto& reg : entry["registers"].array) {
    const auto colon = reg.string.find(':');
    const auto head = "Thread" + reg.string.substr(0, colon) + " {";
    const auto begin = program.find(head), end = program.find('}', begin);
    const auto declaration = "int " + reg.string.substr(colon + 1);
    if (program.find(declaration, begin) > end)
      program.insert(begin + head.size(), "\n  " + declaration + " = 0;");
  }
  return program;
}

Program load(const golden::Json& entry) {
  Program p;
  p.test = litmus::parse({"golden", declared(entry)});
  p.paths = graph::paths_of(p.test);
  for (const auto& reg : entry["registers"].array) {
    const auto colon = reg.string.find(':');
    const auto thread = static_cast<std::uint32_t>(std::stoul(reg.string.substr(0, colon)));
    const auto& registers = p.test.java().threads.at(thread).registers;
    for (std::uint32_t r = 0; r < registers.size(); ++r)
      if (registers[r].name == reg.string.substr(colon + 1)) p.observed.push_back({thread, r});
  }
  return p;
}

std::string text(const Behaviour& b) {
  std::string all;
  for (const auto v : b) all += (all.empty() ? "" : " ") + std::to_string(v);
  return all;
}

States allowed(const Program& p, const std::string& column, bool synthetic_first_action) {
  AnalysisOptions options;
  options.rules = *find_rule_set(column.substr(0, column.find('-')));
  if (column.ends_with("-free")) options.switches.identity = Identity::free;
  options.switches.synthetic_first_action = synthetic_first_action;
  Analysis analysis(p.paths, p.observed, happens_before_producer(p.paths), options);
  States states;
  for (const auto& b : analysis.behaviours([](const Behaviour&) { return true; })) {
    states.insert(text(b));
    EXPECT_EQ(analysis.allows([&](const Behaviour& other) { return b == other; }), Answer::allowed);
    const auto problem =
        violation(analysis.graphs(), analysis.evidence(), options.rules.rules, options.switches);
    EXPECT_FALSE(problem.has_value()) << *problem;
  }
  EXPECT_EQ(analysis.incomplete(), "");
  return states;
}

States states_of(const golden::Json& entry, const std::string& column) {
  States states;
  for (const auto& s : entry["states"][column].array) states.insert(s.string);
  return states;
}

TEST(GoldenMem, SameStates) {
  const auto file = golden::folder() / "mem-reference.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no golden data";
  const auto entries = golden::parse_json(golden::read(file));
  EXPECT_EQ(entries.object.size(), 270U);
  for (const auto& [name, entry] : entries.object) {
    const auto p = load(entry);
    for (const std::string column : {"jls04", "revised", "revised-free"})
      EXPECT_EQ(allowed(p, column, true), states_of(entry, column)) << name << " " << column;
    EXPECT_EQ(allowed(p, "jls04-free", false), states_of(entry, "jls04-free")) << name;
    const auto& sensitive = entry["sensitive"].array;
    const bool may_differ = std::ranges::any_of(
        sensitive, [](const auto& s) { return s.string == "jls04-free:rule8-reads-T.sw"; });
    if (may_differ) continue;
    EXPECT_EQ(allowed(p, "jls04-free", true), states_of(entry, "jls04-free")) << name;
  }
}

/// "0:r0=1; 1:r1=2" as the reference writes it: "1 2".
States values_only(const Result& result) {
  States all;
  for (const auto& b : result.behaviours) all.insert(text(b));
  return all;
}

Behaviour parsed(const std::string& state) {
  Behaviour b;
  std::istringstream words(state);
  for (Value v = 0; words >> v;) b.push_back(v);
  return b;
}

/// The program with a question about each of the reference's registers.
litmus::Test asking(const golden::Json& entry) {
  auto test = litmus::parse({"golden", declared(entry)});
  test.clauses.clear();
  for (const auto& reg : entry["registers"].array) {
    const auto colon = reg.string.find(':');
    test.locations.push_back(
        {litmus::ThreadId{static_cast<std::uint32_t>(std::stoul(reg.string.substr(0, colon)))},
         reg.string.substr(colon + 1)});
  }
  return test;
}

/// States with a value outside of what the reference tried.
bool outside_domain(const std::string& state, const golden::Json& entry) {
  std::set<std::string> tried;
  for (const auto& [location, values] : entry["domain"].object)
    for (const auto& v : values.array) tried.insert(fmt::format("{}", v.number));
  for (std::size_t at = 0; at < state.size();) {
    const auto end = std::min(state.find(' ', at), state.size());
    if (!tried.contains(state.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

/// Through the engine and jls04.cat. Without causality, values out of thin air can be endless: ours
/// then has more states than the reference, which tried few values.
TEST(GoldenMem, SameStatesThroughTheEngine) {
  const auto file = golden::folder() / "mem-reference.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no golden data";
  const auto entries = golden::parse_json(golden::read(file));
  const auto model = cat::load_model("jls04", graph::Architecture::java);
  std::size_t endless = 0, more_than_expected = 0, beyond_revised = 0;
  for (const auto& [name, entry] : entries.object) {
    const auto test = asking(entry);
    std::map<std::string, States> by_rules;
    for (const std::string rules : {"jls04", "revised", "none"}) {
      Options options;
      options.rules = rules;
      Oracle oracle(test, model, options);
      const auto found = oracle.behaviours();
      const auto expected = states_of(entry, rules), ours = values_only(found);
      by_rules[rules] = ours;
      if (rules != "none") {
        EXPECT_EQ(found.reason, "") << name << " " << rules;
        EXPECT_EQ(ours, expected) << name << " " << rules;
        continue;
      }
      endless += found.status != oracle::Result::Status::ok;
      for (const auto& state : expected) {
        if (ours.contains(state)) continue;
        EXPECT_EQ(oracle.allows(parsed(state)), Answer::allowed) << name << " " << state;
      }
      for (const auto& state : ours)
        if (!expected.contains(state)) more_than_expected += !outside_domain(state, entry);
    }
    beyond_revised += !std::ranges::includes(by_rules["revised"], by_rules["jls04"]);
  }
  EXPECT_EQ(beyond_revised, 0U);
  EXPECT_LE(endless, 60U);
  EXPECT_EQ(more_than_expected, 0U);
}

} // namespace
} // namespace thinair::causality
