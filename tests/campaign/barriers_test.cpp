// docs/barriers.md says what thinair says of the questions in corpus/barriers.
#include "lower/target.h"
#include "oracle/cat/model.h"
#include "tests/barriers/barriers.h"
#include "tests/barriers/page.h"
#include "tests/campaign/support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace thinair::campaign {
namespace {

const std::string root = THINAIR_SOURCE_DIR;

const std::string& page() {
  static const std::string text = litmus::read_file(root + "/docs/barriers.md").text;
  return text;
}

std::string section_of(const barriers::Question& question) {
  return barriers::section_of(page(), question);
}

/// The page breaks its prose where lines end.
std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string out;
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// The program that the page shows for a run.
litmus::Program program_of(const std::string& section, const barriers::Run& run) {
  const auto begin = section.find("\n" + run.name + ": ");
  const auto from = section.find("```\n", begin) + 4;
  return litmus::parse({"page", section.substr(from, section.find("```", from) - from)}).java();
}

TEST(Barriers, ThePageHasEveryQuestionWithAnAnswerOrAReason) {
  std::filesystem::current_path(root);
  std::size_t answered = 0;
  const auto questions = barriers::read_questions("corpus");
  EXPECT_EQ(questions.size(), 19u);
  for (const auto& question : questions) {
    const auto section = section_of(question);
    ASSERT_FALSE(section.empty()) << question.folder;
    EXPECT_NE(in_one_line(section).find(in_one_line(question.asks)), std::string::npos)
        << question.folder;
    bool whole = !question.runs.empty(), differs = false;
    for (const auto& run : question.runs) {
      const auto row = barriers::row_of(section, run);
      ASSERT_TRUE(row) << question.folder << " " << run.name;
      whole &= row->seconds <= 120 && (row->verdict == "sound" || row->verdict == "unsound");
      differs |= run.concluded != "open" && row->verdict != run.concluded;
    }
    answered += whole;
    EXPECT_TRUE(!differs || !question.because.empty()) << question.folder;
    EXPECT_NE(in_one_line(section).find(in_one_line(question.because)), std::string::npos)
        << question.folder;
    for (const auto& entry :
         std::filesystem::directory_iterator("corpus/barriers/" + question.folder))
      if (entry.path().extension() == ".scheme") {
        EXPECT_NE(section.find(litmus::read_file(entry.path().string()).text), std::string::npos)
            << entry.path() << ": scripts/results writes the page again";
      }
  }
  EXPECT_GE(answered, 17u);
  EXPECT_NE(page().find(barriers::in_short(questions, page())), std::string::npos);
}

/// The page's counterexamples are ones still; what it calls sound is so of all small programs.
TEST(Barriers, ThePageSaysWhatIsSo) {
  std::filesystem::current_path(root);
  const auto model = cat::load_model("java", cat::Architecture::java);
  const Against against{.model = model, .model_name = "java"};
  for (const auto& question : barriers::read_questions("corpus"))
    for (const auto& run : question.runs) {
      const auto section = section_of(question);
      const auto row = barriers::row_of(section, run);
      ASSERT_TRUE(row);
      if (row->verdict == "unsound")
        EXPECT_EQ(make_target(run.target, against)->judge(program_of(section, run)).verdict,
                  Verdict::unsound)
            << question.folder << " " << run.name;
      else
        EXPECT_EQ(
            barriers::answer(run, model, {.accesses = 3, .seconds = 0, .random = 30, .jobs = 2})
                .verdict,
            Verdict::sound)
            << question.folder << " " << run.name;
    }
}

} // namespace
} // namespace thinair::campaign
