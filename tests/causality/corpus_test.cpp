// Expert verdicts of the corpus under the rules of JLS 17.4.8 and their revision.
#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/causality/check.h"
#include "tests/causality/programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
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

/// The answer to a clause; a yes has passed the independent check.
Answer checked(Oracle& oracle, const litmus::Clause& clause) {
  const auto answer = oracle.allows(clause.proposition);
  if (answer != Answer::allowed) return answer;
  const auto problem =
      violation(oracle.graphs(), oracle.evidence(), oracle.rules().rules, oracle.switches());
  EXPECT_EQ(problem.value_or(""), "");
  return answer;
}

struct Tally {
  std::size_t compared = 0;
  std::vector<std::string> unsupported, unknown;
};

void compare(const litmus::Test& test, const std::string& model, Tally& tally) {
  static const auto jls04 = cat::load_model("jls04", graph::Architecture::java);
  const auto asked = [&](const auto& v) { return v.model == model; };
  const bool any = std::ranges::any_of(
      test.clauses, [&](const auto& c) { return std::ranges::any_of(c.verdicts, asked); });
  if (!any) return;
  Options options;
  options.rules = columns.at(model).first;
  options.switches.identity = columns.at(model).second;
  std::optional<Oracle> oracle;
  for (const auto& clause : test.clauses) {
    const auto verdict = std::ranges::find_if(clause.verdicts, asked);
    if (verdict == clause.verdicts.end() || verdict->verdict == litmus::Verdict::contested)
      continue;
    const bool allowed = verdict->verdict == litmus::Verdict::allowed;
    try {
      if (!oracle) oracle.emplace(test, jls04, options);
      const auto answer = checked(*oracle, clause);
      if (answer == Answer::unknown)
        tally.unknown.push_back(test.name + ": " + answer.because.text);
      if (answer == Answer::unknown) continue;
      EXPECT_EQ(answer == Answer::allowed, allowed)
          << test.name << " " << clause.label << " " << model;
      ++tally.compared;
    } catch (const Unsupported& what) {
      tally.unsupported.push_back(test.name + ": " + what.what());
    }
  }
}

TEST(Corpus, VerdictsOfExperts) {
  Tally tally;
  for (const auto& file : corpus()) {
    const auto test = litmus::parse(litmus::read_file(file.string()));
    for (const auto& [model, rules] : columns) compare(test, model, tally);
  }
  EXPECT_GT(tally.compared, 180U);
  EXPECT_LE(tally.unknown.size(), 0U) << ::testing::PrintToString(tally.unknown);
  EXPECT_LE(tally.unsupported.size(), 0U) << ::testing::PrintToString(tally.unsupported);
}

/// Every question of the corpus under the rules of the JLS, other modes than plain and volatile
/// taken for plain. Final fields are unsupported.
TEST(Corpus, EveryQuestionIsDecided) {
  static const auto jls04 = cat::load_model("jls04", graph::Architecture::java, {.as_plain = true});
  Tally tally;
  for (const auto& file : corpus()) {
    const auto test = litmus::parse(litmus::read_file(file.string()));
    for (const auto& clause : test.clauses) {
      try {
        Oracle oracle(test, jls04);
        const auto answer = checked(oracle, clause);
        ++tally.compared;
        if (answer == Answer::unknown)
          tally.unknown.push_back(test.name + ": " + answer.because.text);
      } catch (const Unsupported& what) {
        tally.unsupported.push_back(test.name + ": " + what.what());
      } catch (const InputError&) {
        continue; // about memory, of which the model says nothing
      }
    }
  }
  EXPECT_GT(tally.compared, 350U);
  EXPECT_LE(tally.unknown.size(), 0U) << ::testing::PrintToString(tally.unknown);
  EXPECT_LE(tally.unsupported.size(), 4U) << ::testing::PrintToString(tally.unsupported);
}

/// What tests expect of Java, under the model of all its modes, with the differences that
/// docs/model-java.md explains.
TEST(Corpus, TheModelJavaSaysWhatIsExpected) {
  static const auto java_model = cat::load_model("java", graph::Architecture::java);
  std::set<std::string> failed, unknown;
  std::size_t agreed = 0, unsupported = 0;
  for (const auto& file : corpus()) {
    const auto test = litmus::parse(litmus::read_file(file.string()));
    for (const auto& clause : test.clauses) {
      using enum litmus::Quantifier;
      if (clause.quantifier != required && clause.quantifier != forbidden) continue;
      try {
        Oracle oracle(test, java_model);
        const auto answer = checked(oracle, clause);
        if (answer == Answer::unknown)
          unknown.insert(test.name);
        else if ((answer == Answer::allowed) == (clause.quantifier == required))
          ++agreed;
        else
          failed.insert(test.name);
      } catch (const Unsupported&) {
        ++unsupported;
      }
    }
  }
  EXPECT_EQ(agreed, 435U);
  EXPECT_EQ(unsupported, 2U) << "final variables";
  EXPECT_EQ(failed, (std::set<std::string>{"CTC19", "CTC20", "MT4.10"}));
  EXPECT_EQ(unknown, (std::set<std::string>{}));
}

TEST(Corpus, LbOddHasOnlyOnes) {
  const Subject lb_odd(
      java({"int a = X.get(); int b = a | 1; Y.set(b);", "int c = Y.get(); X.set(c);"}));
  for (const auto* rules : {"jls04", "revised"}) {
    EXPECT_EQ(lb_odd.allows("0:a=1 /\\ 0:b=1 /\\ 1:c=1", options(rules)), Answer::allowed);
    EXPECT_EQ(lb_odd.allows("0:a=5 /\\ 0:b=5 /\\ 1:c=5", options(rules)), Answer::forbidden);
    EXPECT_EQ(lb_odd.behaviours(options(rules)),
              (std::vector<Behaviour>{{0, 1, 0}, {0, 1, 1}, {1, 1, 1}}));
  }
}

} // namespace
} // namespace thinair::causality
