// Drawings as SVG: a column for each thread, an event below the other, edges behind the events.
#include "litmus/text/printable.h"
#include "oracle/explain/drawing.h"
#include "oracle/explain/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace thinair::explain {
namespace {

constexpr double letter = 7.9, small_letter = 6.7; // widths in the two sizes of the font
constexpr double event_height = 38, row_height = 78, column_gap = 78, heading = 26;

/// Letters of a UTF-8 text.
double letters(std::string_view text) {
  return static_cast<double>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text::printable_word(text)) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    default: out += c;
    }
  }
  return out;
}

/// All edges from one event to another.
struct Line {
  std::size_t from = 0, to = 0;
  std::string label;
  std::string relation; // that gives its colour
  Drawing::Role role = Drawing::Role::fact;
  bool program_order = false; // between neighbours
};

class Picture {
 public:
  explicit Picture(const Drawing& drawing) : drawing_(drawing) {
    choose_events();
    place_threads();
    place_initial();
    gather_lines();
    for (const auto& line : lines_) curves_.push_back(curve_of(line));
    for (std::size_t i = 0; i < lines_.size(); ++i) draw_line(i);
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (!lines_[i].label.empty()) draw_label(i);
  }

  std::string inner() const; // elements of an SVG
  Box frame() const;         // what they take up

 private:
  struct Place {
    bool drawn = false;
    Point centre;
    double width = 0;
    std::size_t column = 0, row = 0;
  };

  bool is_initial(std::size_t event) const { return drawing_.nodes[event].thread < 0; }
  bool shown(const Drawing::Edge& edge) const {
    return edge.role != Drawing::Role::fact || edge.relation == "rf" || !is_initial(edge.from);
  }
  double width_of(const Drawing::Node& node) const {
    return std::max(letters(node.brief + node.name) * letter + 14,
                    letters(node.mode) * small_letter) +
           16;
  }
  Box box(std::size_t event) const {
    return around(places_[event].centre, places_[event].width, event_height);
  }

  void choose_events();
  void place_threads();
  double gap_near(double x) const;
  double width_of_column(std::size_t column) const;
  void place_initial();
  void gather_lines();
  void add(const Drawing::Edge& edge);
  bool neighbours(std::size_t above, std::size_t below) const;
  bool opposed(const Line& line) const;
  Curve curve_of(const Line& line);
  Curve beside(std::size_t from, std::size_t to);
  Curve from_above(std::size_t from, std::size_t to) const;
  Point edge_of_box(std::size_t event, Point towards) const;
  void draw_line(std::size_t line);
  void draw_label(std::size_t line);
  double crowding(const Box& wanted, std::size_t line) const;
  std::string event_text(std::size_t event) const;
  void extend(const Box& box);

  const Drawing& drawing_;
  std::vector<Place> places_;
  std::vector<double> columns_; // centres
  double top_ = 0;              // of the headings
  std::vector<Line> lines_;
  std::vector<Curve> curves_;       // of the lines
  std::map<std::size_t, int> arcs_; // by column: beside it
  std::vector<Box> taken_;          // by labels
  std::string edges_, labels_;
  std::optional<Box> extent_;
};

void Picture::choose_events() {
  places_.resize(drawing_.nodes.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    places_[i].drawn = !is_initial(i);
    places_[i].width = width_of(drawing_.nodes[i]);
  }
  for (const auto& edge : drawing_.edges)
    if (shown(edge)) places_[edge.from].drawn = places_[edge.to].drawn = true;
}

void Picture::place_threads() {
  std::vector<double> widths;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (is_initial(i)) continue;
    const auto column = static_cast<std::size_t>(drawing_.nodes[i].thread);
    if (column >= widths.size()) widths.resize(column + 1, 72), rows.resize(column + 1);
    widths[column] = std::max(widths[column], places_[i].width);
    places_[i].column = column;
    places_[i].row = rows[column]++;
  }
  double left = 0;
  for (const double width : widths) {
    columns_.push_back(left + width / 2);
    left += width + column_gap;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (is_initial(i)) continue;
    auto& place = places_[i];
    place.width = widths[place.column];
    place.centre = {columns_[place.column],
                    heading + event_height / 2 + static_cast<double>(place.row) * row_height};
  }
}

/// The nearest place that is above a gap between threads, or above the space beside them: edges go
/// down there and reach events from the side.
double Picture::gap_near(double x) const {
  double best = 0, distance = 1e9;
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    const bool last = t + 1 == columns_.size();
    const double next = last ? columns_[t] + 2 * (width_of_column(t) / 2 + 34) : columns_[t + 1];
    const double gap = last ? columns_[t] + width_of_column(t) / 2 + 34 : (columns_[t] + next) / 2;
    if (columns_.size() > 1 && last) break;
    if (std::abs(gap - x) < distance) distance = std::abs(gap - x), best = gap;
  }
  return best;
}

double Picture::width_of_column(std::size_t column) const {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (!is_initial(i) && places_[i].column == column) return places_[i].width;
  return 0;
}

/// In a row above the threads, near the middle of the events it has edges to.
void Picture::place_initial() {
  std::vector<std::pair<double, std::size_t>> wish;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!is_initial(i) || !places_[i].drawn) continue;
    double sum = 0, count = 0;
    for (const auto& edge : drawing_.edges)
      if (shown(edge) && edge.from == i && !is_initial(edge.to))
        sum += places_[edge.to].centre.x, ++count;
    wish.emplace_back(gap_near(count > 0 ? sum / count : 0), i);
  }
  if (!wish.empty()) top_ = -event_height - 42;
  std::ranges::sort(wish);
  double left = -1e9, shift = 0;
  for (const auto& [x, i] : wish) {
    const double centre = std::max(x, left + places_[i].width / 2);
    places_[i].centre = {centre, -event_height / 2 - 14};
    left = centre + places_[i].width / 2 + 14;
    shift += (centre - x) / static_cast<double>(wish.size());
  }
  for (const auto& [x, i] : wish) places_[i].centre.x -= shift;
}

bool Picture::neighbours(std::size_t above, std::size_t below) const {
  return !is_initial(above) && !is_initial(below) &&
         places_[above].column == places_[below].column &&
         places_[above].row + 1 == places_[below].row;
}

void Picture::gather_lines() {
  for (const auto& edge : drawing_.edges)
    if (shown(edge)) add(edge);
  std::ranges::stable_sort(lines_, {}, &Line::role); // reasons on top
}

void Picture::add(const Drawing::Edge& edge) {
  auto line = std::ranges::find_if(
      lines_, [&](const Line& l) { return l.from == edge.from && l.to == edge.to; });
  const bool plain_order =
      edge.relation == "po" && edge.role == Drawing::Role::fact && neighbours(edge.from, edge.to);
  if (line == lines_.end()) {
    lines_.push_back({edge.from, edge.to, "", edge.relation, edge.role, plain_order});
    line = lines_.end() - 1;
  }
  if (plain_order) return; // the column says it
  if (line->label.empty() || edge.role > line->role) line->relation = edge.relation;
  line->role = std::max(line->role, edge.role);
  const bool there =
      (", " + line->label + ",").find(", " + edge.relation + ",") != std::string::npos;
  if (!there) line->label += (line->label.empty() ? "" : ", ") + edge.relation;
}

bool Picture::opposed(const Line& line) const {
  return std::ranges::any_of(lines_,
                             [&](const Line& l) { return l.from == line.to && l.to == line.from; });
}

/// Where the way from the centre of an event's box leaves the box.
Point Picture::edge_of_box(std::size_t event, Point towards) const {
  const Point centre = places_[event].centre, way = towards - centre;
  const double across = std::abs(way.x) > 0 ? (places_[event].width / 2) / std::abs(way.x) : 1e9;
  const double down = std::abs(way.y) > 0 ? (event_height / 2) / std::abs(way.y) : 1e9;
  return centre + way * std::min({across, down, 1.0});
}

/// Past the events of one thread, on the outer side of the first column and right of the others.
Curve Picture::beside(std::size_t from, std::size_t to) {
  const auto& a = places_[from];
  const auto& b = places_[to];
  const double side = a.column == 0 && columns_.size() > 1 ? -1 : 1;
  const auto rows = std::abs(static_cast<double>(a.row) - static_cast<double>(b.row));
  const double out = side * (20 + 12 * std::max(rows, 1.0) + 10 * arcs_[a.column]++);
  const double shift = a.row < b.row ? 6 : -6;
  const Point start = a.centre + Point{side * a.width / 2, shift};
  const Point end = b.centre + Point{side * b.width / 2, -shift};
  if (from == to) return {{start, start + Point{out, 26}, end + Point{out, -26}, end}};
  return {{start, start + Point{out, 0}, end + Point{out, 0}, end}};
}

/// From an initial write down beside the threads and into the event's side.
Curve Picture::from_above(std::size_t from, std::size_t to) const {
  const auto& a = places_[from];
  const auto& b = places_[to];
  const double side = a.centre.x < b.centre.x ? -1 : 1;
  const Point start = a.centre + Point{-side * std::min(a.width / 4, 12.0), event_height / 2};
  const Point end = b.centre + Point{side * b.width / 2, -4};
  const double down = end.y - start.y;
  return {{start, start + Point{0, down * 0.6}, end + Point{side * 34, -down * 0.12}, end}};
}

Curve Picture::curve_of(const Line& line) {
  if (is_initial(line.from) && !is_initial(line.to) && !opposed(line))
    return from_above(line.from, line.to);
  const auto& a = places_[line.from];
  const auto& b = places_[line.to];
  const bool one_column = !is_initial(line.from) && !is_initial(line.to) && a.column == b.column;
  if (one_column && !neighbours(line.from, line.to)) return beside(line.from, line.to);
  const Point middle = (a.centre + b.centre) * 0.5, way = b.centre - a.centre;
  const Point normal = Point{-way.y, way.x} * (1 / std::max(length(way), 1.0));
  const bool far = std::abs(static_cast<double>(a.column) - static_cast<double>(b.column)) > 1;
  const double bend = opposed(line) ? 16 : far && a.row == b.row ? 46 : far ? 24 : 0;
  const Point by = middle + normal * bend;
  const Point start = edge_of_box(line.from, by), end = edge_of_box(line.to, by);
  return {{start, start + (by - start) * (2.0 / 3), end + (by - end) * (2.0 / 3), end}};
}

std::string_view class_of(const Line& line) {
  struct Row {
    std::string_view relation, name;
  };
  constexpr auto rows = std::to_array<Row>({{"po", "po"},
                                            {"rf", "rf"},
                                            {"co", "co"},
                                            {"fr", "fr"},
                                            {"hb", "hb"},
                                            {"sw", "sw"},
                                            {"so", "so"}});
  switch (line.role) {
  case Drawing::Role::reason: return "reason";
  case Drawing::Role::support: return "support";
  case Drawing::Role::fact: break;
  }
  const auto word = std::string_view(line.relation).substr(0, line.relation.find(' ')); // "rf racy"
  const auto row = std::ranges::find(rows, word, &Row::relation);
  return row == rows.end() ? "other" : row->name;
}

std::string_view mark_class(Drawing::Mark mark) {
  switch (mark) {
  case Drawing::Mark::none: return "";
  case Drawing::Mark::reason: return " marked";
  case Drawing::Mark::committed: return " committed";
  }
  return "";
}

void Picture::extend(const Box& box) {
  if (!extent_) extent_ = box;
  extent_->low = {std::min(extent_->low.x, box.low.x), std::min(extent_->low.y, box.low.y)};
  extent_->high = {std::max(extent_->high.x, box.high.x), std::max(extent_->high.y, box.high.y)};
}

void Picture::draw_line(std::size_t number) {
  const Line& line = lines_[number];
  const Curve& curve = curves_[number];
  const auto& p = curve.p;
  const Point back = p[2] - p[3];
  const Point along = back * (1 / std::max(length(back), 1e-6)), across{-along.y, along.x};
  const Point left = p[3] + along * 9 + across * 4, right = p[3] + along * 9 - across * 4;
  const Point stop = p[3] + along * 7;
  edges_ += fmt::format(
      "<g class=\"{}\"><path d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\"/>"
      "<path class=\"tip\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\"/></g>\n",
      class_of(line), p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y, stop.x, stop.y, p[3].x,
      p[3].y, left.x, left.y, right.x, right.y);
  for (const double t : {0.25, 0.5, 0.75}) extend(around(curve.at(t), 4, 4));
}

/// What else is where a label is to stand: to cover another label or an event is worst, to stand on
/// the line of another edge is bad, as it reads as that one's.
double Picture::crowding(const Box& wanted, std::size_t line) const {
  constexpr double covers = 100, crosses = 12;
  double sum = 0;
  for (const Box& other : taken_)
    if (wanted.meets(other)) sum += covers;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].drawn && box(i).meets(wanted)) sum += covers;
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    bool on = false;
    for (int step = 0; i != line && !on && step <= 40; ++step)
      on = wanted.meets(around(curves_[i].at(step / 40.0), 3, 3));
    if (on) sum += crosses;
  }
  return sum;
}

/// Near the middle of its edge, on it or close beside it, where least else is.
void Picture::draw_label(std::size_t number) {
  const Line& line = lines_[number];
  const Curve& curve = curves_[number];
  const double width = letters(line.label) * small_letter + 6, height = 15;
  std::optional<Box> chosen;
  double least = 0;
  for (int step = 0; step <= 20; ++step)
    for (const double beside : {0.0, 9.0, -9.0}) {
      const double t = 0.1 + 0.04 * step;
      const Point along = curve.at(t + 0.02) - curve.at(t - 0.02);
      const Point across = Point{-along.y, along.x} * (1 / std::max(length(along), 1e-6));
      // beside a level line a label is above or below it, beside a steep one to the left or right
      const Point shift = across * beside * (1 + std::abs(across.x) * (width / height - 1) / 2);
      const Box wanted = around(curve.at(t) + shift, width, height);
      const double crowd = crowding(wanted, number) + 8 * std::abs(t - 0.5) + std::abs(beside) / 4;
      if (chosen && crowd >= least) continue;
      chosen = wanted;
      least = crowd;
    }
  taken_.push_back(*chosen);
  extend(*chosen);
  labels_ +=
      fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", class_of(line),
                  (chosen->low.x + chosen->high.x) / 2, chosen->high.y - 3.5, escaped(line.label));
}

std::string Picture::event_text(std::size_t event) const {
  const auto& node = drawing_.nodes[event];
  const Box b = box(event);
  const Point centre = places_[event].centre;
  const bool one_line = node.mode.empty();
  std::string out = fmt::format(
      "<rect class=\"event{}{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:g}\" "
      "rx=\"6\"/><text class=\"what\" x=\"{:.1f}\" y=\"{:.1f}\"><tspan class=\"name\">{}</tspan> "
      "{}</text>",
      mark_class(node.mark), node.thread < 0 ? " initial" : "", b.low.x, b.low.y,
      places_[event].width, event_height, centre.x, centre.y + (one_line ? 4.5 : -1),
      escaped(node.name), escaped(node.brief));
  if (!one_line)
    out += fmt::format("<text class=\"mode\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", centre.x,
                       centre.y + 13, escaped(node.mode));
  return out + "\n";
}

std::string Picture::inner() const {
  std::string events, headings;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].drawn) events += event_text(i);
  for (std::size_t t = 0; t < columns_.size(); ++t)
    headings += fmt::format("<text class=\"thread\" x=\"{:.1f}\" y=\"{:.1f}\">Thread{}</text>\n",
                            columns_[t], top_ + 14, t);
  return headings + edges_ + events + labels_;
}

Box Picture::frame() const {
  Box extent = extent_.value_or(Box{});
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!places_[i].drawn) continue;
    const Box b = box(i);
    extent.low = {std::min(extent.low.x, b.low.x), std::min(extent.low.y, b.low.y)};
    extent.high = {std::max(extent.high.x, b.high.x), std::max(extent.high.y, b.high.y)};
  }
  extent.low.y = std::min(extent.low.y, top_); // headings
  constexpr double margin = 8;
  return {extent.low - Point{margin, margin}, extent.high + Point{margin, margin}};
}

} // namespace

std::string as_svg(const Drawing& drawing, Svg kind) {
  return as_svg(std::span(&drawing, 1), kind);
}

std::string as_svg(std::span<const Drawing> drawings, Svg kind) {
  const bool headings = kind == Svg::file || drawings.size() > 1;
  constexpr double heading_height = 30;
  double width = 0, height = 0;
  std::string inside, titles;
  for (const auto& drawing : drawings) {
    const Picture picture(drawing);
    const Box frame = picture.frame();
    if (headings) {
      inside += fmt::format("<text class=\"heading\" x=\"8\" y=\"{:.1f}\">{}</text>\n", height + 20,
                            escaped(drawing.title));
      width = std::max(width, letters(drawing.title) * (small_letter + 0.8) + 16);
      height += heading_height;
    }
    inside += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n", -frame.low.x,
                          height - frame.low.y, picture.inner());
    width = std::max(width, frame.high.x - frame.low.x);
    height += frame.high.y - frame.low.y;
    titles += (titles.empty() ? "" : "; ") + escaped(drawing.title);
  }
  std::string out =
      fmt::format("<svg class=\"execution\"{} viewBox=\"0 0 {:.1f} {:.1f}\" "
                  "style=\"width:100%;max-width:{:.0f}px\" role=\"img\"><title>{}</title>\n",
                  kind == Svg::file ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", width, height,
                  width, titles);
  if (kind == Svg::file)
    out += fmt::format("<style>{}</style>\n<rect width=\"{:.1f}\" height=\"{:.1f}\" "
                       "fill=\"#fff\"/>\n",
                       svg_style(), width, height);
  return out + inside + "</svg>\n";
}

} // namespace thinair::explain
