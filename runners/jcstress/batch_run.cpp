// Runs a compiled batch: launches, deaths, bisection.
#include "litmus/java/lifetimes.h"
#include "litmus/text/error.h"
#include "runners/jcstress/batch.h"
#include "runners/jcstress/remains.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

namespace thinair::runners::jcstress {
namespace {

namespace fs = std::filesystem;
using Status = Record::Status;

bool has_own_threads(const Prepared& test) {
  return litmus::java::Lifetimes(test.test.java()).any();
}

/// jcstress's SpinLoopStyle: how an actor waits for the others. Those that have a processor of
/// their own collide more often when they keep it.
int spin_of(const Prepared& test) {
  constexpr int yields = 1, spins = 2;
  const std::size_t actors = test.test.java().threads.size();
  const bool crowded = actors > std::thread::hardware_concurrency() || has_own_threads(test);
  return crowded ? yields : spins;
}

/// At a time, where each needs threads of its own.
constexpr std::uint32_t few_states = 16;

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
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
      if (options_.deadline.passed()) return keep_what_is_done(pending, done);
      const auto stopped =
          std::ranges::find_if(pending, [&](std::size_t i) { return !is_ok(done, i); });
      for (auto i = pending.begin(); i != stopped; ++i) keep(*i, done);
      if (stopped == pending.end()) return;
      if (!done.records.contains(std::to_string(*stopped))) {
        const bool at_all = stopped == pending.begin();
        if (!lacks_memory(done)) did_not_start(done, at_all);
        if (at_all) // not even our own code runs
          for (const std::size_t i : std::exchange(pending, {})) results[i] = out_of_memory(done);
        else
          pending.erase(pending.begin(), stopped);
        continue;
      }
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

  /// Nobody waits for the others any more.
  void keep_what_is_done(const std::vector<std::size_t>& pending, const Launch& launch) {
    for (const auto test : pending) {
      if (is_ok(launch, test))
        keep(test, launch);
      else
        results[test] = {.status = Status::late, .reason = Reason::reached(Limit::run_time)};
    }
  }

  [[noreturn]] void did_not_start(const Launch& launch, bool at_all) const {
    const std::string text = launch.process.error + launch.process.out;
    throw InputError(fmt::format("error: the JVM {} {}: {}\n{}", jvm_.name,
                                 at_all ? "did not start" : "ended early", describe(launch.process),
                                 text.substr(0, 2000)));
  }

  /// Of a JVM that ended for want of memory, ours or the machine's: it says so in many ways.
  static bool lacks_memory(const Launch& launch) {
    const auto says = [&](std::string_view what) {
      for (const std::string* text : {&launch.process.error, &launch.process.out, &launch.hs_err})
        if (text->find(what) != std::string::npos) return true;
      return false;
    };
    return says("java.lang.OutOfMemoryError") || says("insufficient memory for the Java Runtime");
  }

  static TestRun out_of_memory(const Launch& launch) {
    return {.status = Status::oom, .reason = describe(launch.process)};
  }

  /// The JVM is gone, in `test`, after those of `before`.
  void end_in(std::size_t test, const std::vector<std::size_t>& before, const Launch& launch,
              std::vector<std::size_t>& rest) {
    keep(test, launch);
    TestRun& result = results[test];
    const auto end = launch.process.end; // not even its watchdog: whichever limit comes first
    const bool silent = end == Outcome::End::stalled || end == Outcome::End::timed_out;
    if (result.status == Status::begun && silent) {
      result.status = Status::hang;
      result.reason = "the JVM did not answer any more";
    } else if (result.status == Status::begun && lacks_memory(launch)) {
      result = out_of_memory(launch);
    }
    if (result.status == Status::begun) return crashed(test, before, launch, rest);
    if (result.status != Status::oom || before.size() == 1) return; // it hung, or threw
    const Launch alone = this->launch({test});
    if (is_ok(alone, test)) keep(test, alone);
  }

  void crashed(std::size_t test, const std::vector<std::size_t>& before, const Launch& launch,
               std::vector<std::size_t>& rest) {
    TestRun& result = results[test];
    result.status = Status::crash;
    const std::string cause = cause_in(launch.hs_err);
    result.reason = cause.empty() ? describe(launch.process) : cause;
    const Launch alone = this->launch({test});
    if (options_.deadline.passed()) return;
    if (!is_ok(alone, test)) {
      result.reason.text +=
          ", and again when run alone" + save(test, alone.hs_err.empty() ? launch : alone);
      return;
    }
    const auto guilty = bisect(before);
    if (options_.deadline.passed()) return;
    if (!guilty || *guilty == test) {
      result.reason.text += "; not when run again" + save(test, launch);
      return;
    }
    results[*guilty].status = Status::crash;
    results[*guilty].reason =
        fmt::format("{} while a later test ran{}", result.reason.text, save(*guilty, launch));
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
    double budget = options_.start / 1000.0, longest = 0;
    for (const std::size_t i : tests) {
      const auto own = times_->find(i);
      const std::uint32_t time = own == times_->end() ? options_.milliseconds : own->second;
      const bool slow = has_own_threads(tests_[i]);
      list += fmt::format("{} {}.{}_jcstress {} {} {} {}\n", i, package, tests_[i].class_name, time,
                          spin_of(tests_[i]), slow ? few_states : options_.stride_size,
                          slow ? 1 : options_.strides);
      const double own_budget = (time + 2.0 * options_.grace) / 1000;
      budget += own_budget;
      longest = std::max(longest, own_budget);
    }
    work.write("runners", list);
    std::vector<std::string> argv = {jvm_.java()};
    std::ranges::copy(flags_of(jvm_, options_), std::back_inserter(argv));
    argv.push_back(fmt::format("-XX:ErrorFile={}/hs_err_%p.log", work.path()));
    std::ranges::copy(std::vector<std::string>{"-cp", class_path_, "thinair.Driver", "runners",
                                               "out", std::to_string(options_.grace)},
                      std::back_inserter(argv));
    Launch done;
    done.process = runners::run({.argv = argv,
                                 .directory = work.path(),
                                 .seconds = seconds_within(options_.deadline, budget),
                                 .pulse = work.path() + "/out",
                                 .stall = options_.start / 1000.0 + longest});
    done.records = parse_records(read_whole(work.path() + "/out"));
    done.hs_err = hs_err_in(work.path());
    return done;
  }

  std::string save(std::size_t test, const Launch& launch) const {
    return keep_crash(options_.keep, tests_[test], jvm_, launch.hs_err,
                      launch.process.out + launch.process.error);
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
  std::ranges::copy(info(options.mode).flags(jvm, options.seed), std::back_inserter(flags));
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

} // namespace thinair::runners::jcstress
