// Drawing and wiping the line.
#include "cli/status.h"

#include "campaign/statement.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::cli {
namespace {

constexpr double log_interval_s = 5;
constexpr const char* wipe = "\r\033[K";

std::string clock_time(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

/// "[#####...............]  25%, 1:20 left".
std::string bar_of(const campaign::Progress& now) {
  constexpr std::uint64_t width = 20;
  const auto total = std::max<std::uint64_t>(*now.total, 1), done = std::min(now.drawn, total);
  std::string bar = fmt::format("[{:.<{}}] {:3}%", std::string(done * width / total, '#'), width,
                                done * 100 / total);
  if (const auto left = campaign::eta_s(now)) bar += fmt::format(", {} left", clock_time(*left));
  return bar + "  ";
}

} // namespace

std::string status_line(const campaign::Progress& now) {
  return fmt::format("{:7.1f} s  {}{} programs ({:.0f}/s), {} mismatches, {} distinct, {} unknown, "
                     "{} unsupported{}, {} combinations and {} parts of the model covered",
                     now.elapsed_s, now.total ? bar_of(now) : "", campaign::grouped(now.programs),
                     now.programs_per_s, now.mismatches, now.distinct, now.unknown, now.unsupported,
                     now.vacuous > 0 ? fmt::format(", {} vacuous", now.vacuous) : "", now.coverage,
                     now.model_parts);
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
  drawn_ = false;
  console_.err.write(wipe);
  console_.err.flush();
}

void Status::show(const campaign::Progress& progress) {
  if (quiet_) return;
  const std::scoped_lock guard(mutex_);
  if (terminal_) {
    console_.err.write(wipe + status_line(progress));
    console_.err.flush();
    drawn_ = true;
  } else if (progress.elapsed_s >= said_s_ + log_interval_s) {
    said_s_ = progress.elapsed_s;
    console_.diagnose(status_line(progress));
  }
}

void Status::result(const std::string& text) {
  const std::scoped_lock guard(mutex_);
  clear();
  console_.out.write(text);
  console_.out.flush();
}

} // namespace thinair::cli
