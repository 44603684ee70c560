// Runs a compiled batch through jcstress's own command line and reads the results that it stores.
#include "litmus/text/error.h"
#include "runners/jcstress/batch.h"
#include "runners/jcstress/helpers.h"
#include "runners/jcstress/remains.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <thread>

namespace thinair::runners::jcstress {
namespace {

namespace fs = std::filesystem;

constexpr double seconds_before_forks = 60, seconds_a_fork = 12;

/// JVMs that `-m quick` starts for a test: each actor interpreted, in C1 or in C2, and in C1 or C2
/// with random schedules where C2 takes part; twice up to JDK 17, with and without biased locking.
double forks(std::size_t actors, const Jvm& jvm) {
  constexpr int last_with_biased_locking = 17;
  const auto n = static_cast<double>(actors);
  const double modes = 2 * std::pow(3, n) - std::pow(2, n);
  return jvm.feature <= last_with_biased_locking ? 2 * modes : modes;
}

std::size_t actors_of(const Prepared& test) { return test.test.java().threads.size(); }

/// One call of the command line, for tests by the names of their classes.
class OfficialRun {
 public:
  OfficialRun(const Jvm& jvm, const RunOptions& options, std::string class_path)
      : jvm_(jvm), options_(options), class_path_(std::move(class_path)) {}

  void run(const std::vector<const Prepared*>& tests) {
    if (tests.empty()) return;
    std::vector<std::string> names;
    double limit = seconds_before_forks;
    std::size_t actors = 0;
    for (const Prepared* test : tests) {
      names.push_back(test->class_name);
      actors = std::max(actors, actors_of(*test));
      limit += forks(actors_of(*test), jvm_) * (seconds_a_fork + options_.milliseconds / 1000.0);
    }
    process_ = runners::run({.argv = command(fmt::format("{}", fmt::join(names, "|")), actors),
                             .directory = work_.path(),
                             .seconds = seconds_within(options_.deadline, limit)});
    read();
    if (records_.empty() && !timed_out())
      throw InputError(fmt::format("error: jcstress's command line: {}\n{}", describe(process_),
                                   (process_.out + process_.error).substr(0, 2000)));
  }

  /// Of one of the tests.
  TestRun result(const Prepared& test) const {
    const auto found = records_.find(fmt::format("{}.{}", package, test.class_name));
    if (found == records_.end() && timed_out() && options_.deadline.passed())
      return {.status = Record::Status::late, .reason = "time limit reached"};
    if (found == records_.end())
      return timed_out()
                 ? TestRun{.status = Record::Status::hang,
                           .reason = fmt::format("jcstress's command line: {}", describe(process_))}
                 : TestRun{.status = Record::Status::error, .reason = "jcstress left the test out"};
    TestRun out = result_of(test, found->second);
    if (out.status == Record::Status::crash)
      out.reason.text += keep_crash(options_.keep, test, jvm_, hs_err_in(work_.path()),
                                    process_.out + process_.error);
    return out;
  }

  double seconds() const { return process_.seconds; }

 private:
  bool timed_out() const { return process_.end == Outcome::End::timed_out; }

  /// What the launching JVM is given goes to all that it forks.
  std::vector<std::string> command(const std::string& names, std::size_t actors) const {
    std::vector<std::string> argv = {jvm_.java()};
    if (jvm_.zero) argv.emplace_back("-zero");
    if (actors > std::thread::hardware_concurrency())
      argv.emplace_back(fmt::format("-XX:ActiveProcessorCount={}", topology_processors));
    std::ranges::copy(options_.flags, std::back_inserter(argv));
    std::ranges::copy(
        std::vector<std::string>{"-cp", class_path_, "org.openjdk.jcstress.Main", "-m", "quick",
                                 "-time", std::to_string(options_.milliseconds), "-iters", "1",
                                 "-af", "NONE", "-t", fmt::format("^{}\\.({})$", package, names)},
        std::back_inserter(argv));
    return argv;
  }

  /// Everything that it has stored, as far as it came.
  void read() {
    for (const auto& entry : fs::directory_iterator(work_.path())) {
      if (entry.path().extension() != ".gz") continue;
      const Outcome read = runners::run(
          {.argv = {jvm_.java(), "-cp", class_path_, "thinair.Reader", entry.path().string()},
           .seconds = seconds_before_forks});
      for (auto& [name, record] : parse_records(read.out)) records_[name] = record;
    }
  }

  const Jvm& jvm_;
  const RunOptions& options_;
  const std::string class_path_;
  const TemporaryDirectory work_;
  Outcome process_;
  std::map<std::string, Record> records_; // by class
};

} // namespace

std::vector<TestRun> Batch::run_officially(const Jvm& jvm, const RunOptions& options,
                                           std::span<const std::size_t> chosen) const {
  std::vector<const Prepared*> tests;
  bool crowded = false;
  for (const std::size_t i : runnable(chosen)) {
    tests.push_back(&tests_[i]);
    crowded = crowded || actors_of(tests_[i]) > std::thread::hardware_concurrency();
  }
  if (crowded) compile_topology();
  OfficialRun official(jvm, options, class_path(true));
  official.run(tests);
  std::vector<TestRun> out;
  for (std::size_t i = 0; i < (chosen.empty() ? size() : chosen.size()); ++i) {
    const std::size_t test = chosen.empty() ? i : chosen[i];
    if (errors_[test].empty()) {
      out.push_back(official.result(tests_[test]));
      out.back().seconds = official.seconds() / static_cast<double>(tests.size());
    } else {
      out.push_back({.status = Record::Status::error, .reason = errors_[test]});
    }
  }
  return out;
}

} // namespace thinair::runners::jcstress
