// docs/barriers.md says what thinair says of the questions in corpus/barriers.
#include "lower/target.h"
#include "oracle/cat/model.h"
#include "tests/barriers/barriers.h"
#include "tests/campaign/support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace thinair::campaign {
namespace {

const std::string root = THINAIR_SOURCE_DIR;

/// The part of the page that a question has.
std::string section_of(const barriers::Question& question) {
  static const std::string page = litmus::read_file(root + "/docs/barriers.md").text;
  const auto begin = page.find("\n## " + question.title + "\n");
  if (begin == std::string::npos) return {};
  return page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

/// The page breaks its prose where lines end.
std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string out;
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

struct PageRow {
  std::string verdict; // ours
  double seconds = 0;
};

/// A run's row of the table; none where it has none.
std::optional<PageRow> row_of(const std::string& section, const barriers::Run& run) {
  const auto begin = section.find("\n| " + run.name + " | `");
  if (begin == std::string::npos) return std::nullopt;
  std::istringstream line(section.substr(begin + 1, section.find('\n', begin + 1) - begin - 1));
  std::vector<std::string> cells;
  for (std::string cell; std::getline(line, cell, '|');) cells.push_back(cell);
  if (cells.size() < 7) return std::nullopt;
  const auto trimmed = [](const std::string& s) { return s.substr(1, s.size() - 2); };
  return PageRow{trimmed(cells[5]), std::stod(cells[6])};
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
      const auto row = row_of(section, run);
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
}

/// The page's counterexamples are ones still; what it calls sound is so of all small programs.
TEST(Barriers, ThePageSaysWhatIsSo) {
  std::filesystem::current_path(root);
  const auto model = cat::load_model("java", cat::Architecture::java);
  const Against against{.model = model, .model_name = "java"};
  for (const auto& question : barriers::read_questions("corpus"))
    for (const auto& run : question.runs) {
      const auto section = section_of(question);
      const auto row = row_of(section, run);
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
