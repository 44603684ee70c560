// Line plots as SVG.
#include "campaign/page.h"
#include "campaign/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace thinair::campaign {
namespace {

constexpr double width = 640, height = 240, left = 62, right = 16, top = 34, bottom = 40;
constexpr std::size_t most_points = 400;
constexpr std::array<std::string_view, 4> colours{"#2563eb", "#dc2626", "#059669", "#9333ea"};

/// 1, 2 or 5 times a power of ten: about five of them make up `range`.
double step_for(double range) {
  const double raw = range / 5;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power) return factor * power;
  return 10 * power;
}

std::string label(double value) {
  if (value >= 1e6) return fmt::format("{:g}M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:g}k", value / 1e3);
  return fmt::format("{:g}", value);
}

struct Scale {
  double x_most = 1, y_most = 1;
  double x(double v) const { return left + v / x_most * (width - left - right); }
  double y(double v) const { return height - bottom - v / y_most * (height - top - bottom); }
};

Scale scale_for(const std::vector<Series>& series) {
  Scale scale{0, 0};
  for (const auto& one : series) {
    for (const auto& [x, y] : one.points) {
      scale.x_most = std::max(scale.x_most, x);
      scale.y_most = std::max(scale.y_most, y);
    }
  }
  if (scale.x_most <= 0) scale.x_most = 1;
  if (scale.y_most <= 0) scale.y_most = 1;
  scale.y_most = std::ceil(scale.y_most / step_for(scale.y_most)) * step_for(scale.y_most);
  return scale;
}

std::string axes(const Scale& scale, std::string_view x_label) {
  std::string out;
  const double y_step = step_for(scale.y_most), x_step = step_for(scale.x_most);
  for (double v = 0; v <= scale.y_most * 1.0001; v += y_step)
    out += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" "
                       "y2=\"{:.1f}\"/><text x=\"{:.1f}\" "
                       "y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                       left, width - right, scale.y(v), scale.y(v), left - 6, scale.y(v) + 4,
                       label(v));
  for (double v = 0; v <= scale.x_most * 1.0001; v += x_step)
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                       scale.x(v), height - bottom + 16, label(v));
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                     (left + width - right) / 2, height - 6, escape_html(x_label));
  return out;
}

std::string line(const Scale& scale, const Series& series, std::string_view colour) {
  const std::size_t stride =
      std::max<std::size_t>(1, (series.points.size() + most_points - 1) / most_points);
  std::string points;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    if (i % stride != 0 && i + 1 != series.points.size()) continue;
    points += fmt::format("{:.1f},{:.1f} ", scale.x(series.points[i].first),
                          scale.y(series.points[i].second));
  }
  return fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"{}\"/>",
                     colour, points);
}

} // namespace

std::string plot(std::string_view title, std::string_view x_label,
                 const std::vector<Series>& series) {
  const Scale scale = scale_for(series);
  std::string out =
      fmt::format("<svg class=\"plot\" viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-label=\"{}\">",
                  width, height, escape_html(title));
  out +=
      fmt::format("<text class=\"title\" x=\"{:g}\" y=\"16\">{}</text>", left, escape_html(title));
  out += axes(scale, x_label);
  double legend = width - right;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const auto colour = colours[i % colours.size()];
    out += line(scale, series[i], colour);
    if (series.size() < 2) continue;
    out +=
        fmt::format("<text x=\"{:.1f}\" y=\"16\" text-anchor=\"end\" style=\"fill:{}\">{}</text>",
                    legend, colour, escape_html(series[i].label));
    legend -= 9.0 * static_cast<double>(series[i].label.size()) + 16;
  }
  return out + "</svg>\n";
}

} // namespace thinair::campaign
