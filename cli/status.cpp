// Drawing and wiping the line.
#include "cli/status.h"

#include "litmus/text/counted.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::cli {
namespace {

constexpr double log_interval_s = 5;
constexpr const char* wipe = "\r\033[J"; // what a narrower terminal has wrapped stands below
constexpr std::size_t usual_columns = 80;

std::string clock_time(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::uint64_t percent(const campaign::Progress& now) {
  const auto total = std::max<std::uint64_t>(*now.total, 1);
  return std::min(now.drawn, total) * 100 / total;
}

/// "[#####...............]".
std::string bar_of(const campaign::Progress& now) {
  constexpr std::uint64_t width = 20;
  return fmt::format("[{:.<{}}]", std::string(percent(now) * width / 100, '#'), width);
}

/// A part of the line: what stands before it, its text, and how soon it is left out (0: never).
struct Part {
  std::string_view before;
  std::string text;
  int rank;
};

std::vector<Part> parts_of(const campaign::Progress& now) {
  std::vector<Part> parts;
  parts.push_back({"", fmt::format("{:.1f} s", now.elapsed_s), 0});
  if (now.total) {
    parts.push_back({"  ", bar_of(now), 7});
    parts.push_back({" ", fmt::format("{:3}%", percent(now)), 3});
    if (const auto left = campaign::eta_s(now))
      parts.push_back({", ", clock_time(*left) + " left", 4});
  }
  parts.push_back({"  ", text::grouped(now.programs) + " programs", 1});
  parts.push_back({" ", fmt::format("({:.0f}/s)", now.programs_per_s), 6});
  parts.push_back({", ", text::grouped(now.mismatches) + " mismatches", 2});
  parts.push_back({", ", text::grouped(now.distinct) + " distinct", 5});
  parts.push_back({", ", text::grouped(now.unknown) + " unknown", 8});
  parts.push_back({", ", text::grouped(now.unsupported) + " unsupported", 9});
  if (now.vacuous > 0) parts.push_back({", ", text::grouped(now.vacuous) + " vacuous", 9});
  parts.push_back({", ", text::grouped(now.coverage) + " combinations", 10});
  parts.push_back({" and ", text::grouped(now.model_parts) + " parts of the model covered", 11});
  return parts;
}

std::string line_of(const std::vector<Part>& parts, int last_rank) {
  std::string line;
  for (const Part& part : parts) {
    if (part.rank > last_rank) continue;
    if (!line.empty()) line += part.before;
    line += part.text;
  }
  return line;
}

} // namespace

std::string status_line(const campaign::Progress& now) {
  const auto parts = parts_of(now);
  return line_of(parts, static_cast<int>(parts.size()));
}

std::string status_line(const campaign::Progress& now, std::size_t columns) {
  const auto parts = parts_of(now);
  for (int rank = static_cast<int>(parts.size()); rank >= 0; --rank)
    if (auto line = line_of(parts, rank); line.size() <= columns) return line;
  return line_of(parts, 0).substr(0, columns);
}

Status::Status(Console& console, bool quiet)
    : console_(console), quiet_(quiet), terminal_(console.err.is_terminal()) {}

Status::~Status() {
  try {
    clear();
  } catch (const WriteError&) { // the terminal is gone
  }
}

void Status::clear() {
  if (!drawn_) return;
  drawn_.reset();
  console_.err.write(wipe);
  console_.err.flush();
}

/// Asked each time, so that the line fits after the terminal was resized. The last column stays
/// empty: some terminals go to the next line behind it.
std::size_t Status::columns() const {
  const std::size_t now = console_.err.columns();
  return (now == 0 ? usual_columns : now) - 1;
}

void Status::draw(const campaign::Progress& progress) {
  console_.err.write(wipe + status_line(progress, columns()));
  console_.err.flush();
  drawn_ = progress;
}

void Status::show(const campaign::Progress& progress) {
  if (quiet_) return;
  const std::scoped_lock guard(mutex_);
  if (terminal_) {
    draw(progress);
  } else if (progress.elapsed_s >= said_s_ + log_interval_s) {
    said_s_ = progress.elapsed_s;
    console_.diagnose(status_line(progress));
  }
}

void Status::result(const std::string& text) {
  const std::scoped_lock guard(mutex_);
  const auto before = drawn_;
  clear();
  console_.out.write(text);
  console_.out.flush();
  if (before) draw(*before);
}

} // namespace thinair::cli
