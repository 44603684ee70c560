// The same random tests as files, in whatever way herd7 reads them: it must read them, and find the
// states that our machine and axioms find.
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "machine/x86/code/store_buffers.h"
#include "machine/x86/front_end.h"
#include "models/library.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "runners/herd7.h"
#include "runners/herd7_output.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"
#include "tests/runners/agreement.h"
#include "tests/runners/herd7_programs.h"
#include "tests/support/herd_spelling.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

namespace thinair::runners {
namespace {

/// Files as herd7 takes them, under a model written for the test.
class HerdFiles {
 public:
  explicit HerdFiles(std::string model) : model_(std::move(model)) {
    for (const models::File& file : models::files())
      directory_.write(fmt::format("models/{}", file.name), file.text);
  }

  void add(const std::string& name, const std::string& text) {
    directory_.write(name + ".litmus", text);
    list_ += name + ".litmus\n";
  }

  /// Its states of each test, whose name is that of its file; and what it complained of.
  std::map<std::string, ParsedBlock> run(std::string& complaints) {
    directory_.write("@tests", list_);
    const std::string models = directory_.path() + "/models";
    const Outcome outcome =
        runners::run({.argv = {find_herd7().value(), "-model", models + "/" + model_, "-I", models,
                               "-I", models + "/library", "-archcheck", "false", "-optace", "true",
                               "-timeout", "20", "@tests"},
                      .directory = directory_.path()});
    complaints = outcome.error;
    return parse_herd_output(outcome.out);
  }

 private:
  std::string model_;
  TemporaryDirectory directory_;
  std::string list_;
};

/// A state as herd7 writes it, arrays cell by cell: `t={1,2};` is `t[0]=1; t[1]=2;`.
std::string state_of(const std::vector<std::pair<std::string, std::string>>& herds) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : herds) {
    if (!value.starts_with('{')) {
      parts.push_back(name + "=" + value);
      continue;
    }
    std::size_t begin = 1;
    for (int i = 0; begin < value.size(); ++i) {
      const std::size_t end = value.find_first_of(",}", begin);
      parts.push_back(fmt::format("{}[{}]={}", name, i, value.substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  std::ranges::sort(parts);
  const auto repeated = std::ranges::unique(parts); // `t` and `t[1]` may both be shown
  parts.erase(repeated.begin(), repeated.end());
  return fmt::format("{}", fmt::join(parts, "; "));
}

States states_of(const ParsedBlock& block) {
  States out;
  for (const auto& state : block.block.states) out.insert(state_of(state));
  return out;
}

States sorted_states(const litmus::Test& test, const oracle::Result& result) {
  States out;
  for (const auto& behaviour : result.behaviours) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < behaviour.size(); ++i)
      parts.push_back(litmus::to_string(test, {result.observables[i]}, {behaviour[i]}));
    std::ranges::sort(parts);
    out.insert(fmt::format("{}", fmt::join(parts, "; ")));
  }
  return out;
}

void compare(const std::map<std::string, std::string>& texts, HerdFiles& files) {
  std::string complaints;
  const auto answers = files.run(complaints);
  const cat::Plan plan = cat::load_model("x86-tso", x86::architecture);
  for (const auto& [name, text] : texts) {
    SCOPED_TRACE(text);
    const auto answer = answers.find(name);
    ASSERT_TRUE(answer != answers.end()) << "herd7 does not read it: " << complaints;
    const litmus::Test test = litmus::parse({name + ".litmus", text});
    const States expected = states_of(answer->second);
    const auto axioms = executions::behaviours(test, plan, {});
    ASSERT_EQ(axioms.status, oracle::Result::Status::ok) << axioms.reason.text;
    EXPECT_EQ(sorted_states(test, axioms), expected);
    EXPECT_EQ(sorted_states(test, x86_machine(test)), expected);
  }
}

class Herd7Spelling : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_herd7()) GTEST_SKIP() << "no herd7 here (scripts/get-herd7)";
  }
};

/// 150 tests, or as many as THINAIR_HERD7_PROGRAMS says (scripts/nightly).
TEST_F(Herd7Spelling, ReadsWhatWeReadAndFindsTheSameStates) {
  const char* given = std::getenv("THINAIR_HERD7_PROGRAMS");
  const std::uint64_t count = given ? std::strtoul(given, nullptr, 10) : 150;
  HerdFiles files("x86-tso.cat");
  std::map<std::string, std::string> texts;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    std::string text = test::two_spellings(seed).wild;
    const std::string name = fmt::format("t{}", seed);
    text.replace(text.find('t'), 1, name); // the test's name; the dialect is in upper case
    texts[name] = text;
    files.add(name, text);
  }
  compare(texts, files);
}

/// What nothing introduces is 0 for herd7, and for those who read as it does: a register that is
/// read, registers and a location that are only asked for.
TEST_F(Herd7Spelling, WhatNothingIntroducesIsZeroInJava) {
  const cat::Plan plan = cat::load_model("sc", graph::Architecture::java);
  HerdFiles files("sc.cat");
  std::map<std::string, std::string> texts;
  for (const auto& test : herd7_programs(graph::Architecture::java, 60, 19, true)) {
    litmus::Test renamed = test;
    renamed.name = fmt::format("t{}", texts.size());
    std::string text = litmus::print(renamed);
    const std::size_t body = text.find("Thread0 {") + 9;
    text.insert(body, " int u8 = u9 + 1; if (u9 == 0) { u8 = u8 + 010; }\n");
    text.insert(text.find("locations [") + 11, "0:u8; 0:u9; 0:nowhere; nowhere; ");
    EXPECT_THROW(litmus::parse({"t.litmus", text}), InputError);
    texts[renamed.name] = text;
    files.add(renamed.name, text);
  }
  std::string complaints;
  const auto answers = files.run(complaints);
  for (const auto& [name, text] : texts) {
    SCOPED_TRACE(text);
    const auto answer = answers.find(name);
    ASSERT_TRUE(answer != answers.end()) << complaints;
    const litmus::Test test = litmus::parse_as_herd({name + ".litmus", text});
    const auto ours = executions::behaviours(test, plan, {});
    ASSERT_EQ(ours.status, oracle::Result::Status::ok) << ours.reason.text;
    EXPECT_EQ(sorted_states(test, ours), states_of(answer->second));
  }
}

/// A folder of x86 tests, say diy7's or Dartagnan's: THINAIR_X86_TESTS.
TEST_F(Herd7Spelling, AFolderOfTests) {
  const char* folder = std::getenv("THINAIR_X86_TESTS");
  if (!folder) GTEST_SKIP() << "THINAIR_X86_TESTS names no folder";
  HerdFiles files("x86-tso.cat");
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".litmus") continue;
    const std::string text = litmus::read_file(entry.path().string()).text;
    const litmus::Test test = litmus::parse({entry.path().string(), text});
    files.add(test.name, text);
    texts[test.name] = text;
  }
  compare(texts, files);
}

} // namespace
} // namespace thinair::runners
