// The progress of a long run on standard error: one line that is drawn again and again on a
// terminal, a line now and then in a log.
#pragma once

#include "campaign/campaign.h"
#include "cli/console.h"

#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace thinair::cli {

/// "12.0 s  3401 programs (283/s), 5 mismatches, ..", with a bar and the time left where the end is
/// known.
std::string status_line(const campaign::Progress& progress);

/// As much of it as `columns` hold, the most important first.
std::string status_line(const campaign::Progress& progress, std::size_t columns);

/// May be used by several threads.
class Status {
 public:
  /// Draws nothing if `quiet`.
  Status(Console& console, bool quiet);
  Status(const Status&) = delete;
  Status& operator=(const Status&) = delete;
  ~Status(); // leaves the terminal's line empty

  void show(const campaign::Progress& progress);

  /// Writes a result to standard output, not into the status line.
  void result(const std::string& text);

 private:
  void clear();
  void draw(const campaign::Progress& progress);
  std::size_t columns() const;

  Console& console_;
  const bool quiet_, terminal_;
  std::mutex mutex_;
  double said_s_ = 0;
  std::optional<campaign::Progress> drawn_; // what the line on the terminal says
};

} // namespace thinair::cli
