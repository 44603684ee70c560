// When a run of a campaign is over: by its time, because it is stopped, or because it failed.
#pragma once

#include "campaign/campaign.h"

#include <atomic>
#include <chrono>
#include <optional>

namespace thinair::campaign {

/// Shared by all workers of a run, which begins with it.
class RunClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// `earlier_s`: what earlier runs of the campaign took.
  RunClock(const Settings& settings, double earlier_s, const std::atomic<bool>& stop)
      : seconds_(settings.seconds), grace_s_(settings.grace_s), earlier_s_(earlier_s), stop_(stop) {
  }

  /// No program is begun any more.
  bool over() const { return ended() || (seconds_ && run_s() >= *seconds_); }
  /// Past the grace, too: what is being judged or reduced is left to a later run.
  bool late() const { return ended() || (seconds_ && run_s() >= *seconds_ + grace_s_); }
  /// When it will be late.
  std::optional<Clock::time_point> end() const {
    if (!seconds_) return std::nullopt;
    return started_ + std::chrono::duration_cast<Clock::duration>(
                          std::chrono::duration<double>(*seconds_ + grace_s_));
  }
  void fail() { failed_ = true; }

  double run_s() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
  double elapsed_s() const { return earlier_s_ + run_s(); } // of the campaign

 private:
  bool ended() const { return stop_ || failed_; }

  const Clock::time_point started_ = Clock::now();
  const std::optional<double> seconds_;
  const double grace_s_, earlier_s_;
  const std::atomic<bool>& stop_;
  std::atomic<bool> failed_ = false;
};

} // namespace thinair::campaign
