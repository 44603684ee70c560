// The real herd7 as an engine: many tests in one process, its answers in the shape of our own.
#pragma once

#include "litmus/test.h"
#include "oracle/question/question.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace thinair::runners {

struct HerdOptions {
  std::string program; // a path; empty: find_herd7()
  std::string model =
      "x86-tso"; // a shipped one by name, the path of a .cat file, or empty: herd7's own
  bool all_registers = false;
  std::optional<std::uint32_t> unroll; // further rounds of a loop; herd7's default is 2
  std::string optace = "iico";         // how herd7 generates candidates: false, true, iico
  bool atomic_updates = false; // drop candidates in which two updates read from one write at once
  double seconds = 60;         // of processor time, a test
  double grace = 5;            // seconds to start in, beside those of the tests
  std::uint64_t memory = 0;    // bytes of address space; 0: no limit
};

struct HerdAnswer {
  enum class Status : std::uint8_t {
    ok,
    unknown,  // a limit: of time, of output, of a loop's rounds
    rejected, // herd7 does not read the test, or nothing that it reads says the same
    failed,   // herd7 crashed, or what it wrote makes no sense
  };
  Status status = Status::failed;
  Reason reason; // of all but `ok`
  /// Of `ok`, and as far as known of `unknown`; named as the test names things. `positive` and
  /// `negative` are herd7's counts of executions.
  oracle::Result result;
  double seconds = 0; // herd7's own account of the test
};

/// `given` if it is not empty, else $THINAIR_HERD7, herd7 on PATH, or what scripts/get-herd7 has
/// put below the user's data directory; absent where that cannot be run.
std::optional<std::string> find_herd7(const std::string& given = {});

/// One answer a test, in order. Throws InputError where there is no herd7 or no such model.
std::vector<HerdAnswer> run_herd7(std::span<const litmus::Test> tests, const HerdOptions& options);

} // namespace thinair::runners
