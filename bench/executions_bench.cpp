// Final states by our engine and by herd7, in one run: per golden set the ratio of throughputs, and
// that of the tests in the middle; the named tests; the growth families. herd7 runs in its best
// way, one process for many tests. All times are CPU times. Usage: bench_executions [STRIDE], every
// STRIDE-th test of a set (default 8).
#include "litmus/test.h"
#include "machine/aarch64/front_end.h"
#include "machine/riscv/front_end.h"
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "runners/herd7.h"
#include "tests/support/golden.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace thinair;
using graph::Architecture;

struct Set {
  const char* title;
  const char* tests;
  const char* model; // a file below models/ or the golden folder
  bool in_tree;
  Architecture architecture;
};

constexpr Set sets[] = {
    {"golden/x86, x86-tso", "x86/tests", "x86-tso.cat", true, x86::architecture},
    {"golden/java, published jam21", "java/tests", "jam21/jam21.cat", false, Architecture::java},
    {"golden/aarch64, armv8", "aarch64/tests", "armv8.cat", true, aarch64::architecture},
    {"golden/riscv, riscv", "riscv/tests", "riscv.cat", true, riscv::architecture},
    {"golden/jam21, published jam21", "jam21/tests", "jam21/jam21.cat", false, Architecture::java},
};

/// CPU seconds of this thread so far.
double clock_of_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// CPU seconds of children that have ended.
double clock_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::string model_path(const Set& set) {
  return set.in_tree ? std::string(THINAIR_SOURCE_DIR "/models/") + set.model
                     : (golden::folder() / set.model).string();
}

/// CPU seconds of one herd7 process over all files.
double herd7(const Set& set, const std::vector<std::string>& files, const char* options) {
  const auto program = runners::find_herd7();
  if (!program) return 0;
  auto command =
      fmt::format("'{}' -archcheck false -I '{}/models' -I '{}/models/library' "
                  "-model '{}' {}",
                  *program, THINAIR_SOURCE_DIR, THINAIR_SOURCE_DIR, model_path(set), options);
  for (const auto& file : files) command += " '" + file + "'";
  const auto begin = clock_of_children();
  if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) return 0;
  return clock_of_children() - begin;
}

/// CPU seconds a test, reading included: the best of a few rounds, so that a busy machine says
/// less.
double ours(const std::string& file, const cat::Plan& plan, bool verdict_only) {
  const auto source = litmus::read_file(file);
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const auto begin = clock_of_thread();
    const auto test = litmus::parse(source);
    if (verdict_only && !test.clauses.empty())
      executions::exists(test, plan, test.clauses[0].proposition);
    else
      executions::behaviours(test, plan);
    best = std::min(best, clock_of_thread() - begin);
    if (best > 0.5) break;
  }
  return best;
}

struct Timed {
  double seconds = 0;
  std::string file;
};

/// The middle quarter by our time: our seconds, herd7's, and the ratio, for the median test.
void middle(const Set& set, std::vector<Timed> tests) {
  std::ranges::sort(tests, {}, &Timed::seconds);
  const auto quarter = std::max<std::size_t>(1, tests.size() / 4);
  const auto from = (tests.size() - quarter) / 2;
  std::vector<std::string> files;
  double total = 0;
  for (auto i = from; i < from + quarter; ++i) {
    files.push_back(tests[i].file);
    total += tests[i].seconds;
  }
  fmt::print("  median:  ours {:9.0f} us; middle {} tests: ratio {:.0f}; slowest {} {:.2f} ms\n",
             tests[tests.size() / 2].seconds * 1e6, quarter, herd7(set, files, "") / total,
             std::filesystem::path(tests.back().file).stem().string(), tests.back().seconds * 1e3);
}

void measure(const Set& set, std::size_t stride) {
  const auto plan = cat::load_model(model_path(set), set.architecture);
  std::vector<std::string> files;
  std::vector<Timed> tests;
  double total = 0, verdicts = 0;
  const auto all = golden::files(set.tests);
  for (std::size_t i = 0; i < all.size(); i += stride) {
    files.push_back(all[i].string());
    tests.push_back({ours(files.back(), plan, false), files.back()});
    total += tests.back().seconds;
    verdicts += ours(files.back(), plan, true);
  }
  if (files.empty()) return;
  const auto herd = herd7(set, files, "");
  const auto fast = herd7(set, files, "-speedcheck fast");
  fmt::print("{}: {} tests\n", set.title, files.size());
  fmt::print("  states:  ours {:9.4f} s; herd7 {:8.2f} s; ratio {:.0f}\n", total, herd,
             herd / total);
  fmt::print("  verdict: ours {:9.4f} s; herd7 -speedcheck fast {:8.2f} s; ratio {:.0f}\n",
             verdicts, fast, fast / verdicts);
  middle(set, std::move(tests));
  std::fflush(stdout);
}

void named(const char* name) {
  const auto& set = *std::ranges::find(sets, "jam21/tests", &Set::tests);
  const auto plan = cat::load_model(model_path(set), set.architecture);
  const auto file = (golden::folder() / set.tests / (std::string(name) + ".litmus")).string();
  fmt::print("{:<16} {:7.1f} ms\n", name, ours(file, plan, false) * 1e3);
}

std::string scale_test(const std::string& family, std::size_t size) {
  return fmt::format("{}/scale/tests/{}-{:02}.litmus", golden::folder().string(), family, size);
}

/// Both curves of each family: herd7's as recorded, until it takes more than 120 s; ours on, until
/// a size takes more than 2 s or there is none.
void growth() {
  const auto record = golden::parse_json(golden::read(golden::folder() / "scale/herd7.json"));
  fmt::print("growth: size, ours in ms (herd7 in s, as recorded; '-': not in 120 s)\n");
  for (const auto& [family, sizes] : record.object) {
    const bool x86 = family.find("x86") != std::string::npos;
    const auto plan =
        cat::load_model(x86 ? "x86-tso" : "jam21", x86 ? x86::architecture : Architecture::java);
    fmt::print("{:<18}", family);
    std::map<std::size_t, std::string> theirs;
    std::string name;
    for (const auto& size : sizes.array) {
      const auto& test = size["test"].string;
      name = test.substr(0, test.size() - 3);
      if (size["status"].string == "ok")
        theirs[std::strtoul(test.c_str() + test.size() - 2, nullptr, 10)] =
            fmt::format("{:.2f}", size["cpu"].number);
    }
    double last = 0;
    for (std::size_t n = theirs.empty() ? 1 : theirs.begin()->first; last < 2; ++n) {
      const auto file = scale_test(name, n);
      if (!std::filesystem::exists(file)) break;
      last = ours(file, plan, false);
      fmt::print(" {}: {:.1f} ({})", n, last * 1e3, theirs.contains(n) ? theirs[n] : "-");
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
}

} // namespace

int main(int argc, char** argv) {
  if (!std::filesystem::exists(golden::folder())) {
    fmt::print("no golden data: set THINAIR_GOLDEN\n");
    return 0;
  }
  const auto stride = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 8;
  named("fig6");
  named("fig6_translated");
  growth();
  for (const auto& set : sets) measure(set, std::max<std::size_t>(1, stride));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto peak = usage.ru_maxrss / 1024;
  fmt::print("peak memory of thinair: {} MB (at most 200 MB)\n", peak);
  return peak < 200 ? 0 : 1;
}
