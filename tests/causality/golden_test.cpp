// Reference verdicts of 270 programs, state by state (golden/mem-reference.json).
#include "litmus/test.h"
#include "oracle/causality/analysis.h"
#include "oracle/causality/check.h"
#include "tests/causality/happens_before.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace thinair::causality {
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
    EXPECT_EQ(analysis.allows([&](const Behaviour& other) { return b == other; }), Answer::yes);
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

} // namespace
} // namespace thinair::causality
