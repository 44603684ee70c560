// The x86-TSO machine against the real herd7, in one run: seconds for families that grow, and for
// 100 random programs. Without herd7 only our side is measured. `bench_x86_machine [SECONDS]` sets
// the processor time herd7 may take for one program (10).
#include "litmus/random.h"
#include "litmus/test.h"
#include "machine/x86/code/store_buffers.h"
#include "runners/herd7.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace thinair;
using Clock = std::chrono::steady_clock;
using Columns = std::vector<std::vector<std::string>>;

/// A test of these columns; everything that `asked` names is shown.
litmus::Test test_of(const Columns& columns, const std::string& asked) {
  std::string names, rows;
  std::size_t height = 0;
  for (const auto& column : columns) height = std::max(height, column.size());
  for (std::size_t t = 0; t < columns.size(); ++t) names += fmt::format("{} P{}", t ? " |" : "", t);
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t t = 0; t < columns.size(); ++t)
      rows += fmt::format("{} {}", t ? " |" : "", row < columns[t].size() ? columns[t][row] : "");
    rows += " ;\n";
  }
  return litmus::parse(
      {"bench", fmt::format("X86_64 bench\n{{}}\n{} ;\n{}locations [{}]\n", names, rows, asked)});
}

std::string cell(std::size_t i) { return fmt::format("(x{})", i); }

/// n threads in a ring: a store, `between`, a load of the next thread's cell.
litmus::Test ring(std::size_t n, const std::string& store) {
  Columns columns(n);
  std::string asked;
  for (std::size_t t = 0; t < n; ++t) {
    if (store == "xchgl") columns[t].emplace_back("movl $1,%ecx");
    columns[t].push_back(fmt::format("{} {},{}", store, store == "xchgl" ? "%ecx" : "$1", cell(t)));
    columns[t].push_back(fmt::format("movl {},%eax", cell((t + 1) % n)));
    asked += fmt::format("{}:rax; ", t);
  }
  return test_of(columns, asked);
}

litmus::Test increments(std::size_t threads, std::size_t each) {
  return test_of(Columns(threads, std::vector<std::string>(each, "lock incl (x)")), "x");
}

/// n threads store to one cell; the last value counts.
litmus::Test stores(std::size_t n) {
  Columns columns;
  for (std::size_t t = 0; t < n; ++t) columns.push_back({fmt::format("movl ${},(x)", t + 1)});
  return test_of(columns, "x");
}

/// k stores of one thread against k loads of another.
litmus::Test read_read(std::size_t k) {
  Columns columns(2);
  std::string asked;
  for (std::size_t i = 0; i < k; ++i) {
    columns[0].push_back(fmt::format("movl ${},(x)", i + 1));
    columns[1].push_back(fmt::format("movl (x),%r{}d", 8 + i % 8));
    if (i < 8) asked += fmt::format("1:r{}; ", 8 + i);
  }
  return test_of(columns, asked);
}

/// n - 2 writers, 2 readers that read all in opposite orders.
litmus::Test independent_reads(std::size_t n) {
  const std::vector<std::string> registers{"eax", "ebx", "ecx", "edx",  "esi",
                                           "edi", "r8d", "r9d", "r10d", "r11d"};
  const std::vector<std::string> whole{"rax", "rbx", "rcx", "rdx", "rsi",
                                       "rdi", "r8",  "r9",  "r10", "r11"};
  Columns columns;
  std::string asked;
  const std::size_t writers = n - 2;
  for (std::size_t t = 0; t < writers; ++t) columns.push_back({fmt::format("movl $1,{}", cell(t))});
  for (const bool forward : {true, false}) {
    auto& reader = columns.emplace_back();
    for (std::size_t i = 0; i < writers; ++i) {
      reader.push_back(
          fmt::format("movl {},%{}", cell(forward ? i : writers - 1 - i), registers.at(i)));
      asked += fmt::format("{}:{}; ", columns.size() - 1, whole.at(i));
    }
  }
  return test_of(columns, asked);
}

double machine_seconds(const std::vector<litmus::Test>& tests,
                       std::vector<oracle::Result>& results) {
  const auto begin = Clock::now();
  for (const litmus::Test& test : tests) results.push_back(runners::x86_machine(test));
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// herd7's own account of a program, so that its start is not held against it.
struct Rival {
  bool finished = false;
  double seconds = 0;
  std::size_t states = 0;
};

class Bench {
 public:
  Bench(bool herd, double limit) : herd_(herd) {
    options_.seconds = limit;
    options_.optace = "true";
  }

  /// One row a size, until herd7 does not finish; then only ours.
  void family(const std::string& name, std::size_t from, std::size_t to,
              const std::function<litmus::Test(std::size_t)>& make) {
    bool racing = herd_;
    for (std::size_t n = from; n <= to; ++n) {
      const std::vector<litmus::Test> tests{make(n)};
      std::vector<oracle::Result> results;
      const double ours = machine_seconds(tests, results);
      fmt::print("{:<14} {:>3} {:>8} states {:>9} visited {:>11.6f} s", name, n,
                 results[0].behaviours.size(), results[0].candidates, ours);
      if (racing) {
        const auto answer = runners::run_herd7(tests, options_).at(0);
        racing = answer.status == runners::HerdAnswer::Status::ok;
        if (racing) {
          check(answer.result, results[0]);
          fmt::print("   herd7 {:>8.2f} s   {:>8.0f} x", answer.seconds, answer.seconds / ours);
        } else {
          fmt::print("   herd7 > {:.0f} s", options_.seconds);
        }
      }
      end_row();
    }
  }

  void batch(const std::string& name, const std::vector<litmus::Test>& tests) {
    std::vector<oracle::Result> results;
    const double ours = machine_seconds(tests, results);
    fmt::print("{:<14} {} programs {:.4f} s, {:.0f} a second", name, tests.size(), ours,
               static_cast<double>(tests.size()) / ours);
    if (herd_) {
      double theirs = 0;
      std::size_t finished = 0;
      runners::HerdOptions brief = options_;
      brief.seconds = std::min(options_.seconds, 1.0); // a program
      const auto answers = runners::run_herd7(tests, brief);
      for (std::size_t i = 0; i < tests.size(); ++i) {
        theirs += answers[i].seconds;
        if (answers[i].status != runners::HerdAnswer::Status::ok) continue;
        check(answers[i].result, results[i]);
        ++finished;
      }
      fmt::print("   herd7 {:.2f} s for the {} it finished   > {:.0f} x", theirs, finished,
                 theirs / ours);
    }
    end_row();
  }

 private:
  static void end_row() {
    fmt::print("\n");
    std::fflush(stdout); // a row takes its time
  }

  static void check(const oracle::Result& theirs, const oracle::Result& ours) {
    if (theirs.behaviours == ours.behaviours) return;
    fmt::print("\nDIFFERENT STATES\n");
    std::exit(1);
  }

  bool herd_;
  runners::HerdOptions options_;
};

/// Two to four threads of stores, loads, fences and locked instructions over three cells.
std::vector<litmus::Test> random_tests(std::size_t count) {
  const std::vector<std::string> forms{"movl ${1},{0}",  "movl ${1},{0}",     "movl {0},%eax",
                                       "movl {0},%ebx",  "movl {0},%eax",     "mfence",
                                       "xchgl %eax,{0}", "lock addl ${1},{0}"};
  std::vector<litmus::Test> tests;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    litmus::Random random(seed);
    Columns columns(2 + random.below(3));
    std::string asked = "x0; x1; x2; ";
    for (std::size_t t = 0; t < columns.size(); ++t) {
      for (std::size_t i = 0, n = 2 + random.below(3); i < n; ++i)
        columns[t].push_back(fmt::format(fmt::runtime(random.pick(forms)), cell(random.below(3)),
                                         1 + random.below(2)));
      asked += fmt::format("{0}:rax; {0}:rbx; ", t);
    }
    tests.push_back(test_of(columns, asked));
  }
  return tests;
}

} // namespace

int main(int argc, char** argv) {
  const double limit = argc > 1 ? std::strtod(argv[1], nullptr) : 10;
  const bool herd = runners::find_herd7().has_value();
  if (!herd) fmt::print("no herd7 here (scripts/get-herd7): only our side\n");
  Bench bench(herd, limit);
  bench.batch("random", random_tests(100));
  bench.family("SB ring", 2, 12, [](std::size_t n) { return ring(n, "movl"); });
  bench.family("xchg ring", 2, 12, [](std::size_t n) { return ring(n, "xchgl"); });
  bench.family("lock inc", 2, 10, [](std::size_t n) { return increments(n, 1); });
  bench.family("2 x lock inc", 1, 10, [](std::size_t n) { return increments(2, n); });
  bench.family("stores", 2, 10, stores);
  bench.family("k stores/loads", 1, 8, read_read);
  bench.family("IRIW", 4, 10, independent_reads);
}
