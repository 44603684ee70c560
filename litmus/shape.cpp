// Matches a program's accesses with a table of shapes.
#include "litmus/shape.h"

#include "litmus/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace thinair::litmus {
namespace {

// Names: Alglave, Maranget, "A diy Seven tutorial" (two and three threads); coherence tests as in
// Alglave et al. 2014, figure 6. "+rfi": a thread reads its own write in between.
constexpr auto shape_table = std::to_array<Shape>({
    {"CoWW", "Wx Wx"},
    {"CoRW1", "Rx Wx"},
    {"CoWR0", "Wx Rx"},
    {"CoRR", "Wx | Rx Rx"},
    {"CoRW2", "Wx | Rx Wx"},
    {"CoWR", "Wx | Wx Rx"},
    {"CoWW2", "Wx | Wx Wx"},
    {"CoRR of two writes", "Wx Wx | Rx Rx"},
    {"CoRR2", "Wx | Wx | Rx Rx | Rx Rx"},
    {"SB", "Wx Ry | Wy Rx"},
    {"MP", "Wx Wy | Ry Rx"},
    {"LB", "Rx Wy | Ry Wx"},
    {"R", "Wx Wy | Wy Rx"},
    {"S", "Wx Wy | Ry Wx"},
    {"2+2W", "Wx Wy | Wy Wx"},
    {"SB+rfi", "Wx Rx Ry | Wy Rx"},
    {"SB+rfis", "Wx Rx Ry | Wy Ry Rx"},
    {"MP+rfi", "Wx Rx Wy | Ry Rx"},
    {"MP+fri-rfi", "Wx Wy | Ry Wy Ry Rx"},
    {"R+rfi", "Wx Wy | Wy Ry Rx"},
    {"2+2W+rfi", "Wx Rx Wy | Wy Wx"},
    {"2+2W+rfis", "Wx Rx Wy | Wy Ry Wx"},
    {"WRC", "Wx | Rx Wy | Ry Rx"},
    {"RWC", "Wx | Rx Ry | Wy Rx"},
    {"WWC", "Wx | Rx Wy | Ry Wx"},
    {"WRR+2W", "Wx | Rx Ry | Wy Wx"},
    {"WRW+WR", "Wx | Rx Wy | Wy Rx"},
    {"WRW+2W", "Wx | Rx Wy | Wy Wx"},
    {"ISA2", "Wx Wy | Ry Wz | Rz Rx"},
    {"W+RWC", "Wx Wy | Ry Rz | Wz Rx"},
    {"Z6.0", "Wx Wy | Ry Wz | Wz Rx"},
    {"Z6.1", "Wx Wy | Wy Wz | Rz Wx"},
    {"Z6.2", "Wx Wy | Ry Wz | Rz Wx"},
    {"Z6.3", "Wx Wy | Wy Wz | Rz Rx"},
    {"Z6.4", "Wx Wy | Wy Rz | Wz Rx"},
    {"Z6.5", "Wx Wy | Wy Wz | Wz Rx"},
    {"3.SB", "Wx Ry | Wy Rz | Wz Rx"},
    {"3.LB", "Rx Wy | Ry Wz | Rz Wx"},
    {"3.2W", "Wx Wy | Wy Wz | Wz Wx"},
    {"IRIW", "Wx | Rx Ry | Wy | Ry Rx"},
    {"IRWIW", "Wx | Rx Wy | Wy | Ry Wx"},
});

struct Mark {
  bool reads = false, writes = false;
  std::uint32_t location = 0;
};
using Threads = std::vector<std::vector<Mark>>;

Threads threads_of(std::string_view shape) {
  Threads out(1);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == '|') out.emplace_back();
    if (shape[i] != 'R' && shape[i] != 'W') continue;
    out.back().push_back(
        {shape[i] == 'R', shape[i] == 'W', static_cast<std::uint32_t>(shape[i + 1] - 'x')});
    ++i;
  }
  return out;
}

Threads threads_of(const Program& program) {
  Threads out;
  for (const auto& thread : program.threads) {
    std::vector<Mark> marks;
    for (const auto& step : steps_of(thread)) {
      const auto* method = std::get_if<Method>(&step.what);
      if (method == nullptr) continue;
      const auto action = info(*method).action;
      marks.push_back({reads(action), writes(action), step.location.value});
    }
    if (!marks.empty()) out.push_back(std::move(marks));
  }
  return out;
}

/// Pairs threads and locations of a shape with those of a program.
class Match {
 public:
  Match(const Threads& shape, const Threads& program)
      : shape_(shape), program_(program), used_(program.size()) {}

  bool found() { return shape_.size() == program_.size() && thread(0); }

 private:
  static constexpr std::uint32_t open = 0xFFFFFFFF;

  bool thread(std::size_t next) {
    if (next == shape_.size()) return true;
    for (std::size_t i = 0; i < program_.size(); ++i) {
      if (used_[i]) continue;
      const auto names = names_;
      used_[i] = true;
      if (fits(shape_[next], program_[i]) && thread(next + 1)) return true;
      used_[i] = false;
      names_ = names;
    }
    return false;
  }

  bool fits(const std::vector<Mark>& shape, const std::vector<Mark>& program) {
    if (shape.size() != program.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i].reads ? !program[i].reads : !program[i].writes) return false;
      if (!same(shape[i].location, program[i].location)) return false;
    }
    return true;
  }

  bool same(std::uint32_t mine, std::uint32_t theirs) {
    if (names_[mine] != open) return names_[mine] == theirs;
    if (std::ranges::find(names_, theirs) != names_.end()) return false;
    names_[mine] = theirs;
    return true;
  }

  const Threads& shape_;
  const Threads& program_;
  std::vector<bool> used_;
  std::array<std::uint32_t, 3> names_{open, open, open}; // x, y, z in the program
};

} // namespace

std::span<const Shape> shapes() { return shape_table; }

std::string shape_of(const Program& program) {
  if (features(program).objects) return {}; // the shapes are of locations alone
  const auto threads = threads_of(program);
  const bool updates = std::ranges::any_of(threads, [](const auto& marks) {
    return std::ranges::any_of(marks, [](const Mark& m) { return m.reads && m.writes; });
  });
  for (const auto& shape : shape_table)
    if (Match(threads_of(shape.threads), threads).found())
      return std::string(shape.name) + (updates ? " with updates" : "");
  return {};
}

std::string shape_in_words(std::string_view name) {
  const auto shape =
      std::ranges::find(shapes(), name.substr(0, name.find(" with updates")), &Shape::name);
  if (shape == shapes().end()) return {};
  std::string out;
  for (const auto& thread : threads_of(shape->threads)) {
    out += out.empty() ? "one thread" : "; another";
    for (std::size_t i = 0; i < thread.size(); ++i)
      out += fmt::format("{} {} {}",
                         i == 0                   ? ""
                         : i + 1 == thread.size() ? " and"
                                                  : ",",
                         thread[i].reads ? "reads" : "writes",
                         static_cast<char>('x' + thread[i].location));
  }
  return out;
}

} // namespace thinair::litmus
