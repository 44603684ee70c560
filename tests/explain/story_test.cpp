// Why an axiom fails, in the words of the program: every statement that is quoted is one of the
// program's, every value that is read is there, and every step of the way around is told.
#include "litmus/test.h"
#include "litmus/text/wrap.h"
#include "oracle/explain/story.h"
#include "oracle/graph/front_end.h"
#include "tests/explain/support.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace thinair::explain {
namespace {

std::vector<std::string> quoted_in(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = text.find('`'); begin != std::string::npos;) {
    const auto end = text.find('`', begin + 1);
    if (end == std::string::npos) break;
    std::string words = text.substr(begin + 1, end - begin - 1);
    std::string one_line;
    for (std::istringstream in(words); in >> words;)
      one_line += (one_line.empty() ? "" : " ") + words;
    out.push_back(one_line);
    begin = text.find('`', end + 1);
  }
  return out;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

/// What the story of a refusal must be, whatever the model and the program.
void expect_a_true_story(const litmus::Test& test, const Refusal& refusal) {
  const auto story = story_of(refusal);
  std::istringstream lines(story);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(text::columns(line), text::page_width) << line;
  const auto program = without_blanks(litmus::print(test));
  for (const auto& words : quoted_in(story))
    if (test.is_java()) {
      EXPECT_NE(program.find(without_blanks(words)), std::string::npos) << words << "\n" << story;
    }
  const auto told = without_blanks(story);
  for (const auto& broken : refusal.broken)
    for (const auto& step : broken.cycle)
      for (const auto event : {step.step.from, step.step.to}) {
        const auto& node = refusal.drawing->nodes[event];
        if (node.thread < 0) continue;
        EXPECT_NE(node.deed, "") << test.name;
        EXPECT_NE(told.find(without_blanks(node.deed)), std::string::npos)
            << test.name << ": " << node.deed << "\n"
            << story;
      }
}

int tell_all(const std::vector<litmus::Test>& tests, const cat::Plan& model) {
  int told = 0;
  oracle::Options options;
  options.limits = few_candidates();
  for (const auto& test : tests) {
    for (const auto& clause : test.clauses) {
      Refusal refusal;
      try {
        refusal = why_not(test, model, clause.proposition, options);
      } catch (const Unsupported&) {
        continue;
      } catch (const InputError&) { // of final memory, where the model does not order writes
        continue;
      }
      if (refusal.kind != Refusal::Kind::axioms || refusal.broken.front().cycle.empty()) continue;
      ++told;
      expect_a_true_story(test, refusal);
    }
  }
  return told;
}

TEST(Story, IsTrueOfWhatTheCorpusForbids) {
  int told = 0;
  for (const auto* model : {"sc", "jam21", "jls04", "java"})
    for (const auto* folder : {"jmt", "jcstress", "jam19", "lea", "manson"})
      told += tell_all(corpus(folder), model_named(model));
  EXPECT_GT(told, 150);
}

TEST(Story, IsTrueOfMachines) {
  for (const auto* model : {"armv8", "riscv"}) {
    std::vector<litmus::Test> tests;
    for (const auto& entry :
         std::filesystem::directory_iterator(THINAIR_SOURCE_DIR "/tests/models/machines"))
      if (entry.path().filename().string().starts_with(std::string(model) + "-") &&
          entry.path().extension() == ".litmus")
        tests.push_back(litmus::parse(litmus::read_file(entry.path().string())));
    ASSERT_FALSE(tests.empty());
    const auto plan = cat::load_model(model, graph::architecture_of(tests.front()));
    EXPECT_GT(tell_all(tests, plan), 10) << model;
  }
}

TEST(Story, SaysWhatMakesStoreBufferingNotSequential) {
  const auto test = test_of(store_buffering);
  const auto refusal = why_not(test, model_named("sc"), test.clauses[0].proposition);
  const auto text = as_text(refusal);
  EXPECT_EQ(text.rfind(story_of(refusal), 0), 0U) << text;
  EXPECT_NE(text.find("`int r1 = Y.getOpaque()` of Thread0 stands behind `X.setOpaque(1)` of "
                      "Thread0\n"),
            std::string::npos)
      << text;
  EXPECT_NE(without_blanks(text).find(without_blanks(
                "`int r1 = X.getOpaque()` of Thread1 reads x before `X.setOpaque(1)` of Thread0")),
            std::string::npos)
      << text;
}

/// Statements of programs that no file was read for have no place in a text, and have their names.
TEST(Story, NeedsNoFile) {
  auto test = test_of(store_buffering);
  for (auto& thread : std::get<litmus::Program>(test.program).threads)
    for (auto& statement : thread.body) statement.span = {};
  const auto refusal = why_not(test, model_named("sc"), test.clauses[0].proposition);
  EXPECT_NE(story_of(refusal), "");
  expect_a_true_story(test, refusal);
}

/// A freeze belongs to the statement that makes the object, not to the last one of its constructor.
TEST(Story, AFreezeIsTheEndOfItsConstructor) {
  const auto test = test_of(
      "Java published\n{\n  class Box { final int x; }\n  Box f = null;\n  0:F=f; 1:F=f;\n}\n"
      "Thread0 {\n  Box p = new Box {\n    p.x = 1;\n  };\n  F.set(p);\n}\n"
      "Thread1 {\n  Box r = F.get();\n  int i = 0;\n  if (r != null) {\n    i = r.x;\n  }\n}\n"
      "exists (1:r!=null /\\ 1:i=0)\n");
  const auto refusal = why_not(test, model_named("java"), test.clauses[0].proposition);
  ASSERT_TRUE(refusal.drawing);
  std::size_t freezes = 0;
  for (const auto& node : refusal.drawing->nodes)
    if (node.label.find("freeze") != std::string::npos) {
      ++freezes;
      EXPECT_EQ(node.deed, "the end of the constructor in `Box p = new Box` of Thread0");
    }
  EXPECT_EQ(freezes, 1U);
}

} // namespace
} // namespace thinair::explain
