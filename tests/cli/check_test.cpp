// thinair check: outcomes, exit codes, tables, JUnit and HTML.
#include "tests/cli/tool.h"
#include "tests/support/browser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

namespace thinair::cli {
namespace {

std::string corpus(const std::string& file) {
  return std::string(THINAIR_SOURCE_DIR) + "/corpus/" + file;
}

TEST(Check, ComparesWithTheChosenVerdicts) {
  const auto test = corpus("ctc/CTC17.litmus");
  const Ran official = tool({"check", test, "--model", "jls04"});
  EXPECT_EQ(official.exit, 1) << official.err;
  EXPECT_EQ(official.out.find("fail        CTC17 \"r1=42 r2=42 r3=42\" jls04: expected allowed, "
                              "found forbidden\n"),
            0U)
      << official.out;
  EXPECT_EQ(tool({"check", test, "--model", "jls04", "--against", "jls04"}).exit, 0);
  EXPECT_EQ(tool({"check", test, "--model", "jls04", "--identity", "free"}).exit, 0);
  const Ran unstated = tool({"check", test, "--model", "jls04", "--against", "rc11"});
  EXPECT_EQ(unstated.exit, 0);
  EXPECT_EQ(unstated.out.find("unstated"), 0U);
}

TEST(Check, ComparesWithSomebodyOnly) {
  const auto test = corpus("ctc/CTC17.litmus");
  const Ran slip = tool({"check", test, "--model", "jls04", "--against", "jam12"});
  EXPECT_EQ(slip.exit, 2);
  EXPECT_EQ(slip.out, "");
  EXPECT_EQ(slip.err, "thinair check: error: --against jam12: no test has such verdicts\n"
                      "  hint: did you mean 'jam19'?\n");
  const Ran nobody = tool({"check", test, "--model", "jls04", "--against", "somebody-else"});
  EXPECT_EQ(nobody.exit, 2);
  EXPECT_NE(nobody.err.find("hint: there are armv8, causal, "), std::string::npos) << nobody.err;
  const Folder folder; // a key of one's own
  const auto mine =
      folder.write("s/T.litmus", "Java T\n{ x=0; 0:X=x; }\n"
                                 "Thread0 { int r = X.get(); }\n"
                                 "forbidden \"1\" (0:r=1)\n  verdicts mine=allowed\n");
  EXPECT_EQ(tool({"check", mine, "--model", "sc", "--against", "mine"}).exit, 1);
}

TEST(Check, AContestedOutcomeIsNoFailure) {
  const auto test = corpus("jam19/ARMv8-LB.litmus");
  for (const auto* model : {"jam19", "coherence"}) { // forbids it, allows it
    const Ran ran = tool({"check", test, "--model", model});
    EXPECT_EQ(ran.exit, 0) << model;
    EXPECT_EQ(ran.out.find("contested   ARMv8-LB "), 0U) << ran.out;
  }
  const Ran by_model = tool(
      {"check", corpus("jam19/ARMv8-WRC+addrs.litmus"), "--model", "jam19", "--against", "jam19"});
  EXPECT_EQ(by_model.exit, 0);
  EXPECT_EQ(by_model.out.find("contested   ARMv8-WRC+addrs "), 0U) << by_model.out;
}

TEST(Check, UnsupportedIsCountedAndUndecided) {
  const Ran ran = tool({"check", corpus("umm/UMM-9-final.litmus"), "--model", "jls04"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_NE(ran.out.find("(unsupported: final variables)"), std::string::npos) << ran.out;
  EXPECT_EQ(tool({"check", corpus("umm/UMM-9-final.litmus"), "--model", "umm:jmm-mp"}).exit, 0);
}

TEST(Check, AQuestionTheModelHasNoAnswerToIsCounted) {
  const Folder folder;
  const auto test = folder.write("s/T.litmus", "Java T\n{ x=0; 0:X=x; }\n"
                                               "Thread0 { X.set(1); }\nrequired \"m\" ([x]=1)\n");
  const Ran ran = tool({"check", test, "--model", "jls04"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_EQ(ran.out.find("unsupported T \"m\" jls04: expected allowed, found - ("), 0U) << ran.out;
}

TEST(Check, ModelsSideBySide) {
  const Ran ran = tool({"check", corpus("nemos/NEMOS-10.litmus"), "--models", "sc,umm:coherence"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_NE(ran.out.find("sc: expected allowed, found forbidden"), std::string::npos);
  EXPECT_NE(ran.out.find("umm:coherence: expected allowed, found allowed"), std::string::npos);
  const auto table = ran.out.substr(ran.out.find("\n\n") + 2);
  EXPECT_EQ(table.substr(0, table.find("\nseconds")),
            "pass/fail/unsupported/unknown/vacuous/contested/unstated\n\n"
            "source                                   sc            umm:coherence\n"
            "nemos                         0/1/0/0/0/0/0            1/0/0/0/0/0/0\n"
            "all                           0/1/0/0/0/0/0            1/0/0/0/0/0/0");
}

TEST(Check, WrongUse) {
  EXPECT_EQ(tool({"check", corpus("ctc/CTC1.litmus"), "--model", "umm:none"}).exit, 2);
}

TEST(Check, WritesJunitAndHtmlThatQuote) {
  const Folder folder;
  const auto xml = folder.path("r.xml"), page = folder.path("r.html");
  const auto test =
      folder.write("s/T.litmus", "Java T\n{ x=0; 0:X=x; }\nThread0 { int r = X.get(); }\n"
                                 "required \"<b> & 'q'\" (0:r=1)\n");
  EXPECT_EQ(tool({"check", test, "--model", "sc", "--junit", xml, "--html", page}).exit, 1);
  const auto report = read(xml), html = read(page);
  EXPECT_NE(report.find("tests=\"1\" failures=\"1\""), std::string::npos) << report;
  EXPECT_NE(report.find("&lt;b&gt; &amp; &#39;q&#39;"), std::string::npos);
  EXPECT_EQ(html.find("<b> &"), std::string::npos);
  for (const auto* outside : {"src=", "http:", "https:", "@import"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_NE(html.find("the values rule it out"), std::string::npos) << "why not";
}

TEST(Check, ABrowserShowsThePageWithoutSidewaysScrolling) {
  const Folder folder;
  const auto page = folder.path("r.html");
  tool({"check", corpus("jam21"), "--models", "jls04,jam21,sc", "--html", page});
  const auto shown = support::render(read(page), 390);
  if (!shown) GTEST_SKIP() << "no chromium that starts";
  EXPECT_LE(shown->width, 390);
  EXPECT_GT(shown->pictures, 5);
  EXPECT_EQ(shown->problems, "");
}

/// Each answer links to a place on the page, where a picture or a reason is.
TEST(Check, ThePageExplainsEachAnswer) {
  const Folder folder;
  const auto page = folder.path("r.html");
  tool({"check", corpus("ctc"), "--models", "jls04,jam21,umm:sc", "--html", page});
  const auto html = read(page);
  const std::regex link("href=\"#([^\"]+)\"");
  std::set<std::string> targets;
  for (std::sregex_iterator it(html.begin(), html.end(), link), end; it != end; ++it)
    targets.insert((*it)[1]);
  EXPECT_GT(targets.size(), 60U);
  for (const auto& target : targets)
    EXPECT_NE(html.find("id=\"" + target + "\""), std::string::npos) << target;
  EXPECT_NE(html.find("no sequence of commits justifies it"), std::string::npos);
  EXPECT_NE(html.find("<svg class=\"execution\""), std::string::npos);
  EXPECT_LT(html.size(), 2'000'000U);
  const auto program = html.find("Java CTC1\n");
  EXPECT_EQ(html.find("Java CTC1\n", program + 1), std::string::npos) << "programs are shared";
}

/// The elements of an XML text, "<a>" and "</a>" matched; fails on what is not well formed.
std::vector<std::string> elements(const std::string& xml) {
  std::vector<std::string> all, open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at)) {
    const auto end = xml.find('>', at);
    EXPECT_NE(end, std::string::npos) << xml.substr(at);
    if (end == std::string::npos) break;
    const auto tag = xml.substr(at + 1, end - at - 1);
    at = end;
    if (tag.starts_with("?")) continue;
    const auto name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.starts_with("/")) {
      EXPECT_FALSE(open.empty()) << tag;
      if (open.empty()) break;
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
      continue;
    }
    all.push_back(name);
    EXPECT_EQ(std::ranges::count(tag, '"') % 2, 0) << tag;
    if (!tag.ends_with("/")) open.push_back(name);
  }
  EXPECT_TRUE(open.empty());
  return all;
}

std::size_t attribute(const std::string& xml, std::string_view element, std::string_view name) {
  const auto begin = xml.find("<" + std::string(element) + " ");
  const auto at = xml.find(std::string(name) + "=\"", begin) + name.size() + 2;
  return std::stoul(xml.substr(at, xml.find('"', at) - at));
}

TEST(Check, JunitIsWellFormedAndCountsWhatItHolds) {
  const Folder folder;
  const auto xml = folder.path("r.xml");
  EXPECT_EQ(tool({"check", corpus("umm"), "--model", "jls04", "--junit", xml}).exit, 3);
  const auto text = read(xml);
  const auto all = elements(text);
  const auto count = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::count(all, name));
  };
  EXPECT_TRUE(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"));
  EXPECT_EQ(count("testsuites"), 1U);
  EXPECT_EQ(count("testsuite"), 1U);
  EXPECT_EQ(count("testcase"), attribute(text, "testsuite", "tests"));
  EXPECT_EQ(count("failure"), attribute(text, "testsuite", "failures"));
  EXPECT_EQ(count("skipped"), attribute(text, "testsuite", "skipped"));
  EXPECT_EQ(count("skipped"), 2U) << "final variables";
  for (const auto& name : all)
    EXPECT_TRUE(name == "testsuites" || name == "testsuite" || name == "testcase" ||
                name == "failure" || name == "skipped")
        << name;
}

/// Two versions of a model: what differs is shown with its program, and only that.
TEST(CheckBaseline, ShowsWhatChangedBetweenTwoVersions) {
  const Folder folder;
  const auto tests = folder.path("t");
  folder.write("t/sb.litmus", "Java SB\n{ x=0; y=0; X=x; Y=y; }\n"
                              "Thread0 { X.set(1); int a = Y.get(); }\n"
                              "Thread1 { Y.set(1); int b = X.get(); }\n"
                              "forbidden \"both old\" (0:a=0 /\\ 1:b=0)\n"
                              "required \"both new\" (0:a=1 /\\ 1:b=1)\n");
  const Ran same = tool({"check", tests, "-m", "sc", "--baseline", "sc"});
  EXPECT_EQ(same.exit, 0) << same.err;
  EXPECT_EQ(same.out, "0 of 2 questions have another answer\n");
  const Ran weaker = tool({"check", tests, "-m", "tso", "--baseline", "sc"});
  EXPECT_EQ(weaker.exit, 1);
  EXPECT_NE(weaker.out.find(
                "SB \"both old\": forbidden under sc, allowed under tso; expected forbidden\n"),
            std::string::npos)
      << weaker.out;
  EXPECT_NE(weaker.out.find("X.set(1)"), std::string::npos);
  EXPECT_EQ(weaker.out.find("both new"), std::string::npos);
  const Ran json = tool({"check", tests, "-m", "tso", "--baseline", "sc", "--json"});
  EXPECT_NE(json.out.find("\"before\":\"forbidden\",\"now\":\"allowed\""), std::string::npos)
      << json.out;
  EXPECT_EQ(tool({"check", tests, "--models", "tso,sc", "--baseline", "sc"}).exit, 2);
}

} // namespace
} // namespace thinair::cli
