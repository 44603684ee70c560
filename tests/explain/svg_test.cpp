// Drawings as SVG: well-formed, nothing on top of another, everything said that the text says.
#include "oracle/explain/drawing.h"
#include "oracle/explain/examples.h"
#include "oracle/explain/geometry.h"
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

/// Where a label was put: its text is 6.7 wide a letter (oracle/explain/svg.cpp) and 15 high.
std::vector<Rectangle> labels_in(const std::string& svg) {
  std::vector<Rectangle> out;
  const std::regex label(
      R"re(<text class="(?:rf|co|fr|hb|sw|so|other|reason|support)" x="(-?[\d.]+)" y="(-?[\d.]+)">([^<]*)<)re");
  for (std::sregex_iterator it(svg.begin(), svg.end(), label), end; it != end; ++it) {
    const double width = static_cast<double>((*it)[3].length()) * 6.7;
    out.push_back({std::stod((*it)[1]) - width / 2, std::stod((*it)[2]) - 11.5, width, 15});
  }
  return out;
}

/// How many labels stand on the line of another edge.
std::size_t struck_through(const std::string& svg) {
  const std::regex path(
      R"re(<path d="M(-?[\d.]+) (-?[\d.]+)C(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+)")re");
  std::vector<Curve> curves;
  for (std::sregex_iterator it(svg.begin(), svg.end(), path), end; it != end; ++it) {
    const auto at = [&](int i) { return std::stod((*it)[static_cast<std::size_t>(i)]); };
    curves.push_back({{Point{at(1), at(2)}, {at(3), at(4)}, {at(5), at(6)}, {at(7), at(8)}}});
  }
  std::size_t struck = 0;
  for (const auto& label : labels_in(svg)) {
    std::size_t lines = 0;
    for (const auto& curve : curves) {
      bool on = false;
      for (int step = 0; step <= 60 && !on; ++step) {
        const Point p = curve.at(step / 60.0);
        on = p.x > label.x + 2 && p.x < label.x + label.width - 2 && p.y > label.y + 3 &&
             p.y < label.y + label.height - 3;
      }
      lines += on ? 1 : 0;
    }
    struck += lines > 1 ? 1 : 0;
  }
  return struck;
}

/// Edges that cross in their middle have labels where each is alone on its line.
TEST(Svg, LabelsOfEdgesThatCrossStandApart) {
  Drawing drawing;
  drawing.title = "cross";
  for (const int thread : {0, 0, 1, 1})
    drawing.nodes.push_back({std::string(1, static_cast<char>('a' + drawing.nodes.size())), "W x 1",
                             "W x 1", "volatile", thread});
  drawing.edges.push_back({0, 3, "fr", Drawing::Role::reason});
  drawing.edges.push_back({2, 1, "fr", Drawing::Role::reason});
  const auto svg = as_svg(drawing);
  ASSERT_EQ(labels_in(svg).size(), 2U);
  EXPECT_EQ(struck_through(svg), 0U) << svg;
}

TEST(Svg, LabelsCoverNeitherEventsNorEachOtherAndSeldomOtherEdges) {
  std::size_t labels = 0, struck = 0;
  for (const auto& test : corpus("jcstress")) {
    for (const auto& clause : test.clauses) {
      std::optional<Drawing> drawing;
      try {
        drawing = example(test, model_named("jam21"), clause.proposition, few_candidates());
      } catch (const std::runtime_error&) { // final memory, or unsupported
        continue;
      }
      if (!drawing) continue;
      const auto svg = as_svg(*drawing);
      auto boxes = labels_in(svg);
      labels += boxes.size();
      struck += struck_through(svg);
      const auto own = boxes.size();
      std::ranges::move(events_in(svg), std::back_inserter(boxes));
      for (std::size_t i = 0; i < own; ++i)
        for (std::size_t j = i + 1; j < boxes.size(); ++j)
          EXPECT_TRUE(boxes[i].x + boxes[i].width <= boxes[j].x + 1 ||
                      boxes[j].x + boxes[j].width <= boxes[i].x + 1 ||
                      boxes[i].y + boxes[i].height <= boxes[j].y + 1 ||
                      boxes[j].y + boxes[j].height <= boxes[i].y + 1)
              << test.name << ": label " << i << " and " << j << "\n"
              << svg;
    }
  }
  EXPECT_GT(labels, 50U);
  EXPECT_LT(struck * 20, labels) << struck << " of " << labels;
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
