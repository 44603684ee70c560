// Points, boxes and curves of drawings.
#pragma once

#include <array>
#include <cmath>

namespace thinair::explain {

struct Point {
  double x = 0, y = 0;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(Point a, double by) { return {a.x * by, a.y * by}; }
inline double length(Point p) { return std::hypot(p.x, p.y); }

struct Box {
  Point low, high;
  bool meets(const Box& other) const {
    return low.x < other.high.x && other.low.x < high.x && low.y < other.high.y &&
           other.low.y < high.y;
  }
};
inline Box around(Point centre, double width, double height) {
  return {centre - Point{width / 2, height / 2}, centre + Point{width / 2, height / 2}};
}

/// A cubic curve.
struct Curve {
  std::array<Point, 4> p;
  Point at(double t) const {
    const double u = 1 - t;
    return p[0] * (u * u * u) + p[1] * (3 * u * u * t) + p[2] * (3 * u * t * t) +
           p[3] * (t * t * t);
  }
};

} // namespace thinair::explain
