// Expert verdicts of the corpus under the rules of JLS 17.4.8 and their revision.
#include "litmus/text/error.h"
#include "tests/causality/programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace thinair::causality {
namespace {

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  const auto root = std::filesystem::path(THINAIR_SOURCE_DIR) / "corpus";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

const std::map<std::string, std::pair<std::string, Identity>> columns = {
    {"jls04", {"jls04", Identity::index}},
    {"jls04-free", {"jls04", Identity::free}},
    {"revised", {"revised", Identity::index}},
    {"revised-free", {"revised", Identity::free}},
};

TEST(Corpus, VerdictsOfExperts) {
  std::size_t compared = 0, unrolled = 0;
  std::vector<std::string> unsupported;
  for (const auto& file : corpus()) {
    const auto test = litmus::parse(litmus::read_file(file.string()));
    const auto asked = [](const auto& v) { return columns.contains(v.model); };
    const bool any = std::ranges::any_of(
        test.clauses, [&](const auto& c) { return std::ranges::any_of(c.verdicts, asked); });
    if (!any) continue;
    try {
      const Subject subject(test);
      for (const auto& clause : test.clauses)
        for (const auto& verdict : clause.verdicts) {
          if (!asked(verdict) || verdict.verdict == litmus::Verdict::contested) continue;
          const auto& [rules, identity] = columns.at(verdict.model);
          const auto analysis = subject.analysis(options(rules, {.identity = identity}));
          const auto answer = analysis->allows([&](const Behaviour& b) {
            return litmus::holds(clause.proposition, subject.observables(), b);
          });
          const bool allowed = verdict.verdict == litmus::Verdict::allowed;
          if (!allowed && answer == Answer::unknown) { // loops: forbidden as far as unrolled
            EXPECT_NE(analysis->incomplete().find("--unroll"), std::string::npos) << file;
            ++unrolled;
            continue;
          }
          EXPECT_EQ(answer, allowed ? Answer::yes : Answer::no)
              << file << " " << clause.label << " " << verdict.model;
          ++compared;
        }
    } catch (const Unsupported& what) {
      unsupported.push_back(file.stem().string());
    }
  }
  EXPECT_GT(compared, 150U);
  EXPECT_LE(unrolled, 8U);
  EXPECT_LE(unsupported.size(), 10U) << ::testing::PrintToString(unsupported);
}

TEST(Corpus, LbOddHasOnlyOnes) {
  const Subject lb_odd(
      java({"int a = X.get(); int b = a | 1; Y.set(b);", "int c = Y.get(); X.set(c);"}));
  for (const auto* rules : {"jls04", "revised"}) {
    EXPECT_EQ(lb_odd.allows("0:a=1 /\\ 0:b=1 /\\ 1:c=1", options(rules)), Answer::yes);
    EXPECT_EQ(lb_odd.allows("0:a=5 /\\ 0:b=5 /\\ 1:c=5", options(rules)), Answer::no);
    EXPECT_EQ(lb_odd.behaviours(options(rules)),
              (std::vector<Behaviour>{{0, 1, 0}, {0, 1, 1}, {1, 1, 1}}));
  }
}

} // namespace
} // namespace thinair::causality
