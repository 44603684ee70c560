// Child processes with limits: no shell, no inherited input, nothing left running.
#pragma once

#include "litmus/text/watch.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::runners {

struct Command {
  std::vector<std::string> argv; // argv[0] is looked for on PATH if it has no slash
  std::string directory{};       // to run in; empty: here
  std::vector<std::pair<std::string, std::string>> environment{}; // beside our own
  double seconds = 0;                                             // wall clock; 0: no limit
  std::uint64_t memory = 0;                   // bytes of address space; 0: no limit
  std::size_t output = std::size_t{64} << 20; // bytes of stdout and of stderr, each
  std::string pulse{}; // a file that grows as long as the command gets on; empty: none
  double stall = 0;    // seconds that `pulse` may stay as it is
};

struct Outcome {
  enum class End : std::uint8_t {
    exited,      // `code` is the exit status
    killed,      // by the signal `code`, not ours
    timed_out,   // after Command::seconds
    stalled,     // Command::pulse did not grow
    too_verbose, // more than Command::output
    not_started, // `error` says why
  };
  End end = End::not_started;
  int code = 0;
  std::string out, error; // as far as read; of not_started: the reason
  double seconds = 0;     // wall clock
};

/// What a command may take, by a deadline of whoever waits for it: no more than `usual`.
double seconds_within(const Deadline& deadline, double usual);

/// Runs a command to its end. Its whole process group is killed when it passes a limit, and when it
/// has ended; if we die, so does it.
Outcome run(const Command& command);

/// "killed by signal 11", "exit status 2", "time limit reached": for reports.
std::string describe(const Outcome& outcome);

/// The program of that name on PATH, or the name itself if it has a slash and can be run; empty
/// where there is none.
std::string find_program(const std::string& name);

} // namespace thinair::runners
