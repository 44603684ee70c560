// Runs a compiled batch: launches, deaths, bisection; and jcstress's own command line.
#include "litmus/text/error.h"
#include "runners/jcstress/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace thinair::runners::jcstress {
namespace {

namespace fs = std::filesystem;
using Status = Record::Status;

/// jcstress's SpinLoopStyle: how an actor waits for the others. Those that have a processor of
/// their own collide more often when they keep it.
int spin_of(const Prepared& test) {
  constexpr int yields = 1, spins = 2;
  const std::size_t actors = test.test.java().threads.size();
  return actors > std::thread::hardware_concurrency() ? yields : spins;
}
constexpr double seconds_to_start = 30, seconds_an_official_fork = 15;

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> hs_err_files(const std::string& directory) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.path().filename().string().starts_with("hs_err")) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

TestRun result_of(const Prepared& test, const Record& record) {
  TestRun out{.status = record.status, .reason = record.reason, .seconds = record.seconds};
  for (const auto& [text, count] : record.outcomes) {
    const auto behaviour = behaviour_of(test, text);
    if (!behaviour) {
      out.status = Status::error;
      out.reason = fmt::format("an outcome that is none: {}", text);
      continue;
    }
    out.outcomes[*behaviour] += count;
    out.samples += count;
  }
  return out;
}

/// One call of the driver.
struct Launch {
  std::map<std::string, Record> records; // by index
  Outcome process;
  std::string hs_err; // where the JVM wrote one
};

class Launcher {
 public:
  Launcher(const std::vector<Prepared>& tests, const Jvm& jvm, const RunOptions& options,
           std::string class_path)
      : tests_(tests), jvm_(jvm), options_(options), class_path_(std::move(class_path)) {}

  /// Runs tests until all are done; those in which the JVM died have been looked into.
  void run(std::vector<std::size_t> pending, const std::map<std::size_t, std::uint32_t>& times) {
    times_ = &times;
    while (!pending.empty()) {
      const Launch done = launch(pending);
      const auto stopped =
          std::ranges::find_if(pending, [&](std::size_t i) { return !is_ok(done, i); });
      for (auto i = pending.begin(); i != stopped; ++i) keep(*i, done);
      if (stopped == pending.end()) return;
      if (!done.records.contains(std::to_string(*stopped)))
        did_not_start(done, stopped == pending.begin());
      const std::vector<std::size_t> before(pending.begin(), stopped + 1);
      std::vector<std::size_t> rest(stopped + 1, pending.end());
      end_in(*stopped, before, done, rest);
      pending = std::move(rest);
    }
  }

  std::map<std::size_t, TestRun> results;

 private:
  static bool is_ok(const Launch& launch, std::size_t test) {
    const auto found = launch.records.find(std::to_string(test));
    return found != launch.records.end() && found->second.status == Status::ok;
  }

  void keep(std::size_t test, const Launch& launch) {
    results[test] = result_of(tests_[test], launch.records.at(std::to_string(test)));
  }

  [[noreturn]] void did_not_start(const Launch& launch, bool at_all) const {
    const std::string text = launch.process.error + launch.process.out;
    throw InputError(fmt::format("error: the JVM {} {}: {}\n{}", jvm_.name,
                                 at_all ? "did not start" : "ended early", describe(launch.process),
                                 text.substr(0, 2000)));
  }

  /// The JVM is gone, in `test`, after those of `before`.
  void end_in(std::size_t test, const std::vector<std::size_t>& before, const Launch& launch,
              std::vector<std::size_t>& rest) {
    keep(test, launch);
    TestRun& result = results[test];
    if (result.status != Status::begun) return; // it hung, was out of memory, or threw
    result.status = Status::crash;
    result.reason = describe(launch.process);
    const Launch alone = this->launch({test});
    if (!is_ok(alone, test)) {
      result.reason +=
          ", and again when run alone" + save(test, alone.hs_err.empty() ? launch : alone);
      return;
    }
    const auto guilty = bisect(before);
    if (!guilty || *guilty == test) {
      result.reason += "; not when run again" + save(test, launch);
      return;
    }
    results[*guilty].status = Status::crash;
    results[*guilty].reason =
        fmt::format("{} while a later test ran{}", result.reason, save(*guilty, launch));
    result = {};
    rest.insert(rest.begin(), test); // it has nothing to do with it
    std::erase(rest, *guilty);
  }

  /// The first test of the least prefix-free part that still kills the JVM; absent where it lives.
  std::optional<std::size_t> bisect(std::vector<std::size_t> suspects) {
    if (!dies(suspects)) return std::nullopt;
    while (suspects.size() > 1) {
      const auto middle = suspects.begin() + static_cast<std::ptrdiff_t>(suspects.size() / 2);
      const std::vector<std::size_t> first(suspects.begin(), middle),
          second(middle, suspects.end());
      if (dies(first)) {
        suspects = first;
      } else if (dies(second)) {
        suspects = second;
      } else {
        return suspects.front(); // it takes tests of both halves
      }
    }
    return suspects.front();
  }

  bool dies(const std::vector<std::size_t>& tests) {
    const Launch done = launch(tests);
    return std::ranges::any_of(done.records,
                               [](const auto& r) { return r.second.status == Status::begun; });
  }

  Launch launch(const std::vector<std::size_t>& tests) {
    const TemporaryDirectory work;
    std::string list;
    double budget = seconds_to_start;
    for (const std::size_t i : tests) {
      const auto own = times_->find(i);
      const std::uint32_t time = own == times_->end() ? options_.milliseconds : own->second;
      list += fmt::format("{} {}.{}_jcstress {} {}\n", i, package, tests_[i].class_name, time,
                          spin_of(tests_[i]));
      budget += (time + 2.0 * options_.grace) / 1000;
    }
    work.write("runners", list);
    std::vector<std::string> argv = {jvm_.java()};
    std::ranges::copy(flags_of(jvm_, options_), std::back_inserter(argv));
    argv.push_back(fmt::format("-XX:ErrorFile={}/hs_err_%p.log", work.path()));
    std::ranges::copy(std::vector<std::string>{"-cp", class_path_, "thinair.Driver", "runners",
                                               "out", std::to_string(options_.grace),
                                               std::to_string(options_.stride_size),
                                               std::to_string(options_.strides)},
                      std::back_inserter(argv));
    Launch done;
    done.process = runners::run({.argv = argv, .directory = work.path(), .seconds = budget});
    done.records = parse_records(read_whole(work.path() + "/out"));
    for (const auto& path : hs_err_files(work.path())) done.hs_err += read_whole(path);
    return done;
  }

  /// Keeps what a crash left; the words that say where.
  std::string save(std::size_t test, const Launch& launch) const {
    if (options_.keep.empty()) return "";
    const std::string name = tests_[test].name.empty()
                                 ? tests_[test].class_name
                                 : litmus::java::class_name(tests_[test].name);
    const fs::path directory = fs::path(options_.keep) / fmt::format("{}-{}", name, jvm_.name);
    std::error_code error;
    fs::create_directories(directory, error);
    std::ofstream(directory / "test.litmus") << litmus::print(tests_[test].test);
    std::ofstream(directory / "hs_err.log") << launch.hs_err;
    std::ofstream(directory / "output.txt") << launch.process.out << launch.process.error;
    return fmt::format(" (kept in {})", directory.string());
  }

  const std::vector<Prepared>& tests_;
  const Jvm& jvm_;
  const RunOptions& options_;
  const std::string class_path_;
  const std::map<std::size_t, std::uint32_t>* times_ = nullptr;
};

} // namespace

std::vector<std::string> flags_of(const Jvm& jvm, const RunOptions& options) {
  std::vector<std::string> flags;
  if (jvm.zero) flags.emplace_back("-zero");
  std::ranges::copy(info(options.mode).flags(options.seed), std::back_inserter(flags));
  // Results are padded against false sharing only where anyone may use @Contended.
  for (const char* flag :
       {"-Xmx512m", "-XX:+UseSerialGC", "-XX:+UnlockDiagnosticVMOptions", "-XX:-UsePerfData",
        "-XX:-RestrictContended", "-XX:-CreateCoredumpOnCrash"})
    flags.emplace_back(flag);
  std::ranges::copy(options.flags, std::back_inserter(flags));
  return flags;
}

std::vector<TestRun> Batch::run(const Jvm& jvm, const RunOptions& options,
                                std::span<const std::size_t> chosen,
                                std::span<const std::uint32_t> milliseconds) const {
  Launcher launcher(tests_, jvm, options, class_path(false));
  std::map<std::size_t, std::uint32_t> times;
  for (std::size_t i = 0; i < milliseconds.size(); ++i)
    times[chosen.empty() ? i : chosen[i]] = milliseconds[i];
  launcher.run(runnable(chosen), times);
  std::vector<TestRun> out;
  for (std::size_t i = 0; i < (chosen.empty() ? size() : chosen.size()); ++i) {
    const std::size_t test = chosen.empty() ? i : chosen[i];
    if (errors_[test].empty()) {
      out.push_back(std::move(launcher.results[test]));
    } else {
      out.push_back({.status = Status::error, .reason = errors_[test]});
    }
  }
  return out;
}

std::vector<TestRun> Batch::run_officially(const Jvm& jvm, const RunOptions& options,
                                           std::span<const std::size_t> chosen) const {
  const auto tests = runnable(chosen);
  const TemporaryDirectory work;
  std::vector<std::string> names;
  std::size_t actors = 0;
  for (const std::size_t i : tests) {
    names.push_back(tests_[i].class_name);
    actors = std::max(actors, tests_[i].test.java().threads.size());
  }
  const bool crowded = actors > std::thread::hardware_concurrency();
  if (crowded) compile_topology();
  std::vector<std::string> argv = {jvm.java()};
  if (jvm.zero) argv.emplace_back("-zero");
  if (crowded) argv.emplace_back("-XX:ActiveProcessorCount=4");
  std::ranges::copy(
      std::vector<std::string>{"-cp", class_path(true), "org.openjdk.jcstress.Main", "-m", "quick",
                               "-time", std::to_string(options.milliseconds), "-iters", "1", "-af",
                               "NONE", "-t",
                               fmt::format("^{}\\.({})$", package, fmt::join(names, "|"))},
      std::back_inserter(argv));
  const double forks = actors > 2 ? 150 : 40;
  const Outcome done = runners::run(
      {.argv = argv,
       .directory = work.path(),
       .seconds = 60 + forks * seconds_an_official_fork *
                           static_cast<double>(std::max<std::size_t>(1, tests.size()))});
  std::map<std::string, Record> records;
  for (const auto& entry : fs::directory_iterator(work.path())) {
    if (entry.path().extension() != ".gz") continue;
    const Outcome read = runners::run(
        {.argv = {jvm.java(), "-cp", class_path(true), "thinair.Reader", entry.path().string()},
         .seconds = seconds_to_start});
    for (auto& [name, record] : parse_records(read.out)) records[name] = record;
  }
  if (records.empty() && !tests.empty())
    throw InputError(fmt::format("error: jcstress's command line: {}\n{}", describe(done),
                                 (done.out + done.error).substr(0, 2000)));
  std::vector<TestRun> out;
  for (std::size_t i = 0; i < (chosen.empty() ? size() : chosen.size()); ++i) {
    const std::size_t test = chosen.empty() ? i : chosen[i];
    const auto found = records.find(fmt::format("{}.{}", package, tests_[test].class_name));
    if (!errors_[test].empty()) {
      out.push_back({.status = Status::error, .reason = errors_[test]});
    } else if (found == records.end()) {
      out.push_back({.status = Status::error, .reason = "jcstress left the test out"});
    } else {
      out.push_back(result_of(tests_[test], found->second));
      out.back().seconds = done.seconds / static_cast<double>(tests.size());
    }
  }
  return out;
}

} // namespace thinair::runners::jcstress
