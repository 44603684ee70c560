// Reports: self-contained, quoted, grouped, and looked at in a real browser where there is one.
#include "campaign/report.h"
#include "litmus/test.h"

#include <gtest/gtest.h>

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

MismatchRow row(std::uint64_t index, std::uint64_t minimal) {
  MismatchRow made;
  made.hash.words = {index, 1};
  made.place = {0, index};
  made.original = "Java original-" + std::to_string(index) + "\n{ x = 0; }\n";
  made.finding = {"0:r1=1", "coherence"};
  made.minimal = minimal_text;
  made.minimal_hash.words = {minimal, 2};
  made.minimal_finding = {"0:r1=1; 0:r2=0; 1:r1=1; 1:r2=0", "no-<thin>-air & \"co\""};
  made.minimal_accesses = 6;
  made.steps = 7;
  made.tried = 70;
  made.found_after_s = 0.5;
  return made;
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
    chunk.coverage = {{"com get set", 4}, {"po-diff set get", 1}};
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

  static Explanation explain(const MismatchRow&, const std::string& target) {
    return {"void thread0() {}",
            "movl $1,(x)",
            "thinair sound minimal.litmus --model jam21 --target " + target,
            {{"What forbids it", "<svg viewBox=\"0 0 10 10\"><circle r=\"3\"/></svg>", ""},
             {"In words", "", "co & rf"}}};
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

TEST_F(Report, HtmlIsSelfContainedAndQuoted) {
  const auto page = html(store_, groups(store_), explain);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_EQ(page.find("https://"), std::string::npos);
  EXPECT_EQ(page.find("no-<thin>-air"), std::string::npos);
  EXPECT_NE(page.find("no-&lt;thin&gt;-air &amp; &quot;co&quot;"), std::string::npos);
  EXPECT_NE(page.find("X.set(1);"), std::string::npos);
  EXPECT_NE(page.find("thinair sound minimal.litmus"), std::string::npos);
  EXPECT_NE(page.find("name=\"viewport\""), std::string::npos);
  EXPECT_NE(page.find("<polyline"), std::string::npos);
}

TEST_F(Report, MarkdownHasEverything) {
  const auto text = markdown(store_, groups(store_), explain);
  for (const auto* part : {"# 2 mismatches of x86:table2 against jam21", "X.set(1);", "movl $1,(x)",
                           "Again: `thinair", "Reduced from 2 programs", "co & rf"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST_F(Report, JsonHasTheAgreedShape) {
  const auto text = to_json(store_, "DIR", groups(store_));
  EXPECT_TRUE(text.starts_with(
      R"({"campaign":"DIR","model":"jam21","targets":["x86:table2"],"programs":10,"seconds":2)"))
      << text;
  for (const auto* key :
       {"\"unknown\":0", "\"id\":", "\"target\":", "\"behaviour\":", "\"accesses\":6",
        "\"program\":", "\"original\":", "\"seed\":9", "\"found_after_s\":0.5", "\"reason\":"})
    EXPECT_NE(text.find(key), std::string::npos) << key;
}

TEST_F(Report, ABrowserShowsItWithoutSidewaysScrollingOnAPhone) {
  if (std::system("command -v chromium >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "chromium is not installed";
  const std::string page = directory_ + "/report.html", dom = directory_ + "/dom.html";
  std::string text = html(store_, groups(store_), explain);
  const std::string probe = "<script>document.title='width "
                            "'+document.documentElement.scrollWidth+' of '+window.innerWidth;"
                            "</script></body>";
  text.replace(text.find("</body>"), 7, probe);
  std::ofstream(page) << text;
  const std::string command =
      "chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync --user-data-dir=" +
      directory_ + "/profile --window-size=500,900 --dump-dom 'file://" + page + "' >" + dom +
      " 2>/dev/null";
  if (std::system(command.c_str()) != 0) GTEST_SKIP() << "chromium does not start here";
  std::ifstream file(dom);
  const std::string shown(std::istreambuf_iterator<char>(file), {});
  std::smatch widths;
  ASSERT_TRUE(std::regex_search(shown, widths, std::regex("<title>width (\\d+) of (\\d+)</title>")))
      << shown.substr(0, 300);
  EXPECT_LE(std::stoi(widths[1]), std::stoi(widths[2]));
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
