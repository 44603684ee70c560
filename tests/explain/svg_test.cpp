// Drawings as SVG: well-formed, nothing on top of another, everything said that the text says.
#include "oracle/explain/drawing.h"
#include "oracle/explain/examples.h"
#include "oracle/explain/refusal.h"
#include "tests/explain/support.h"

#include <gtest/gtest.h>

#include <regex>

namespace thinair::explain {
namespace {

/// Every tag is closed in order; attributes have no `<`.
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  const std::regex tag(R"(<(/?)([a-z]+)([^<>]*?)(/?)>)");
  for (std::sregex_iterator it(xml.begin(), xml.end(), tag), end; it != end; ++it) {
    if ((*it)[1].length() > 0) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), (*it)[2]);
      open.pop_back();
    } else if ((*it)[4].length() == 0) {
      open.push_back((*it)[2]);
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(std::count(xml.begin(), xml.end(), '<'), std::count(xml.begin(), xml.end(), '>'));
}

struct Rectangle {
  double x, y, width, height;
};

std::vector<Rectangle> events_in(const std::string& svg) {
  std::vector<Rectangle> out;
  const std::regex rect(
      R"re(<rect class="event[^>]*x="(-?[\d.]+)" y="(-?[\d.]+)" width="([\d.]+)" height="([\d.]+)")re");
  for (std::sregex_iterator it(svg.begin(), svg.end(), rect), end; it != end; ++it)
    out.push_back(
        {std::stod((*it)[1]), std::stod((*it)[2]), std::stod((*it)[3]), std::stod((*it)[4])});
  return out;
}

TEST(Svg, HasAColumnForEachThread) {
  const auto test = test_of(store_buffering);
  const auto drawing = example(test, model_named("jam21"), test.clauses[0].proposition);
  ASSERT_TRUE(drawing);
  const auto svg = as_svg(*drawing);
  expect_well_formed(svg);
  const auto events = events_in(svg);
  ASSERT_EQ(events.size(), 6U) << "four accesses, and the two initial writes that are read";
  for (const auto* part : {"Thread0", "Thread1", "W x 1", "R x 0", "opaque", ">rf<", "<style>"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(as_svg(*drawing, Svg::part).find("<style>"), std::string::npos);
}

TEST(Svg, EventsDoNotOverlap) {
  std::size_t drawn = 0;
  for (const auto& test : corpus("jcstress")) {
    for (const auto& clause : test.clauses) {
      std::optional<Drawing> drawing;
      try {
        drawing = example(test, model_named("jls04"), clause.proposition, few_candidates());
      } catch (const std::runtime_error&) { // final memory, or unsupported
        continue;
      }
      if (!drawing) continue;
      ++drawn;
      const auto svg = as_svg(*drawing);
      expect_well_formed(svg);
      const auto events = events_in(svg);
      for (std::size_t i = 0; i < events.size(); ++i)
        for (std::size_t j = i + 1; j < events.size(); ++j)
          EXPECT_TRUE(events[i].x + events[i].width <= events[j].x ||
                      events[j].x + events[j].width <= events[i].x ||
                      events[i].y + events[i].height <= events[j].y ||
                      events[j].y + events[j].height <= events[i].y)
              << test.name << ": " << i << " and " << j;
    }
  }
  EXPECT_GT(drawn, 10U);
}

TEST(Svg, NamesAreEscaped) {
  Drawing drawing;
  drawing.title = "<script> & \"co\"";
  drawing.nodes.push_back({"a", "W", "W <x>", "rel&acq", 0});
  drawing.nodes.push_back({"b", "R", "R", "", 1});
  drawing.edges.push_back({0, 1, "r<f", Drawing::Role::reason});
  const auto svg = as_svg(drawing);
  expect_well_formed(svg);
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_NE(svg.find("W &lt;x&gt;"), std::string::npos);
  EXPECT_NE(svg.find("rel&amp;acq"), std::string::npos);
  EXPECT_NE(svg.find("r&lt;f"), std::string::npos);
}

TEST(Svg, SeveralStandBelowEachOther) {
  Drawing drawing;
  drawing.title = "one";
  drawing.nodes.push_back({"a", "W x=1", "W x 1", "", 0});
  Drawing other = drawing;
  other.title = "two";
  const std::vector<Drawing> both{drawing, other};
  const auto svg = as_svg(both);
  expect_well_formed(svg);
  EXPECT_LT(svg.find(">one<"), svg.find(">two<"));
  EXPECT_EQ(events_in(svg).size(), 2U);
}

} // namespace
} // namespace thinair::explain
