// The corpus keeps the rules of docs/corpus.md, and the rules catch what breaks them.
#include "litmus/text/error.h"
#include "tests/litmus/corpus_rules.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::litmus::corpus {
namespace {

const std::filesystem::path tree = THINAIR_SOURCE_DIR;

const std::string& document() {
  static const std::string value = read_file(tree / "docs/corpus.md").text;
  return value;
}

const Rules& rules() {
  static const Rules value = read_rules(document());
  return value;
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> value = read_corpus(tree / "corpus");
  return value;
}

using Strings = std::vector<std::string>;

TEST(Corpus, EveryFileKeepsTheRules) {
  for (const Entry& entry : entries()) EXPECT_EQ(problems(entry, rules()), Strings{});
}

TEST(Corpus, NamesAreUnique) { EXPECT_EQ(repeated_names(entries()), Strings{}); }

TEST(Corpus, NoTwoFilesContradictEachOther) { EXPECT_EQ(contradictions(entries()), Strings{}); }

TEST(Corpus, CountsAreThoseOfTheDocument) {
  const auto counted = count(entries());
  for (const auto& [directory, counts] : counted)
    EXPECT_TRUE(rules().counts.contains(directory)) << directory << " is not in docs/corpus.md";
  for (const auto& [directory, counts] : rules().counts) {
    ASSERT_TRUE(counted.contains(directory)) << directory << " is not in corpus/";
    EXPECT_EQ(counts, counted.at(directory))
        << directory << ": " << counted.at(directory).programs << " programs, "
        << counted.at(directory).outcomes << " outcomes, " << counted.at(directory).required
        << " required, " << counted.at(directory).forbidden << " forbidden, "
        << counted.at(directory).contested << " contested";
  }
}

TEST(Corpus, EveryDocumentedWordIsUsed) {
  std::set<std::string, std::less<>> keys, models;
  for (const Entry& entry : entries()) {
    for (const auto& [key, value] : entry.test.metadata) keys.insert(key);
    for (const Clause& clause : entry.test.clauses)
      for (const ModelVerdict& verdict : clause.verdicts) models.insert(verdict.model);
  }
  EXPECT_EQ(keys, rules().metadata);
  EXPECT_EQ(models, rules().models);
}

TEST(Corpus, TheExampleOfTheDocumentIsAFile) {
  const std::size_t begin = document().find("```\n") + 4;
  const std::string example = document().substr(begin, document().find("```\n", begin) - begin);
  const auto is_example = [&](const Entry& entry) { return entry.source.text == example; };
  EXPECT_TRUE(std::ranges::any_of(entries(), is_example)) << example;
}

/// A file that keeps the rules, for the tests below to break.
const std::string good = R"(Java T1
"load buffering"
Source=a source
{
  x = 0; y = 0;
  0:X=x; 0:Y=y;
  1:X=x; 1:Y=y;
}
Thread0 {
  int r1 = X.get();
  Y.set(1);
}
Thread1 {
  int r2 = Y.get();
  X.set(1);
}
required "r1=1 r2=1" (0:r1=1 /\ 1:r2=1)
  because "Nothing keeps the writes behind the reads"
  verdicts jls04=allowed jam21=allowed
  confidence certain
)";

std::string with(std::string text, std::string_view old, std::string_view replacement) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), replacement);
}

Strings problems_of(const std::string& text) {
  return problems(read_entry("some/T1.litmus", text), rules());
}

TEST(CorpusRules, AGoodFileHasNoProblem) { EXPECT_EQ(problems_of(good), Strings{}); }

TEST(CorpusRules, EachBreachIsReportedWithItsPlace) {
  struct Row {
    std::string_view old, replacement, problem;
  };
  const Row rows[] = {
      {"Java T1", "Java T2", "some/T1.litmus:1: the file is not called `T2.litmus`"},
      {"\"load buffering\"\n", "", "some/T1.litmus:1: there is no title"},
      {"  X.set(1)", "    X.set(1)",
       "some/T1.litmus:1: the file is not laid out as `thinair fmt` does it"},
      {"Source=a source\n", "Section=1\n", "some/T1.litmus:1: there is no `Source`"},
      {"Source=a source\n", "Source=\n", "some/T1.litmus:3: metadata `Source` is empty"},
      {"source\n", "source\nAuthor=me\n",
       "some/T1.litmus:4: metadata `Author` is not in docs/corpus.md"},
      {"source\n", "source\nContested=for fun\n",
       "some/T1.litmus:4: `Contested`, but no outcome is"},
      {"required", "contested",
       "some/T1.litmus:17: an outcome is contested and no `Contested` says why"},
      {"source\n", "source\nNeeds=loops\n",
       "some/T1.litmus:4: `Needs` is `loops`, the program needs ``"},
      {"Y.set(1);", "Y.set(1);\n  print(1);",
       "some/T1.litmus:1: `Needs` is ``, the program needs `external-actions`"},
      {"  because \"Nothing keeps the writes behind the reads\"\n", "",
       "some/T1.litmus:17: an outcome has no `because`"},
      {"reads\"", "reads.\"", "some/T1.litmus:18: a reason ends without a full stop"},
      {"  confidence certain\n", "", "some/T1.litmus:17: an outcome has no `confidence`"},
      {"jam21=", "jam22=", "some/T1.litmus:19: model `jam22` is not in docs/corpus.md"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(problems_of(with(good, row.old, row.replacement)), Strings{std::string(row.problem)});
}

TEST(CorpusRules, OnlyOurClausesAreOutcomes) {
  EXPECT_EQ(problems_of(with(good, good.substr(good.find("required")), "exists (0:r1=1)\n")),
            (Strings{"some/T1.litmus:17: an outcome must be `required`, `forbidden` or `contested`",
                     "some/T1.litmus:17: an outcome has no label",
                     "some/T1.litmus:17: an outcome has no `because`",
                     "some/T1.litmus:17: an outcome has no `confidence`"}));
}

TEST(CorpusRules, AnUnknownVerdictIsNotRead) {
  EXPECT_THROW(read_entry("some/T1.litmus", with(good, "jam21=allowed", "jam21=maybe")),
               InputError);
}

TEST(CorpusRules, ARepeatedNameIsReported) {
  const std::vector<Entry> twice{read_entry("a/T1.litmus", good), read_entry("b/T1.litmus", good)};
  EXPECT_EQ(repeated_names(twice), Strings{"T1"});
}

/// The good file with every name another, the threads swapped and the value 7 for 1.
const std::string renamed = R"(Java T2
"load buffering"
Source=another source
{
  u = 0; v = 0;
  0:U=u; 0:V=v;
  1:U=u; 1:V=v;
}
Thread0 {
  int a = V.get();
  U.set(7);
}
Thread1 {
  int b = U.get();
  V.set(7);
}
required "both" (1:b=7 /\ 0:a=7)
  because "Nothing keeps the writes behind the reads"
  verdicts jls04=allowed
  confidence certain
)";

Strings contradictions_with(const std::string& text) {
  return contradictions({read_entry("some/T1.litmus", good), read_entry("other/T2.litmus", text)});
}

TEST(CorpusRules, AgreeingFilesDoNotContradict) {
  EXPECT_EQ(contradictions_with(renamed), Strings{});
}

TEST(CorpusRules, AContradictionIsSeenThroughRenaming) {
  EXPECT_EQ(contradictions_with(with(renamed, "required", "forbidden")),
            Strings{"other/T2.litmus:17: its quantifier says forbidden, of the same program "
                    "some/T1.litmus:17 says allowed"});
  EXPECT_EQ(contradictions_with(with(renamed, "jls04=allowed", "jls04=forbidden")),
            Strings{"other/T2.litmus:17: jls04 says forbidden, of the same program "
                    "some/T1.litmus:17 says allowed"});
}

TEST(CorpusRules, AnotherOutcomeIsAnotherQuestion) {
  const std::string forbidden = with(renamed, "required", "forbidden");
  EXPECT_EQ(contradictions_with(with(forbidden, "0:a=7", "0:a=0")), Strings{});
  EXPECT_EQ(contradictions_with(with(forbidden, " /\\ 0:a=7", "")), Strings{});
  EXPECT_EQ(contradictions_with(with(forbidden, "V.get", "V.getOpaque")), Strings{});
  EXPECT_EQ(contradictions_with(with(renamed, "required", "contested")), Strings{});
}

TEST(CorpusRules, OutcomesOfMemoryAreCompared) {
  const std::string memory = with(good, "0:r1=1 /\\ 1:r2=1", "[x]=1 /\\ [y]=0");
  const std::string swapped = with(memory, "[x]=1 /\\ [y]=0", "[y]=1 /\\ [x]=0");
  EXPECT_EQ(contradictions(
                {read_entry("a", memory), read_entry("b", with(swapped, "required", "forbidden"))})
                .size(),
            1u);
}

TEST(CorpusRules, EachOfSeveralForbiddenOutcomesIsForbidden) {
  const std::string any = with(renamed, "1:b=7 /\\ 0:a=7", "1:b=7 /\\ (0:a=7 \\/ 0:a=0)");
  EXPECT_EQ(contradictions_with(with(any, "required", "forbidden")).size(), 1u);
  EXPECT_EQ(contradictions_with(any), Strings{});
}

} // namespace
} // namespace thinair::litmus::corpus
