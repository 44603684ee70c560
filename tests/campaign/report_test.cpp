// Reports: self-contained, quoted, grouped, and looked at in a real browser where there is one.
#include "campaign/ends.h"
#include "campaign/explanation.h"
#include "campaign/report.h"
#include "campaign/report_filter.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "tests/campaign/support.h"
#include "tests/support/browser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

namespace thinair::campaign {
namespace {

namespace fs = std::filesystem;

constexpr const char* minimal_text =
    "Java minimal\n{ x = 0; y = 0; X=x; Y=y; }\n"
    "Thread0 { X.set(1); int r1 = X.getVolatile(); int r2 = Y.getVolatile(); }\n"
    "Thread1 { Y.set(1); int r1 = Y.getVolatile(); int r2 = X.getVolatile(); }\n"
    "exists (0:r1=1)\n";

litmus::State state(std::string_view text) { return litmus::state_in(text).value(); }

MismatchRow row(std::uint64_t index, std::uint64_t minimal) {
  MismatchRow made;
  made.hash.words = {index, 1};
  made.place = {0, index};
  made.original = "Java original-" + std::to_string(index) + "\n{ x = 0; }\n";
  made.finding = {state("0:r1=1"), explain::core_in("coherence")};
  made.minimal = minimal_text;
  made.minimal_hash.words = {minimal, 2};
  made.minimal_finding = {state("0:r1=1; 0:r2=0; 1:r1=1; 1:r2=0"),
                          explain::core_in("no-<thin>-air & \"co\"")};
  made.minimal_accesses = 6;
  made.steps = 7;
  made.tried = 70;
  made.found_after_s = 0.5;
  return made;
}

TEST(Ends, AreInTheTermsOfTheProgram) {
  MismatchRow made;
  made.minimal =
      "Java objects\n{\n  class Box { int x; }\n  Box f = null;\n  0:F=f; 1:F=f; X=x;\n}\n"
      "Thread0 { Box r = new Box { r.x = 1; }; F.set(r); X.set(2); }\n"
      "Thread1 { Box r = F.get(); int i = 0; if (r != null) { i = r.x; } }\n"
      "exists (1:i=0)\n";
  made.minimal_finding.behaviour = state("0:r=1; 1:i=0; 1:r=0; [x]=2");
  EXPECT_EQ(end_of(made), "0:r=Box.1; 1:i=0; 1:r=null; [x]=2");
  EXPECT_EQ(end_in_words(made), "Thread0 ends with r = Box.1; Thread1 ends with i = 0, r = null; "
                                "memory ends with x = 2");
}

class Report : public ::testing::Test {
 protected:
  Report()
      : store_(Store::open(directory_,
                           {9, 4, "jam21", {"x86:table2"}, "cycles = 1\n", "thinair 0.1"})) {
    Chunk chunk;
    chunk.after = {0, 10, 3, 3};
    for (std::uint64_t i = 0; i < 10; ++i)
      chunk.programs.push_back({{{i, 1}}, {0, i}, 0, {i < 3 ? Verdict::unsound : Verdict::sound}});
    chunk.mismatches = {row(0, 100), row(1, 200), row(2, 100)};
    chunk.undecided = {{0, {{7, 1}}, Verdict::unknown, "limit of <paths>", "a longer program\n"},
                       {0, {{8, 1}}, Verdict::unsupported, "unsupported: foo", "foo\n"},
                       {0, {{9, 1}}, Verdict::unknown, "limit of <paths>", "a program\n"}};
    chunk.coverage = {{coverage_key_in("com get set").value(), 4},
                      {coverage_key_in("po-diff set get").value(), 1}};
    chunk.elapsed_s = 2;
    store_.commit(chunk);
    for (int i = 1; i <= 20; ++i)
      store_.add_sample(
          {0.1 * i, static_cast<std::uint64_t>(i) / 2, 1, static_cast<std::uint64_t>(i) / 10});
  }
  ~Report() override { fs::remove_all(directory_); }

  static std::string temporary() {
    std::string name = (fs::temp_directory_path() / "thinair-report-XXXXXX").string();
    return ::mkdtemp(name.data());
  }

  static Explanation explain(const MismatchRow&) {
    return {
        "void thread0() {}",
        "movl $1,(x)",
        "thinair sound minimal.litmus --model jam21 --target x86:table2",
        {{"What forbids it", "<svg viewBox=\"0 0 10 10\"><circle cx=\"5\" cy=\"5\" r=\"3\"/></svg>",
          "", "a cycle"},
         {"In words", "", "co & rf", ""}}};
  }

  /// All finds have one cause.
  Finds finds() const {
    Finds made{groups(store_), {}};
    Cause cause;
    cause.side = Cause::Side::target;
    cause.sentence = "set & <get>: nothing keeps the write";
    cause.change = "`mfence` behind set";
    cause.shape = "SB+rfis";
    for (std::size_t i = 0; i < made.groups.size(); ++i) {
      cause.members.push_back(i);
      cause.originals += made.groups[i].originals;
    }
    made.causes = {cause};
    return made;
  }

  std::string directory_ = temporary();
  Store store_;
};

TEST_F(Report, GroupsByMinimalProgram) {
  const auto found = groups(store_);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].originals, 2U);
  EXPECT_EQ(found[0].first.place.index, 0U);
  EXPECT_EQ(found[1].originals, 1U);
  EXPECT_EQ(groups(store_, {found[0].first.minimal_hash}).size(), 1U) << "known ones are left out";
}

Group group(const std::string& reason, std::uint32_t accesses, std::uint64_t originals) {
  Group made{row(originals, 100 * originals), originals};
  made.first.minimal_finding.reason = explain::core_in(reason);
  made.first.minimal_accesses = accesses;
  return made;
}

TEST(Reasons, MostMinimalProgramsFirstAndTheSmallestNamed) {
  const std::vector<Group> found = {group("b", 5, 1), group("a", 7, 2), group("a", 4, 4),
                                    group("c", 3, 8), group("a", 4, 16)};
  const auto reasons = by_reason(found);
  ASSERT_EQ(reasons.size(), 3U);
  EXPECT_EQ(as_text(reasons[0].reason), "a");
  EXPECT_EQ(reasons[0].members, (std::vector<std::size_t>{1, 2, 4}));
  EXPECT_EQ(reasons[0].originals, 22U);
  EXPECT_EQ(smallest(reasons[0], found), 2U);
  EXPECT_EQ(as_text(reasons[1].reason), "b");
  EXPECT_EQ(as_text(reasons[2].reason), "c");
  EXPECT_TRUE(by_reason({}).empty());
}

TEST_F(Report, LeadsWithCauses) {
  const auto all = finds();
  const auto page = html(store_, all, explain);
  const auto cause = page.find("set &amp; &lt;get&gt;: nothing keeps the write");
  ASSERT_NE(cause, std::string::npos);
  EXPECT_LT(cause, page.find("X.set(1);")) << "before the first program";
  EXPECT_NE(page.find("1 cause of 2 mismatches"), std::string::npos);
  EXPECT_NE(page.find("1 more minimal program of this cause"), std::string::npos);
  EXPECT_NE(page.find("What mends it: <code>mfence</code> behind set."), std::string::npos);
  const auto text = markdown(store_, all, explain);
  EXPECT_NE(text.find("1. set & <get>: nothing keeps the write; 2 minimal programs, the smallest "
                      "with 6 accesses (SB+rfis)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("What mends it: `mfence` behind set.\n"), std::string::npos);
  const auto json = to_json(store_, "DIR", all);
  EXPECT_NE(
      json.find(
          R"("causes":[{"sentence":"set & <get>: nothing keeps the write",)"
          R"("side":"target","parts":[],"kind":"","place":"","change":"`mfence` behind set","targets":[],)"
          R"("mismatches":[")" +
          litmus::to_string(all.groups[0].first.minimal_hash)),
      std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("reasons":[{"reason":"no-<thin>-air & \"co\"","mismatches":2,)"),
            std::string::npos);
}

/// A thousand programs of one cause are one card with one drawing each for execution and reason.
TEST_F(Report, ProgramsOfOneCauseAreExplainedOnce) {
  Chunk chunk;
  chunk.after = {0, 1010, 1003, 1003};
  for (std::uint64_t i = 10; i < 1010; ++i) chunk.mismatches.push_back(row(i, 1000 + i));
  store_.commit(chunk);
  int asked = 0;
  const auto page = html(store_, finds(), [&](const MismatchRow& each) {
    ++asked;
    return explain(each);
  });
  EXPECT_EQ(asked, 1);
  EXPECT_NE(page.find("1,001 more minimal programs of this cause"), std::string::npos);
  EXPECT_LT(page.size(), 2'000'000U);
}

TEST_F(Report, SaysWhatWasNeverExercised) {
  const auto never = never_exercised(store_);
  EXPECT_EQ(never.size(), 34U) << "all but get and set";
  EXPECT_EQ(std::ranges::count(never, litmus::Operation(litmus::Method::get)), 0);
  EXPECT_EQ(std::ranges::count(never, litmus::Operation(litmus::Fence::full)), 1);
  EXPECT_EQ(in_families(never),
            "getOpaque, setOpaque, getAcquire, setRelease, getVolatile, setVolatile, all updates, "
            "all fences");
  EXPECT_EQ(in_families({litmus::Method::get, litmus::Method::compareAndSet, litmus::Fence::full}),
            "get, compareAndSet, fullFence");
  EXPECT_NE(html(store_, finds(), explain).find("all updates, all fences"), std::string::npos);
  EXPECT_NE(markdown(store_, finds(), explain).find("all updates, all fences"), std::string::npos);
  EXPECT_NE(to_json(store_, "DIR", finds()).find(R"("never_exercised":["getOpaque")"),
            std::string::npos);
}

/// What is chance must not tell apart what has one reason.
TEST_F(Report, TheRateIsNoPartOfTheReason) {
  auto one = row(10, 300), other = row(11, 400);
  one.minimal_finding = {state("0:r1=1"), explain::core_in("coherence"),
                         "3 of 3 runs, 7 of <9000> samples"};
  other.minimal_finding = {state("0:r1=1"), explain::core_in("coherence"),
                           "2 of 3 runs, 1 of 8000 samples"};
  Chunk chunk;
  chunk.after = {0, 12, 5, 5};
  chunk.mismatches = {one, other};
  store_.commit(chunk);
  const auto found = groups(Store::open_existing(directory_));
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[2].first.minimal_finding, one.minimal_finding) << "stored and read back";
  EXPECT_EQ(found[3].first.minimal_finding, other.minimal_finding);
  EXPECT_EQ(found[0].first.minimal_finding.seen, "") << "of what is no chance";
  EXPECT_EQ(by_reason(found).size(), 2U);
  EXPECT_NE(to_json(store_, "DIR", finds())
                .find(R"("reason":"coherence","seen":"3 of 3 runs, 7 of <9000> samples"})"),
            std::string::npos);
  EXPECT_NE(markdown(store_, finds(), explain).find("Seen in 2 of 3 runs, 1 of 8000 samples.\n"),
            std::string::npos);
  EXPECT_NE(html(store_, finds(), explain).find("Seen in 3 of 3 runs, 7 of &lt;9000&gt; samples."),
            std::string::npos);
}

TEST_F(Report, SaysWhyProgramsHaveNoVerdict) {
  const auto why = undecided(store_);
  ASSERT_EQ(why.size(), 2U);
  EXPECT_EQ(why[0].reason, "limit of <paths>") << "the more frequent first";
  EXPECT_EQ(why[0].programs, 2U);
  EXPECT_EQ(why[0].example, "a program\n") << "the shorter";
  EXPECT_EQ(why[1].verdict, Verdict::unsupported);
  const auto page = html(store_, finds(), explain);
  EXPECT_NE(page.find("limit of &lt;paths&gt;"), std::string::npos);
  EXPECT_NE(markdown(store_, finds(), explain)
                .find("## unknown on x86:table2: limit of <paths>\n\n2 programs, the shortest of "
                      "which is:\n\n```\na program\n```\n"),
            std::string::npos);
  EXPECT_NE(to_json(store_, "DIR", finds())
                .find(R"({"target":"x86:table2","verdict":"unknown","reason":"limit of <paths>",)"
                      R"("programs":2,"example":"a program\n"})"),
            std::string::npos);
}

TEST_F(Report, HtmlIsSelfContainedAndQuoted) {
  const auto page = html(store_, finds(), explain);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_EQ(page.find("https://"), std::string::npos);
  EXPECT_EQ(page.find("no-<thin>-air"), std::string::npos);
  EXPECT_NE(page.find("no-&lt;thin&gt;-air &amp; &quot;co&quot;"), std::string::npos);
  EXPECT_NE(page.find("X.set(1);"), std::string::npos);
  EXPECT_NE(page.find("Thread0 ends with r1 = 1, r2 = 0; Thread1 ends with r1 = 1, r2 = 0"),
            std::string::npos);
  EXPECT_NE(page.find("thinair sound minimal.litmus"), std::string::npos);
  EXPECT_NE(page.find("name=\"viewport\""), std::string::npos);
  EXPECT_NE(page.find("<polyline"), std::string::npos);
}

/// A choice hides what does not fit by style alone; each program says what it is found by.
TEST_F(Report, CanBeNarrowedWithoutScripts) {
  auto found = finds();
  ASSERT_EQ(found.groups.size(), 2U);
  found.groups[1].first.minimal = "Java other\n{ x = 0; X=x; }\n"
                                  "Thread0 { int r1 = X.getAndAdd(1); }\n"
                                  "Thread1 { int r1 = X.getAndAdd(1); }\nexists (0:r1=1)\n";
  const ReportFilter filter(found, store_.identity());
  EXPECT_EQ(filter.words(0), "SB+rfis: set, getVolatile");
  EXPECT_EQ(filter.words(1).find("SB"), std::string::npos);
  EXPECT_NE(filter.words(1).find("getAndAdd"), std::string::npos);
  const auto page = html(store_, found, explain);
  const auto rule_of = [&](const std::string& name) { // "f1v0"
    const std::regex choice("id=\"(f\\d+v\\d+)\"> " + name + " <");
    std::smatch match;
    return std::regex_search(page, match, choice) ? match[1].str() : std::string();
  };
  const auto set = rule_of("set"), update = rule_of("getAndAdd");
  ASSERT_FALSE(set.empty() || update.empty()) << page;
  const auto hides = "body:has(#" + update + ":checked) .found:not(." + update + "){display:none}";
  EXPECT_NE(page.find(hides), std::string::npos);
  EXPECT_NE((" " + filter.classes(0) + " ").find(" " + set + " "), std::string::npos);
  EXPECT_EQ((" " + filter.classes(0) + " ").find(" " + update + " "), std::string::npos);
  EXPECT_NE((" " + filter.classes(1) + " ").find(" " + update + " "), std::string::npos);
  EXPECT_NE((" " + filter.classes(found.causes[0]) + " ").find(" " + update + " "),
            std::string::npos);
  EXPECT_EQ(rule_of("x86:table2"), "") << "there is but one target to choose";
}

/// On a narrow screen a cell stands beside its column's name: it is one element, however many
/// pieces of code its sentence has. Causes name the targets that show them where there are several.
TEST_F(Report, CellsAreOneElementAndNameTargets) {
  auto found = finds();
  found.causes[0].sentence = "set: nothing keeps `X.set(1)` before `int r = Y.get()`";
  const auto without = html(store_, found, explain);
  EXPECT_EQ(without.find("data-name=\"targets\""), std::string::npos);
  EXPECT_EQ(without.find("Shown by"), std::string::npos);
  found.causes[0].targets = {"riscv:cxx", "riscv:zabha"};
  const auto page = html(store_, found, explain);
  EXPECT_NE(page.find("<td data-name=\"targets\"><span>riscv:cxx and riscv:zabha</span></td>"),
            std::string::npos);
  EXPECT_NE(page.find("<p>Shown by riscv:cxx and riscv:zabha.</p>"), std::string::npos);
  EXPECT_NE(markdown(store_, found, explain).find("Shown by riscv:cxx and riscv:zabha.\n"),
            std::string::npos);
  EXPECT_NE(as_text(found.causes[0], found.groups).find(" on riscv:cxx and riscv:zabha, the"),
            std::string::npos);
  std::size_t cells = 0;
  const std::string_view opening = " data-name=";
  for (auto at = page.find(opening); at != std::string::npos; at = page.find(opening, at + 1)) {
    const auto begin = page.find('>', at) + 1, end = page.find("</td>", at);
    const auto inside = page.substr(begin, end - begin);
    EXPECT_TRUE(inside.starts_with("<span>") && inside.ends_with("</span>")) << inside;
    ++cells;
  }
  EXPECT_GT(cells, 4U);
}

TEST(Titles, NameFewTargetsAndCountMany) {
  EXPECT_EQ(targets_in_title({1, 1, "java", {"x86:table2"}, "", "1"}), "x86:table2");
  EXPECT_EQ(targets_in_title({1, 1, "java", {"a", "b", "c"}, "", "1"}), "a, b and c");
  EXPECT_EQ(targets_in_title({1, 1, "java", {"a", "b", "c", "d"}, "", "1"}), "4 targets");
}

TEST_F(Report, MarkdownHasEverything) {
  const auto text = markdown(store_, finds(), explain);
  for (const auto* part : {"# 2 mismatches of x86:table2 against jam21", "X.set(1);", "movl $1,(x)",
                           "Again:\n\n```\nthinair", "Reduced from 2 programs", "co & rf"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST_F(Report, JsonHasTheAgreedShape) {
  const auto text = to_json(store_, "DIR", finds());
  EXPECT_TRUE(text.starts_with(
      R"({"campaign":"DIR","model":"jam21","targets":["x86:table2"],"programs":10,"seconds":2)"))
      << text;
  for (const auto* key :
       {"\"unknown\":0", "\"id\":", "\"target\":", "\"behaviour\":", "\"accesses\":6",
        "\"program\":", "\"original\":", "\"seed\":9", "\"found_after_s\":0.5", "\"reason\":"})
    EXPECT_NE(text.find(key), std::string::npos) << key;
}

TEST_F(Report, ABrowserShowsItWithoutSidewaysScrolling) {
  for (const int width : {390, 1200}) {
    const auto shown = support::render(html(store_, finds(), explain), width);
    if (!shown) GTEST_SKIP() << "no chromium that starts";
    EXPECT_LE(shown->width, width);
    EXPECT_EQ(shown->pictures, 3) << "two plots, a drawing for the smallest program";
    EXPECT_EQ(shown->problems, "");
  }
}

Explanation explained_by(const Aimed& target, const MismatchRow& row) {
  return target->explain(litmus::parse({"minimal", row.minimal}), row.minimal_finding.behaviour);
}

/// What real engines say of a real mismatch (jMT, figure 5).
TEST_F(Report, ExplainsWithCodeExecutionAndReason) {
  const Aimed target("jam21", "x86:table2");
  MismatchRow mismatch = row(0, 1);
  mismatch.minimal_finding.behaviour = state("0:r1=1; 0:r2=0; 1:r1=1; 1:r2=0");
  const auto program = litmus::parse({"minimal", minimal_text}).java();
  ASSERT_EQ(target.verdict(program), Verdict::unsound);
  const auto explained = explained_by(target, mismatch);
  EXPECT_NE(explained.lowered.find("movl"), std::string::npos);
  EXPECT_NE(explained.command.find("thinair sound - --model jam21 --target x86:table2 <<'END'\n"),
            std::string::npos);
  EXPECT_NE(explained.java.find("class "), std::string::npos) << explained.java;
  ASSERT_EQ(explained.drawings.size(), 2U);
  for (const auto& drawing : explained.drawings)
    EXPECT_NE(drawing.svg.find("Thread1"), std::string::npos) << drawing.title;
  EXPECT_NE(explained.drawings[1].note.find("comes before"), std::string::npos);
  EXPECT_EQ(explained.drawings[1].note.find("axiom "), std::string::npos) << "words come first";
  EXPECT_NE(explained.drawings[1].terms.find("axiom "), std::string::npos);
  EXPECT_NE(explained.drawings[0].steps.find("enters the store buffer"), std::string::npos);
  EXPECT_NE(explained.drawings[1].svg.find("class=\"reason\""), std::string::npos);
  const Explain engines = [&](const auto&) { return explained_by(target, mismatch); };
  const auto shown = support::render(html(store_, finds(), engines), 390);
  if (!shown) GTEST_SKIP() << "no chromium that starts";
  EXPECT_LE(shown->width, 390);
  EXPECT_EQ(shown->problems, "");
}

/// A store without checksums, or judged by an engine that was wrong.
TEST(Explain, WhatIsNoMismatchAnyMoreIsAnError) {
  const Aimed code("jam21", "x86:table2");
  MismatchRow sound = row(0, 1);
  sound.minimal = "Java sound\n{ x = 0; X=x; }\nThread0 { X.set(1); }\nexists (x=1)\n";
  EXPECT_THROW(explained_by(code, sound), InputError);
}

TEST(Plot, DrawsItsPointsWithinItsBox) {
  const auto svg = plot("t", "x", {{"a", {{0, 0}, {10, 5}}}, {"b", {{0, 1}, {10, 12345}}}});
  EXPECT_NE(svg.find("viewBox"), std::string::npos);
  std::regex number("points=\"([^\"]*)\"");
  for (std::sregex_iterator it(svg.begin(), svg.end(), number), end; it != end; ++it) {
    std::istringstream points((*it)[1].str());
    double x = 0, y = 0;
    char comma = 0;
    while (points >> x >> comma >> y) {
      EXPECT_GE(x, 0);
      EXPECT_LE(x, 640);
      EXPECT_GE(y, 0);
      EXPECT_LE(y, 240);
    }
  }
}

} // namespace
} // namespace thinair::campaign
