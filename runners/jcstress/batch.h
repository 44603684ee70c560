// Many tests in one go on a JVM: one javac, one JVM a mode, what goes wrong is a result.
#pragma once

#include "litmus/java/names.h"
#include "runners/jcstress/emit.h"
#include "runners/jcstress/jvm.h"
#include "runners/jcstress/records.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace thinair::runners::jcstress {

struct RunOptions {
  Mode mode = Mode::c2;
  std::uint32_t milliseconds = 200;    // a test runs; jcstress's command line: an iteration
  std::uint32_t grace = 10'000;        // milliseconds more before a test hangs
  std::uint32_t start = 30'000;        // milliseconds for a JVM to start
  std::uint64_t seed = 1;              // of the compiler's randomness in mode stress
  std::string keep = {};               // where crashes are kept; empty: nowhere
  std::vector<std::string> flags = {}; // for the JVM, behind the mode's
  Deadline deadline = {};              // when whoever asks gives up: what is not done by then is
                                       // `late`
  std::uint32_t stride_size = 256, strides = 10; // states that are alive at a time
};

/// What a JVM showed of one test.
struct TestRun {
  Record::Status status = Record::Status::ok;
  Reason reason = {}; // of all but ok
  std::uint64_t samples = 0;
  std::uint64_t thrown = 0; // of the samples: a thread ended in an exception, no final state
  std::map<litmus::Behaviour, std::uint64_t> outcomes = {}; // over observables_of(test)
  double seconds = 0;
};

/// Tests compiled for one JVM and later ones.
class Batch {
 public:
  /// Emits and compiles. A test that does not compile, or that jcstress leaves out, is kept with
  /// its error. Throws InputError where javac cannot be run at all.
  /// LimitReached where it is not done by the deadline.
  Batch(std::vector<Prepared> tests, const Jvm& compiler, const Jars& jars, Deadline deadline = {});

  std::size_t size() const { return tests_.size(); }
  const Prepared& operator[](std::size_t test) const { return tests_[test]; }

  /// Runs `chosen` (all where empty) in one JVM after the other, as few as its deaths allow.
  /// `milliseconds` are those of each, where not empty. A test in which the JVM dies is run alone
  /// once more, and where it lives then, the tests before it are bisected for the guilty one; one
  /// that finds no memory is run alone, too: it may be the others that have taken it. A JVM that
  /// does not answer any more, not even its own watchdog, is killed, and its test hangs. Throws
  /// InputError where the JVM does not start.
  std::vector<TestRun> run(const Jvm& jvm, const RunOptions& options,
                           std::span<const std::size_t> chosen = {},
                           std::span<const std::uint32_t> milliseconds = {}) const;

  /// The same through jcstress's command line, with all its forks, compilation modes and flags;
  /// `mode` and `seed` have no meaning there, `milliseconds` are those of each fork. It is ended
  /// when it takes much longer than its forks should: tests without a result hang.
  std::vector<TestRun> run_officially(const Jvm& jvm, const RunOptions& options,
                                      std::span<const std::size_t> chosen = {}) const;

 private:
  void write_sources();
  void compile();
  bool compile_once();
  void compile_topology() const;
  std::string class_path(bool official) const;
  std::vector<std::size_t> runnable(std::span<const std::size_t> chosen) const;

  std::vector<Prepared> tests_;
  std::vector<std::string> errors_; // by test; empty: it can be run
  Deadline deadline_;
  Jvm compiler_;
  Jars jars_;
  TemporaryDirectory directory_;
};

/// The flags of every JVM that runs tests.
std::vector<std::string> flags_of(const Jvm& jvm, const RunOptions& options);

} // namespace thinair::runners::jcstress
